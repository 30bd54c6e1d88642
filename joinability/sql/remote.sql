-- Macros for engines that hold the tables themselves. Before them goes a file of the engine's name, where there is one.

-- Hashes are the text of the MD5, which all engines order alike.
CREATE OR REPLACE TEMP MACRO hashed(value) AS md5(value);

-- What makes text of one collation, the binary one, of the text of a cell.
CREATE OR REPLACE TEMP MACRO binary_text(cell_text) AS cell_text;

-- The cell of a column, by the kind of its type: a text, or a number (see `cells.py`, which says the same of Arrow types).
CREATE OR REPLACE TEMP MACRO text_of_text(cell) AS CAST(cell AS VARCHAR);
CREATE OR REPLACE TEMP MACRO text_of_integer(cell) AS CAST(cell AS VARCHAR);
CREATE OR REPLACE TEMP MACRO text_of_boolean(cell) AS CASE WHEN cell THEN '1' WHEN NOT cell THEN '0' END;
CREATE OR REPLACE TEMP MACRO text_of_date(cell) AS strftime(cell, '%Y-%m-%d');
CREATE OR REPLACE TEMP MACRO text_of_timestamp(cell) AS strftime(cell, '%Y-%m-%d %H:%M:%S.%f');
CREATE OR REPLACE TEMP MACRO text_of_zoned(cell) AS strftime(cell AT TIME ZONE 'UTC', '%Y-%m-%d %H:%M:%S.%f');
CREATE OR REPLACE TEMP MACRO text_of_time(cell) AS CAST(cell AS VARCHAR);
CREATE OR REPLACE TEMP MACRO text_of_bytes(cell) AS lower(hex(cell));
CREATE OR REPLACE TEMP MACRO number_of_float(cell) AS CAST(cell AS DOUBLE);
-- A decimal is a number, but an integral one of more digits than a double holds is the text of all its digits.
CREATE OR REPLACE TEMP MACRO is_long_decimal(cell) AS abs(cell) BETWEEN 9e15 AND 1e300 AND cell = floor(cell);
CREATE OR REPLACE TEMP MACRO text_of_decimal(cell) AS CASE WHEN is_long_decimal(cell) THEN CAST(cell AS VARCHAR) END;
CREATE OR REPLACE TEMP MACRO number_of_decimal(cell) AS
CASE WHEN is_long_decimal(cell) THEN NULL ELSE CAST(cell AS DOUBLE) END;
