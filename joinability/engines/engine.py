"""What every engine offers: its dialect, its tables, and answers to SELECT statements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import pyarrow


@dataclass(frozen=True)
class StoredTable:
    """A table as an engine describes it.

    Attributes
    ----------
    schema : str
        Where the engine keeps it: a schema or a database.
    name : str
    columns : tuple of (str, str, str or None)
        Name, type and comment of each column.
    primary_key : tuple of str
    foreign_keys : tuple of (columns, schema, table, columns)
        Columns that refer to columns of another table.
    comment : str or None
    """

    schema: str
    name: str
    columns: tuple[tuple[str, str, str | None], ...]
    primary_key: tuple[str, ...] = ()
    foreign_keys: tuple[tuple[tuple[str, ...], str, str, tuple[str, ...]], ...] = ()
    comment: str | None = None


class Engine(Protocol):
    """A connection to an engine. Nothing is ever written to it.

    Attributes
    ----------
    name : str
        What errors call it: kind, host and database, never a user or a password.
    dialect : str
        As `joinability.statements` names it.
    database : str
        Database of the tables in its default schema.
    default_schema : str
    """

    name: str
    dialect: str
    database: str
    default_schema: str

    def schemas(self) -> list[str]:
        """The schemas that may have tables, the default one first; of engines whose schemas are databases, that one."""

    def tables(self, schemas: Sequence[str] | None) -> tuple[list[StoredTable], list[tuple[str, str]]]:
        """The tables of the given schemas, or of the default one, and (table, cause) of those that cannot be read."""

    def select(self, query: str, schema: pyarrow.Schema) -> pyarrow.Table:
        """The answer to a query, with the columns of `schema`."""

    def rows(self, query: str, size: int) -> Iterator[list[Sequence[Any]]]:
        """The answer to a query, at most `size` rows at a time, column by column."""

    def state(self, schema: str, table: str) -> str | None:
        """Text that changes when the rows of a table do; None where the engine has none."""

    def cause(self, error: Exception) -> str:
        """What went wrong, in one line and without credentials."""
