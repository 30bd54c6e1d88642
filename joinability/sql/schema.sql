-- What is kept of the contents. Column ids are the caller's.
CREATE TABLE IF NOT EXISTS profiles (
    column_id      INTEGER,
    table_id       VARCHAR,   -- database || '.' || table_name
    database       VARCHAR,
    table_name     VARCHAR,
    name           VARCHAR,
    natural_name   VARCHAR,
    position       INTEGER,   -- from 0, within the table
    type           VARCHAR,   -- as declared; '' where nothing is
    family         VARCHAR,   -- number, text, time, boolean, other, opaque: by type, or by content where no type is declared
    is_key         BOOLEAN,   -- the table's primary key, alone
    row_count      BIGINT,    -- NULL: a schema without rows
    null_count     BIGINT,
    distinct_count BIGINT,
    uniqueness     DOUBLE,    -- distinct_count / row_count
    value_count    BIGINT,    -- number of values in column_values: all distinct ones, or those of a sample
    estimated      BOOLEAN,   -- the values are a sample, or there are none because only the schema is known
    numeric_share  DOUBLE,    -- share of the values that read as a number, an integer, a date
    integer_share  DOUBLE,
    time_share     DOUBLE,
    padded_share   DOUBLE,    -- share of the values that have blanks before or after them
    lowest         DOUBLE,    -- of the values that read as a number
    highest        DOUBLE,
    mean_length    DOUBLE,    -- of the values' text
    minimum        VARCHAR,   -- as text
    maximum        VARCHAR,
    samples        VARCHAR[]  -- the five distinct values of least hash
);
CREATE TABLE IF NOT EXISTS column_values (column_id INTEGER, hash UBIGINT, occurrences BIGINT);  -- rows with it
ALTER TABLE column_values ADD COLUMN IF NOT EXISTS occurrences BIGINT DEFAULT 1;  -- earlier versions counted none
CREATE TABLE IF NOT EXISTS column_overlaps (left_id INTEGER, right_id INTEGER, intersection INTEGER); -- left_id < right_id
CREATE TABLE IF NOT EXISTS overlap_rows (child_id INTEGER, parent_id INTEGER, row_count BIGINT); -- rows of the child
CREATE TABLE IF NOT EXISTS declared_keys (
    column_id INTEGER, target_table VARCHAR, target_column VARCHAR, key_size INTEGER
);
CREATE TABLE IF NOT EXISTS sketches (column_id INTEGER, threshold UBIGINT);  -- only values of hash <= threshold are kept
CREATE TABLE IF NOT EXISTS overlap_errors (left_id INTEGER, right_id INTEGER, standard_error DOUBLE); -- of estimates
