-- Of the pairs just counted, slice by slice, those of two tables are kept, in the order in which they are read fastest.
INSERT INTO column_overlaps
SELECT pairs.left_id, pairs.right_id, CAST(sum(pairs.intersection) AS INTEGER)
FROM pairs ANTI JOIN (
    SELECT a.column_id AS left_id, b.column_id AS right_id FROM profiles AS a JOIN profiles AS b USING (table_id)
) AS siblings ON pairs.left_id = siblings.left_id AND pairs.right_id = siblings.right_id
GROUP BY ALL
ORDER BY ALL;
DROP TABLE pairs;
