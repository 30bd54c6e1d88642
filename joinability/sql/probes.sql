-- The sketch of each column: its values of least hash. Few are above the limit that a uniform hash puts on them.
CREATE OR REPLACE TEMP TABLE probes AS
SELECT column_id, unnest(min(hash, $size)) AS hash
FROM column_values JOIN profiles USING (column_id)
WHERE value_count <= $enough OR hash <= 18446744073709551615.0 * $enough / value_count
GROUP BY column_id;

-- The inverted list: for each value of a sketch all the columns that have it.
CREATE OR REPLACE TEMP TABLE postings AS
SELECT column_id, hash FROM column_values WHERE hash IN (SELECT hash FROM probes);

CREATE OR REPLACE TEMP TABLE frequencies AS
SELECT hash, probing, holding
FROM (SELECT hash, count(*) AS probing FROM probes GROUP BY hash)
JOIN (SELECT hash, count(*) AS holding FROM postings GROUP BY hash) USING (hash);

CREATE OR REPLACE TEMP TABLE estimates (
    left_id INTEGER, right_id INTEGER, rarity BIGINT, smaller BIGINT, intersection DOUBLE, standard_error DOUBLE
);
