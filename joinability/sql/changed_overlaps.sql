-- |A n B| of every pair with a column in `changed`, of the values whose hash is in a slice.
INSERT INTO pairs
SELECT
    least(a.column_id, b.column_id) AS left_id,
    greatest(a.column_id, b.column_id) AS right_id,
    CAST(count(*) AS INTEGER) AS intersection
FROM (
    FROM column_values WHERE hash BETWEEN $low AND $high AND column_id IN (SELECT column_id FROM changed)
) AS a
JOIN (FROM column_values WHERE hash BETWEEN $low AND $high) AS b USING (hash)
WHERE a.column_id < b.column_id
    OR (a.column_id > b.column_id AND b.column_id NOT IN (SELECT column_id FROM changed))
GROUP BY ALL;
