"""Copies of databases whose tables got a number of their own, as in warehouses: references go to the key beside it.

A table that is referred to has a code or a login that others refer to ("natural key"), and an own number in front to
which nobody refers. Spider's databases declare references to first columns alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.data.join_schemas import RowSchema
from benchmarks.data.noise import LETTERS, Database, Key, Rows, length, rng_of, whole_number

Place = tuple[str, str]
"""A table and a column of it."""


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
