-- BigQuery has a function for each type of time.
CREATE OR REPLACE TEMP MACRO text_of_timestamp(cell) AS FORMAT_DATETIME('%F %H:%M:%E6S', cell);
CREATE OR REPLACE TEMP MACRO text_of_zoned(cell) AS FORMAT_TIMESTAMP('%F %H:%M:%E6S', cell, 'UTC');
