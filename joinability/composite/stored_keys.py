"""References that are counted one by one, and how a store keeps them: composite keys, of whose columns none is a key
alone, polymorphic references, where a value says which table is meant, and references within a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    import duckdb
    import pyarrow

    from joinability.evidence.profiles import ColumnEvidence

KeyKind: TypeAlias = Literal["composite", "polymorphic", "coded", "within"]
TOLD = 0.5
"""Score from which a reference within a table is told, and its column joins no other table by itself."""
SCHEMA = """
CREATE TABLE IF NOT EXISTS composite_keys (
    child             INTEGER[],  -- column ids, in the order of the conditions
    parent            INTEGER[],
    declared          BOOLEAN,
    estimated         BOOLEAN,    -- counted in a sample of the tuples, or not at all
    compared          BIGINT,     -- distinct tuples of the child; of the sample, where it is one
    common            BIGINT,     -- those of them that the parent has
    child_distinct    BIGINT,     -- distinct tuples
    parent_distinct   BIGINT,
    child_uniqueness  DOUBLE,     -- distinct tuples / rows
    parent_uniqueness DOUBLE,
    type_column       INTEGER,    -- of a polymorphic reference: the column that says which table is meant
    type_values       VARCHAR[],  -- and what it says of the parent
    type_of_parent    BOOLEAN     -- the column is the parent's: it says which codes are meant
);
ALTER TABLE composite_keys ADD COLUMN IF NOT EXISTS type_column INTEGER;
ALTER TABLE composite_keys ADD COLUMN IF NOT EXISTS type_values VARCHAR[];
ALTER TABLE composite_keys ADD COLUMN IF NOT EXISTS type_of_parent BOOLEAN;
"""
TYPES = ("type_column", "type_values", "type_of_parent")


@dataclass(frozen=True)
class TypeCondition:
    """The rows of one side that a reference is about, those with some values in the column beside it: of the child,
    where the reference is polymorphic, or of a parent that lists codes by type.

    Attributes
    ----------
    column : int
        As those of `CompositeKey`.
    values : tuple of str
    of_parent : bool
        The column is in the parent's table.
    """

    column: int
    values: tuple[str, ...]
    of_parent: bool = False


@dataclass(frozen=True)
class CompositeKey:
    """Columns of a child table that together refer to columns of a parent, and the counts of their tuples; or one that
    does so in the rows that another column marks, or to a column of its own table.

    Attributes
    ----------
    child, parent : tuple of int
        Columns in the order of the conditions: ids in the store, positions in the evidence once it is loaded.
    declared, estimated : bool
        The key is declared by the owner of the tables; the tuples are a sample, or not known at all.
    compared, common : int
        Distinct tuples of the child, and those of them that the parent has (both of the sample, where it is one).
    child_distinct, parent_distinct : int
    child_uniqueness, parent_uniqueness : float
        Distinct tuples by rows.
    where : TypeCondition, optional
        What marks the rows that are meant: of the child, in a polymorphic reference, or of a parent that lists codes by
        type. The counts are about these.
    """

    child: tuple[int, ...]
    parent: tuple[int, ...]
    declared: bool
    estimated: bool
    compared: int = 0
    common: int = 0
    child_distinct: int = 0
    parent_distinct: int = 0
    child_uniqueness: float = 0.0
    parent_uniqueness: float = 0.0
    where: TypeCondition | None = None

    @property
    def kind(self) -> KeyKind:
        """What it is: several columns, one in some rows, a code of some type, or one that refers to the key of its own
        table."""
        if self.where is not None:
            return "coded" if self.where.of_parent else "polymorphic"
        return "composite" if len(self.child) > 1 else "within"


COUNTS = tuple(field.name for field in fields(CompositeKey) if field.name != "where")
"""Names of the columns of `composite_keys` that each key has, in order."""


def reference_within(evidence: ColumnEvidence, child: int, parent: int, *, declared: bool) -> CompositeKey:
    """The reference of a column to another one of its table, uncounted; both are positions in the evidence."""
    return CompositeKey(
        child=(child,),
        parent=(parent,),
        declared=declared,
        estimated=bool(evidence.estimated[[child, parent]].any()),
        child_distinct=int(evidence.distinct[child]),
        parent_distinct=int(evidence.distinct[parent]),
        child_uniqueness=float(evidence.uniqueness[child]),
        parent_uniqueness=float(evidence.uniqueness[parent]),
    )


def keep_composites(connection: duckdb.DuckDBPyConnection, keys: Sequence[CompositeKey]) -> None:
    """Add keys to a store; their columns are ids."""
    import pyarrow as pa

    connection.execute(SCHEMA)
    if keys:
        fresh = pa.Table.from_pylist([{name: getattr(key, name) for name in COUNTS} for key in keys])
        told = (
            pa.array([key.where and key.where.column for key in keys], pa.int32()),
            pa.array([key.where and list(key.where.values) for key in keys], pa.list_(pa.string())),
            pa.array([key.where and key.where.of_parent for key in keys], pa.bool_()),
        )
        for name, values in zip(TYPES, told, strict=True):
            fresh = fresh.append_column(name, values)
        _insert(connection, fresh)


def _insert(connection: duckdb.DuckDBPyConnection, fresh: pyarrow.Table) -> None:
    """DuckDB finds the Arrow table by name among the parameters."""
    connection.execute("INSERT INTO composite_keys BY NAME FROM fresh")


def load_composites(connection: duckdb.DuckDBPyConnection, column_ids: Sequence[int]) -> tuple[CompositeKey, ...]:
    """The keys of a store between the given columns, with positions among these in place of ids; empty where the store
    was never searched for keys."""
    columns = stored_columns(connection)
    if not columns:
        return ()
    types = ", ".join(name if name in columns else "NULL" for name in TYPES)
    rows = connection.execute(f"SELECT {', '.join(COUNTS)}, {types} FROM composite_keys ORDER BY ALL").fetchall()
    place = {int(column): position for position, column in enumerate(column_ids)} if rows else {}
    keys = []
    for child, parent, *counts, type_column, values, of_parent in rows:
        named = [*child, *parent, *([] if type_column is None else [type_column])]
        if place.keys() >= set(named):
            where = None if type_column is None else TypeCondition(type_column, tuple(values), bool(of_parent))
            key = CompositeKey(tuple(child), tuple(parent), *counts)
            keys.append(renumbered(replace(key, where=where), place))
    return tuple(keys)


def stored_columns(connection: duckdb.DuckDBPyConnection) -> frozenset[str]:
    """The columns of `composite_keys`; none in a store that was never searched for keys, and fewer in one that was
    searched before there were polymorphic references."""
    rows = connection.execute("SELECT column_name FROM duckdb_columns() WHERE table_name = 'composite_keys'").fetchall()
    return frozenset(name for (name,) in rows)


def renumbered(key: CompositeKey, numbers: Sequence[int] | Mapping[int, int]) -> CompositeKey:
    """The key with each column replaced by its entry in `numbers`."""
    child, parent = (tuple(int(numbers[column]) for column in side) for side in (key.child, key.parent))
    where = key.where and replace(key.where, column=int(numbers[key.where.column]))
    return replace(key, child=child, parent=parent, where=where)
