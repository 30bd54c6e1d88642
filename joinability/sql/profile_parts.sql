-- What a chunk of cells says of each column, in a form that adds up over chunks.
SELECT
    column_id,
    CAST(sum(occurrences) AS BIGINT) AS filled,
    CAST(count(*) AS BIGINT) AS value_count,
    CAST(coalesce(sum(occurrences) FILTER (isfinite(TRY_CAST(value AS DOUBLE))), 0) AS BIGINT) AS numeric_count,
    CAST(coalesce(sum(occurrences) FILTER (regexp_full_match(value, '-?[0-9]+')), 0) AS BIGINT) AS integer_count,
    CAST(coalesce(sum(occurrences) FILTER (
        regexp_matches(value, '^([0-9]{4}-[0-9]{2}-[0-9]{2}([T ]|$)|[0-9]{2}:[0-9]{2}(:[0-9]{2})?)')
    ), 0) AS BIGINT) AS time_count,
    min(TRY_CAST(value AS DOUBLE)) FILTER (isfinite(TRY_CAST(value AS DOUBLE))) AS lowest,
    max(TRY_CAST(value AS DOUBLE)) FILTER (isfinite(TRY_CAST(value AS DOUBLE))) AS highest,
    CAST(sum(occurrences * length(value)) AS BIGINT) AS text_length,
    left(min(value), 100) AS minimum,
    left(max(value), 100) AS maximum,
    arg_min({'hash': hash, 'sample': left(value, 100)}, hash, 5) AS samples
FROM fresh
GROUP BY column_id
