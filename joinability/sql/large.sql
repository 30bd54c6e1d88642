-- Where the values of one table wait that comes in several chunks.
CREATE TEMP TABLE IF NOT EXISTS large_values (column_id INTEGER, hash UBIGINT, occurrences BIGINT);
CREATE TEMP TABLE IF NOT EXISTS large_parts AS FROM read_parts LIMIT 0;
CREATE TEMP TABLE IF NOT EXISTS large_words AS FROM words LIMIT 0;
