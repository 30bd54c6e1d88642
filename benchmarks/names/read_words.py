"""How many words of the names of terse schemas are read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from benchmarks.data.wild.terse import terse_schemas, terse_tables
from benchmarks.pages.grids import Grid
from jar.text.spelled_names import spell
from jar.text.stop_words import STOP_WORDS
from joinability.spelling.vocabulary import singular

SHORTEST, LONGEST = 4, 6
"""Letters of a word without an ending, and of those that count."""


class WordsRead(NamedTuple):
    """How many of the words of names are read, and how many names whole."""

    words: int
    read: int
    names: int
    whole: int


def words_read(name: str, told: Mapping[str, str]) -> WordsRead:
    """The words of the names of one schema's tables and columns that are read, those of a column's table not counted.

    Words count by their stems: a "created by" is read as one who creates.

    Parameters
    ----------
    told : mapping
        Each name in plain words.
    """
    tables = terse_tables(name)
    words = read = names = whole = 0
    seen: set[str] = set()
    for table, spelled in zip(tables, spell(tables), strict=True):
        title = table.name.rpartition(".")[2]
        of_table = _stems(told[title].split())
        named = [(title, spelled.name, _stems(told[title].split()))]
        for column, meant in zip(table.column_names, spelled.columns, strict=True):
            of_column = _stems(told[column].split())
            named.append((column, meant, of_column - of_table or of_column))
        for written, meant, wanted in named:
            if written not in seen:
                seen.add(written)
                hits = wanted & _stems(meant)
                words, read = words + len(wanted), read + len(hits)
                names, whole = names + 1, whole + (hits == wanted)
    return WordsRead(words, read, names, whole)


def words_grid() -> Grid:
    """The shares of words and of whole names that are read, by schema."""
    rows = []
    for held_out in (False, True):
        for name, schema in terse_schemas(held_out=held_out).items():
            found = words_read(name, schema["words"])
            share, whole = found.read / found.words, found.whole / found.names
            rows.append((name, "held out" if held_out else "", f"{share:.3f}", f"{whole:.3f}"))
    return Grid("", ("schema", "", "words read", "names read whole"), rows)


def _stems(words: Iterable[str]) -> set[str]:
    return {_stem(singular(word)) for word in words if word not in STOP_WORDS}


def _stem(word: str) -> str:
    """The first letters of a word without an ending: "creat" of create, created and creation."""
    bare = next((word.removesuffix(end) for end in ("ing", "ed", "e") if word.endswith(end)), word)
    return (bare if len(bare) >= SHORTEST else word)[:LONGEST]
