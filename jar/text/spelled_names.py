"""The names of tables and columns in words, each database by a vocabulary of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from jar.text.stop_words import STOP_WORDS
from jar.text.told_forms import told_forms
from joinability.spelling.areas import ALWAYS, areas, split_area, titles_as_read, without_shared_endings
from joinability.spelling.common_words import word_ranks
from joinability.spelling.known_systems import purposes
from joinability.spelling.prefixes import shared_prefix, without_prefixes
from joinability.spelling.read_names import database_vocabulary
from joinability.spelling.vocabulary import Vocabulary, plain_words

EVERYWHERE = frozenset(["public", "dbo", "main", "default"])
"""Names of schemas that say nothing."""
NEARLY_ALL = 0.8
"""Share of the tables of a database that have one area, from which it is left out of their names."""
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
        The names as written, without what nearly all tables end with, but for those that say more in words than case,
        digits and separators show.
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


def _vocabulary(
    tables: Sequence[NamedTable], titles: Sequence[str], columns: Sequence[Sequence[str]]
) -> Vocabulary:
    """The vocabulary of the names and descriptions of one database's tables, which have these names with their areas
    apart, and columns without prefixes."""
    told = told_forms(_described(tables, titles, columns))
    databases = {table.database: None for table in tables}
    return database_vocabulary(titles, columns, dict.fromkeys(_descriptions(tables)), told, databases)


def _described(
    tables: Sequence[NamedTable], titles: Sequence[str], columns: Sequence[Sequence[str]]
) -> Iterator[tuple[str, str]]:
    """Each name that has a description, without its schema or prefix, and this."""
    for table, title, names in zip(tables, titles, columns, strict=True):
        told = [column.description for column in table.columns]
        for name, description in ((title, table.description), *zip(names, told, strict=True)):
            if description:
                yield name.rpartition(".")[2] or name, description


def _descriptions(tables: Sequence[NamedTable]) -> Iterator[str]:
    for table in tables:
        yield table.description or ""
        for column in table.columns:
            yield column.description or ""
            yield column.natural_name or ""


def _spell_database(tables: Sequence[NamedTable]) -> Iterator[SpelledTable]:
    written = [table.column_names for table in tables]
    names, titles = without_prefixes(written), titles_as_read([table.name for table in tables], written)
    ended = without_shared_endings([table.name for table in tables])
    vocabulary = _vocabulary(tables, titles, names)
    last = [title.rpartition(".")[2] or title for title in titles]
    of_areas = areas(last)
    shared = _shared_areas(last, of_areas)
    database = _spell_name_of_database(tables[0].database, vocabulary)
    schemas = [tuple(dict.fromkeys(vocabulary.words(table.name.rpartition(".")[0]))) for table in tables]
    common = set.intersection(*map(set, schemas)) | set(database) | EVERYWHERE
    systems = purposes(tables[0].database, [table.name for table in tables])
    for table, title, bare, schema, system, own in zip(tables, last, ended, schemas, systems, names, strict=True):
        prefix = shared_prefix(own, title)
        description = _told(table.description, TABLE_DESCRIPTION)
        columns = [
            (column.natural_name, column.natural_name.split())
            if column.natural_name
            else _read(column.name, name, _told(column.description, COLUMN_DESCRIPTION), vocabulary, prefix)
            for column, name in zip(table.columns, own, strict=True)
        ]
        area, rest = split_area(title, of_areas)
        kept = (*system, *(word for word in schema if word not in common))
        words_of_area = () if area in shared else plain_words(area)
        shown, words = _read(rest, rest, description, vocabulary)
        yield SpelledTable(
            table=table,
            database=database,
            schema=kept,
            name=(*words_of_area, *words),
            columns=tuple(tuple(read) for _, read in columns),
            description=description,
            shown_name=bare if shown == rest else " ".join((*kept, *words_of_area, *words)),
            shown_columns=tuple(text for text, _ in columns),
        )


def _shared_areas(titles: Sequence[str], of_areas: Collection[str]) -> set[str]:
    """The areas of nearly all tables, which say nothing of any."""
    counts = Counter(split_area(title, of_areas)[0] for title in titles)
    return {area for area, count in counts.items() if area and count >= NEARLY_ALL * len(titles)}


def _spell_name_of_database(name: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Its words: what is called `db` is a database, and `hr` an area, whatever these letters mean in its names."""
    known = {"db": ("database",), **{area: (area,) for area in ALWAYS}}
    return known.get(name.casefold()) or tuple(vocabulary.words(name))


def _told(description: str | None, count: int) -> tuple[str, ...]:
    """The first words of a description that mean something."""
    return tuple(word for word in plain_words(description or "") if word not in STOP_WORDS)[:count]


def _read(
    written: str,
    name: str,
    description: tuple[str, ...],
    vocabulary: Vocabulary,
    prefix: str = "",
) -> tuple[str, list[str]]:
    """A name as it is shown, and its words; those of its description beside them where none of its own is known.

    Parameters
    ----------
    written, name : str
        As the table has it, and without what runs together with it in front.
    """
    words = vocabulary.words(name, prefix)
    if not any(word in word_ranks() for word in words):
        words = [*words, *description]
    return (written if words == (plain_words(written) or written.split()) else " ".join(words)), words
