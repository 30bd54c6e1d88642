-- Of the distinct values of each column the texts of so many letters, at most $most of them, those of least hash.
SELECT column_id, value
FROM (
    SELECT column_id, value, row_number() OVER (PARTITION BY column_id ORDER BY hash) AS place
    FROM fresh
    WHERE hash IS NOT NULL AND length(value) BETWEEN $shortest AND $longest AND regexp_matches(value, '\pL')
) AS ordered
WHERE place <= $most
ORDER BY column_id, place
