-- |A n B| of every two columns, of the values whose hash is in a slice; the slices bound the memory of the join.
INSERT INTO pairs
SELECT a.column_id AS left_id, b.column_id AS right_id, CAST(count(*) AS INTEGER) AS intersection
FROM (FROM column_values WHERE hash BETWEEN $low AND $high) AS a
JOIN (FROM column_values WHERE hash BETWEEN $low AND $high) AS b USING (hash)
WHERE a.column_id < b.column_id
GROUP BY ALL;
