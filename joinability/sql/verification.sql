-- How many values each of the pairs of columns has in common.
SELECT pairs.left_id, pairs.right_id, count(*) AS intersection
FROM pairs
JOIN fresh AS a ON a.column_id = pairs.left_id
JOIN fresh AS b ON b.column_id = pairs.right_id AND b.hash = a.hash
GROUP BY pairs.left_id, pairs.right_id
