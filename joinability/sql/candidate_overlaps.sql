-- |A n B| of the chosen pairs, of the values whose hash is in a slice. The smaller column is looked up in the other one.
INSERT INTO pairs
WITH directed AS (
    SELECT
        left_id, right_id,
        CASE WHEN a.value_count <= b.value_count THEN left_id ELSE right_id END AS child,
        CASE WHEN a.value_count <= b.value_count THEN right_id ELSE left_id END AS parent
    FROM chosen JOIN profiles AS a ON a.column_id = left_id JOIN profiles AS b ON b.column_id = right_id
),
slice AS (FROM column_values WHERE hash BETWEEN $low AND $high)
SELECT left_id, right_id, CAST(count(*) AS INTEGER) AS intersection
FROM directed
JOIN slice AS a ON a.column_id = child
JOIN slice AS b ON b.column_id = parent AND b.hash = a.hash
GROUP BY left_id, right_id;
