-- What an exact count costs: pairs of columns, summed over the values that they share, up to a hash.
SELECT sum(holding * (holding - 1)) / 2
FROM (SELECT count(*) AS holding FROM column_values WHERE hash <= $high GROUP BY hash)
