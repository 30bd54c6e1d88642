-- What an exact count for the columns in `changed` costs, up to a hash.
SELECT count(*)
FROM column_values AS a JOIN column_values AS b USING (hash)
WHERE a.hash <= $high AND a.column_id IN (SELECT column_id FROM changed)
