-- MariaDB, where it is not as MySQL.
CREATE OR REPLACE TEMP MACRO binary_text(cell_text) AS CAST(cell_text AS CHAR) COLLATE utf8mb4_nopad_bin;
