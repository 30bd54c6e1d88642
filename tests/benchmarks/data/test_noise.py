"""Noise on rows: what it damages, how much of it, and that it is the same for the same seed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from benchmarks.data.join_schemas import RowSchema, catalog_of, row_schemas
from benchmarks.data.noise import (
    MISSING,
    Database,
    Key,
    Noise,
    leading_zeros,
    other_case,
    padded,
    prefixes,
    renamed,
    roles,
    sampled_children,
    styles,
    with_missing_words,
    with_orphans,
    without_parents,
)
from benchmarks.joins.truth import schema_truth

KEYS: list[Key] = [("staff", "dept_id", "dept", "id"), ("staff", "town", "town", "name")]


def office() -> Database:
    """Forty departments and towns, 400 people in them."""
    return {
        "dept": {"id": list(range(40)), "label": [f"D{number}" for number in range(40)]},
        "town": {"name": [f"Town {number}" for number in range(40)]},
        "staff": {
            "id": list(range(400)),
            "dept_id": [number % 40 for number in range(400)],
            "town": [f"Town {number * 7 % 40}" for number in range(399)] + [None],
        },
    }


@pytest.mark.parametrize(("pool", "different"), [(0.15, 6), (1.0, 40), (math.inf, 60)])
@pytest.mark.parametrize("key", KEYS)
def test_orphans_are_as_many_as_asked_for(key: Key, pool: float, different: int) -> None:
    """15 % of the filled rows, with as many different values as the pool says; nothing is changed in place."""
    before = office()
    after = with_orphans(before, KEYS, 0.15, 3, pool=pool)
    assert before == office()
    child, column, parent, to = key
    known = set(map(str, before[parent][to]))
    lost = [value for value in after[child][column] if value is not None and str(value) not in known]
    assert (len(lost), len(set(lost))) == (60, different)
    assert {type(value) for value in lost} == {type(before[child][column][0])}
    kept = [a == b for a, b in zip(before[child][column], after[child][column], strict=True)]
    assert kept.count(False) == 60


def test_rows_of_parents_and_of_children_go() -> None:
    """Half of each parent, a tenth of each child; at least five rows stay."""
    halved = without_parents(office(), KEYS, 0.5, 1)
    assert [len(next(iter(rows.values()))) for rows in halved.values()] == [20, 20, 400]
    assert set(zip(*halved["dept"].values(), strict=True)) <= set(zip(*office()["dept"].values(), strict=True))
    tenth = sampled_children(office(), KEYS, 0.1, 1)
    assert [len(next(iter(rows.values()))) for rows in tenth.values()] == [40, 40, 40]
    assert len(without_parents(office(), KEYS, 1.0, 1)["dept"]["id"]) == 5


def test_missing_values_have_one_word_a_column_and_keys_are_whole() -> None:
    """About the share that is asked for, and none in the columns that are spared."""
    after = with_missing_words(office(), 0.2, 5, columns=1.0, spared={("dept", "id"), ("town", "name")})
    assert after["dept"]["id"] == office()["dept"]["id"]
    for column, values in after["staff"].items():
        words = [value for value in values if value in MISSING and value != office()["staff"][column]]
        assert len(set(words)) == 1
        assert 50 < len(words) < 110


def test_texts_change_their_blanks_case_and_zeros() -> None:
    """Blanks around texts, one case in a column, numbers of one length."""
    blanks = padded(office(), 1.0, 2, columns=1.0)["town"]["name"]
    assert [value.strip() for value in blanks] == office()["town"]["name"] != blanks
    case = other_case(office(), 2, columns=1.0)["town"]["name"]
    assert case in (
        [name.upper() for name in office()["town"]["name"]],
        [name.lower() for name in office()["town"]["name"]],
    )
    zeros = leading_zeros(office(), 2, columns=1.0)["dept"]["id"]
    assert zeros[:2] == ["000", "001"]
    assert {len(value) for value in zeros} == {3}


@pytest.mark.parametrize("seed", range(4))
def test_renamed_columns_are_distinct_and_keys_follow(seed: int) -> None:
    """Prefixes, roles and styles: the values stay, and a key tells the new names of its columns."""
    for names in (prefixes(office(), 1.0, seed), roles(KEYS, 1.0, seed), styles(office(), seed)):
        new, keys = renamed(office(), KEYS, names)
        assert [list(rows.values()) for rows in new.values()] == [list(rows.values()) for rows in office().values()]
        for (child, column, parent, to), (_, fresh, _, target) in zip(KEYS, keys, strict=True):
            assert new[child][fresh] == office()[child][column]
            assert new[parent][target] == office()[parent][to]


@pytest.mark.parametrize("seed", range(6))
def test_the_same_seed_gives_the_same_noise(seed: int) -> None:
    """Drawn noise lies within its limits and does the same each time; another seed does something else."""
    noise = Noise.drawn(seed, "office")
    assert noise == Noise.drawn(seed, "office")
    assert max(noise.orphans, noise.missing) <= 0.3
    assert noise.pool in (0.15, 1.0, np.inf)
    assert noise.applied(office(), KEYS, seed) == noise.applied(office(), KEYS, seed)
    assert len({Noise.drawn(other, "office") for other in range(20)}) > 15
    assert Noise().applied(office(), KEYS, seed) == (office(), KEYS)


def test_a_schema_goes_through_a_catalog_and_back() -> None:
    """Rows, types, keys; damage renames the keys, and those set aside, with the columns."""
    types: dict[tuple[str, str], Any] = {("staff", "id"): "INTEGER"}
    schema = RowSchema("office", office(), tuple(KEYS[:1]), tuple(KEYS[1:]), types, {"dept": ("id",)})
    [back] = row_schemas(catalog_of([schema]))
    assert back.keys == schema.keys
    assert back.rows == schema.rows
    assert back.primary_keys["dept"] == ("id",)
    damaged = schema.damaged(Noise(prefix=1.0), 1)
    assert [key[0] for key in damaged.keys + damaged.aside] == ["staff", "staff"]
    assert damaged.keys[0][1] != "dept_id"
    assert damaged.rows["staff"][damaged.keys[0][1]] == office()["staff"]["dept_id"]
    assert damaged.primary_keys["dept"] == (damaged.keys[0][3],)
    assert "INTEGER" in damaged.types.values()


def test_columns_with_words_for_missing_values_are_declared_as_text() -> None:
    """Those with a word, and no others: their numbers are still told by the contents, not by the type."""
    rows = {"t": {"key": list(range(50)), "number": list(range(50, 100))}}
    types: dict[tuple[str, str], Any] = {("t", "key"): "INTEGER", ("t", "number"): "INTEGER"}
    keys = (("t", "number", "t", "key"),)
    declared = {}
    for seed in range(12):  # a word is in three of ten columns, and one of the words is empty text
        damaged = RowSchema("s", rows, keys, types=types).damaged(Noise(missing=0.3), seed)
        has_word = any(isinstance(value, str) for value in damaged.rows["t"]["number"])
        declared[has_word] = damaged.types["t", "number"]
        assert damaged.types["t", "key"] == "INTEGER"
        if has_word:
            assert schema_truth([damaged], "train").evidence.numeric_share.tolist() == [1, 1]
    assert declared == {True: "TEXT", False: "INTEGER"}
