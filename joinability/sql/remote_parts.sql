-- Parts that an engine has sent, with hashes as numbers: the first 16 hexadecimal digits of the MD5, as `hashed` has it.
SELECT * REPLACE (CAST('0x' || left(hash, 16) AS UBIGINT) AS hash) FROM sent
