-- Trino takes the MD5 of bytes only.
CREATE OR REPLACE TEMP MACRO hashed(value) AS LOWER(TO_HEX(MD5(TO_UTF8(value))));
