-- |A n B| of every two columns of different tables, all at once.
CREATE OR REPLACE TEMP TABLE pairs AS
SELECT a.column_id AS left_id, b.column_id AS right_id, CAST(count(*) AS INTEGER) AS intersection
FROM column_values AS a JOIN column_values AS b USING (hash)
WHERE a.column_id < b.column_id
GROUP BY ALL;
