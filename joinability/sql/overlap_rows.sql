-- How many more rows than values of the asked columns have a value that their key has, of the values in a slice.
INSERT INTO asked
WITH slice AS (FROM column_values WHERE hash BETWEEN $low AND $high)
SELECT child_id, parent_id, 0, CAST(sum(a.occurrences - 1) AS BIGINT)
FROM asked
JOIN slice AS a ON a.column_id = child_id AND a.occurrences > 1
JOIN slice AS b ON b.column_id = parent_id AND b.hash = a.hash
WHERE intersection > 0
GROUP BY child_id, parent_id;
