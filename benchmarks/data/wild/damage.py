"""Damaged copies of a data set's names, as companies have them; questions, rows and ids stay what they were."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from benchmarks.data.dataset_form import Dataset
from joinability import Catalog, ForeignKey, Table
from joinability.spelling.common_words import skeleton
from joinability.spelling.vocabulary import plain_words

SHORT = 3
"""Letters up to which a word keeps its vowels."""


def run_together(name: str) -> str:
    """The words of a name in capitals without breaks."""
    return "".join(plain_words(name)).upper() or name


def without_vowels(name: str) -> str:
    """The words of a name in capitals, those of more than three letters by their consonants."""
    kept = (word if len(word) <= SHORT else skeleton(word) for word in plain_words(name))
    return "_".join(kept).upper() or name


def shortened(name: str, database: str = "") -> str:
    """The words of a name in capitals, those of more than four letters cut or contracted in one of five ways.

    To three or four letters, to the first letter and two or three consonants that follow, or not at all: each word of a
    database always in the same way.
    """
    return "_".join(_shortened(word, database) for word in plain_words(name)).upper() or name


def _shortened(word: str, database: str) -> str:
    if len(word) <= SHORT + 1:
        return word
    kind = int(hashlib.md5(f"{database} {word}".encode(), usedforsecurity=False).hexdigest(), 16) % 5
    return (word[:3], word[:4], skeleton(word)[:3], skeleton(word)[:4], word)[kind]


def damage_names(dataset: Dataset, seed: int = 0) -> Dataset:
    """A data set whose databases have, each by its name and the seed, one of three kinds of names.

    Tables and columns run together in capitals, or without vowels, or columns with the first two letters of their table
    as a prefix. A table whose damaged name another of its database has already keeps its own, and so does a column.
    """
    return _renamed(dataset, "damaged", partial(_damage, seed=seed))


def shorten_names(dataset: Dataset) -> Dataset:
    """A data set with names of shortened words, see `shortened`."""
    return _renamed(dataset, "shortened", _shorten)


def run_short_names_together(dataset: Dataset) -> Dataset:
    """The same without breaks between the words, as names of few characters are: ``CSTNAME``."""
    return _renamed(dataset, "short-together", _shorten_together)


def _renamed(dataset: Dataset, how: str, rename: Callable[[list[Table]], list[tuple[Table, Table]]]) -> Dataset:
    """A data set with the tables of each database renamed, and its questions' gold tables with them."""
    renamed = {table.id: new for group in _by_database(dataset.catalog) for table, new in rename(group)}
    originals = {table.id: table for table in dataset.catalog}
    tables = [_with_keys(renamed[table.id], table, renamed, originals) for table in dataset.catalog]
    ids = {table.id.casefold(): renamed[table.id].id.casefold() for table in dataset.catalog}
    questions = tuple(
        replace(
            question,
            gold_tables=frozenset(ids.get(table, table) for table in question.gold_tables),
            gold_columns=frozenset(),
        )
        for question in dataset.questions
    )
    return replace(dataset, name=f"{dataset.name}-{how}", catalog=Catalog(tables), questions=questions)


def _by_database(catalog: Catalog) -> list[list[Table]]:
    groups: dict[str, list[Table]] = {}
    for table in catalog:
        groups.setdefault(table.database, []).append(table)
    return list(groups.values())


def _damage(tables: list[Table], seed: int) -> list[tuple[Table, Table]]:
    """The tables of a database, each with its copy, whose keys still have the old names."""
    digest = hashlib.md5(f"{seed}{tables[0].database}".encode(), usedforsecurity=False).hexdigest()
    kind = int(digest, 16) % 3
    if kind == 2:
        return [(table, _copy(table, table.name, _prefixed(table.name))) for table in tables]
    return _with_names(tables, (run_together, without_vowels)[kind])


def _shorten(tables: list[Table]) -> list[tuple[Table, Table]]:
    return _with_names(tables, partial(shortened, database=tables[0].database))


def _shorten_together(tables: list[Table]) -> list[tuple[Table, Table]]:
    return _with_names(tables, lambda name: shortened(name, tables[0].database).replace("_", ""))


def _with_names(tables: list[Table], rename: Callable[[str], str]) -> list[tuple[Table, Table]]:
    names = _distinct([table.name for table in tables], rename)
    return [(table, _copy(table, name, rename)) for table, name in zip(tables, names, strict=True)]


def _prefixed(table: str) -> Callable[[str], str]:
    head = "".join(plain_words(table))[:2]
    return lambda column: f"{head}_{column}"


def _copy(table: Table, name: str, rename: Callable[[str], str]) -> Table:
    """A table of another name, its columns renamed; its keys are still to come."""
    named = zip(table.columns, _distinct(table.column_names, rename), strict=True)
    columns = tuple(replace(column, name=new) for column, new in named)
    return replace(table, name=name, columns=columns, primary_key=(), foreign_keys=())


def _distinct(names: list[str], rename: Callable[[str], str]) -> list[str]:
    """The new names in order; the old one where the new one is taken, or is another's old one."""
    taken = {name.casefold() for name in names}
    chosen = []
    for name in names:
        new = rename(name)
        free = new.casefold() == name.casefold() or new.casefold() not in taken
        chosen.append(new if free else name)
        taken.add(chosen[-1].casefold())
    return chosen


def _with_keys(new: Table, old: Table, renamed: dict[str, Table], originals: dict[str, Table]) -> Table:
    """The copy of a table with its keys and its statistics in the new names."""
    columns = dict(zip(old.column_names, new.column_names, strict=True))
    keys = []
    for key in old.foreign_keys:
        if key.target in renamed:
            target = renamed[key.target]
            names = dict(zip(originals[key.target].column_names, target.column_names, strict=True))
            targets = tuple(names[name] for name in key.target_columns)
            keys.append(ForeignKey(tuple(columns[name] for name in key.columns), target.id, targets))
    statistics = old.statistics
    if statistics is not None:
        named = {columns[name]: column for name, column in statistics.columns.items() if name in columns}
        statistics = replace(statistics, columns=named)
    primary = tuple(columns[name] for name in old.primary_key)
    return replace(new, primary_key=primary, foreign_keys=tuple(keys), statistics=statistics)
