-- What the rows of sharded tables say together, of the columns in `sharded_columns`: the values of all members of a
-- column, how many these are, and how many of them other columns, or those of other sharded tables, have.
DELETE FROM sharded_columns WHERE first_id IN (
    SELECT first_id FROM sharded_columns LEFT JOIN profiles USING (column_id) WHERE estimated IS DISTINCT FROM false
);
CREATE OR REPLACE TEMP TABLE shard_values AS
WITH bounds AS (  -- up to which hash the values of all members are kept
    SELECT first_id, min(coalesce(threshold, 18446744073709551615::UBIGINT)) AS threshold
    FROM sharded_columns LEFT JOIN sketches USING (column_id)
    GROUP BY first_id
)
SELECT first_id AS column_id, hash, CAST(sum(occurrences) AS BIGINT) AS occurrences, count(*) AS members
FROM sharded_columns JOIN bounds USING (first_id) JOIN column_values USING (column_id)
WHERE hash <= threshold
GROUP BY first_id, hash;
-- `share`: distinct values by those of the members; 1 where no two members have one in common. `is_uniform`: all members
-- have the same values, and so the same pairs; these are not counted again.
CREATE OR REPLACE TABLE sharded_profiles AS
WITH kept AS (SELECT column_id, count(*) / sum(members) AS share FROM shard_values GROUP BY column_id)
SELECT
    first_id AS column_id, coalesce(share, 1.0) AS share, is_sketched,
    CAST(round(total * coalesce(share, 1.0)) AS BIGINT) AS distinct_count,
    NOT is_sketched AND round(total * coalesce(share, 1.0)) = least AND least = most AS is_uniform
FROM (
    SELECT
        first_id, sum(distinct_count) AS total, min(distinct_count) AS least, max(distinct_count) AS most,
        bool_or(threshold IS NOT NULL) AS is_sketched
    FROM sharded_columns JOIN profiles USING (column_id) LEFT JOIN sketches USING (column_id)
    GROUP BY first_id
) LEFT JOIN kept ON kept.column_id = first_id;
CREATE OR REPLACE TEMP TABLE differing AS
SELECT sharded_columns.column_id, first_id
FROM sharded_columns JOIN sharded_profiles ON sharded_profiles.column_id = first_id
WHERE NOT is_uniform;
-- Pairs that some members have values in common of. Where every value of both is known, and the work is not too much,
-- the common values are counted; elsewhere they are what the members have, less what members have in common.
CREATE OR REPLACE TEMP TABLE shard_pairs AS
WITH standing AS (
    SELECT profiles.column_id, coalesce(first_id, profiles.column_id) AS first_id, standing_first.table_id
    FROM profiles LEFT JOIN differing USING (column_id)
    JOIN profiles AS standing_first ON standing_first.column_id = coalesce(first_id, profiles.column_id)
),
told AS (
    SELECT
        first_id AS column_id, coalesce(share, 1.0) AS share,
        coalesce(together.distinct_count, first.distinct_count) AS size,
        coalesce(is_sketched, threshold IS NOT NULL) AS is_sketched
    FROM (SELECT DISTINCT first_id FROM standing)
    JOIN profiles AS first ON first.column_id = first_id
    LEFT JOIN sharded_profiles AS together ON together.column_id = first_id AND NOT is_uniform
    LEFT JOIN sketches ON sketches.column_id = first_id
),
touched AS MATERIALIZED (
    SELECT left_id, right_id, intersection, standard_error
    FROM column_overlaps LEFT JOIN overlap_errors USING (left_id, right_id)
    WHERE left_id IN (SELECT column_id FROM differing) OR right_id IN (SELECT column_id FROM differing)
),
added AS (
    SELECT
        least(one.first_id, other.first_id) AS left_id, greatest(one.first_id, other.first_id) AS right_id,
        sum(intersection) AS intersection, sqrt(sum(standard_error * standard_error)) AS standard_error
    FROM touched
    JOIN standing AS one ON one.column_id = left_id JOIN standing AS other ON other.column_id = right_id
    WHERE one.table_id <> other.table_id
    GROUP BY ALL
)
SELECT
    left_id, right_id, a.share * b.share AS shared,
    greatest(1, least(intersection * a.share * b.share, a.size, b.size)) AS intersection,
    standard_error * a.share * b.share AS standard_error,
    standard_error IS NULL AND NOT a.is_sketched AND NOT b.is_sketched
        AND sum(least(a.size, b.size)) OVER (ORDER BY least(a.size, b.size), left_id, right_id) <= $work AS is_counted,
    CASE WHEN a.size <= b.size THEN left_id ELSE right_id END AS smaller,
    CASE WHEN a.size <= b.size THEN right_id ELSE left_id END AS larger
FROM added JOIN told AS a ON a.column_id = left_id JOIN told AS b ON b.column_id = right_id;
CREATE OR REPLACE TABLE sharded_overlaps AS
WITH known AS (
    SELECT column_id, hash, occurrences FROM shard_values WHERE column_id IN (SELECT first_id FROM differing)
    UNION ALL
    SELECT column_id, hash, occurrences FROM column_values
    WHERE column_id IN (SELECT smaller FROM shard_pairs UNION SELECT larger FROM shard_pairs)
        AND column_id NOT IN (SELECT column_id FROM differing)
),
counted AS (
    SELECT
        smaller, larger, count(*) AS intersection,
        sum(a.occurrences) AS smaller_rows, sum(b.occurrences) AS larger_rows
    FROM (FROM shard_pairs WHERE is_counted)
    JOIN known AS a ON a.column_id = smaller
    JOIN known AS b ON b.column_id = larger AND b.hash = a.hash
    GROUP BY smaller, larger
)
SELECT
    left_id, right_id, CAST(coalesce(counted.intersection, round(shard_pairs.intersection)) AS INTEGER) AS intersection,
    CASE
        WHEN is_counted THEN 0.0
        ELSE coalesce(standard_error, (1 - shared) / 2 * shard_pairs.intersection)  -- values may be anybody's
    END AS standard_error,
    CAST(coalesce(CASE WHEN left_id = smaller THEN smaller_rows ELSE larger_rows END, 0) AS BIGINT) AS left_rows,
    CAST(coalesce(CASE WHEN left_id = smaller THEN larger_rows ELSE smaller_rows END, 0) AS BIGINT) AS right_rows
FROM shard_pairs LEFT JOIN counted USING (smaller, larger);
DROP TABLE shard_values;
DROP TABLE shard_pairs;
DROP TABLE differing;
