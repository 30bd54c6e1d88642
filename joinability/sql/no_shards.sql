-- What `shards.sql` leaves where no tables are sharded.
CREATE OR REPLACE TABLE sharded_profiles (
    column_id INTEGER, share DOUBLE, is_sketched BOOLEAN, distinct_count BIGINT, is_uniform BOOLEAN
);
CREATE OR REPLACE TABLE sharded_overlaps (
    left_id INTEGER, right_id INTEGER, intersection INTEGER, standard_error DOUBLE, left_rows BIGINT, right_rows BIGINT
);
