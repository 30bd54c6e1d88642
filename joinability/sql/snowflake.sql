-- Snowflake prints bytes as the session says, and in capitals.
CREATE OR REPLACE TEMP MACRO text_of_bytes(cell) AS LOWER(TO_CHAR(cell, 'HEX'));
