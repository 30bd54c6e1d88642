"""The structure of a query: its skeleton, its tree, the tables and columns that it uses, and the values in it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from jar.errors import QueryError
from joinability.ddl.dialect_names import plain_name
from joinability.errors import first_line

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["SqlStructure", "SqlTree", "masked_sql", "read_structure"]

LENIENT = "sqlite"
"""The dialect where none is named: it reads backticks, brackets and double quotes."""
VALUE, TABLE, COLUMN = "v", "t", "c"
"""What stands for values, tables and columns in a skeleton."""
UNSAID = frozenset(["nulls_first", "quoted"])
"""Flags that say how a query is written, and not what it asks for."""
LONGEST_SQL = 20_000
"""Characters of a query; a longer one is no example for a prompt."""


class SqlTree(NamedTuple):
    """An ordered tree with labels."""

    label: str
    children: tuple[SqlTree, ...] = ()

    @property
    def size(self) -> int:
        """How many nodes it has."""
        return 1 + sum(child.size for child in self.children)


@dataclass(frozen=True)
class SqlStructure:
    """What a query is made of.

    Attributes
    ----------
    skeleton : str
        The query with ``t`` for every table, ``c`` for every column and ``'v'`` for every value, without aliases.
    tree : SqlTree
        The tree of the skeleton.
    used : tuple of (table, columns)
        Tables in the order in which the query names them, each with its columns as far as the query itself says whose
        they are.
    values : tuple of str
        Texts and numbers in the query.
    """

    skeleton: str
    tree: SqlTree
    used: tuple[tuple[str, tuple[str, ...]], ...]
    values: tuple[str, ...]


def read_structure(sql: str, dialect: str | None = None) -> SqlStructure:
    """The structure of a query.

    Parameters
    ----------
    dialect : str, optional
        As sqlglot names it. Without one the query is read as SQLite reads it: a name in double quotes that stands
        where a value is compared is a text, as in ``WHERE country = "France"``.

    Raises
    ------
    QueryError
        When it is no single query that can be read.

    Examples
    --------
    >>> read_structure("SELECT name FROM singer WHERE age > 20").skeleton
    "SELECT c FROM t WHERE c > 'v'"
    """
    tree = _parsed(sql, dialect)
    used = _used(tree)
    values = tuple(str(node.this) for node in tree.find_all(*_literals()))
    bare = _bare(tree)
    return SqlStructure(bare.sql(comments=False), _labelled(bare), used, values)


def masked_sql(sql: str, dialect: str | None = None) -> str:
    """A query with ``?`` in place of every value, and without comments; names stay.

    Raises
    ------
    QueryError
        When it is no single query that can be read.

    Examples
    --------
    >>> masked_sql("SELECT name FROM singer WHERE country = 'France' LIMIT 3")
    'SELECT name FROM singer WHERE country = ? LIMIT ?'
    """
    from sqlglot import exp

    tree = _parsed(sql, dialect)
    for node in list(tree.find_all(*_literals())):
        node.replace(exp.Placeholder())
    return tree.sql(dialect=plain_name(dialect or LENIENT), comments=False)


@cache
def _literals() -> tuple[type[exp.Expression], ...]:
    """The kinds of nodes that hold a value."""
    from sqlglot import exp

    strings = (exp.HexString, exp.BitString, exp.ByteString, exp.RawString, exp.National, exp.UnicodeString)
    return (exp.Literal, *strings)


@contextmanager
def _quiet() -> Iterator[None]:
    """Without sqlglot's remark on statements that it does not know: these are refused anyway."""
    logger = logging.getLogger("sqlglot")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)


def _parsed(sql: str, dialect: str | None) -> exp.Expression:
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    if len(sql) > LONGEST_SQL:
        raise QueryError(f"a query of {len(sql)} characters; at most {LONGEST_SQL} are read")
    try:
        with _quiet():
            read = sqlglot.parse(sql, read=plain_name(dialect or LENIENT))
        statements = [statement for statement in read if statement]
    except (SqlglotError, RecursionError) as error:
        reason = first_line(error).partition(". Line")[0].rstrip(".")
        raise QueryError(f"the SQL cannot be read: {reason}") from error
    except ValueError as error:
        raise QueryError(f"the dialect {dialect!r} is unknown to sqlglot") from error
    if len(statements) != 1:
        raise QueryError(f"{len(statements)} statements, not one query")
    tree: Any = statements[0]
    if not isinstance(tree, exp.Query):
        raise QueryError("no query: it has to be a SELECT, or a combination of some")
    if dialect is None and '"' in sql:
        tree = _with_quoted_values(tree, sql)
    checked: exp.Expression = tree
    return checked


def _with_quoted_values(tree: Any, sql: str) -> Any:
    """Names in double quotes that stand where a value does become texts.

    That is: not qualified, outside of ON, and the right side of a comparison, or a bound of BETWEEN, or in a list, or
    the left side where the right one is a name without double quotes. Rather a name too many is taken for a value than
    a value for a name.
    """
    import sqlglot
    from sqlglot import exp

    tokens = sqlglot.tokenize(sql, read=LENIENT)
    in_quotes = {token.text for token in tokens if sql[token.start : token.start + 1] == '"'}

    def is_quoted(node: object) -> bool:
        return (
            isinstance(node, exp.Column)
            and not node.table
            and isinstance(node.this, exp.Identifier)
            and bool(node.this.args.get("quoted"))
            and node.name in in_quotes
        )

    for column in [node for node in tree.find_all(exp.Column) if is_quoted(node)]:
        if _is_compared(column, is_quoted):
            column.replace(exp.Literal.string(column.name))
    return tree


def _is_compared(column: exp.Column, is_quoted: Callable[[object], bool]) -> bool:
    """Whether a name in double quotes stands where a value does."""
    from sqlglot import exp

    if not isinstance(column.find_ancestor(exp.Where, exp.Having, exp.Join, exp.Select), (exp.Where, exp.Having)):
        return False
    parent = column.parent
    if isinstance(parent, (exp.Binary, exp.In, exp.Between)) and parent.this is column:
        other = parent.args.get("expression")
        return isinstance(other, exp.Column) and not is_quoted(other)
    return True


def _used(tree: exp.Expression) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Tables and their columns, by the aliases of all parts of the query; common table expressions are no tables."""
    from sqlglot import exp

    nodes = list(tree.dfs())
    made = {node.alias.casefold() for node in nodes if isinstance(node, exp.CTE)}
    tables: dict[str, dict[str, None]] = {}
    named: dict[str, str] = {}
    for table in nodes:
        if isinstance(table, exp.Table) and table.name and table.name.casefold() not in made:
            name = next((known for known in tables if known.casefold() == table.name.casefold()), table.name)
            tables.setdefault(name, {})
            named[table.alias_or_name.casefold()] = name
    for column in nodes:
        if not isinstance(column, exp.Column) or isinstance(column.this, exp.Star):
            continue
        owner = named.get(column.table.casefold()) if column.table else _only_table(column, made, named)
        if owner is not None:
            known = {name.casefold() for name in tables[owner]}
            if column.name.casefold() not in known:
                tables[owner][column.name] = None
    return tuple((table, tuple(columns)) for table, columns in tables.items())


def _only_table(column: exp.Expression, made: set[str], named: dict[str, str]) -> str | None:
    """The table of a column that is not qualified, where its query reads just one table."""
    from sqlglot import exp

    query = column.find_ancestor(exp.Select)
    if query is None or query.args.get("joins"):
        return None
    source = query.args.get("from_") or query.args.get("from")
    table = source.this if source is not None else None
    if not isinstance(table, exp.Table) or table.name.casefold() in made:
        return None
    return named.get(table.alias_or_name.casefold())


def _bare(tree: exp.Expression) -> exp.Expression:
    """The same tree with one word for all tables, columns and values, and without aliases; changed in place."""
    from sqlglot import exp

    values = (*_literals(), exp.Placeholder, exp.Parameter)

    def stripped(node: exp.Expression) -> exp.Expression:
        if isinstance(node, exp.Table) and isinstance(node.this, exp.Identifier):
            return exp.Table(this=exp.Identifier(this=TABLE))
        if isinstance(node, exp.Column):
            name = exp.Identifier(this=COLUMN)
            return exp.Star() if isinstance(node.this, exp.Star) else exp.Column(this=name)
        if isinstance(node, values):
            return exp.Literal.string(VALUE)
        if isinstance(node, exp.Alias):
            return stripped(node.this)
        if isinstance(node, exp.Subquery):
            node.set("alias", None)
        elif isinstance(node, exp.CTE):
            node.set("alias", exp.TableAlias(this=exp.Identifier(this=TABLE)))
        return node

    return tree.transform(stripped, copy=False)


def _labelled(node: exp.Expression) -> SqlTree:
    """The tree of a stripped query: a node says its kind and flags; names and values are leaves."""
    from sqlglot import exp

    word = {exp.Table: TABLE, exp.Column: COLUMN, exp.Literal: VALUE}.get(type(node))
    if word is not None:
        return SqlTree(word)
    flags = [
        f"{name}={flag}"
        for name, flag in sorted(node.args.items())
        if flag and isinstance(flag, (str, bool)) and name not in UNSAID
    ]
    label = " ".join([type(node).__name__.lower(), *flags])
    return SqlTree(label, tuple(_labelled(child) for child in node.iter_expressions()))
