-- MySQL and MariaDB: binary order of text without padding, patterns by a function that both of them have.
CREATE OR REPLACE TEMP MACRO matches(examined, pattern) AS regexp_instr(examined, pattern) > 0;
CREATE OR REPLACE TEMP MACRO binary_text(cell_text) AS CAST(cell_text AS CHAR) COLLATE utf8mb4_0900_bin;
CREATE OR REPLACE TEMP MACRO text_of_zoned(cell) AS
DATE_FORMAT(CONVERT_TZ(cell, @@session.time_zone, '+00:00'), '%Y-%m-%d %H:%i:%s.%f');

-- Floats have the shortest form here, too, but down to 1e-15 without an exponent, and above without a plus.
CREATE OR REPLACE TEMP MACRO digits(printed) AS REGEXP_REPLACE(printed, '^-?0[.]0*', '');
CREATE OR REPLACE TEMP MACRO small_text(printed) AS
CONCAT(
    CASE WHEN printed LIKE '-%' THEN '-' ELSE '' END,
    LEFT(digits(printed), 1),
    CASE WHEN CHAR_LENGTH(digits(printed)) > 1 THEN '.' ELSE '' END,
    SUBSTRING(digits(printed), 2),
    'e-',
    LPAD(CHAR_LENGTH(REPLACE(printed, '-', '')) - CHAR_LENGTH(digits(printed)) - 1, 2, '0')
);
CREATE OR REPLACE TEMP MACRO number_text(cell_number) AS
CASE
    WHEN CAST(cell_number AS CHAR) LIKE '%e-%' THEN CAST(cell_number AS CHAR)
    WHEN CAST(cell_number AS CHAR) LIKE '%e%' THEN REPLACE(CAST(cell_number AS CHAR), 'e', 'e+')
    WHEN ABS(cell_number) < 0.0001 THEN small_text(CAST(cell_number AS CHAR))
    ELSE CAST(cell_number AS CHAR)
END;
