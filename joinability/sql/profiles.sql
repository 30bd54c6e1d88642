-- Profiles of the columns in `described`, from what was `counted` in them and what the owner of the table states.
INSERT INTO profiles
SELECT
    column_id, table_id, database, table_name, name, natural_name, position, type,
    CASE
        WHEN type <> '' OR filled IS NULL THEN family
        WHEN numeric_count >= 0.95 * filled THEN 'number'
        WHEN time_count >= 0.95 * filled THEN 'time'
        ELSE 'text'
    END,
    is_key, row_count, null_count, distinct_count,
    least(1, coalesce(
        stated_uniqueness,
        CASE WHEN distinct_known THEN distinct_count / nullif(row_count, 0) END,
        CASE WHEN is_key THEN 1 ELSE 0.5 END  -- unknown counts as one half
    )),
    value_count,
    row_count IS NULL OR NOT distinct_known OR value_count < distinct_count,
    numeric_count / filled, integer_count / filled, time_count / filled,
    CASE WHEN family IN ('number', 'time', 'boolean') THEN 0 ELSE padded_count / filled END,  -- typed values have none
    least(lowest, TRY_CAST(stated_minimum AS DOUBLE)), greatest(highest, TRY_CAST(stated_maximum AS DOUBLE)),
    text_length / filled,
    coalesce(stated_minimum, minimum), coalesce(stated_maximum, maximum), coalesce(samples, [])
FROM (
    SELECT
        * EXCLUDE (value_count),
        NOT stated OR stated_distinct IS NOT NULL OR stated_uniqueness IS NOT NULL AS distinct_known,
        coalesce(value_count, 0) AS value_count,
        CASE
            WHEN row_count IS NULL THEN 0
            WHEN stated THEN coalesce(CAST(round(stated_null_fraction * row_count) AS BIGINT), 0)
            ELSE row_count - coalesce(filled, 0)
        END AS null_count,
        CASE
            WHEN stated THEN greatest(
                coalesce(stated_distinct, CAST(round(stated_uniqueness * row_count) AS BIGINT), 0), coalesce(value_count, 0)
            )
            ELSE coalesce(value_count, 0)
        END AS distinct_count
    FROM described LEFT JOIN counted USING (column_id)
);
