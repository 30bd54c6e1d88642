"""Objects as plain values: the same when they are made again, what is shared still shared, and nothing else."""

from __future__ import annotations

import marshal
from datetime import date
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jar.index.stored_tables import TableColumns
from jar.mapped.plain_objects import made, plain
from jar.values.known_values import Mention
from joinability.schema import Column

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3) | st.binary()
KEYS = st.integers() | st.text(max_size=3) | st.tuples(st.integers(), st.text(max_size=2))
VALUES = st.recursive(
    SCALARS | st.builds(Column, st.text(min_size=1, max_size=3)) | st.frozensets(KEYS) | st.sets(KEYS),
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(KEYS, inner),
    max_leaves=12,
)


def again(value: object) -> Any:
    """A value by way of a file."""
    told, arrays = plain(value)
    return made(marshal.loads(marshal.dumps(told)), arrays)


@given(VALUES)
@settings(max_examples=150, deadline=None)
def test_a_value_comes_back_as_it_is(value: object) -> None:
    """Of the same types, down to what it holds."""
    back = again(value)
    assert back == value
    assert type(back) is type(value)


def test_what_is_shared_stays_shared() -> None:
    """Objects, arrays and lists that are there twice."""
    array, shared = np.arange(6).reshape(2, 3), ["a"]
    back = again((array, shared, {"of": shared}, [array]))
    assert back[2]["of"] is back[1]
    assert back[3][0] is back[0]
    assert len(plain((array, [array]))[1]) == 1


def test_what_is_computed_on_demand_is_left_out() -> None:
    """An object computes it again."""
    columns = TableColumns(np.array([0, 2, 3]), np.array([0, 1]))
    assert columns.owner.tolist() == [0, 0, 1]
    back = again(columns)
    assert sorted(vars(back)) == ["databases", "first"]
    assert back.owner.tolist() == [0, 0, 1]


def test_named_tuples_are_of_their_class() -> None:
    mention = Mention("Brno", np.array([1, 2]), 0.5, "word")
    back = again(mention)
    assert (type(back), back.text, back.weight, back.named_by) == (Mention, "Brno", 0.5, "word")
    assert back.columns is mention.columns


def test_numbers_of_numpy_are_numbers() -> None:
    assert again((np.float64(0.5), np.int64(3), np.bool_(True))) == (0.5, 3, True)


@pytest.mark.parametrize("value", [date(2024, 1, 1), object(), np.array(["a", None], dtype=object), lambda: 0])
def test_other_things_are_refused(value: object) -> None:
    with pytest.raises(TypeError, match="no plain value"):
        plain(value)


def test_only_classes_of_this_package_are_looked_up() -> None:
    """What a file names may not be any class that there is."""
    with pytest.raises(TypeError, match="another package"):
        made(("o", "subprocess:Popen", (), 0), [])
