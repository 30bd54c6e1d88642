-- Of the words for missing values those that are values: what else their columns hold is of more than one kind.
SELECT *
FROM words
WHERE column_id NOT IN (
    SELECT column_id
    FROM read_parts
    GROUP BY column_id
    HAVING of_one_kind(sum(filled), sum(numeric_count), sum(time_count))
)
