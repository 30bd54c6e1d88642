"""The texts that are embedded: how a table, a column and a sub-query read to a language model.

Each text serves one term of the objective:

- `table_text`, the signature ``database.table(column, column)``, is compared with the whole question (coarse
  relevance, and the first-stage retriever). A signature says which words are columns of which table: the same names
  as a row of plain words rank worse, on the databases where this was chosen and on others.
- `name_text`, the words of database and table, stands beside the signature, whose columns outweigh the name.
- `column_text`, the words of table and column, is compared with one sub-query (fine relevance). It leaves the
  database out, whose name would pull all its columns towards each sub-query that mentions it.
- `schema_text`, the words of database, table and column, is compared with the same text of other columns (schema
  similarity, one part of joinability).

Names that are run together or abbreviated are told in words (`jar.text.spelled_names`). The natural name of a column
("student id" for ``stu_id``) takes the place of its identifier, and a description stands beside an identifier of which
no word is known.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from jar.text.spelled_names import NamedColumn, NamedTable, SpelledTable
from joinability.spelling.vocabulary import CASE_CHANGE

__all__ = ["column_text", "name_text", "schema_text", "subquery_text", "table_text", "words"]

VERSION = 21
"""Raised with each change of these texts, or of the words that are counted, so that a refresh writes them anew."""

LONGEST_VALUE = 40
"""Characters of a sample value in the text of a column."""
LONGEST = 1500
"""Characters of a signature: more than an embedder reads."""

_BREAK = re.compile(rf"[\W_]+|{CASE_CHANGE.pattern}")
"""Separators of any kind, and changes of case."""


def words(identifier: str) -> list[str]:
    """Words of an identifier, in lower case: split at separators and at changes of case.

    An identifier without any letter or digit is a word of its own, so that no name is lost.

    Two others split names. `plain_words` of `joinability.spelling.vocabulary` also splits between letters and digits;
    `name_words` of `joinability.names` takes "IDs" apart. Both compose accents and read "#" as a number, which is a
    separator here.

    Examples
    --------
    >>> words("AirportCode"), words("stu_id"), words("FRPM Count (K-12)"), words("HTTPServer")
    (['airport', 'code'], ['stu', 'id'], ['frpm', 'count', 'k', '12'], ['http', 'server'])
    >>> words("memberIDs"), words("iso2"), words("POL#"), words("%")
    (['member', 'ids'], ['iso2'], ['pol'], ['%'])
    """
    parts = [word.lower() for word in _BREAK.split(identifier) if word]
    return parts or identifier.split()


def table_text(table: SpelledTable) -> str:
    """Signature of a table, for coarse relevance: ``database.table(column, column)``.

    Identifiers stay as written unless their words are not those that case, digits and separators show: what a sentence
    encoder makes of "SourceAirport" is as good as what it makes of its words, but "SRCARPT" means nothing to it.
    """
    return f"{table.table.database}.{table.shown_name}({', '.join(table.shown_columns)})"[:LONGEST]


def name_text(table: SpelledTable) -> str:
    """Words of database and table and of its description, for coarse relevance: "flight 2 flights"."""
    described = [word for word in table.description if word not in table.name]
    return " ".join([*table.database, *table.schema, *table.name, *described])


def column_text(table: SpelledTable, place: int, values: Sequence[str] = ()) -> str:
    """Words of a table and of its column at a place, for fine relevance: "flights source airport".

    Sample values follow, those of some letters, cut short: "flights source airport: APG, AHD".
    """
    named = " ".join([*table.schema, *table.name, *table.columns[place]])
    shown = [" ".join(value[:LONGEST_VALUE].split()) for value in values if any(map(str.isalpha, value))]
    return f"{named}: {', '.join(shown)}" if shown else named


def schema_text(table: NamedTable, column: NamedColumn) -> str:
    """Words of database, table and column, for schema similarity: "flight 2 flights source airport"."""
    return " ".join([*words(table.database), *words(table.name), *_column_words(column)])


def subquery_text(subquery: str) -> str:
    """A sub-query as it is embedded: "client:gender" (concept and attribute) reads "client gender"."""
    return " ".join(subquery.replace(":", " ").split())


def _column_words(column: NamedColumn) -> list[str]:
    return column.natural_name.split() if column.natural_name else words(column.name)
