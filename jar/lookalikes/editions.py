"""Editions of one table: `county_2015_5yr`, `county_2018_5yr`, `patients_v2`; a question wants some by number."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial

import numpy as np

from jar.arrays import Array, IntArray
from jar.lookalikes.sharded import DIGITS, asked_numbers, with_its_month_and_year, years_between_compared
from jar.text.spelled_names import NamedTable
from joinability.attributes import cached_property

SHARED = 0.5
"""Share of the columns of two tables that both have, from which one is an edition of the other."""
MOST_TOGETHER = 5
"""Editions of one group that a question asks for together: of more it asks for a time, which other tables may tell."""
_WORD = re.compile(r"[^\W\d_]{3}")
_YEAR = len("2024")


@dataclass(frozen=True)
class Edition:
    """One table of a group, and the numbers in its name by which it differs from others of the group."""

    table: int
    numbers: tuple[str, ...]


@dataclass(frozen=True)
class Editions:
    """The groups of editions among the tables of an index.

    Attributes
    ----------
    groups : tuple of tuples of Edition
        Two and more tables of one database whose names differ in digits alone, and that share most of their columns.
    """

    groups: tuple[tuple[Edition, ...], ...]

    @classmethod
    def of(cls, tables: Sequence[NamedTable]) -> Editions:
        """The editions among the tables; a name without a word of three letters tells nothing (`T0412`)."""
        forms: dict[tuple[str, str], list[int]] = {}
        for place, table in enumerate(tables):
            name = table.name.rpartition(".")[2]
            if any(sign.isdigit() for sign in name) and _WORD.search(name):
                forms.setdefault((table.database, DIGITS.sub("#", table.name.lower())), []).append(place)
        alike = (group for places in forms.values() for group in _alike(tables, places))
        return cls(tuple(_numbered(tables, group) for group in alike if len(group) > 1))

    def unasked(
        self, question: str, relevance: Array, excluded: Collection[int] = (), kept: Collection[int] = ()
    ) -> list[int]:
        """The editions that a question does not ask for.

        It asks for those with most of its numbers, and of several with the same ones for the most relevant.

        Parameters
        ----------
        question : str
        relevance : array (N,)
            Of all tables.
        excluded : positions
            Tables that are never the one that is asked for.
        kept : positions
            Tables that the caller names, and so asks for.
        """
        asked, gone, named = asked_numbers(question), frozenset(excluded), frozenset(kept)
        alone = {self._group_of[table] for table in gone if table in self._group_of} | self._groups_said(asked)
        unasked = [table for table in self._less_relevant(relevance, alone) if table not in named]
        name_of = cache(partial(_named, asked=asked))
        for group in map(self.groups.__getitem__, sorted(alone)):
            left = [edition for edition in group if edition.table not in gone]
            best = set(_best_of_numbers(left, name_of, relevance).values())
            unasked += [edition.table for edition in left if edition.table not in best and edition.table not in named]
        return unasked

    def together(self, question: str, tables: IntArray, relevance: Array) -> IntArray:
        """Which candidates are editions that a question asks for together, shape (n,).

        "Which counties grew from 2015 to 2018?" needs `county_2015` and `county_2018`, or neither: years, months and
        days in the names of one group, at most `MOST_TOGETHER` of them. Of a time that the question compares, its ends
        are meant ("the change between 2015 and 2018").

        Parameters
        ----------
        question : str
        tables : array (n,)
            Positions of the candidates.
        relevance : array (n,)
            Of the candidates.

        Returns
        -------
        array (n,)
            A number for the editions of each group, from 0; -1 for every other candidate.
        """
        together = np.full(len(tables), -1, dtype=np.int64)
        asked = asked_numbers(question) - years_between_compared(question)
        place = {table: number for number, table in enumerate(tables.tolist())}
        name_of = cache(partial(_named, asked=asked))
        for group in map(self.groups.__getitem__, sorted(self._groups_said(asked))):
            here = [Edition(place[edition.table], edition.numbers) for edition in group if edition.table in place]
            best = _best_of_numbers(here, name_of, relevance)
            dated = [candidate for key, candidate in best.items() if any(len(number) >= _YEAR for number in key)]
            if 1 < len(dated) <= MOST_TOGETHER:
                together[dated] = together.max() + 1
        return together

    def _groups_said(self, asked: Collection[str]) -> set[int]:
        """The groups of which a number of the question names an edition."""
        return {group for number in asked for group in self._said.get(number, ())}

    def _less_relevant(self, relevance: Array, but: Collection[int]) -> list[int]:
        """All tables but the most relevant one of each group, of all groups except some: what a question does not ask
        for that says none of their numbers."""
        tables, group, starts = self._flat
        if not len(tables):
            return []
        best = np.flatnonzero(relevance[tables] == np.maximum.reduceat(relevance[tables], starts)[group])
        others = np.ones(len(tables), dtype=np.bool_)
        others[best[np.diff(group[best], prepend=-1) > 0]] = False
        if but:
            others &= ~np.isin(group, list(but))
        less: list[int] = tables[others].tolist()
        return less

    @cached_property
    def _flat(self) -> tuple[IntArray, IntArray, IntArray]:
        """The tables of the groups, group by group, the group of each, and where each group begins."""
        lengths = np.array([len(group) for group in self.groups], dtype=np.int64)
        tables = np.array([edition.table for group in self.groups for edition in group], dtype=np.int64)
        return tables, np.repeat(np.arange(len(lengths)), lengths), np.cumsum(lengths) - lengths

    @cached_property
    def _group_of(self) -> dict[int, int]:
        """The group of each table that is in one."""
        return {edition.table: place for place, group in enumerate(self.groups) for edition in group}

    @cached_property
    def _said(self) -> dict[str, set[int]]:
        """The groups of which a number of a question names an edition."""
        said: dict[str, set[int]] = {}
        for place, group in enumerate(self.groups):
            for number in {number for edition in group for number in edition.numbers}:
                for name in with_its_month_and_year(number):
                    said.setdefault(name, set()).add(place)
        return said


def _alike(tables: Sequence[NamedTable], places: Sequence[int]) -> list[list[int]]:
    """The tables in groups, each of which shares columns with the first of its group."""
    groups: list[tuple[frozenset[str], list[int]]] = []
    for place in places:
        columns = frozenset(name.lower() for name in tables[place].column_names)
        for first, group in groups:
            if len(first & columns) >= SHARED * len(first | columns) > 0:
                group.append(place)
                break
        else:
            groups.append((columns, [place]))
    return [group for _, group in groups]


def _numbered(tables: Sequence[NamedTable], places: Sequence[int]) -> tuple[Edition, ...]:
    numbers = [DIGITS.findall(tables[place].name) for place in places]
    differing = [slot for slot, values in enumerate(zip(*numbers, strict=True)) if len(set(values)) > 1]
    return tuple(
        Edition(place, tuple(digits[slot] for slot in differing)) for place, digits in zip(places, numbers, strict=True)
    )


def _best_of_numbers(
    editions: Iterable[Edition], name_of: Callable[[str], str], relevance: Array
) -> dict[tuple[str, ...], int]:
    """Of the editions with most numbers of the question the most relevant one, by which numbers these are."""
    keys = {edition.table: tuple(map(name_of, edition.numbers)) for edition in editions}
    most = max(map(_count, keys.values()), default=0)
    best: dict[tuple[str, ...], int] = {}
    for table, key in keys.items():
        if _count(key) == most and (key not in best or relevance[table] > relevance[best[key]]):
            best[key] = table
    return best


def _named(number: str, asked: frozenset[str]) -> str:
    """The number of the question that names a number of a name: itself, or the year or month that it begins with."""
    return next((name for name in with_its_month_and_year(number) if name in asked), "")


def _count(key: tuple[str, ...]) -> int:
    return sum(map(bool, key))
