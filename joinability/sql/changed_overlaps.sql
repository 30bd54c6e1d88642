-- |A n B| of every pair with a column that is new, in `changed`; their older pairs are gone.
CREATE OR REPLACE TEMP TABLE pairs AS
SELECT
    least(a.column_id, b.column_id) AS left_id,
    greatest(a.column_id, b.column_id) AS right_id,
    CAST(count(*) AS INTEGER) AS intersection
FROM (FROM column_values WHERE column_id IN (SELECT column_id FROM changed)) AS a
JOIN column_values AS b USING (hash)
WHERE a.column_id < b.column_id
    OR (a.column_id > b.column_id AND b.column_id NOT IN (SELECT column_id FROM changed))
GROUP BY ALL;
