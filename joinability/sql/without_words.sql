-- The values of complete columns, without the words for missing values where the rest is of one kind.
SELECT column_id, value, hash, occurrences, padded
FROM (
    SELECT
        *,
        sum(CASE WHEN is_word THEN 0 ELSE occurrences END) OVER (PARTITION BY column_id) AS filled,
        sum(CASE WHEN reads_as_number(value) THEN occurrences ELSE 0 END) OVER (PARTITION BY column_id) AS numeric_count,
        sum(CASE WHEN reads_as_time(value) THEN occurrences ELSE 0 END) OVER (PARTITION BY column_id) AS time_count
    FROM spelled
) AS summed
WHERE NOT (is_word AND of_one_kind(filled, numeric_count, time_count))
