"""References to surrogate keys, chosen by name where values can not choose them.

The keys of thousands of tables count from 1, so that the integers of a reference lie in the key of every table that is
long enough, and sketches cannot tell which is the parent. The name can: "customer_id" means the ids of the table of
customers. The pairs chosen here, at most `PARENTS` for each column, are counted beside those that the sketches choose.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from joinability.evidence.traits import KEY_UNIQUENESS
from joinability.names import header_words

if TYPE_CHECKING:
    import duckdb

PARENTS = 8
"""Keys of one name that a column is compared with: those of its database first, then those whose range fits best."""

_INTEGERS = """
SELECT column_id, table_id, database, table_name, coalesce(natural_name, name), lowest, highest, value_count, uniqueness
FROM profiles
WHERE integer_share > 0.99 AND value_count > 0
ORDER BY highest, column_id
"""


class _Column(NamedTuple):
    id: int
    table: str
    database: str
    table_name: str
    label: str
    lowest: float
    highest: float
    values: int
    uniqueness: float

    @property
    def words(self) -> tuple[str, ...]:
        return header_words(self.label, self.table_name)


def named_pairs(connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[int, int]]:
    """Pairs (child, parent) of integer columns whose names say that the child refers to the parent.

    The child's name is the parent's or ends with it, word by word, generic names such as "id" taken together with that
    of the table; the parent is a key, at least as long, and its range holds the child's.

    Takes O(C log C) for C columns, plus `PARENTS` for each of them and word of its name.
    """
    columns = [_Column(*row) for row in connection.execute(_INTEGERS).fetchall()]
    keys: dict[tuple[str | None, str], list[_Column]] = {}
    for column in columns:
        if column.uniqueness >= KEY_UNIQUENESS:
            for database in (column.database, None):
                keys.setdefault((database, "".join(column.words)), []).append(column)
    for child in columns:
        words = child.words
        parents = (
            parent
            for start in range(len(words))
            for database in (child.database, None)
            for parent in _long_enough(keys.get((database, "".join(words[start:])), []), child)
        )
        yield from ((child.id, parent) for parent in list(dict.fromkeys(parents))[:PARENTS])


def _long_enough(keys: list[_Column], child: _Column) -> Iterator[int]:
    """The ids of the keys, ordered by their greatest values, that can hold those of the child; the closest first."""
    start = bisect_left(keys, child.highest, key=lambda key: key.highest)
    for key in keys[start : start + 2 * PARENTS]:
        if key.table != child.table and key.lowest <= child.lowest and key.values >= child.values:
            yield key.id
