"""Statements on tables that an engine holds: cells of columns, parts of profiles, verification of pairs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from joinability.equality import AS_WRITTEN, Equality
from joinability.statements import expanded, query, rendered

if TYPE_CHECKING:
    from sqlglot import exp

    from joinability.engines.column_types import ColumnType

    ColumnAt = tuple[int, str, str, str, ColumnType]
    """Number, schema, table, name and type of a column."""

NUMBERS: tuple[ColumnType, ...] = ("float", "decimal", "numeric")
"""Column types that have cells of numbers."""


def parts_statement(
    columns: Iterable[ColumnAt], dialect: str, kept: int, below: str, *, equality: Equality = AS_WRITTEN
) -> str:
    """The SELECT for the parts of profiles of columns.

    The `kept` values of least hash and all values whose hash is less than `below` are listed one by one.
    """
    return _with_values(columns, dialect, equality) + query("parts", dialect, (("kept", kept), ("below", below)))


def verification_statement(
    columns: Iterable[ColumnAt], pairs: Sequence[tuple[int, int]], dialect: str, *, equality: Equality = AS_WRITTEN
) -> str:
    """The SELECT for the number of values that each pair of columns, by number, has in common."""
    wanted = " UNION ALL ".join(f"SELECT {int(left)} AS {_quoted('left_id', dialect)}, {int(right)} AS "
                                f"{_quoted('right_id', dialect)}" for left, right in pairs)  # fmt: skip
    head = _with_values(columns, dialect, equality).rstrip()
    return f"{head}, {_quoted('pairs', dialect)} AS ({wanted}) " + query("verification", dialect)


def count_statement(schema: str, table: str, dialect: str) -> str:
    """The SELECT for the number of rows of a table."""
    from sqlglot import exp

    counted = exp.alias_(exp.Count(this=exp.Star()), "row_count")
    return rendered(exp.select(counted).from_(_table(schema, table)), dialect)


def rows_statement(schema: str, table: str, columns: Sequence[tuple[str, ColumnType]], dialect: str) -> str:
    """The SELECT for the rows of a table: the given columns, or all as they are.

    Dates and times are texts: drivers have none for infinity or years of five digits, or want a package for zones.
    """
    from sqlglot import exp

    selected = [_shown(name, type_) for name, type_ in columns] or [exp.Star()]
    return rendered(expanded(exp.select(*selected).from_(_table(schema, table)), dialect), dialect)


def _shown(name: str, type_: ColumnType) -> exp.Expr:
    """A column as it is shown to people."""
    column = _column(name)
    if type_ == "date":
        return _call("text_of_date", column)
    return _call("clock", _call(f"text_of_{type_}", column)) if type_ in ("timestamp", "zoned") else column


def _with_values(columns: Iterable[ColumnAt], dialect: str, equality: Equality) -> str:
    cells = " UNION ALL ".join(_cells(*column, dialect) for column in columns)
    values = query("values", dialect, equality.parameters)
    steps = {"cells": cells, "spelled": values, "fresh": query("without_words", dialect)}
    return f"WITH {', '.join(f'{_quoted(name, dialect)} AS ({step})' for name, step in steps.items())} "


def _cells(number: int, schema: str, table: str, name: str, type_: ColumnType, dialect: str) -> str:
    """The SELECT for the cells of one column: a text or a number each."""
    from sqlglot import exp

    column = _column(name)
    text = _call(f"text_of_{type_}", column) if type_ != "float" else exp.cast(exp.null(), "TEXT")
    double = _call(f"number_of_{type_}", column) if type_ in NUMBERS else exp.cast(exp.null(), "DOUBLE")
    selected = exp.select(
        exp.alias_(exp.Literal.number(number), "column_id"),
        exp.alias_(_call("binary_text", text), "text"),
        exp.alias_(double, "number"),
    ).from_(_table(schema, table))
    return rendered(expanded(selected, dialect), dialect)


def _call(macro: str, argument: exp.Expr) -> exp.Expr:
    from sqlglot import exp

    return exp.Anonymous(this=macro, expressions=[argument])


def _column(name: str) -> exp.Expr:
    from sqlglot import exp

    return exp.Column(this=exp.to_identifier(name, quoted=True))


def _table(schema: str, table: str) -> exp.Expr:
    from sqlglot import exp

    return exp.Table(
        this=exp.to_identifier(table, quoted=True), db=exp.to_identifier(schema, quoted=True) if schema else None
    )


def _quoted(name: str, dialect: str) -> str:
    return rendered(_column(name), dialect)
