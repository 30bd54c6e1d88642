-- Of a column whose values repeat and lie in a key in part: how many of its rows have a value that the key has. Where no
-- common value repeats, nothing is kept: the rows are as many as the values.
INSERT INTO overlap_rows
WITH directed AS (
    SELECT left_id AS child_id, right_id AS parent_id, intersection
    FROM column_overlaps ANTI JOIN overlap_errors USING (left_id, right_id)
    UNION ALL
    SELECT right_id, left_id, intersection
    FROM column_overlaps ANTI JOIN overlap_errors USING (left_id, right_id)
),
asked AS (
    SELECT child_id, parent_id, intersection
    FROM directed JOIN profiles AS a ON a.column_id = child_id JOIN profiles AS b ON b.column_id = parent_id
    WHERE a.database = b.database
        AND NOT a.estimated AND NOT b.estimated
        AND a.row_count - a.null_count > a.distinct_count
        AND b.uniqueness >= $key
        AND intersection < a.distinct_count AND intersection >= $least * a.distinct_count
        AND ($all OR child_id IN (FROM changed) OR parent_id IN (FROM changed))
),
repeated AS (FROM column_values WHERE occurrences > 1 AND column_id IN (SELECT child_id FROM asked))
SELECT child_id, parent_id, CAST(any_value(intersection) + sum(a.occurrences - 1) AS BIGINT)
FROM asked
JOIN repeated AS a ON a.column_id = child_id
JOIN column_values AS b ON b.column_id = parent_id AND b.hash = a.hash
GROUP BY child_id, parent_id;
