-- The text of a cell, by which values are compared, and the hash of a text. A cell has a text or a number, never both.
-- Written in what all engines know: no backslash but in a class, no group that is referred to, every pattern anchored.

-- Whether a pattern matches a text; an engine that has another function for it has a macro of its own.
CREATE OR REPLACE TEMP MACRO matches(examined, pattern) AS regexp_matches(examined, pattern);

-- No blanks, tabs and line ends around it. Testing the outer letters first is three times as fast.
CREATE OR REPLACE TEMP MACRO trimmed(cell_text) AS
CASE
    WHEN right(cell_text, 1) <= ' ' OR left(cell_text, 1) <= ' '
        THEN regexp_replace(regexp_replace(cell_text, '^[ \t\r\n]+', ''), '[ \t\r\n]+$', '')
    ELSE cell_text
END;

-- A time of day without zeros at the end of its fraction.
CREATE OR REPLACE TEMP MACRO clock(day_time) AS
CASE
    WHEN length(day_time) > 8 THEN regexp_replace(regexp_replace(day_time, '0+$', ''), '[.]$', '')
    ELSE day_time
END;

CREATE OR REPLACE TEMP MACRO normalised_text(trimmed_text) AS
CASE
    -- times: a blank before the time of day, no zeros at the end of the fraction, no midnight
    WHEN substr(trimmed_text, 5, 1) = '-' AND length(trimmed_text) >= 19
        AND matches(
            trimmed_text, '^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?$'
        ) THEN
        CASE clock(substr(trimmed_text, 12))
            WHEN '00:00:00' THEN substr(trimmed_text, 1, 10)
            ELSE concat(substr(trimmed_text, 1, 10), ' ', clock(substr(trimmed_text, 12)))
        END
    WHEN substr(trimmed_text, 3, 1) = ':' AND length(trimmed_text) > 8
        AND matches(trimmed_text, '^[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]+$') THEN clock(trimmed_text)
    -- integers that went through a float or a decimal
    WHEN right(trimmed_text, 1) = '0' AND trimmed_text LIKE '%.0%'
        AND matches(trimmed_text, '^-?[0-9]+[.]0+$') THEN regexp_replace(trimmed_text, '[.]0+$', '')
    -- any other text; blank text is a missing value
    ELSE nullif(trimmed_text, '')
END;

-- The shortest text that gives a number back, as Python and DuckDB print it. Engines that print otherwise have their own.
CREATE OR REPLACE TEMP MACRO number_text(cell_number) AS CAST(cell_number AS VARCHAR);

-- Integral numbers in decimal digits, no value for NaN. One CASE in the other: no engine casts what it can not.
CREATE OR REPLACE TEMP MACRO normalised_number(cell_number) AS
CASE
    WHEN abs(cell_number) < 9.2e18 THEN
        CASE
            WHEN cell_number = trunc(cell_number) THEN CAST(CAST(cell_number AS BIGINT) AS VARCHAR)
            ELSE number_text(cell_number)
        END
    ELSE nullif(number_text(cell_number), 'nan')
END;

CREATE OR REPLACE TEMP MACRO normalised(trimmed_text, cell_number) AS
CASE WHEN cell_number IS NULL THEN normalised_text(trimmed_text) ELSE normalised_number(cell_number) END;

-- Where case makes no difference.
CREATE OR REPLACE TEMP MACRO lowered(value) AS lower(value);

-- Where zeros before a whole number make no difference.
CREATE OR REPLACE TEMP MACRO without_zeros(value) AS
CASE
    WHEN value LIKE '0_%' AND matches(value, '^[0-9]+$') THEN coalesce(nullif(regexp_replace(value, '^0+', ''), ''), '0')
    ELSE value
END;

-- Whether a text reads as a number that every engine can cast to a double: no overflow, no underflow.
CREATE OR REPLACE TEMP MACRO reads_as_number(value) AS
value <= ':' AND length(value) <= 25 AND matches(
    value, '^ *[-+]?([0-9]{1,18}([.][0-9]*)?|[.][0-9]+)([eE][-+]?([01]?[0-9]?[0-9]|2[0-8][0-9]))?$'
);

-- Whether a text reads as a date, with or without a time of day, or as a time of day.
CREATE OR REPLACE TEMP MACRO reads_as_time(value) AS
substr(value, 5, 1) = '-' AND matches(left(value, 11), '^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]?$')
OR substr(value, 3, 1) = ':' AND matches(left(value, 5), '^[0-9]{2}:[0-9]{2}$');

-- Whether a text is one that people and exports write where there is no value. Blank text is no value anywhere.
CREATE OR REPLACE TEMP MACRO missing_word(value) AS
length(value) <= 7 AND lower(value) IN (
    'n/a', 'na', 'n.a.', '#n/a', '#na', '<na>', 'null', '(null)', '<null>', 'none', 'nil', 'nan', 'nat', 'unknown',
    'missing', '-', '--', '.', '?', '\n'
);

-- Whether so many values, words for missing ones not counted, are of one kind: numbers, or dates and times.
CREATE OR REPLACE TEMP MACRO of_one_kind(filled, numeric_count, time_count) AS
filled > 0 AND (numeric_count >= 0.95 * filled OR time_count >= 0.95 * filled);

-- The first 16 hexadecimal digits of the MD5 of the text, as a number (four times as fast as md5_number_lower).
CREATE OR REPLACE TEMP MACRO hashed(value) AS CAST('0x' || left(md5(value), 16) AS UBIGINT);
