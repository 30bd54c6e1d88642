-- The distinct values of the cells: raw text and numbers first, because grouping them is cheap. A word for a missing value
-- is marked: whether it is one depends on what else the column holds.
SELECT
    column_id, value, hashed(value) AS hash, missing_word(value) AS is_word,
    CAST(sum(occurrences) AS BIGINT) AS occurrences,
    CAST(sum(padded) AS BIGINT) AS padded
FROM (
    SELECT
        column_id,
        CASE WHEN $ignore_zeros THEN without_zeros(cased) ELSE cased END AS value,
        occurrences,
        padded
    FROM (
        SELECT
            column_id,
            CASE WHEN $ignore_case THEN lowered(normalised(text, number)) ELSE normalised(text, number) END AS cased,
            occurrences,
            CASE WHEN text <> raw_text THEN occurrences ELSE 0 END AS padded
        FROM (
            SELECT column_id, trimmed(text) AS text, text AS raw_text, number, occurrences
            FROM (
                SELECT column_id, text, number, count(*) AS occurrences
                FROM cells
                WHERE text IS NOT NULL OR number IS NOT NULL
                GROUP BY column_id, text, number
            ) AS raw
        ) AS ended
    ) AS cased_texts
) AS texts
WHERE value IS NOT NULL
GROUP BY column_id, value
