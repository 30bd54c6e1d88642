"""Look-ups of the tables of a database by what others may call their keys."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from joinability.by_name.key_words import (
    Kin,
    Subject,
    Words,
    about,
    as_one_word,
    numbers_versions,
    words_name_title,
)
from joinability.by_name.roles import held_people
from joinability.names import GENERIC
from joinability.spelling.common_words import ABBREVIATIONS, word_ranks

AREA_LETTERS = 3
"""Letters of an area that may run together with the name of a table, at most."""


class KeyedTables(NamedTuple):
    """What names say of the tables of a database; `NamedKeys` describes each field."""

    titles: Sequence[Words]
    subjects: Sequence[Subject]
    kin: Sequence[Kin | None]
    raw: Sequence[Sequence[Words]]
    bare: Sequence[Sequence[Words]]
    keys: Mapping[int, int]
    leaders: Mapping[int, int]
    cases: Sequence[str]
    dimensional: Sequence[bool]

    def key_names(self, table: int, key: int) -> set[Words]:
        """The name of a key as it is, and without the prefix that the columns of its table share."""
        return {self.bare[table][key], self.raw[table][key]}


def _lists() -> defaultdict[str, list[int]]:
    return defaultdict(list)


@dataclass
class TablesByName:
    """The tables whose key a name may mean, by words run together.

    Attributes
    ----------
    key, leader : lists of tables
        By the name of the key, and by that of a key that leads a table not named after it.
    title, last_words, first_words : lists of tables
        By the name of the table, by its last words and by its first ones.
    stem : lists of tables
        By the words of the name of the key before the word for a key: "emp" of `emp_no`.
    in_full : lists of tables
        Of one word, by this in full: "country" of `ctry`.
    held : lists of tables
        By what they hold, whatever stands in front (`Subject.words`).
    people : lists of tables
        By the word for those who act whom they hold.
    kin : lists of tables
        By what they have in common with those beside them, and what they hold (`Subject`).
    tails : lists of tables
        Of one word that is none of a language, by this without its first letters, where its key begins like these or
        like the whole: "ofc" of `emofc` with `of_id`.
    in_short : lists of tables with words
        By the number of words and the first letter: all names that other words may abbreviate.
    """

    key: defaultdict[str, list[int]] = field(default_factory=_lists)
    leader: defaultdict[str, list[int]] = field(default_factory=_lists)
    title: defaultdict[str, list[int]] = field(default_factory=_lists)
    last_words: defaultdict[str, list[int]] = field(default_factory=_lists)
    first_words: defaultdict[str, list[int]] = field(default_factory=_lists)
    stem: defaultdict[str, list[int]] = field(default_factory=_lists)
    in_full: defaultdict[str, list[int]] = field(default_factory=_lists)
    held: defaultdict[str, list[int]] = field(default_factory=_lists)
    people: defaultdict[str, list[int]] = field(default_factory=_lists)
    kin: defaultdict[tuple[Kin, str], list[int]] = field(default_factory=lambda: defaultdict(list))
    tails: defaultdict[str, list[int]] = field(default_factory=_lists)
    in_short: defaultdict[tuple[int, str], list[tuple[int, Words]]] = field(default_factory=lambda: defaultdict(list))

    @classmethod
    def of(cls, tables: KeyedTables) -> TablesByName:
        """The look-ups of the tables that have a key or a column that leads them like one."""
        by_name = cls()
        for table, key in tables.keys.items():
            for name in tables.key_names(table, key):
                if not GENERIC.issuperset(name):
                    by_name.key[as_one_word(name)].append(table)
        for table, key in tables.leaders.items():
            for name in tables.key_names(table, key):
                by_name.leader[as_one_word(name)].append(table)
        for table, key in {**tables.keys, **tables.leaders}.items():
            if _holds_versions(table, key, tables):
                continue
            title = tables.titles[table]
            by_name.title["".join(title)].append(table)
            if stem := about(tables.bare[table][key]):
                by_name.stem["".join(stem)].append(table)
            by_name.held["".join(tables.subjects[table].words)].append(table)
            if len(words := tables.subjects[table].words) == 1:
                by_name.in_full[ABBREVIATIONS.get(words[0], words[0])].append(table)
            people = held_people(tables.subjects[table])
            if people and not by_name._is_led_by_others(table, tables):
                by_name.people[people].append(table)
            if kin := tables.kin[table]:
                by_name.kin[kin, "".join(tables.subjects[table].words)].append(table)
            if table not in tables.keys:
                continue
            if len(title) == 1 and title[0] not in word_ranks():
                first = tables.raw[table][key][0]
                for tail in {title[0][cut:] for cut in range(1, AREA_LETTERS + 1)}:
                    if len(first) < 2 or not (tail.startswith(first) or first == title[0]):
                        continue
                    for word in {tail, ABBREVIATIONS.get(tail, tail)}:
                        by_name.tails[word].append(table)
            for cut in range(1, len(title)):
                by_name.last_words["".join(title[cut:])].append(table)
                by_name.first_words["".join(title[:cut])].append(table)
            for words in {title, tables.subjects[table].title, about(tables.bare[table][key])} - {()}:
                by_name.in_short[len(words), words[0][0]].append((table, words))
        return by_name

    def _is_led_by_others(self, table: int, tables: KeyedTables) -> bool:
        """Whether the column that leads a table leads others, too, and is not named after the table: `enc_staff` tells
        who was at an encounter, and `enc_id` leads it. Reads `key` and `leader` alone."""
        if table not in tables.leaders:
            return False
        name = tables.bare[table][tables.leaders[table]]
        others = {*self.key.get(as_one_word(name), ()), *self.leader.get(as_one_word(name), ())} - {table}
        return bool(others and about(name)) and not words_name_title(about(name), tables.subjects[table].title)

    def those_among(self, people: Collection[str]) -> list[int]:
        """The tables of some people, in their order."""
        return sorted(table for some in people for table in self.people.get(some, ()))

    def people_in(self, cases: Sequence[str]) -> dict[str, dict[str, None]]:
        """The words for the people of whom there are tables, by how the names of these may be written."""
        return {
            case: {
                people: None
                for people, tables in self.people.items()
                if any(cases[table] in (case, "") for table in tables)
            }
            for case in set(cases)
            if case
        }

    def abbreviated(self, words: Words) -> list[int]:
        """The tables that words may mean in short, by their names or by those of their keys."""
        alike = self.in_short.get((len(words), words[0][:1]), ())
        return [table for table, whole in alike if words_name_title(words, whole)]


def _holds_versions(table: int, key: int, tables: KeyedTables) -> bool:
    """Whether the key of a table tells versions apart of what its name says: `emp_hist` has `hist_id`."""
    name = tables.bare[table][key]
    return numbers_versions(name) and about(name) != tables.titles[table]
