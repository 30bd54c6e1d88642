-- One table that came in several chunks: its parts added up. Its distinct values are kept already.
SELECT
    column_id,
    CAST(sum(filled) AS BIGINT) AS filled,
    any_value(distinct_values) AS value_count,
    CAST(sum(numeric_count) AS BIGINT) AS numeric_count,
    CAST(sum(integer_count) AS BIGINT) AS integer_count,
    CAST(sum(time_count) AS BIGINT) AS time_count,
    min(lowest) AS lowest,
    max(highest) AS highest,
    CAST(sum(text_length) AS BIGINT) AS text_length,
    min(minimum) AS minimum,
    max(maximum) AS maximum,
    any_value(chosen.samples) AS samples
FROM large_parts
JOIN (SELECT column_id, count(*) AS distinct_values FROM column_values GROUP BY column_id) USING (column_id)
JOIN (
    SELECT column_id, arg_min(entry, entry.hash, 5) AS samples
    FROM (SELECT DISTINCT column_id, unnest(samples) AS entry FROM large_parts)
    GROUP BY column_id
) AS chosen USING (column_id)
GROUP BY column_id
