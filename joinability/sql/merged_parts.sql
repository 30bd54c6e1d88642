-- The parts of each column added up. Of a column that came in several chunks, `counted` has the number of distinct values.
SELECT
    column_id,
    CAST(sum(filled) AS BIGINT) AS filled,
    coalesce(any_value(counted.value_count), CAST(sum(read_parts.value_count) AS BIGINT)) AS value_count,
    CAST(sum(numeric_count) AS BIGINT) AS numeric_count,
    CAST(sum(integer_count) AS BIGINT) AS integer_count,
    CAST(sum(time_count) AS BIGINT) AS time_count,
    CAST(sum(padded_count) AS BIGINT) AS padded_count,
    min(lowest) AS lowest,
    max(highest) AS highest,
    CAST(sum(text_length) AS BIGINT) AS text_length,
    min(minimum) AS minimum,
    max(maximum) AS maximum,
    any_value(chosen.samples) AS samples
FROM read_parts
LEFT JOIN counted USING (column_id)
LEFT JOIN (
    SELECT column_id, arg_min(sample, hash, 5) AS samples
    FROM (SELECT DISTINCT column_id, hash, minimum AS sample FROM read_parts WHERE hash IS NOT NULL)
    GROUP BY column_id
) AS chosen USING (column_id)
GROUP BY column_id
