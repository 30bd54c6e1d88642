"""Names of keys in one table that differ in a number or a letter alone: `person_id_a` and `person_id_b`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from joinability.names import KEY_WORDS, name_words

FIRST_MARKS, SECOND_MARKS = frozenset(["1", "a"]), frozenset(["2", "b"])
"""Marks with which a numbering begins, and those that follow a name without one: `iso2_code` and `iso3_code` are two
kinds of code, but `driver_id_2` is of another driver than `driver_id`."""
LONGEST_MARK = 2
"""Digits of a number that tells columns apart, at most."""
DIGITS = "0123456789"

Words = tuple[str, ...]


def without_numbers(tables: Sequence[Sequence[str]]) -> list[list[str]]:
    """The names of the columns of the tables of one database, those of keys without the number or the letter that tells
    several of one table apart.

    They stay where one of them is the name of a column that another table has once: `nuts1_code` and `nuts2_code` are
    codes of two things. But where a column has the name without a mark, those of all tables lose theirs.

    Examples
    --------
    >>> without_numbers([["person_id_a", "person_id_b", "kind"], ["game_id", "team1_id", "team2_id"]])
    [['person_id', 'person_id', 'kind'], ['game_id', 'team_id', 'team_id']]
    >>> without_numbers([["nuts1_code", "nuts2_code"], ["nuts1_code", "name"]])[0], without_numbers([["gate_id_2"]])[0]
    (['nuts1_code', 'nuts2_code'], ['gate_id_2'])
    >>> without_numbers([["team1_id", "team2_id"], ["bet_id", "team1_id"], ["team_id", "name"]])[:2]
    [['team_id', 'team_id'], ['bet_id', 'team_id']]
    """
    numbered = [_numbered(columns) for columns in tables]
    whole = {name_words(name) for columns in tables for name in columns}
    unmarked = {name: "_".join(rest) for names in numbered for name, (rest, _) in names.items() if rest in whole}
    apart = {name for columns, names in zip(tables, numbered, strict=True) for name in columns if name not in names}
    return [
        [unmarked.get(name) or _unmarked(name, names, apart) for name in columns]
        for columns, names in zip(tables, numbered, strict=True)
    ]


def _unmarked(name: str, numbered: dict[str, tuple[Words, Sequence[str]]], apart: Iterable[str]) -> str:
    """A name without its mark, unless one of those that are numbered with it stands apart in another table."""
    rest, others = numbered.get(name, ((), ()))
    return "_".join(rest) if rest and not any(other in apart for other in others) else name


def _numbered(columns: Sequence[str]) -> dict[str, tuple[Words, Sequence[str]]]:
    """The numbered names of one table: of each the words without the mark, and those that have the same ones."""
    marked: defaultdict[tuple[int, Words], dict[str, str]] = defaultdict(dict)
    for name in columns:
        for place, rest, mark in _readings(name_words(name)):
            marked[place, rest][mark] = name
    whole = {name_words(name) for name in columns}
    return {
        name: (rest, tuple(of_marks.values()))
        for (_, rest), of_marks in marked.items()
        if (len(of_marks) > 1 and not FIRST_MARKS.isdisjoint(of_marks))
        or (rest in whole and not SECOND_MARKS.isdisjoint(of_marks))
        for name in of_marks.values()
    }


def _readings(words: Words) -> Iterator[tuple[int, Words, str]]:
    """The ways to read the name of a key as a numbered one: where the mark stands from the end, the other words, and
    the mark."""
    for place in (1, 2):
        if len(words) < place:
            return
        word = words[-place]
        stem = word.rstrip(DIGITS)
        before, after = words[:-place], words[len(words) - place + 1 :]
        is_mark = (len(word) == 1 and word.isalpha()) or not stem
        rest, mark = ((*before, *after), word) if is_mark else ((*before, stem, *after), word.removeprefix(stem))
        if mark and len(mark) <= LONGEST_MARK and len(rest) > 1 and rest[-1] in KEY_WORDS:
            yield place, rest, mark
