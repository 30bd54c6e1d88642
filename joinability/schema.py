"""What a catalog knows of a table: columns, keys, descriptions, statistics, and where its rows are."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from decimal import Decimal
from itertools import combinations
from numbers import Real
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from joinability.cells import first_texts
from joinability.errors import CatalogError
from joinability.families import Family, declared_family

if TYPE_CHECKING:
    import pyarrow


NORMALISATION = 4
"""Version of the rules by which values are compared. When it changes, every table is read again."""
MOST = 2**63 - 1
"""Most rows or values that a table can have."""


class Source(Protocol):
    """Where the rows of one table are.

    Anything with these two methods serves: a warehouse, a stream, a test.
    """

    def batches(self, size: int) -> Iterator[list[pyarrow.Array]]:
        """Rows in batches of at most `size`: one Arrow array per column, in the order of the table's columns.

        Raises
        ------
        SourceError
            When the rows cannot be read to the end.
        """

    def fingerprint(self) -> str:
        """Text that changes when the rows may have changed, cheap to compute."""


@runtime_checkable
class NarrowSource(Source, Protocol):
    """A source that reads some columns faster than all."""

    def narrowed(self, positions: Sequence[int]) -> Source:
        """The same rows, of the columns at these positions alone, in this order."""


@dataclass(frozen=True)
class Column:
    """One column.

    Attributes
    ----------
    name : str
        Unique within its table.
    type : str
        The declared SQL type, or "" where none is declared.
    description, natural_name : str or None
        What the owner says it holds, and its name in plain words.
    """

    name: str
    type: str = ""
    description: str | None = None
    natural_name: str | None = None

    @property
    def family(self) -> Family:
        """Type family by the declared type; "other" where none is declared (then the values tell it)."""
        return declared_family(self.type)


@dataclass(frozen=True)
class ForeignKey:
    """A declared key: `columns` refer to `target_columns` of the table with id `target`.

    Without target columns the key refers to the target's primary key; a catalog fills them in.
    """

    columns: tuple[str, ...]
    target: str
    target_columns: tuple[str, ...] = ()


@dataclass(frozen=True)
class ColumnStatistics:
    """What the owner of a column already knows of it; None where unknown.

    Attributes
    ----------
    null_fraction, uniqueness : float or None
        Shares of the rows, between 0 and 1.
    distinct : int or None
        Number of distinct values.
    minimum, maximum : object
    sample_values : tuple
        Some of the values; any iterable but a text or a mapping does.
    """

    null_fraction: float | None = None
    distinct: int | None = None
    uniqueness: float | None = None
    minimum: object = None
    maximum: object = None
    sample_values: tuple[object, ...] = ()

    def __post_init__(self) -> None:
        values: object = () if self.sample_values is None else self.sample_values
        if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
            raise CatalogError(f"sample_values is {values!r}; it must be a list of values")
        object.__setattr__(self, "sample_values", tuple(values))
        for name in ("null_fraction", "uniqueness"):
            value = getattr(self, name)
            if value is not None and not (_is_number(value) and 0 <= value <= 1):
                raise CatalogError(f"{name} is {value!r}; it must be a number between 0 and 1")
        if self.distinct is not None:
            object.__setattr__(self, "distinct", _count("distinct", self.distinct))


@dataclass(frozen=True)
class TableStatistics:
    """Statistics that stand in for a scan: nothing is read from a table that carries them.

    Attributes
    ----------
    row_count : int
    columns : mapping of str to ColumnStatistics
        Mappings with the names of `ColumnStatistics` serve as well.
    """

    row_count: int
    columns: Mapping[str, ColumnStatistics] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "row_count", _count("row_count", self.row_count))
        if not isinstance(self.columns, Mapping):
            raise CatalogError(f"columns is {self.columns!r}; it must be a mapping of names to their statistics")
        columns = {}
        for name, told in self.columns.items():
            try:
                columns[str(name)] = _column_statistics(told)
            except CatalogError as error:
                raise CatalogError(f"column {name!r}: {error}") from None
        object.__setattr__(self, "columns", columns)

    @classmethod
    def of(cls, value: TableStatistics | Mapping[str, object]) -> TableStatistics:
        """Statistics from a nested mapping with the same names (or the object itself)."""
        if isinstance(value, TableStatistics):
            return value
        if not isinstance(value, Mapping):
            raise CatalogError(f"table statistics are a mapping of row_count and columns, got {value!r}")
        if set(value) - {"row_count", "columns"} or "row_count" not in value:
            raise CatalogError(f"table statistics need row_count and columns, got {sorted(map(str, value))}")
        told: dict[str, Any] = dict(value)
        return cls(**told)


def _column_statistics(value: ColumnStatistics | Mapping[str, object]) -> ColumnStatistics:
    """Statistics from a mapping with the same names (or the object itself).

    Raises
    ------
    CatalogError
        When it is neither, or has other names.
    """
    if isinstance(value, ColumnStatistics):
        return value
    known = [attribute.name for attribute in fields(ColumnStatistics)]
    if not isinstance(value, Mapping):
        raise CatalogError(f"statistics of a column are a mapping of {', '.join(known)}, got {value!r}")
    unknown = [name for name in value if name not in known]
    if unknown:
        raise CatalogError(f"no statistic is called {unknown[0]!r}; there are {', '.join(known)}")
    told: dict[str, Any] = dict(value)
    return ColumnStatistics(**told)


def _is_number(value: Any) -> bool:
    return isinstance(value, (Real, Decimal)) and not isinstance(value, bool) and not math.isnan(value)


def _count(name: str, value: Any) -> int:
    """A number of rows or of values, which may be given as a float or by a library.

    Raises
    ------
    CatalogError
        When it is none.
    """
    if not _is_number(value) or not 0 <= value <= MOST or value != int(value):
        raise CatalogError(f"{name} is {value!r}; it must be a whole number, 0 or more")
    return int(value)


@dataclass(frozen=True)
class Table:
    """One table: its schema, its description and statistics, and where its rows are.

    Attributes
    ----------
    database, name : str
        Together the id, "database.name".
    columns : tuple of Column
    primary_key : tuple of str
        Column names; empty where none is declared.
    foreign_keys : tuple of ForeignKey
    description : str or None
    statistics : TableStatistics or None
        Used in place of a scan.
    source : Source or None
        None for a schema without rows.
    warehouse : str or None
        Where `database` is one of several schemas: the name of all of them together (`in_warehouses`). Joins by names
        are looked for in all of them.
    origin : str or None
        The file of statements that declares a table.
    schema : str or None
        What statements write before the name of the table: its schema, "" in the default one, None where nobody knows.
    """

    database: str
    name: str
    columns: tuple[Column, ...] = ()
    primary_key: tuple[str, ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    description: str | None = None
    statistics: TableStatistics | None = None
    source: Source | None = field(default=None, repr=False, compare=False)
    warehouse: str | None = None
    origin: str | None = field(default=None, repr=False, compare=False)
    schema: str | None = None

    def __post_init__(self) -> None:
        for name in ("columns", "primary_key", "foreign_keys"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        if self.statistics is not None:
            object.__setattr__(self, "statistics", TableStatistics.of(self.statistics))
        names = self.column_names
        if len(set(names)) < len(names):
            twice = sorted({name for name in names if names.count(name) > 1})
            raise CatalogError(f"table {self.id!r} has two columns named {twice[0]!r}; rename one of them")
        for name in (self.database, self.name, *names, *_target_names(self.foreign_keys)):
            if not _is_unicode(name):
                raise CatalogError(f"{name!a} can not be written in UTF-8; give it another name")
        if not self.database or not self.name:
            raise CatalogError(f"a table needs a database and a name, got {self.database!r} and {self.name!r}")

    @property
    def id(self) -> str:
        """The id "database.name"."""
        return f"{self.database}.{self.name}"

    @property
    def place(self) -> tuple[str, str]:
        """What holds the table, and its name there: that with the schema in a warehouse."""
        return (self.database, self.name) if self.warehouse is None else (self.warehouse, self.id)

    @property
    def column_names(self) -> list[str]:
        """Names of the columns, in order."""
        return [column.name for column in self.columns]

    def fingerprint(self) -> str:
        """Text that changes when the schema, the statistics or the rows may have changed (32 hex digits)."""
        facts = {
            "id": self.id,
            "columns": [vars(column) for column in self.columns],
            "primary_key": self.primary_key,
            "foreign_keys": [asdict(key) for key in self.foreign_keys],
            "description": self.description,
            "statistics": None if self.statistics is None else asdict(self.statistics),
            "normalisation": NORMALISATION,
            **({} if self.warehouse is None else {"warehouse": self.warehouse}),
            **({"schema": self.schema} if self.schema else {}),
            "rows": self.source.fingerprint() if self.source is not None and self.statistics is None else None,
        }
        text = json.dumps(facts, sort_keys=True, default=str)
        return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

    def sample(self, size: int = 5) -> dict[str, tuple[str, ...]]:
        """Up to `size` distinct example values of each column, as text: from the statistics, else the first rows.

        Raises
        ------
        SourceError
            When the rows cannot be read.
        """
        if self.statistics is not None:
            given = self.statistics.columns
            return {
                column.name: tuple(map(str, given[column.name].sample_values[:size])) if column.name in given else ()
                for column in self.columns
            }
        batch = None if self.source is None else next(iter(self.source.batches(20 * size)), None)
        if batch is None:
            return dict.fromkeys(self.column_names, ())
        return {
            name: first_texts(array.to_pylist(), size) for name, array in zip(self.column_names, batch, strict=True)
        }


def in_warehouses(tables: Iterable[Table], parts: Iterable[Iterable[str]]) -> list[Table]:
    """The tables, in warehouses where their databases are schemas of one.

    Two are when a part, such as a script or a connection, has tables of both, or a key of the one refers to the other,
    and the names before theirs are the same: `bank.public` is beside `bank` and `bank.audit`, not `clinic.public`. A
    warehouse is called after the first of its schemas, and by a sign that no database has in its name alone.

    Parameters
    ----------
    parts : iterable of iterables of str
        Names of databases.

    Examples
    --------
    >>> tables = Table("hr", "staff"), Table("crm", "client"), Table("bank.hr", "staff")
    >>> [table.warehouse for table in in_warehouses(tables, [["hr", "crm", "bank.hr"]])]
    ['crm+', 'crm+', None]
    """
    tables = list(tables)
    owner = {table.id: table.database for table in tables}
    keys = [(table.database, owner.get(key.target, "")) for table in tables for key in table.foreign_keys]
    together = {table.database: {table.database} for table in tables}
    for part in (*parts, *keys):
        for one, other in combinations(sorted(together.keys() & set(part)), 2):
            if together[one] is not together[other] and _are_beside(one, other):
                united = together[one] | together[other]
                together.update(dict.fromkeys(united, united))
    return [
        replace(table, warehouse=f"{min(schemas)}+" if len(schemas := together[table.database]) > 1 else None)
        for table in tables
    ]


def _are_beside(database: str, other: str) -> bool:
    """Whether two databases may be schemas of one warehouse, by the names before theirs."""
    head, other_head = (name.rpartition(".")[0] for name in (database, other))
    return head in (other_head, other) or other_head == database


def _target_names(keys: Iterable[ForeignKey]) -> Iterator[str]:
    for key in keys:
        yield from (key.target, *key.target_columns)


def _is_unicode(name: str) -> bool:
    """Whether UTF-8 can hold a name: it has no halves of surrogate pairs, by which Python marks undecodable bytes."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def with_described_column(table: Table, name: str, description: str) -> Table:
    """The same table, with what its owner says of one of its columns."""
    columns = (
        replace(column, description=description) if column.name == name else column for column in table.columns
    )
    return replace(table, columns=tuple(columns))
