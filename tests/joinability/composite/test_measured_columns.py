"""Amounts, counts and times of recording, which are no part of a key by their values."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from joinability import Catalog, EvidenceStore, composite_joins, find_composites
from joinability.composite.stored_keys import load_composites

Add = Callable[[Catalog], object]


def conditions(store: EvidenceStore, add: Add, hour: str, *, in_front: bool) -> set[str]:
    """The conditions of composite joins between lessons and their bookings, with this name for the hour of both."""
    key = {"room": [f"r{number % 8}" for number in range(40)], hour: [number // 8 for number in range(40)]}
    topic = {"topic": [n % 3 for n in range(40)]}
    lessons = {**key, **topic} if in_front else {**topic, **key}
    chosen = [5 * number % 40 for number in range(20)] * 2
    bookings = {
        "booking": range(900, 940),
        "room": [key["room"][n] for n in chosen],
        hour: [key[hour][n] for n in chosen],
    }
    catalog = Catalog.from_frames({"school.lesson": pd.DataFrame(lessons), "school.booking": pd.DataFrame(bookings)})
    add(catalog)
    assert find_composites(store.connection, catalog) == []
    evidence = store.load()
    rows = store.connection.execute("SELECT column_id FROM profiles ORDER BY column_id").fetchall()
    stored = load_composites(store.connection, [row[0] for row in rows])
    return {join.to_edge(evidence).condition for join in composite_joins(evidence, stored)}


@pytest.mark.parametrize("in_front", [True, False])
@pytest.mark.parametrize("measured", ["amount", "clicks", "created_at", "unit_price", "total"])
def test_what_is_measured_or_recorded_is_no_part_of_a_key(
    measured: str, in_front: bool, store: EvidenceStore, add: Add
) -> None:
    """Whether the key stands in front of its table or not."""
    assert conditions(store, add, measured, in_front=in_front) == set()


@pytest.mark.parametrize("in_front", [True, False])
@pytest.mark.parametrize("name", ["hour", "day", "line_no", "weight", "rate"])
def test_what_counts_the_rows_of_one_thing_is_part_of_a_key(
    name: str, in_front: bool, store: EvidenceStore, add: Add
) -> None:
    """The same values by other names."""
    (condition,) = conditions(store, add, name, in_front=in_front)
    assert f"school.booking.{name} = school.lesson.{name}" in condition
