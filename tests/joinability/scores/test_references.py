"""Joins that skip the table of a key, beside brute force over the references."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from benchmarks.data.stored_evidence import evidence_of
from joinability import Catalog, References
from joinability.scores.references import SKIPPED


def test_columns_without_a_common_value_join_no_rows() -> None:
    """Representatives and buyers are employees; no representative is a buyer, but some of both pay visits."""
    frames = {
        "d.employee": pd.DataFrame({"emp_no": range(1001, 1061), "town": ["a", "b", "c"] * 20}),
        "d.customer": pd.DataFrame({"cust_no": range(9001, 9101), "rep_emp": [1001 + i % 20 for i in range(100)]}),
        "d.purchase": pd.DataFrame({"po_no": range(70001, 70101), "buyer_emp": [1021 + i % 20 for i in range(100)]}),
        "d.visit": pd.DataFrame({"visit_no": range(5001, 5101), "seen_by_emp": [1011 + i % 20 for i in range(100)]}),
    }
    evidence = evidence_of(Catalog.from_frames(frames))
    place = {name: k for k, name in enumerate(evidence.ids)}
    children = ["d.customer.rep_emp", "d.purchase.buyer_emp", "d.visit.seen_by_emp"]
    child = np.array([place[name] for name in children])
    score = np.array([0.9, 0.8, 0.7])
    references = References(child, np.full(3, place["d.employee.emp_no"]), score)
    columns = np.sort(child)
    one, other, shared = references.shared(evidence, columns)
    got = {(columns[k], columns[m]): s for k, m, s in zip(one, other, shared.tolist(), strict=True)}
    values = [set(frames[name.rpartition(".")[0]][name.rpartition(".")[2]]) for name in children]
    expected = {
        (child[k], child[m]): SKIPPED * score[k] * score[m]
        for k in range(3)
        for m in range(3)
        if k != m and values[k] & values[m]
    }
    assert got.keys() == expected.keys()
    assert len(got) == 4
    np.testing.assert_allclose([got[pair] for pair in expected], list(expected.values()))


def joined_past(key: list[Any], names: tuple[str, str]) -> bool:
    """Whether two columns of one key join each other past its table."""
    port = pd.DataFrame({"port_key": key, "town": [f"t{place}" for place in range(len(key))]})
    frames = {
        "d.port": port,
        "d.ship": pd.DataFrame({"ship": range(9001, 9041), names[0]: key}),
        "d.crane": pd.DataFrame({"crane": range(7001, 7041), names[1]: key}),
    }
    evidence = evidence_of(Catalog.from_frames(frames))
    columns = np.array([evidence.ids.index(f"d.{name}") for name in (f"ship.{names[0]}", f"crane.{names[1]}")])
    references = References(columns, np.full(2, evidence.ids.index("d.port.port_key")), np.array([0.9, 0.9]))
    return len(references.shared(evidence, np.sort(columns))[0]) > 0


CODES = [f"P{number:02}" for number in range(40)]
HASHES = [f"{number * 7**30 % 16**20:020x}" for number in range(1, 41)]


@pytest.mark.parametrize(
    ("key", "names", "expected"),
    [
        (CODES, ("home_port", "port_key"), True),
        (CODES, ("flag", "stands_at"), False),
        (CODES, ("flag", "home_port"), False),
        (CODES, ("flag", "flag"), True),
        (HASHES, ("flag", "stands_at"), True),
        ([20240101 + 100 * month + day for month in range(4) for day in range(10)], ("port_key", "port_key"), False),
        (list(pd.date_range("2024-01-01", periods=40)), ("port_key", "port_key"), False),
    ],
)
def test_what_tells_different_things_of_one_key_is_no_join(
    key: list[Any], names: tuple[str, str], expected: bool
) -> None:
    """Where a ship is registered and a crane stands, or what happened on one day; but two ids of a customer are."""
    assert joined_past(key, names) is expected
