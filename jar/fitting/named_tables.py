"""Names of tables as users and SQL write them, as positions in an index."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from jar.errors import QueryError
from jar.index.lookup import table_position
from joinability.ddl.dialect_names import checked_dialect
from joinability.errors import CatalogError, first_line

if TYPE_CHECKING:
    from jar.index.contents import IndexContents

SHOWN = 3
"""Names that a message lists."""


@dataclass(frozen=True, eq=False)
class NamedTables:
    """The tables of an index by the last part of their ids, in lower case."""

    contents: IndexContents
    by_name: Mapping[str, Sequence[int]]

    @classmethod
    def of(cls, contents: IndexContents) -> NamedTables:
        """Those of an index."""
        by_name: dict[str, list[int]] = {}
        for position, table in enumerate(contents.tables):
            by_name.setdefault(table.id.casefold().rpartition(".")[2], []).append(position)
        return cls(contents, by_name)

    def positions(self, names: Iterable[Sequence[str]], database: str = "") -> tuple[int, ...]:
        """Tables by the parts of their names, whatever their case; the database may be left out where it is clear.

        It is clear where one table alone has the name, or one database alone has tables of all these names.

        Parameters
        ----------
        names : iterable of sequences
            Such as ``("orders",)``, ``("shop.orders",)`` or ``("shop", "orders")``.
        database : str
            The database of names that do not say theirs; "" for any.

        Raises
        ------
        QueryError
            When the index has no such table, or several.
        """
        dotted = [".".join(parts) for parts in names]
        meant = [self._called(name, database) for name in dotted]
        databases = self.contents.databases
        shared = reduce(set.intersection, ({int(databases[place]) for place in places} for places in meant))
        if len(shared) == 1:
            meant = [[place for place in places if int(databases[place]) in shared] for places in meant]
        for name, places in zip(dotted, meant, strict=True):
            if len(places) > 1:
                ids = ", ".join(self.contents.tables[place].id for place in places[:SHOWN])
                raise QueryError(f"{name} may be any of {len(places)} tables ({ids}): name the database, too")
        return tuple(dict.fromkeys(places[0] for places in meant))

    def _called(self, name: str, database: str) -> list[int]:
        """The tables whose ids end with a name, or with what is left of it without a project before its database."""
        folded, first = name.casefold(), database.casefold()
        for wanted in (folded, folded.partition(".")[2] if folded.count(".") > 1 else folded):
            places = [
                place
                for place in self.by_name.get(wanted.rpartition(".")[2], ())
                if f".{self.contents.tables[place].id}".casefold().endswith(f".{wanted}")
                and first in ("", self.contents.tables[place].database.casefold())
            ]
            whole = [place for place in places if self.contents.tables[place].id.casefold() == wanted]
            if places:
                return whole or places
        return [table_position(self.contents, f"{database}.{name}" if database else name)]


def check_dialect(dialect: str) -> str:
    """The name of a dialect as sqlglot has it.

    Raises
    ------
    QueryError
        When it has no such dialect.
    """
    try:
        return checked_dialect(dialect)
    except CatalogError as error:
        raise QueryError(str(error)) from None


def read_sql_tables(sql: str, dialect: str) -> list[tuple[str, ...]]:
    """The names of the tables that SQL reads in any of its parts, without common table expressions and functions that
    return tables, in parts.

    Raises
    ------
    QueryError
        When it cannot be parsed, is no query, or reads no table.
    """
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import ParseError, SqlglotError
    from sqlglot.optimizer.scope import traverse_scope

    try:
        trees = [tree for tree in sqlglot.parse(sql, read=dialect) if tree]
        scopes = [scope for tree in trees for scope in traverse_scope(tree)]
    except SqlglotError as error:
        errors = error.errors if isinstance(error, ParseError) else []
        cause = errors[0].get("description", "") if errors else first_line(error)
        raise QueryError(f"the SQL can not be read as {dialect}: {cause}") from None
    sources = [source for scope in scopes for source in scope.sources.values()]
    tables = [source for source in sources if isinstance(source, exp.Table)]
    named = [table for table in tables if isinstance(table.this, (exp.Identifier, exp.Dot))]
    names = [tuple(part.name for part in table.parts) for table in named]
    if not names and not scopes:
        raise QueryError(f"the SQL is no query: it begins with {sql.split()[0]}")
    if not names:
        raise QueryError("the SQL reads no table")
    return list(dict.fromkeys(names))
