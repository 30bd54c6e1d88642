-- Columns whose values repeat and lie in a key in part, with the key: those whose rows are counted.
CREATE OR REPLACE TEMP TABLE asked AS
WITH directed AS (
    SELECT left_id AS child_id, right_id AS parent_id, intersection
    FROM column_overlaps ANTI JOIN overlap_errors USING (left_id, right_id)
    UNION ALL
    SELECT right_id, left_id, intersection
    FROM column_overlaps ANTI JOIN overlap_errors USING (left_id, right_id)
)
SELECT child_id, parent_id, intersection, 0::BIGINT AS repeated
FROM directed JOIN profiles AS a ON a.column_id = child_id JOIN profiles AS b ON b.column_id = parent_id
WHERE a.database = b.database
    AND NOT a.estimated AND NOT b.estimated
    AND a.row_count - a.null_count > a.distinct_count
    AND b.uniqueness >= $key
    AND intersection < a.distinct_count AND intersection >= $least * a.distinct_count
    AND ($all OR child_id IN (FROM changed) OR parent_id IN (FROM changed));
