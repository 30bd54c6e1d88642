-- Ranges of column ids, in which the values of sketches are in about $work columns altogether.
SELECT min(column_id), max(column_id)
FROM (
    SELECT column_id, sum(sum(holding)) OVER (ORDER BY column_id) // $work AS part
    FROM probes JOIN frequencies USING (hash)
    WHERE holding <= $common
    GROUP BY column_id
)
GROUP BY part
ORDER BY part
