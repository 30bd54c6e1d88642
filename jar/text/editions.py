"""Editions of one table: `county_2015_5yr`, `county_2018_5yr`, `patients_v2`; a question wants some by number."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from jar.arrays import Array
from jar.text.sharded import DIGITS, asked_numbers
from jar.text.spelled_names import NamedTable

SHARED = 0.5
"""Share of the columns of two tables that both have, from which one is an edition of the other."""
_WORD = re.compile(r"[^\W\d_]{3}")
_DATED = len("202401")


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
        unasked: list[int] = []
        for group in self.groups:
            left = [edition for edition in group if edition.table not in gone]
            keys = {edition.table: tuple(_named(number, asked) for number in edition.numbers) for edition in left}
            most = max((_count(key) for key in keys.values()), default=0)
            best: dict[tuple[str, ...], int] = {}
            for table, key in keys.items():
                if _count(key) == most and (key not in best or relevance[table] > relevance[best[key]]):
                    best[key] = table
            unasked += [table for table in keys if table not in best.values() and table not in named]
        return unasked


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
        Edition(place, tuple(own[slot] for slot in differing)) for place, own in zip(places, numbers, strict=True)
    )


def _named(number: str, asked: frozenset[str]) -> str:
    """The number of the question that names a number of a name: itself, or the year or month that it begins with."""
    if number in asked:
        return number
    if len(number) >= _DATED:
        return next((number[:length] for length in (6, 4) if number[:length] in asked), "")
    return ""


def _count(key: tuple[str, ...]) -> int:
    return sum(map(bool, key))
