-- The distinct values of a chunk of cells: raw text and numbers first, because grouping them is cheap.
SELECT column_id, value, hashed(value) AS hash, occurrences
FROM (
    SELECT column_id, normalised(text, number) AS value, CAST(sum(occurrences) AS BIGINT) AS occurrences
    FROM (SELECT column_id, text, number, count(*) AS occurrences FROM cells GROUP BY ALL)
    GROUP BY ALL
)
WHERE value IS NOT NULL
