"""What values mean: found by loops alike, bounded, kept right by a refresh, told by the reasons of an answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from jar import Catalog, Index, Reranker
from jar.arrays import Array
from jar.index.file import open_index
from jar.values.collect_meanings import MeaningCollector
from jar.values.value_meanings import (
    DIMENSIONS,
    FEW,
    MEANINGS,
    PER_COLUMN,
    STEPS,
    chosen_values,
    has_meaning,
    in_steps,
    meaning_vectors,
)
from tests.jar.conftest import toy_embedder

STATES = ["Returned by the customer", "Shipped", "Cancelled"]


def shop(states: list[str] = STATES) -> dict[str, Any]:
    """Orders by codes, whose meanings stand in another table."""
    return {
        "shop.orders": pd.DataFrame({"order_id": range(9), "state_id": [1, 2, 3] * 3}),
        "shop.st": pd.DataFrame({"id": range(len(states)), "label": states}),
        "shop.pay": pd.DataFrame({"id": range(3), "m": ["cash", "credit card", "cheque"]}),
    }


def build(frames: dict[str, Any], **options: Any) -> Index:
    """An index of frames, without a model."""
    return Index.build(Catalog.from_frames(frames), embedder=toy_embedder, progress=False, **options)


def nearest(phrase: str, values: list[str]) -> float:
    """The cosine of a phrase with the nearest of some values, each read by itself, in steps."""
    (asked,) = meaning_vectors([phrase])
    return max(float(asked @ (in_steps(meaning_vectors([value]))[0].astype(float) / STEPS)) for value in values)


def near(index: Index, phrases: list[str]) -> Array:
    """What an index finds for phrases, over its tables."""
    return index.contents.meanings.near(meaning_vectors(phrases), np.arange(len(index.contents.tables)))


def test_the_nearest_value_is_what_loops_find() -> None:
    """Tables without values that mean something have 0."""
    index, phrases = build(shop()), ["orders that were sent back", "by cheque", "galaxies"]
    values: dict[str, list[str]] = {"shop.st": STATES, "shop.pay": ["cash", "credit card", "cheque"]}
    expected = [
        [max(nearest(phrase, values[table.id]), 0) if table.id in values else 0 for table in index.contents.tables]
        for phrase in phrases
    ]
    np.testing.assert_allclose(near(index, phrases), expected, atol=1e-6)
    order = np.array([2, 0, 1])
    picked = index.contents.meanings.near(meaning_vectors(phrases), order)
    np.testing.assert_allclose(picked, near(index, phrases)[:, order])
    assert index.contents.meanings.near(np.zeros((0, DIMENSIONS), dtype=np.float32), order).shape == (0, 3)


def test_a_phrase_is_nearest_to_what_means_the_same() -> None:
    """Without a word in common."""
    found = near(build(shop()), ["orders that were sent back", "paid with plastic card"])
    names = [table.id for table in build(shop()).contents.tables]
    assert [names[place] for place in found.argmax(axis=1)] == ["shop.st", "shop.pay"]


def test_meanings_in_steps_are_near_the_vectors() -> None:
    """A byte a number changes no cosine by a hundredth."""
    read = meaning_vectors([*STATES, "cash", ""])
    kept = in_steps(read).astype(float) / STEPS
    np.testing.assert_allclose(kept @ read.T, read @ read.T, atol=0.01)
    assert read.shape == (5, DIMENSIONS)
    assert not read[-1].any(), "nothing is known of an empty text"


@pytest.mark.parametrize("text", ["US", "EUR", "A-17B", "4 kg", "12.50", "2024-05-01", "x" * 61, "", "N/A", "🦆🦆🦆🦆"])
def test_codes_and_numbers_have_no_meaning(text: str) -> None:
    """Nor what is too long."""
    assert not has_meaning(text)


def test_columns_of_names_and_of_codes_have_no_meanings() -> None:
    """Too many different texts, or more codes than words; of the others the values of least hash."""
    assert chosen_values(["Open", "A1", "B2"]) == []
    assert chosen_values(["Open", " Open", "A1"]) == ["Open"]
    kinds = [f"kind {chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(FEW)]
    assert chosen_values(reversed(kinds)) == chosen_values(kinds)
    assert len(chosen_values(kinds)) == PER_COLUMN
    many = [f"a name like {chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(FEW + 1)]
    assert len(build({"a.t": pd.DataFrame({"c": many})}).contents.meanings.vectors) == 0
    assert len(build({"a.t": pd.DataFrame({"c": many[1:]})}).contents.meanings.vectors) == PER_COLUMN


def test_a_refresh_keeps_them_right(tmp_path: Path) -> None:
    """Those of a changed table are new, those of a dropped one gone; without values there are none."""
    path = tmp_path / "shop.jar"
    build(shop(), path=path)
    changed = shop(["Open", "Done"])
    del changed["shop.pay"]
    refreshed, anew = build(changed, path=path), build(changed)
    np.testing.assert_array_equal(refreshed.contents.meanings.vectors, anew.contents.meanings.vectors)
    np.testing.assert_array_equal(refreshed.contents.meanings.first, anew.contents.meanings.first)
    assert not len(build(shop(), values="off").contents.meanings.vectors)


def test_an_index_without_them_answers(tmp_path: Path) -> None:
    """One of an older version of the package."""
    path = tmp_path / "shop.jar"
    build(shop(), path=path)
    with open_index(path, write=True) as connection:
        connection.execute(f"DROP TABLE {MEANINGS}")
    index = Index.load(path, embedder=toy_embedder)
    assert not near(index, ["sent back"]).any()
    assert Reranker(index).rank("Which orders were sent back?", k=2).tables


def test_all_together_are_bounded(tmp_path: Path) -> None:
    """The columns with most of them keep fewer; what failed is not written."""
    path = tmp_path / "some.jar"
    build(shop(), path=path)
    with open_index(path, write=True) as connection:
        collector = MeaningCollector(connection)
        collector.forget(range(99))
        for column, count in ((0, 1), (1, 5), (2, 9), (3, 4)):
            collector.take(column, [f"kind of {chr(97 + n)}" for n in range(count)])
        collector.write(failed=[3])
        collector.bound(9)
        sizes = connection.execute(
            f"SELECT column_id, octet_length(vectors) FROM {MEANINGS} ORDER BY column_id"
        ).fetchall()
    assert sizes == [(0, DIMENSIONS), (1, 4 * DIMENSIONS), (2, 4 * DIMENSIONS)]
