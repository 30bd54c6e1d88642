"""Copies of databases with the keys that warehouses have: numbers of their own in front, or random identifiers.

A table that is referred to has a code or a login that others refer to ("natural key"), and an own number in front to
which nobody refers. Spider's databases declare references to first columns alone. In other warehouses keys are hashes,
UUIDs, or ids of the service that the rows come from, and are called otherwise where they are referred to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from benchmarks.data.join_schemas import RowSchema
from benchmarks.data.noise import LETTERS, Database, Key, Rows, length, renamed, rng_of, whole_number

Place = tuple[str, str]
"""A table and a column of it."""
STRANGE_NAMES = (
    "account_key", "party_ref", "source_id", "link_sk", "origin_key", "holder", "entity_ref", "target_id", "owner_sk",
    "bill_to", "external_id", "subject", "xref", "hk", "assigned_to", "parent_ref",
)  # fmt: skip
"""What keys and references are called whose names say nothing of each other."""


def with_surrogates(schema: RowSchema, share: float, seed: int) -> RowSchema:
    """A copy in which a share of the tables that are referred to have a number of their own in front.

    Where their keys were whole numbers these become texts, as codes are, in all columns that refer to them. Keys that
    have a part in composite ones, or numbers that are no codes, stay as they are, and so do their tables. The number in
    front is the primary key.
    """
    rows = {table: dict(columns) for table, columns in schema.rows.items()}
    types, primary = dict(schema.types), dict(schema.primary_keys)
    parts = {place for a, b, c, d in schema.aside for place in ((a, b), (c, d))}
    linked = _linked(schema.keys)
    keys_of: dict[str, set[str]] = {}
    for _, _, table, column in schema.keys:
        keys_of.setdefault(table, set()).add(column)
    for table, columns in sorted(keys_of.items()):
        places = {place for column in columns for place in linked[table, column]}
        if _rng(schema, seed, table).random() >= share or not parts.isdisjoint(places):
            continue
        for column in sorted(columns):
            if _encode(rows, linked[table, column], _rng(schema, seed, table, column)):
                types |= dict.fromkeys(linked[table, column] & types.keys(), "TEXT")
        if any(_begins_with_number(rows[table][column]) for column in columns):
            continue  # a key that stays a number is none beside another one
        name = _own_number(table, rows[table], _rng(schema, seed, table, "number"))
        rows[table] = {name: list(range(1, length(rows[table]) + 1)), **rows[table]}
        types[table, name] = "INTEGER"
        primary[table] = (name,)
    return replace(schema, rows=rows, types=types if schema.types else {}, primary_keys=primary)


def with_random_ids(schema: RowSchema, share: float, strange: float, seed: int) -> RowSchema:
    """A copy in which a share of the keys, and what refers to them, are random identifiers.

    Two columns of one key which do not refer to each other are set aside: they mean the same things.

    Parameters
    ----------
    share : float
        Of the keys that have no part in composite ones.
    strange : float
        Share of the columns that refer to them which get a name that says nothing.
    """
    rows = {table: dict(columns) for table, columns in schema.rows.items()}
    parts = {place for a, b, c, d in schema.aside for place in ((a, b), (c, d))}
    linked, names = _linked(schema.keys), {}
    referring = [{(a, b), (c, d)} for a, b, c, d in schema.keys]
    types, done, aside = dict(schema.types), set[Place](), list(schema.aside)
    for _, _, table, column in sorted(schema.keys):
        places = linked[table, column]
        rng = _rng(schema, seed, table, column, "random")
        if (table, column) in done or rng.random() >= share or not parts.isdisjoint(places):
            continue
        done |= places
        _scramble(rows, places, rng)
        types |= dict.fromkeys(places & types.keys(), "TEXT")
        aside += [(*one, *two) for one, two in combinations(sorted(places), 2) if {one, two} not in referring]
        names |= {place: str(rng.choice(STRANGE_NAMES)) for place in sorted(places) if rng.random() < strange}
    names = _free_names(rows, names)
    new, keys = renamed(rows, [*schema.keys, *aside], names)
    primary = {
        table: tuple(names.get((table, column), column) for column in columns)
        for table, columns in schema.primary_keys.items()
    }
    types = {(table, names.get((table, column), column)): type_ for (table, column), type_ in types.items()}
    of_keys, others = tuple(keys[: len(schema.keys)]), tuple(keys[len(schema.keys) :])
    return replace(schema, rows=new, keys=of_keys, aside=others, types=types, primary_keys=primary)


def _scramble(rows: Database, places: Iterable[Place], rng: np.random.Generator) -> None:
    """Write random identifiers in place of the values of some columns, the same for equal values."""
    start = str(rng.choice(["", "ch_", "cus_", "a0"]))
    is_hash = not start and rng.random() < 0.5
    digits, size = ("0123456789abcdef", 32) if is_hash else (LETTERS, int(rng.integers(14, 25)))
    known: dict[str, str] = {}
    for table, column in sorted(places):
        values = rows[table][column]
        for value in values:
            if value is not None and str(value) not in known:
                drawn = rng.integers(len(digits), size=size)
                known[str(value)] = start + "".join(digits[place] for place in drawn)
        rows[table][column] = [None if value is None else known[str(value)] for value in values]


def _free_names(rows: Database, names: Mapping[Place, str]) -> dict[Place, str]:
    """The names that no other column of the table has."""
    taken = {table: {column.lower() for column in columns} for table, columns in rows.items()}
    free: dict[Place, str] = {}
    for (table, column), name in names.items():
        if name.lower() not in taken[table]:
            taken[table].add(name.lower())
            free[table, column] = name
    return free


def _rng(schema: RowSchema, seed: int, *names: str) -> np.random.Generator:
    return rng_of(seed, "surrogates", schema.name, *names)


def _begins_with_number(values: list[Any]) -> bool:
    return bool(values) and whole_number(values[0]) is not None


def _linked(keys: Iterable[Key]) -> dict[Place, set[Place]]:
    """The columns that references link to each column, directly or through others."""
    linked: dict[Place, set[Place]] = {}
    for a, b, c, d in keys:
        together = linked.get((a, b), {(a, b)}) | linked.get((c, d), {(c, d)})
        linked |= dict.fromkeys(together, together)
    return linked


def _encode(rows: Database, places: Iterable[Place], rng: np.random.Generator) -> bool:
    """Write the whole numbers of some columns as codes: `K0012`, or four letters. Whether they are such."""
    places = sorted(places)
    values = [value for table, column in places for value in rows[table][column] if value is not None]
    numbers = [number for number in map(whole_number, values) if number is not None]
    if len(numbers) < len(values) or not numbers or min(numbers) < 0:
        return False
    letters = LETTERS[:26].upper()
    start = "".join(letters[place] for place in rng.integers(26, size=rng.integers(1, 3)))
    order, width = rng.permutation(26).tolist(), len(str(max(numbers)))
    alphabetic = bool(rng.random() < 0.5) and max(numbers) < 26**4

    def code(value: Any) -> str | None:
        if value is None:
            return None
        number = whole_number(value) or 0
        if not alphabetic:
            return f"{start}{number:0{width}}"
        return "".join(letters[order[number // 26**place % 26]] for place in range(4))

    for table, column in places:
        rows[table][column] = list(map(code, rows[table][column]))
    return True


def _own_number(table: str, rows: Rows, rng: np.random.Generator) -> str:
    """A name for the number, which no column of the table has."""
    taken = {column.lower() for column in rows}
    names = [f"{table}_id", "id", f"{table}_key", "row_id", f"{table}_sk"]
    free = [name for name in names if name.lower() not in taken]
    return free[int(rng.integers(len(free)))]
