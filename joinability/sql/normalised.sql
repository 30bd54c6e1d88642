-- The text of a cell, by which values are compared. A cell has a text or a number, never both.
CREATE OR REPLACE TEMP MACRO normalised(cell_text, cell_number) AS
CASE
    -- numbers: no value for NaN; integral ones in decimal digits; the others in the engine's shortest form
    WHEN cell_number IS NOT NULL THEN
        CASE
            WHEN isnan(cell_number) THEN NULL
            WHEN cell_number = trunc(cell_number) AND abs(cell_number) < 9.2e18
                THEN CAST(CAST(cell_number AS BIGINT) AS VARCHAR)
            ELSE CAST(cell_number AS VARCHAR)
        END
    -- times: a blank before the time of day, no zeros at the end of the fraction, no midnight
    WHEN cell_text[5] = '-' AND length(cell_text) >= 19 THEN
        regexp_replace(
            regexp_replace(
                rtrim(cell_text, E' \t\r\n'),
                '^([0-9]{4}-[0-9]{2}-[0-9]{2})[T ]([0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.0+|(\.[0-9]*[1-9])0*)?$',
                '\1 \2\3'
            ),
            '^([0-9]{4}-[0-9]{2}-[0-9]{2}) 00:00:00$', '\1'
        )
    -- integers that went through a float or a decimal
    WHEN contains(cell_text, '.0') THEN
        regexp_replace(rtrim(cell_text, E' \t\r\n'), '^(-?[0-9]+)\.0+$', '\1')
    -- any other text: no blanks at the end; blank text is a missing value
    ELSE nullif(rtrim(cell_text, E' \t\r\n'), '')
END;
