"""The names of tables and columns in words, each database by a vocabulary of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from jar.text.stop_words import STOP_WORDS
from jar.text.told_forms import told_forms
from joinability.spelling.common_words import word_ranks
from joinability.spelling.vocabulary import Vocabulary, plain_words, shared_prefix

EVERYWHERE = frozenset(["public", "dbo", "main", "default"])
"""Names of schemas that say nothing."""
TABLE_DESCRIPTION, COLUMN_DESCRIPTION = 12, 8
"""Words of a description that count: those that follow tell of details."""


class NamedColumn(Protocol):
    """What the texts read of a column; `joinability.Column` has it."""

    @property
    def name(self) -> str:
        """Identifier."""

    @property
    def natural_name(self) -> str | None:
        """Name in plain words, where the owner gives one."""

    @property
    def description(self) -> str | None:
        """What the owner says of it."""


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

    @property
    def column_names(self) -> list[str]:
        """Their names."""

    @property
    def description(self) -> str | None:
        """What the owner says of it."""


@dataclass(frozen=True)
class SpelledTable:
    """A table with its names as written and in words.

    Attributes
    ----------
    table : NamedTable
    database, schema, name : tuples of str
        Words of the database; of what stands before the last dot of the table's name, without those that it shares
        with all tables of the database or with the database's name; and of the rest of its name.
    columns : tuple of tuples of str
        Words of each column: of its natural name where it has one, else of its name without a prefix that the columns
        of the table share. A name of which no word is known is followed by the description, for tables likewise.
    description : tuple of str
        The first words of the table's description.
    shown_name, shown_columns : str, tuple of str
        The names as written, but for those that say more in words than case, digits and separators show.
    """

    table: NamedTable
    database: tuple[str, ...]
    schema: tuple[str, ...]
    name: tuple[str, ...]
    columns: tuple[tuple[str, ...], ...]
    description: tuple[str, ...]
    shown_name: str
    shown_columns: tuple[str, ...]


def spell(tables: Sequence[NamedTable]) -> list[SpelledTable]:
    """The names of tables in words, in their order; tables of one database are read together."""
    places: dict[str, list[int]] = {}
    for place, table in enumerate(tables):
        places.setdefault(table.database, []).append(place)
    spelled = {
        place: table
        for members in places.values()
        for place, table in zip(members, _spell_database([tables[place] for place in members]), strict=True)
    }
    return [spelled[place] for place in range(len(tables))]


def vocabulary_of(tables: Sequence[NamedTable]) -> Vocabulary:
    """The vocabulary of the names and descriptions of one database's tables."""
    names = [name for table in tables for name in (table.name, *(column.name for column in table.columns))]
    told = told_forms(_described(tables))
    return Vocabulary.of(
        [*{table.database: None for table in tables}, *names], dict.fromkeys(_descriptions(tables)), told
    )


def _described(tables: Sequence[NamedTable]) -> Iterator[tuple[str, str]]:
    """Each name that has a description, without its schema, and this."""
    for table in tables:
        for named, description in ((table.name, table.description), *((c.name, c.description) for c in table.columns)):
            if description:
                yield named.rpartition(".")[2] or named, description


def _descriptions(tables: Sequence[NamedTable]) -> Iterator[str]:
    for table in tables:
        yield table.description or ""
        for column in table.columns:
            yield column.description or ""
            yield column.natural_name or ""


def _spell_database(tables: Sequence[NamedTable]) -> Iterator[SpelledTable]:
    vocabulary = vocabulary_of(tables)
    database = tuple(vocabulary.words(tables[0].database))
    schemas = [tuple(dict.fromkeys(vocabulary.words(table.name.rpartition(".")[0]))) for table in tables]
    common = set.intersection(*map(set, schemas)) | set(database) | EVERYWHERE
    for table, schema in zip(tables, schemas, strict=True):
        last = table.name.rpartition(".")[2] or table.name
        prefix = shared_prefix([column.name for column in table.columns], last)
        description = _told(table.description, TABLE_DESCRIPTION)
        columns = [
            (column.natural_name, column.natural_name.split())
            if column.natural_name
            else _read(column.name, _told(column.description, COLUMN_DESCRIPTION), vocabulary, prefix)
            for column in table.columns
        ]
        kept = tuple(word for word in schema if word not in common)
        shown, name = _read(last, description, vocabulary)
        yield SpelledTable(
            table=table,
            database=database,
            schema=kept,
            name=tuple(name),
            columns=tuple(tuple(words) for _, words in columns),
            description=description,
            shown_name=table.name if shown == last else " ".join((*kept, *name)),
            shown_columns=tuple(text for text, _ in columns),
        )


def _told(description: str | None, count: int) -> tuple[str, ...]:
    """The first words of a description that mean something."""
    return tuple(word for word in plain_words(description or "") if word not in STOP_WORDS)[:count]


def _read(name: str, description: tuple[str, ...], vocabulary: Vocabulary, prefix: str = "") -> tuple[str, list[str]]:
    """A name as it is shown, and its words; those of its description beside them where none of its own is known."""
    words = vocabulary.words(name, prefix)
    if not any(word in word_ranks() for word in words):
        words = [*words, *description]
    return (name if words == (plain_words(name) or name.split()) else " ".join(words)), words
