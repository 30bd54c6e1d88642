"""Damaged copies of a data set's names, as companies have them; questions, rows and ids stay what they were."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace

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


def damage_names(dataset: Dataset, seed: int = 0) -> Dataset:
    """A data set whose databases have, each by its name and the seed, one of three kinds of names.

    Tables and columns run together in capitals, or without vowels, or columns with the first two letters of their table
    as a prefix. A table whose damaged name another of its database has already keeps its own, and so does a column.
    """
    renamed = {table.id: new for group in _by_database(dataset.catalog) for table, new in _damage(group, seed)}
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
    return replace(dataset, name=f"{dataset.name}-damaged", catalog=Catalog(tables), questions=questions)


def _by_database(catalog: Catalog) -> list[list[Table]]:
    groups: dict[str, list[Table]] = {}
    for table in catalog:
        groups.setdefault(table.database, []).append(table)
    return list(groups.values())


def _damage(tables: list[Table], seed: int) -> list[tuple[Table, Table]]:
    """The tables of a database, each with its copy, whose keys still have the old names."""
    digest = hashlib.md5(f"{seed}{tables[0].database}".encode(), usedforsecurity=False).hexdigest()
    kind = int(digest, 16) % 3
    rename: Callable[[str], str] = (run_together, without_vowels, str)[kind]
    names = _distinct([table.name for table in tables], rename)
    pairs = []
    for table, name in zip(tables, names, strict=True):
        head = "".join(plain_words(table.name))[:2]
        columns = _distinct(table.column_names, (lambda column, head=head: f"{head}_{column}") if kind == 2 else rename)
        copies = (replace(column, name=new) for column, new in zip(table.columns, columns, strict=True))
        pairs.append((table, replace(table, name=name, columns=tuple(copies), primary_key=(), foreign_keys=())))
    return pairs


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
