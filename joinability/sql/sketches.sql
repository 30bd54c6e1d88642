-- Of the columns of an engine, those whose values are not all kept: the greatest hash up to which they are.
INSERT INTO sketches
SELECT column_id, max(hash)
FROM read_parts
GROUP BY column_id
HAVING sum(value_count) > count(hash)
