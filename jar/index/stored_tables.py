"""The tables of an index as they are stored, without their rows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from jar.arrays import IntArray
from jar.index.text_array import TextArray
from jar.lookalikes.sharded import Families
from joinability.attributes import cached_property
from joinability.credentials import is_secret
from joinability.schema import Column, ForeignKey, Table
from joinability.spelling.vocabulary import plain_words, singular

if TYPE_CHECKING:
    import duckdb

    from joinability import JoinEvidence


class StoredTable(Table):
    """A table whose columns are made when they are first asked for: few tables of a large index ever are an answer.

    It is equal to the `Table` with the same columns, and is pickled as that.
    """

    stored: Mapping[str, TextArray]
    """What columns are made of, those of all tables, by the attributes `COLUMN`."""
    first: int
    count: int

    @classmethod
    def of(cls, stored: Mapping[str, TextArray], first: int, count: int, **known: Any) -> StoredTable:
        """A table that was checked when it was indexed; its columns are `count` rows from the first on."""
        table = object.__new__(cls)
        vars(table).update(known, stored=stored, first=first, count=count)
        return table

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The columns, in order."""
        return tuple(map(Column, *map(self._told, COLUMN)))

    @property
    def column_names(self) -> list[str]:
        """Names of the columns, in order."""
        if "columns" in vars(self):  # made already, or given: `dataclasses.replace` makes a table of this class
            return [column.name for column in self.columns]
        return self._told("name")

    def _told(self, name: str) -> list[Any]:
        return self.stored[name].slice(self.first, self.count)

    def __eq__(self, other: object) -> bool:
        return self._plain() == (other._plain() if isinstance(other, StoredTable) else other)

    def __hash__(self) -> int:
        return hash(self._plain())

    def __reduce__(self) -> tuple[Any, ...]:
        return _table, tuple(getattr(self, name) for name in _TOLD)

    def _plain(self) -> Table:
        return _table(*(getattr(self, name) for name in _TOLD))


def _table(*told: Any) -> Table:
    return Table(**dict(zip(_TOLD, told, strict=True)))


COLUMN = ("name", "type", "description", "natural_name")
_TOLD = ("database", "name", "columns", "primary_key", "foreign_keys", "description", "warehouse", "schema")


class StoredTables(NamedTuple):
    """The tables of an index.

    Attributes
    ----------
    tables : tuple of Table
        By their numbers.
    first_column : array (n + 1,)
        Columns of table i are ``first_column[i]`` to ``first_column[i + 1] - 1``.
    column_ids : list of int
        The numbers of the columns, table by table.
    """

    tables: tuple[Table, ...]
    first_column: IntArray
    column_ids: list[int]

    def shards(self) -> Iterator[tuple[int, ...]]:
        """The numbers of the columns that are one column of sharded tables, that of the first table first."""
        for members in Families.of(self.tables).members.values():
            ends = ((self.first_column[table], self.first_column[table + 1]) for table in members)
            yield from zip(*(self.column_ids[first:end] for first, end in ends), strict=True)


@dataclass(frozen=True, eq=False)
class TableColumns:
    """Which columns belong to which tables and databases, columns numbered table by table.

    Attributes
    ----------
    first : array (n + 1,)
        Columns of table i are ``first[i]`` to ``first[i + 1] - 1``.
    databases : array (n,)
        Database of each table as a number.
    """

    first: IntArray
    databases: IntArray

    @cached_property
    def owner(self) -> IntArray:
        """Table of each column, shape (C,)."""
        return np.repeat(np.arange(len(self.databases), dtype=np.int64), np.diff(self.first))

    @cached_property
    def of_databases(self) -> IntArray:
        """Database of each column, shape (C,)."""
        return self.databases[self.owner]

    def of(self, tables: IntArray) -> IntArray:
        """Columns of several tables, one table after the other."""
        if len(tables) == 0:
            return np.zeros(0, dtype=np.int64)
        return np.concatenate([np.arange(self.first[i], self.first[i + 1], dtype=np.int64) for i in tables])


def database_numbers(tables: Sequence[Table]) -> IntArray:
    """Database of each of n tables as a number from 0 up, in order of appearance, shape (n,); schemas of one warehouse
    have one number."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(table.place[0], len(numbers)) for table in tables], dtype=np.int64)


JOINED = 3
"""Tables of each of two databases, at least, that sure joins connect: to one of countries many refer by chance."""
SURE = 0.8
"""Score from which a join is sure."""


def joined_databases(
    tables: Sequence[Table], left: IntArray, right: IntArray, pins: Iterable[tuple[str, str]] = ()
) -> IntArray:
    """As `database_numbers`, with one number for databases that are parts of one: a shop and its exports in files.

    They are where sure joins connect `JOINED` tables of each, but for copies of one name, or where a pin does.

    Parameters
    ----------
    left, right : (p,) arrays of int
        The tables of each sure join.
    pins : pairs of str
        Columns that join by the word of the user, by their full names.
    """
    numbers = database_numbers(tables)
    between: dict[tuple[int, int], tuple[set[int], set[int]]] = {}
    across = np.flatnonzero(numbers[left] != numbers[right])
    for pair in {*zip(left[across].tolist(), right[across].tolist(), strict=True)}:
        one, other = sorted(pair, key=lambda table: int(numbers[table]))
        if _said(tables[one]) != _said(tables[other]):
            sides = between.setdefault((int(numbers[one]), int(numbers[other])), (set(), set()))
            sides[0].add(one)
            sides[1].add(other)
    joined = [pair for pair, sides in between.items() if min(map(len, sides)) >= JOINED]
    for names in pins:
        ends = [place for name in names for place, table in enumerate(tables) if name.startswith(f"{table.id}.")]
        joined += [(int(numbers[ends[0]]), int(numbers[ends[-1]]))] if ends else []
    first = np.arange(numbers.max(initial=-1) + 1)
    for one, other in joined:
        ends = [first[one], first[other]]
        first[first == max(ends)] = min(ends)
    return np.unique(first[numbers], return_inverse=True)[1].astype(np.int64)


def _said(table: Table) -> str:
    """The name of a table without regard to case, separators and plural."""
    return "".join(map(singular, plain_words(table.name.rpartition(".")[2])))


def with_primary_keys(evidence: JoinEvidence, tables: Sequence[Table]) -> JoinEvidence:
    """The evidence with the primary keys of the tables, those of several columns among them."""
    keys = {table.id: tuple(table.primary_key) for table in tables}
    return replace(evidence, primary_keys=tuple(keys[name] for name in evidence.table_names))


def read_tables(connection: duckdb.DuckDBPyConnection) -> StoredTables:
    """The tables of an index by their numbers, and the numbers of their columns, table by table."""
    columns = connection.sql(
        "SELECT column_id, table_id, name, type, description, natural_name FROM catalog_columns "
        "ORDER BY table_id, position"
    ).to_arrow_table().combine_chunks()
    schema = "schema_name" if has_column(connection, "schema_name") else "NULL"
    rows = connection.execute(
        f"SELECT table_id, database, name, description, primary_key, foreign_keys, {schema} "
        "FROM catalog_tables ORDER BY table_id"
    ).fetchall()
    warehouses = dict(
        connection.execute(
            "SELECT id, any_value(profiles.database) FROM catalog_tables AS told "
            "JOIN profiles ON profiles.table_id = id WHERE profiles.database <> told.database GROUP BY id"
        ).fetchall()
    )
    numbers = (columns[name].combine_chunks() for name in ("column_id", "table_id"))
    ids, owners = (np.from_dlpack(array).astype(np.int64) for array in numbers)
    first = np.searchsorted(owners, [*(row[0] for row in rows), np.iinfo(np.int64).max]).astype(np.int64)
    stored = {name: TextArray.of(columns[name].combine_chunks()) for name in COLUMN}
    tables = tuple(
        StoredTable.of(
            stored,
            start,
            end - start,
            database=database,
            name=name,
            primary_key=tuple(json.loads(primary_key)),
            foreign_keys=tuple(
                ForeignKey(columns=tuple(child), target=target, target_columns=tuple(parent))
                for child, target, parent in json.loads(foreign_keys)
            ),
            description=description,
            warehouse=warehouses.get(f"{database}.{name}"),
            schema=schema,
        )
        for (_, database, name, description, primary_key, foreign_keys, schema), start, end in zip(
            rows, first[:-1].tolist(), first[1:].tolist(), strict=True
        )
    )
    return StoredTables(tables, first, ids.tolist())


def has_column(connection: duckdb.DuckDBPyConnection, name: str) -> bool:
    """Whether the tables of a file, which may be of an earlier version, have a column of this name."""
    described = connection.execute("SELECT * FROM catalog_tables LIMIT 0").description or []
    return name in [column[0] for column in described]


def read_signatures(connection: duckdb.DuckDBPyConnection) -> tuple[str, ...]:
    """The text ``database.table(column, column)`` of each table, as it was embedded, in the order of `read_tables`."""
    rows = connection.execute("SELECT text FROM catalog_tables ORDER BY table_id").fetchall()
    return tuple(str(text) for (text,) in rows)


def read_samples(
    connection: duckdb.DuckDBPyConnection, count: int, tables: Sequence[str] | None = None
) -> dict[str, tuple[str, ...]]:
    """Up to `count` values of each column as texts, by "db.table.column", where there are any: none of passwords and
    the like.

    Of the tables with these ids; of all by default.
    """
    which = "" if tables is None else "list_contains(?, table_id) AND "
    given = [count] if tables is None else [count, list(tables)]
    rows = connection.execute(
        f"SELECT table_id, name, samples[:?] FROM profiles WHERE {which}len(samples) > 0 ORDER BY column_id", given
    ).fetchall()
    return {f"{table}.{name}": tuple(map(str, samples)) for table, name, samples in rows if not is_secret(name)}
