"""Variants: tables of equal columns whose names differ in words, such as `posts_answers` and `posts_questions`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from jar.text.spelled_names import NamedTable
from joinability.attributes import cached_property
from joinability.names import name_words
from joinability.spelling.vocabulary import singular

LEAST = 3
"""Tables that make a group: two that look alike are as often two things as one."""
COLUMNS = 5
"""Columns of such tables, at least: the look-up tables of a schema, with a code and a name each, are many things."""

Group = dict[int, frozenset[str]]
"""Tables, each with the words by which its name differs from those of the others, in the singular."""


@dataclass(frozen=True)
class Variants:
    """The groups of variants among the tables of an index.

    Attributes
    ----------
    groups : tuple of dicts
        Three and more tables of one schema with equal columns, five or more, with the words of their names that not
        all have.
    """

    groups: tuple[Group, ...]

    @classmethod
    def of(cls, tables: Sequence[NamedTable]) -> Variants:
        """The variants among the tables; in numbers they may differ as they like (`jar.lookalikes.editions`)."""
        alike: dict[tuple[str, str, frozenset[str]], list[int]] = {}
        for place, table in enumerate(tables):
            columns = frozenset(map(str.casefold, table.column_names))
            if len(columns) >= COLUMNS:
                alike.setdefault((table.database, table.name.rpartition(".")[0], columns), []).append(place)
        groups = (_worded(tables, places) for places in alike.values() if len(places) >= LEAST)
        return cls(tuple(group for group in groups if any(group.values())))

    def unasked(
        self, said: Collection[str], kept: Collection[int] = (), excluded: Collection[int] = ()
    ) -> list[int]:
        """The variants that a question does not ask for: it asks for those whose distinguishing words it has most of.

        Where it says a word of none, it asks for all.

        Parameters
        ----------
        said : words
            Of the question, in the singular.
        kept : positions
            Tables that the caller names, and so asks for.
        excluded : positions
            Tables that are never the ones that are asked for.
        """
        asked, named, gone = frozenset(said), frozenset(kept), frozenset(excluded)
        unasked: list[int] = []
        for group in map(self.groups.__getitem__, sorted(set().union(*(self._said.get(word, ()) for word in asked)))):
            left = {table: words for table, words in group.items() if table not in gone}
            shares = {table: len(words & asked) / max(len(words), 1) for table, words in left.items()}
            most = max(shares.values(), default=0.0)
            unasked += [table for table, share in shares.items() if share < most and table not in named]
        return unasked

    @cached_property
    def _said(self) -> dict[str, set[int]]:
        """The groups with each word by which names differ."""
        said: dict[str, set[int]] = {}
        for place, group in enumerate(self.groups):
            for word in frozenset[str]().union(*group.values()):
                said.setdefault(word, set()).add(place)
        return said


def _worded(tables: Sequence[NamedTable], places: Sequence[int]) -> Group:
    """The words of the name of each table that not all of them have, without numbers."""
    words = {
        place: frozenset(
            singular(word) for word in name_words(tables[place].name.rpartition(".")[2]) if word.isalpha()
        )
        for place in places
    }
    common = frozenset.intersection(*words.values())
    return {place: named - common for place, named in words.items()}
