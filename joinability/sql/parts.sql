-- What distinct values say of each column, in a form that adds up: a row for each of the values of least hash, which are
-- a sample and a sketch (its `minimum` is the value itself), and one row for all the others, whose hash is NULL.
SELECT
    column_id,
    kept AS hash,
    CAST(sum(occurrences) AS BIGINT) AS filled,
    CAST(count(*) AS BIGINT) AS value_count,
    CAST(sum(CASE WHEN number IS NOT NULL THEN occurrences ELSE 0 END) AS BIGINT) AS numeric_count,
    CAST(sum(CASE WHEN is_integer THEN occurrences ELSE 0 END) AS BIGINT) AS integer_count,
    CAST(sum(CASE WHEN is_time THEN occurrences ELSE 0 END) AS BIGINT) AS time_count,
    CAST(sum(padded) AS BIGINT) AS padded_count,
    min(number) AS lowest,
    max(number) AS highest,
    CAST(sum(occurrences * length(value)) AS BIGINT) AS text_length,
    left(min(value), 100) AS minimum,
    left(max(value), 100) AS maximum
FROM (
    SELECT
        column_id, value, occurrences, padded,
        CASE WHEN place <= $kept OR hash < $below THEN hash END AS kept,
        CASE WHEN reads_as_number(value) THEN CAST(value AS DOUBLE) END AS number,
        value <= ':' AND matches(value, '^-?[0-9]+$') AS is_integer,
        reads_as_time(value) AS is_time
    FROM (
        SELECT *, row_number() OVER (PARTITION BY column_id ORDER BY hash) AS place
        FROM fresh
    ) AS ordered
) AS described
GROUP BY column_id, kept
