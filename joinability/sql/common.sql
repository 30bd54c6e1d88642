-- The greatest number of columns that a value may be in, so that the look-up of all rarer values stays within the work.
SELECT coalesce(max(holding), 1)
FROM (
    SELECT holding, sum(sum(probing * holding)) OVER (ORDER BY holding) AS work
    FROM frequencies
    GROUP BY holding
)
WHERE work <= $work
