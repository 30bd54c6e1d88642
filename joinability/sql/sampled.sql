-- Of the pairs with a column that is known by a sketch, declared keys among them: what each side has up to the threshold.
WITH sampled AS (
    SELECT
        pairs.left_id, pairs.right_id, pairs.common, a.value_count AS left_size, b.value_count AS right_size,
        least(coalesce(s.threshold, t.threshold), coalesce(t.threshold, s.threshold)) AS threshold
    FROM (
        SELECT left_id, right_id, CAST(max(common) AS INTEGER) AS common
        FROM (
            SELECT left_id, right_id, intersection AS common FROM column_overlaps
            UNION ALL
            SELECT least(key.column_id, target.column_id), greatest(key.column_id, target.column_id), 0
            FROM declared_keys AS key
            JOIN profiles AS target ON target.table_id = key.target_table AND target.name = key.target_column
            JOIN profiles AS own ON own.column_id = key.column_id AND own.table_id <> target.table_id
        )
        GROUP BY left_id, right_id
    ) AS pairs
    JOIN profiles AS a ON a.column_id = pairs.left_id
    JOIN profiles AS b ON b.column_id = pairs.right_id
    LEFT JOIN sketches AS s ON s.column_id = pairs.left_id
    LEFT JOIN sketches AS t ON t.column_id = pairs.right_id
    WHERE (s.threshold IS NOT NULL OR t.threshold IS NOT NULL)
        AND ($all OR pairs.left_id IN (FROM changed) OR pairs.right_id IN (FROM changed))
),
kept AS (
    SELECT column_id, threshold, count(*) AS kept
    FROM (
        SELECT left_id AS column_id, threshold FROM sampled
        UNION
        SELECT right_id, threshold FROM sampled
    ) AS bounds
    JOIN column_values USING (column_id)
    WHERE hash <= threshold
    GROUP BY column_id, threshold
)
SELECT
    left_id, right_id, common, coalesce(l.kept, 0) AS left_kept, coalesce(r.kept, 0) AS right_kept, left_size, right_size
FROM sampled
LEFT JOIN kept AS l ON l.column_id = left_id AND l.threshold = sampled.threshold
LEFT JOIN kept AS r ON r.column_id = right_id AND r.threshold = sampled.threshold
ORDER BY left_id, right_id
