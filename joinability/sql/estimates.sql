-- For columns of a range of ids: of the `tried` values of the column's sketch `hits` are in another column. That share is
-- an estimate of the containment, equation (2) of `sketches.py`; it is kept if it and two standard errors reach $least.
-- Values that more than $common columns have are left out.
INSERT INTO estimates
WITH rare AS (
    SELECT column_id, hash, holding
    FROM probes JOIN frequencies USING (hash)
    WHERE holding <= $common AND column_id BETWEEN $first AND $last
),
tried AS (SELECT column_id, count(*) AS tried FROM rare GROUP BY column_id),
hits AS (
    SELECT a.column_id AS child, b.column_id AS parent, count(*) AS hits, min(holding) AS rarity
    FROM rare AS a
    JOIN postings AS b USING (hash)
    WHERE a.holding > 1 AND a.column_id <> b.column_id AND (
        $all OR a.column_id IN (SELECT column_id FROM changed) OR b.column_id IN (SELECT column_id FROM changed)
    )
    GROUP BY ALL
),
shares AS (
    SELECT
        child, parent, rarity, least(a.value_count, b.value_count) AS smaller, a.value_count AS size, a.table_id,
        hits / tried AS share,
        sqrt(
            greatest(share, 0.5 / tried) * greatest(1 - share, 0.5 / tried) / tried
            * greatest(1 - tried / a.value_count, 0)
        ) AS standard_error
    FROM hits
    JOIN tried ON tried.column_id = child
    JOIN profiles AS a ON a.column_id = child
    JOIN profiles AS b ON b.column_id = parent AND b.table_id <> a.table_id
)
SELECT
    least(child, parent), greatest(child, parent), rarity, smaller, least(share * size, smaller), standard_error * size
FROM shares
WHERE share + 2 * standard_error >= $least;
