-- The text of a cell, by which values are compared, and the hash of a text. A cell has a text or a number, never both.
-- No blanks at the end. Testing the last letter first is three times as fast.
CREATE OR REPLACE TEMP MACRO trimmed(cell_text) AS
CASE WHEN cell_text[-1] <= ' ' THEN rtrim(cell_text, E' \t\r\n') ELSE cell_text END;

CREATE OR REPLACE TEMP MACRO normalised_text(cell_text) AS
CASE
    -- times: a blank before the time of day, no zeros at the end of the fraction, no midnight
    WHEN cell_text[5] = '-' AND length(cell_text) >= 19 THEN
        regexp_replace(
            regexp_replace(
                cell_text,
                '^([0-9]{4}-[0-9]{2}-[0-9]{2})[T ]([0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.0+|(\.[0-9]*[1-9])0*)?$',
                '\1 \2\3'
            ),
            '^([0-9]{4}-[0-9]{2}-[0-9]{2}) 00:00:00$', '\1'
        )
    -- integers that went through a float or a decimal
    WHEN cell_text[-1] = '0' AND contains(cell_text, '.0') THEN regexp_replace(cell_text, '^(-?[0-9]+)\.0+$', '\1')
    -- any other text; blank text is a missing value
    ELSE nullif(cell_text, '')
END;

-- No value for NaN; integral numbers in decimal digits, the others in the shortest form that DuckDB prints.
CREATE OR REPLACE TEMP MACRO normalised_number(cell_number) AS
CASE
    WHEN isnan(cell_number) THEN NULL
    WHEN cell_number = trunc(cell_number) AND abs(cell_number) < 9.2e18
        THEN CAST(CAST(cell_number AS BIGINT) AS VARCHAR)
    ELSE CAST(cell_number AS VARCHAR)
END;

CREATE OR REPLACE TEMP MACRO normalised(cell_text, cell_number) AS
CASE WHEN cell_number IS NULL THEN normalised_text(trimmed(cell_text)) ELSE normalised_number(cell_number) END;

-- The first 16 hexadecimal digits of the MD5 of the text, so that other engines compute the same (and four times as
-- fast as md5_number_lower).
CREATE OR REPLACE TEMP MACRO hashed(value) AS CAST('0x' || left(md5(value), 16) AS UBIGINT);
