-- The pairs that names choose are counted as well; what sketches estimate of them goes.
CREATE OR REPLACE TEMP TABLE named_pairs AS
SELECT DISTINCT least(child, parent) AS left_id, greatest(child, parent) AS right_id
FROM named
WHERE $all OR child IN (SELECT column_id FROM changed) OR parent IN (SELECT column_id FROM changed);
INSERT INTO chosen FROM named_pairs ANTI JOIN chosen USING (left_id, right_id);
DELETE FROM pairs WHERE (left_id, right_id) IN (FROM named_pairs);
DELETE FROM overlap_errors WHERE (left_id, right_id) IN (FROM named_pairs);
DROP TABLE named_pairs;
DROP TABLE named;
