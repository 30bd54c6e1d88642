"""Damage to databases as companies have it: row-level noise with seeds, for tests, fits and figures.

A database is a mapping of table names to `Rows`, a table's columns by name, all of one length; missing values are None.
Keys are references (child table, child column, parent table, parent column). Each function takes rows and gives new
rows: nothing is changed in place, and the same seed gives the same damage. Renaming functions give the new keys too.

Examples
--------
>>> rows = {"dept": {"id": [1, 2, 3, 4]}, "staff": {"id": [1, 2, 3], "dept_id": [1, 2, 2]}}
>>> keys = [("staff", "dept_id", "dept", "id")]
>>> damaged, renamed = Noise(parents=0.5, prefix=1.0).applied(rows, keys, seed=1)
>>> renamed
[('staff', 'st_dept_id', 'dept', 'de_id')]
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np

from joinability.names import name_words

Rows = dict[str, list[Any]]
Database = dict[str, Rows]
Key = tuple[str, str, str, str]
Names = dict[tuple[str, str], str]
"""New name of each renamed column (table, column)."""

MISSING = ("N/A", "n/a", "NA", "null", "NULL", "none", "None", "-", "\\N", "?", "")
"""Words that people write where there is no value."""
LEAST_ROWS = 5
"""Rows that a sample has at least, of a table that has so many."""
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
ROLES = ("main", "home", "from", "parent", "default", "last", "bill_to", "original")


def rng_of(seed: int, *names: str) -> np.random.Generator:
    """A generator of its own for each thing that is damaged, so that the order of the damage does not matter."""
    return np.random.default_rng([seed, zlib.crc32("\0".join(names).encode())])


def length(rows: Rows) -> int:
    """Number of rows of a table."""
    return len(next(iter(rows.values()), []))


def taken(rows: Rows, places: Sequence[int]) -> Rows:
    """Some of the rows of a table, in the given order."""
    return {name: [values[place] for place in places] for name, values in rows.items()}


def sampled(rows: Rows, share: float, rng: np.random.Generator) -> Rows:
    """A share of the rows in their order, but at least `LEAST_ROWS` where there are so many."""
    size = length(rows)
    kept = min(size, max(LEAST_ROWS, round(share * size)))
    return taken(rows, np.sort(rng.permutation(size)[:kept]).tolist())


def without_parents(database: Database, keys: Iterable[Key], share: float, seed: int) -> Database:
    """A share of the rows of each table that is referred to are deleted; their children stay."""
    parents = {key[2] for key in keys if key[2] != key[0]}
    return {
        name: sampled(rows, 1 - share, rng_of(seed, "parents", name)) if name in parents else rows
        for name, rows in database.items()
    }


def sampled_children(database: Database, keys: Iterable[Key], share: float, seed: int) -> Database:
    """Of each table that refers to others and that none refers to, a share of the rows."""
    keys = list(keys)
    parents = {key[2] for key in keys}
    children = {key[0] for key in keys} - parents
    return {
        name: sampled(rows, share, rng_of(seed, "children", name)) if name in children else rows
        for name, rows in database.items()
    }


def with_orphans(database: Database, keys: Iterable[Key], share: float, seed: int, *, pool: float = 1.0) -> Database:
    """In a share of the rows of each referring column the value is one that the parent does not have.

    Parameters
    ----------
    pool : float
        How many different values the orphans have, as a share of the distinct values of the child: as many as `share`
        where the rows of some parents were deleted, 1 where as many are gone as are left, infinitely many where each
        orphan has a value of its own.
    """
    damaged = {name: dict(rows) for name, rows in database.items()}
    for key in sorted(set(keys)):
        table, column, parent_table, parent_column = key
        values = damaged[table][column]
        known = {_text(value) for value in database[parent_table][parent_column] if value is not None}
        filled = [place for place, value in enumerate(values) if value is not None]
        rng = rng_of(seed, "orphans", *key)
        wanted = round(share * len(filled))
        if not wanted or not known:
            continue
        places = rng.permutation(len(filled))[:wanted]
        distinct = len({_text(values[place]) for place in filled})
        size = wanted if np.isinf(pool) else min(wanted, max(1, round(pool * distinct)))
        strange = _strange([values[place] for place in filled], known, size, rng)
        fresh = list(values)
        for number, place in enumerate(places.tolist()):
            fresh[filled[place]] = strange[number % size]
        damaged[table][column] = fresh
    return damaged


def _strange(values: list[Any], known: set[str], size: int, rng: np.random.Generator) -> list[Any]:
    """Values like the given ones that are not known: integers in and beyond their range, or texts with letters
    exchanged."""
    numbers = [number for number in map(whole_number, values[:1000]) if number is not None]
    if len(numbers) >= 0.95 * len(values[:1000]):
        whole = [number for number in map(whole_number, values) if number is not None]
        found = _strange_integers(whole, known, size, rng)
        return [str(number) for number in found] if isinstance(values[0], str) else list(found)
    return _strange_texts(values, known, size, rng)


def _strange_integers(values: list[int], known: set[str], size: int, rng: np.random.Generator) -> list[int]:
    found: list[int] = []
    low, high = min(values), max(values)
    span = max(10, high - low + 1, 4 * size)
    used = set(known)
    while len(found) < size:
        number = int(rng.integers(low, low + span + span // 4))
        span += 1  # ever wider, so that an end is certain
        if str(number) not in used:
            used.add(str(number))
            found.append(number)
    return found


def _strange_texts(values: list[Any], known: set[str], size: int, rng: np.random.Generator) -> list[Any]:
    found: list[Any] = []
    while len(found) < size:
        model = list(_text(values[int(rng.integers(len(values)))]))
        for _ in range(2):
            place = int(rng.integers(len(model) + 1))
            old = model[place] if place < len(model) else ""
            letter = LETTERS[int(rng.integers(10, 36) if old.isdigit() else rng.integers(26))]
            model[place : place + 1] = [letter.upper() if old.isupper() else letter]
        text = "".join(model)
        if text not in known:
            found.append(text)
    return found


def _text(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def whole_number(value: Any) -> int | None:
    """A value as a whole number; None where it is none."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return int(number) if abs(number) < 2**53 and number == int(number) else None


def with_missing_words(
    database: Database,
    share: float,
    seed: int,
    *,
    columns: float = 0.3,
    spared: Collection[tuple[str, str]] = (),
) -> Database:
    """In a share of the columns a share of the values are missing, told by a word of `MISSING`, one for each column.

    Columns (table, column) that are `spared` stay whole: keys have no missing values.
    """

    def damage(table: str, column: str, values: list[Any]) -> list[Any]:
        rng = rng_of(seed, "missing", table, column)
        if rng.random() >= columns or (table, column) in spared:
            return values
        word = MISSING[int(rng.integers(len(MISSING)))]
        gone = rng.random(len(values)) < share
        return [word if lost or value is None else value for value, lost in zip(values, gone.tolist(), strict=True)]

    return _each(database, damage)


def padded(database: Database, share: float, seed: int, *, columns: float = 0.3) -> Database:
    """In a share of the columns of text a share of the values have a blank before or after them."""

    def damage(table: str, column: str, values: list[Any]) -> list[Any]:
        rng = rng_of(seed, "padding", table, column)
        if rng.random() >= columns or not any(isinstance(value, str) for value in values):
            return values
        hit, before = rng.random(len(values)) < share, rng.random() < 0.5
        return [
            (f" {value}" if before else f"{value}  ") if lost and isinstance(value, str) else value
            for value, lost in zip(values, hit.tolist(), strict=True)
        ]

    return _each(database, damage)


def other_case(database: Database, seed: int, *, columns: float = 0.3) -> Database:
    """In a share of the columns all texts are upper case, or all lower case."""

    def damage(table: str, column: str, values: list[Any]) -> list[Any]:
        rng = rng_of(seed, "case", table, column)
        if rng.random() >= columns:
            return values
        change: Callable[[str], str] = str.upper if rng.random() < 0.5 else str.lower
        return [change(value) if isinstance(value, str) else value for value in values]

    return _each(database, damage)


def leading_zeros(database: Database, seed: int, *, columns: float = 0.3) -> Database:
    """In a share of the columns of whole numbers all are written with as many digits as the longest: 7 as 0007."""

    def damage(table: str, column: str, values: list[Any]) -> list[Any]:
        rng = rng_of(seed, "zeros", table, column)
        numbers = [whole_number(value) for value in values]
        known = [number for number in numbers if number is not None]
        if rng.random() >= columns or len(known) < len([value for value in values if value is not None]):
            return values
        width = max((len(str(number)) for number in known), default=0) + 1
        return [None if number is None else str(number).zfill(width) for number in numbers]

    return _each(database, damage)


def _each(database: Database, damage: Callable[[str, str, list[Any]], list[Any]]) -> Database:
    return {
        table: {column: damage(table, column, values) for column, values in rows.items()}
        for table, rows in database.items()
    }


def prefixes(database: Mapping[str, Iterable[str]], share: float, seed: int) -> Names:
    """New names of the columns of a share of the tables, each with a prefix of its table: `cu_name`, `cu_id`."""
    rng, used, names = rng_of(seed, "prefixes"), set[str](), Names()
    style, mark = int(rng.integers(3)), "_" if rng.random() < 0.8 else ""
    for table, columns in database.items():
        if rng.random() >= share:
            continue
        letters = [letter for letter in table.lower() if letter.isalnum()]
        sizes = (2, 1, 3)[style], (2, 2, 3)[style], 4, 6
        found = next((new for size in sizes if (new := "".join(letters[:size])) not in used), "".join(letters))
        used.add(found)
        for column in columns:
            names[table, column] = f"{found}{mark}{column}" if mark else found + column[:1].upper() + column[1:]
    return names


def styles(database: Mapping[str, Iterable[str]], seed: int) -> Names:
    """New names of all columns of a database in another style: UPPER_CASE, camelCase, runtogether or without vowels."""
    rng = rng_of(seed, "styles")
    style = int(rng.integers(4))
    changes: tuple[Callable[[list[str]], str], ...] = (
        lambda words: "_".join(words).upper(),
        lambda words: words[0] + "".join(map(str.capitalize, words[1:])),
        "".join,
        lambda words: "_".join(word[:1] + "".join(c for c in word[1:] if c not in "aeiou") for word in words),
    )
    return _distinct(
        {(table, column): changes[style](_split(column)) for table, columns in database.items() for column in columns}
    )


def roles(keys: Iterable[Key], share: float, seed: int) -> Names:
    """New names of a share of the referring columns: with a role before them, or the key's name and nothing else."""
    names: Names = {}
    for table, column, parent_table, parent in sorted(set(keys)):
        rng = rng_of(seed, "roles", table, column)
        if rng.random() < share:
            before = ROLES[int(rng.integers(len(ROLES)))]
            name = (f"{before}_{column}", f"{parent_table}_{parent}", f"{before}_{parent_table}")[int(rng.integers(3))]
            names[table, column] = name
    return names


def _split(column: str) -> list[str]:
    return list(name_words(column)) or [column.lower()]


def _distinct(names: Names) -> Names:
    """The same with numbers after names that a table has twice, whatever their case."""
    seen: set[tuple[str, str]] = set()
    distinct: Names = {}
    for (table, column), name in names.items():
        fresh = next(
            new
            for number in count(1)
            if (table, (new := name if number == 1 else f"{name}{number}").lower()) not in seen
        )
        seen.add((table, fresh.lower()))
        distinct[table, column] = fresh
    return distinct


def renamed(database: Database, keys: Iterable[Key], names: Names) -> tuple[Database, list[Key]]:
    """A database and its keys with new names of columns; of two that would be one, the second gets a number."""
    full = _distinct(
        {(table, column): names.get((table, column), column) for table, rows in database.items() for column in rows}
    )
    new = {table: {full[table, column]: values for column, values in rows.items()} for table, rows in database.items()}
    return new, [(a, full[a, b], c, full[c, d]) for a, b, c, d in keys]


@dataclass(frozen=True)
class Noise:
    """How much of each kind of damage a database gets; 0 is none.

    Attributes
    ----------
    orphans : float
        Share of the rows of a referring column.
    pool : float
        Different values of the orphans, see `with_orphans`.
    parents : float
        Share of the rows of a table that is referred to which are deleted.
    children : float
        Share of the rows of a table that only refers which are deleted.
    missing, padding : float
        Share of the values of some columns.
    case, zeros : float
        Share of the columns.
    prefix : float
        Share of the tables.
    role : float
        Share of the referring columns.
    style : bool
        Whether all names are written in another style.
    """

    orphans: float = 0.0
    pool: float = 1.0
    parents: float = 0.0
    children: float = 0.0
    missing: float = 0.0
    padding: float = 0.0
    case: float = 0.0
    zeros: float = 0.0
    prefix: float = 0.0
    role: float = 0.0
    style: bool = False

    @classmethod
    def drawn(cls, seed: int, name: str) -> Noise:
        """Noise as databases have it, drawn by seed and name of the database: mostly one to three kinds of damage."""
        rng = rng_of(seed, "noise", name)

        def some(chance: float, most: float) -> float:
            hit, amount = rng.random() < chance, rng.random() * most
            return float(amount) if hit else 0.0

        return cls(
            orphans=some(0.5, 0.3),
            pool=(0.15, 1.0, np.inf)[int(rng.integers(3))],
            parents=some(0.4, 0.6),
            children=some(0.4, 0.9),
            missing=some(0.25, 0.2),
            padding=some(0.15, 1.0),
            case=0.0,
            zeros=0.0,
            prefix=float(rng.random() < 0.25),
            role=some(0.25, 0.5),
            style=bool(rng.random() < 0.25),
        )

    def applied(self, database: Database, keys: Iterable[Key], seed: int) -> tuple[Database, list[Key]]:
        """The damaged database and its keys, by their new names."""
        keys = list(keys)
        if self.parents:
            database = without_parents(database, keys, self.parents, seed)
        if self.children:
            database = sampled_children(database, keys, 1 - self.children, seed)
        if self.orphans:
            database = with_orphans(database, keys, self.orphans, seed, pool=self.pool)
        if self.missing:
            database = with_missing_words(database, self.missing, seed, spared={key[2:] for key in keys})
        if self.padding:
            database = padded(database, self.padding, seed)
        if self.case:
            database = other_case(database, seed, columns=self.case)
        if self.zeros:
            database = leading_zeros(database, seed, columns=self.zeros)
        if self.role:
            database, keys = renamed(database, keys, roles(keys, self.role, seed))
        if self.style:
            database, keys = renamed(database, keys, styles(database, seed))
        if self.prefix:
            database, keys = renamed(database, keys, prefixes(database, self.prefix, seed))
        return database, keys
