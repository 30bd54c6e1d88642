"""The package's SQL files: as they stand for DuckDB, translated by sqlglot for every other engine.

The files are written in DuckDB's dialect. The store runs them as they are, with the macros of `normalised.sql` as
temporary macros of its connection. For an engine that holds the tables itself the macros are expanded in place, so that
nothing is created there; parameters become literals, identifiers are quoted, and sqlglot writes the statement in the
engine's dialect. Where an engine behaves differently, a file of macros in its own dialect, such as `sql/postgres.sql`,
overrides those of `normalised.sql`; the macros of `sql/remote.sql` are for all engines.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlglot import exp

    Macro = tuple[tuple[str, ...], exp.Expr]

BASES = {"databricks": "spark", "redshift": "postgres", "mariadb": "mysql"}
"""Dialects that start from the macros of another."""
WORDS = {"mariadb": "mysql"}
"""Dialects that sqlglot knows by another name."""
MACRO = re.compile(r"^CREATE OR REPLACE TEMP MACRO (\w+)\(([^)]*)\) AS\s(.*?);$", re.DOTALL | re.MULTILINE)
"""A macro of an SQL file: its name, its parameters and what it stands for."""


@cache
def sql(name: str) -> str:
    """Text of one of the package's SQL files."""
    return (files("joinability") / "sql" / f"{name}.sql").read_text("utf-8")


@cache
def query(name: str, dialect: str, parameters: tuple[tuple[str, int | str], ...] = ()) -> str:
    """A SELECT of the package in the dialect of an engine.

    Parameters
    ----------
    name : str
        Of the SQL file.
    dialect : str
        As sqlglot names it, or "mariadb".
    parameters : tuple of (str, int or str)
        Values of the parameters of the file.

    Raises
    ------
    sqlglot.errors.UnsupportedError
        When the dialect cannot express it.
    """
    from sqlglot import exp, parse_one

    values = dict(parameters)

    def literal(node: exp.Expr) -> exp.Expr:
        return exp.convert(values[node.name]) if isinstance(node, (exp.Parameter, exp.Placeholder)) else node

    return rendered(expanded(parse_one(sql(name), read="duckdb").transform(literal), dialect), dialect)


def rendered(tree: exp.Expr, dialect: str) -> str:
    """The SQL text of an expression of DuckDB in another dialect, every identifier quoted."""
    from sqlglot import ErrorLevel

    return tree.sql(
        dialect=WORDS.get(dialect, dialect), identify=True, unsupported_level=ErrorLevel.RAISE, comments=False
    )


def expanded(tree: exp.Expr, dialect: str) -> exp.Expr:
    """The expression with every call of a macro replaced by what the macro stands for."""
    from sqlglot import exp

    known = _macros(dialect)

    def is_call(node: exp.Expr) -> bool:
        return isinstance(node, exp.Anonymous) and node.name.lower() in known

    def body(node: exp.Expr) -> exp.Expr:
        if not is_call(node):
            return node
        names, text = known[node.name.lower()]
        return _atom(_substituted(text, dict(zip(names, node.expressions, strict=True))))

    while any(map(is_call, tree.walk())):
        tree = tree.transform(body)
    return tree


def _substituted(body: exp.Expr, arguments: Mapping[str, exp.Expr]) -> exp.Expr:
    from sqlglot import exp

    def replaced(node: exp.Expr) -> exp.Expr:
        is_argument = isinstance(node, exp.Column) and not node.table and node.name in arguments
        return _atom(arguments[node.name].copy()) if is_argument else node

    return body.copy().transform(replaced)


def _atom(node: exp.Expr) -> exp.Expr:
    """The expression in brackets, unless it needs none."""
    from sqlglot import exp

    return node if isinstance(node, (exp.Column, exp.Literal, exp.Func, exp.Paren, exp.Case)) else exp.paren(node)


@cache
def _macros(dialect: str) -> dict[str, Macro]:
    """The macros of a dialect by name: its own override those for all engines, which override those of the store."""
    from sqlglot import parse_one

    layers = [("normalised", "duckdb"), ("remote", "duckdb"), (BASES.get(dialect, ""), dialect), (dialect, dialect)]
    macros: dict[str, Macro] = {}
    for name, words in layers:
        if name and (files("joinability") / "sql" / f"{name}.sql").is_file():
            for macro, parameters, body in MACRO.findall(sql(name)):
                macros[macro] = (
                    tuple(parameter.strip() for parameter in parameters.split(",")),
                    parse_one(body, read=WORDS.get(words, words)),
                )
    return macros
