-- PostgreSQL: binary order of text, bytes by `encode`, numbers of any scale in one type.
CREATE OR REPLACE TEMP MACRO binary_text(cell_text) AS (cell_text) COLLATE "C";
CREATE OR REPLACE TEMP MACRO text_of_bytes(cell) AS encode(cell, 'hex');

-- A numeric without a scale: integral numbers in all their digits, the others as doubles.
CREATE OR REPLACE TEMP MACRO text_of_numeric(cell) AS
CASE WHEN abs(cell) < 1e300 THEN CASE WHEN cell = trunc(cell) THEN CAST(trunc(cell) AS TEXT) END END;
CREATE OR REPLACE TEMP MACRO number_of_numeric(cell) AS
CASE WHEN abs(cell) < 1e300 AND cell = trunc(cell) THEN NULL ELSE CAST(cell AS DOUBLE) END;

-- Floats have the shortest form here, too, but from 1e15 on with an exponent, and infinity as a word.
CREATE OR REPLACE TEMP MACRO number_text(cell_number) AS
CASE
    WHEN abs(cell_number) < 9.2e18 AND abs(cell_number) >= 1e15
        THEN CAST(CAST(CAST(cell_number AS TEXT) AS NUMERIC) AS TEXT)
    ELSE replace(lower(CAST(cell_number AS TEXT)), 'infinity', 'inf')
END;

-- In binary order only A to Z have small letters.
CREATE OR REPLACE TEMP MACRO lowered(value) AS lower(value COLLATE "und-x-icu") COLLATE "C";
