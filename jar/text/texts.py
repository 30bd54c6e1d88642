"""The texts that are embedded: how a table, a column and a sub-query read to a language model.

Each text serves one term of the objective:

- `table_text`, the signature ``database.table(column, column)``, is compared with the whole question (coarse
  relevance, and the first-stage retriever). A signature says which words are columns of which table: the same names
  as a row of plain words rank worse, on the databases where this was chosen and on others.
- `column_text`, the words of table and column, is compared with one sub-query (fine relevance). It leaves the
  database out, whose name would pull all its columns towards each sub-query that mentions it.
- `schema_text`, the words of database, table and column, is compared with the same text of other columns (schema
  similarity, one part of joinability).

Names as they stand in the database are enough. A column's natural name ("student id" for ``stu_id``) takes the place
of its identifier where the catalog has one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

__all__ = ["column_text", "schema_text", "subquery_text", "table_text", "words"]

VERSION = 1
"""Raised with each change of these texts, so that a refresh embeds them anew."""

_BREAK = re.compile(
    r"[\W_]+"  # separators of any kind
    r"|(?<=[a-z0-9])(?=[A-Z])"  # airport|Code
    r"|(?<=[A-Z])(?=[A-Z](?!s(?![a-z]))[a-z])"  # HTTP|Server, but IDs is one word
)


class NamedColumn(Protocol):
    """What the texts read of a column; `joinability.Column` has it."""

    @property
    def name(self) -> str:
        """Identifier."""

    @property
    def natural_name(self) -> str | None:
        """Name in plain words, where the owner gives one."""


class NamedTable(Protocol):
    """What the texts read of a table; `joinability.Table` has it."""

    @property
    def database(self) -> str:
        """Name of the database or folder."""

    @property
    def name(self) -> str:
        """Identifier."""

    @property
    def columns(self) -> Sequence[NamedColumn]:
        """Columns in order."""


def words(identifier: str) -> list[str]:
    """Words of an identifier, in lower case: split at separators and at changes of case.

    An identifier without any letter or digit is a word of its own, so that no name is lost.

    Examples
    --------
    >>> words("AirportCode"), words("stu_id"), words("FRPM Count (K-12)"), words("HTTPServer")
    (['airport', 'code'], ['stu', 'id'], ['frpm', 'count', 'k', '12'], ['http', 'server'])
    """
    parts = [word.lower() for word in _BREAK.split(identifier) if word]
    return parts or identifier.split()


def table_text(table: NamedTable) -> str:
    """Signature of a table, for coarse relevance: ``database.table(column, column)``.

    Identifiers stay as written: splitting them into words changes the ranking of a sentence encoder, whose
    tokens are parts of words, by less than its noise.
    """
    columns = ", ".join(column.natural_name or column.name for column in table.columns)
    return f"{table.database}.{table.name}({columns})"


def column_text(table: NamedTable, column: NamedColumn) -> str:
    """Words of a table and one of its columns, for fine relevance: "flights source airport"."""
    return " ".join([*words(table.name), *_column_words(column)])


def schema_text(table: NamedTable, column: NamedColumn) -> str:
    """Words of database, table and column, for schema similarity: "flight 2 flights source airport"."""
    return " ".join([*words(table.database), *words(table.name), *_column_words(column)])


def subquery_text(subquery: str) -> str:
    """A sub-query as it is embedded: "client:gender" (concept and attribute) reads "client gender"."""
    return " ".join(subquery.replace(":", " ").split())


def _column_words(column: NamedColumn) -> list[str]:
    return column.natural_name.split() if column.natural_name else words(column.name)
