-- The distinct values of the cells: raw text and numbers first, because grouping them is cheap.
SELECT column_id, value, hashed(value) AS hash, CAST(sum(occurrences) AS BIGINT) AS occurrences
FROM (
    SELECT
        column_id,
        CASE WHEN $ignore_case THEN lowered(normalised(text, number)) ELSE normalised(text, number) END AS value,
        occurrences
    FROM (
        SELECT column_id, trimmed(text) AS text, number, occurrences
        FROM (
            SELECT column_id, text, number, count(*) AS occurrences
            FROM cells
            WHERE text IS NOT NULL OR number IS NOT NULL
            GROUP BY column_id, text, number
        ) AS raw
    ) AS ended
) AS texts
WHERE value IS NOT NULL
GROUP BY column_id, value
