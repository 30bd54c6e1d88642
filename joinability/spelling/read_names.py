"""The names of the tables and columns of one database in words, read together.

What the columns of a table have in front of their names is left out where they run together (`PMPOLN`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from joinability.spelling.areas import areas, split_area, titles_as_read
from joinability.spelling.known_systems import sap_names
from joinability.spelling.prefixes import without_prefixes
from joinability.spelling.told_by_tables import told_by_tables
from joinability.spelling.vocabulary import Vocabulary, plain_words

NamesInWords = Mapping[int, tuple[str, str]]
"""The names of columns and of their tables in words, by column."""


def database_vocabulary(
    titles: Sequence[str],
    columns: Sequence[Sequence[str]],
    descriptions: Iterable[str] = (),
    told: Mapping[str, tuple[str, ...]] | None = None,
    further: Iterable[str] = (),
) -> Vocabulary:
    """The vocabulary of a database, which knows what its tables tell of letters, and the names of SAP where it has
    such, too.

    Parameters
    ----------
    titles, columns : names of tables, and of the columns of each
    descriptions : texts
    told : mapping
        What parts of names stand for, by their own descriptions.
    further : other names
    """
    names = [*further, *(name for title, own in zip(titles, columns, strict=True) for name in (title, *own))]
    last = [title.rpartition(".")[2] for title in titles]
    known = {**sap_names(last), **(told or {})}
    vocabulary = Vocabulary.of(names, descriptions, known)
    own = told_by_tables(last, columns, vocabulary)
    return vocabulary.knowing({**own, **known}) if own else vocabulary


def read_names(titles: Sequence[str], columns: Sequence[Sequence[str]]) -> tuple[list[str], list[list[str]]]:
    """The names of the tables of a database, and of the columns of each, in words where these say more than the names.

    Examples
    --------
    >>> read_names(["CUST_MST"], [["CUST_NBR", "ShipAddress", "INVDT"]])
    (['customer_master'], [['customer_number', 'ShipAddress', 'invoice_date']])
    """
    bare = without_prefixes(columns)
    parted = titles_as_read(titles, columns)
    vocabulary = database_vocabulary(parted, bare)
    of_areas = areas(title.rpartition(".")[2] for title in parted)
    read = [_read_title(title, vocabulary, of_areas) for title in parted]
    return read, [
        [_read(name, short, vocabulary) for name, short in zip(names, own, strict=True)]
        for names, own in zip(columns, bare, strict=True)
    ]


def _read_title(title: str, vocabulary: Vocabulary, of_areas: Collection[str]) -> str:
    """The name of a table in words, but for its schema and its area."""
    schema, dot, last = title.rpartition(".")
    area, rest = split_area(last, of_areas)
    read = _read(rest, rest, vocabulary)
    return title if read == rest else "".join([schema, dot, *([area, "_"] if area else []), read])


def _read(written: str, name: str, vocabulary: Vocabulary) -> str:
    """A name in words; as it is written where case, digits and separators show these words."""
    words = vocabulary.words(name)
    return written if words == plain_words(name) and name == written else "_".join(words)
