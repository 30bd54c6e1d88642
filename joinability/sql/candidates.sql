-- The estimates of both directions of a pair, the one of the lesser error kept.
CREATE OR REPLACE TEMP TABLE candidates AS
SELECT
    left_id, right_id,
    min(rarity) AS rarity,
    any_value(smaller) AS work,
    arg_min(intersection, standard_error) AS intersection,
    min(standard_error) AS standard_error
FROM estimates
GROUP BY left_id, right_id;
DROP TABLE estimates;

-- The candidates in the order of their evidence, the rarest first; they are counted as far as the work goes.
CREATE OR REPLACE TEMP TABLE ranked AS
SELECT
    * EXCLUDE (total),
    total <= $work
        OR left_id IN (SELECT column_id FROM sketches)
        OR right_id IN (SELECT column_id FROM sketches) AS is_chosen
FROM (
    SELECT
        *,
        sum(work) OVER (ORDER BY rarity, work, left_id, right_id) AS total,
        row_number() OVER (ORDER BY rarity, work, left_id, right_id) AS place
    FROM candidates
);
DROP TABLE candidates;
CREATE OR REPLACE TEMP TABLE chosen AS SELECT left_id, right_id FROM ranked WHERE is_chosen;

-- Of the next ones the estimates stay, one for every 500 pieces of work.
CREATE OR REPLACE TEMP TABLE estimated AS
SELECT left_id, right_id, intersection, standard_error
FROM ranked
WHERE NOT is_chosen AND place <= (SELECT count(*) FROM chosen) + $work // 500;
DROP TABLE ranked;
INSERT INTO pairs SELECT left_id, right_id, greatest(1, round(intersection)) FROM estimated;
INSERT INTO overlap_errors SELECT left_id, right_id, standard_error FROM estimated;
DROP TABLE estimated;
