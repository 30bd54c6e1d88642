-- Spark and Databricks.
CREATE OR REPLACE TEMP MACRO text_of_zoned(cell) AS
DATE_FORMAT(TO_UTC_TIMESTAMP(cell, CURRENT_TIMEZONE()), 'yyyy-MM-dd HH:mm:ss.SSSSSS');

-- Java prints floats in its own way, older ones not even in the shortest: the least number of digits that gives the number
-- back is tried. The pattern takes zeros off the end of a fraction.
CREATE OR REPLACE TEMP MACRO shortest(cell_number) AS
CASE
    WHEN CAST(format_string('%.14e', cell_number) AS DOUBLE) = cell_number THEN format_string('%.14e', cell_number)
    WHEN CAST(format_string('%.15e', cell_number) AS DOUBLE) = cell_number THEN format_string('%.15e', cell_number)
    ELSE format_string('%.16e', cell_number)
END;
CREATE OR REPLACE TEMP MACRO number_text(cell_number) AS
CASE
    WHEN abs(cell_number) >= 0.0001 AND abs(cell_number) < 1e16
        THEN regexp_replace(CAST(CAST(shortest(cell_number) AS DECIMAL(38, 20)) AS STRING), '0+$', '')
    ELSE replace(regexp_replace(lower(shortest(cell_number)), '[.]?0+e', 'e'), 'infinity', 'inf')
END;
