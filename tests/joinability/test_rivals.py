"""Rivals of references: the strongest alternatives, against plain loops, and what they take from a score."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from joinability import Catalog, JoinEvidence, default_score, edges
from joinability.rivals import Rivals, Strongest
from joinability.scores import LEAST, likelihood, log_odds, probabilities, supported
from joinability.weights import RIVALS

EvidenceOf = Callable[[Catalog], JoinEvidence]

COLUMNS = 8
references = st.dictionaries(
    st.tuples(st.integers(0, COLUMNS - 1), st.integers(0, COLUMNS - 1)),
    st.floats(-8, 8) | st.sampled_from([-1.0, 0.0, 2.0]),
    max_size=30,
)
tables = st.lists(st.integers(0, 3), min_size=COLUMNS, max_size=COLUMNS)


@given(references, tables)
def test_terms_are_those_of_the_strongest_rivals(found: dict[tuple[int, int], float], table: list[int]) -> None:
    """For every pair, whether it is among the references or not, the terms are what loops over all others give."""
    child, parent = (np.array([pair[side] for pair in found], dtype=np.int64) for side in (0, 1))
    rivals = Rivals.of(child, parent, np.array(list(found.values()), dtype=np.float64), np.array(table))
    every = [(k, j) for k in range(COLUMNS) for j in range(COLUMNS)]
    terms = rivals.terms(*(np.array([pair[side] for pair in every]) for side in (0, 1)))
    for (k, j), got in zip(every, terms.tolist(), strict=True):
        other_parent = max((z for (a, b), z in found.items() if a == k and b != j), default=-math.inf)
        other_child = max(
            (z for (a, b), z in found.items() if b == j and a != k and table[a] == table[k]), default=-math.inf
        )
        expected = [
            -weight * math.log1p(math.exp(z))
            for weight, z in zip(RIVALS.values(), (other_parent, other_child), strict=True)
        ]
        assert got == pytest.approx(expected)


def test_no_group_no_rival() -> None:
    """Nothing is stronger than nothing."""
    none = np.zeros(0, dtype=np.int64)
    besides = Strongest.of(none, none, np.zeros(0)).besides(np.array([0, 3]), np.array([1, 1]))
    assert besides.tolist() == [-math.inf, -math.inf]


CUSTOMERS = pd.DataFrame({"id": range(1, 51), "name": [f"n{i}" for i in range(50)]})


def shop(database: str = "shop", **more: pd.DataFrame) -> Catalog:
    """A shop whose orders refer to customers, and further tables."""
    numbers = range(200)
    orders = {
        "id": range(1, 201),
        "customer_id": [1 + i * 7 % 50 for i in numbers],
        "payer": [1 + i * 3 % 50 for i in numbers],
    }
    frames = {"customers": CUSTOMERS, "orders": pd.DataFrame(orders), **more}
    return Catalog.from_frames({f"{database}.{name}": frame for name, frame in frames.items()})


def of(evidence: JoinEvidence, left: str, right: str) -> float:
    """The score of two columns."""
    block = evidence.pairs(*([evidence.ids.index(name)] for name in (left, right)))
    return float(default_score(block, np.zeros(1, dtype=np.float32))[0])


def test_the_rivals_of_evidence_are_all_likely_references_of_its_databases(evidence_of: EvidenceOf) -> None:
    """The rivals are those of the pairs within a database that have evidence, scored one by one."""
    evidence = evidence_of(shop() + shop("old"))
    database = evidence.database[evidence.table]
    found = {}
    for k in range(len(evidence)):
        for j in range(len(evidence)):
            pair = evidence.pairs([k], [j])
            if database[k] == database[j] and supported(pair)[0]:
                found[k, j] = log_odds(pair)[0]
    kept = {pair: z for pair, z in found.items() if z >= math.log(LEAST / (1 - LEAST))}
    assert 0 < len(kept) < len(found)
    child, parent = (np.array([pair[side] for pair in kept]) for side in (0, 1))
    expected = Rivals.of(child, parent, np.array(list(kept.values())), evidence.table)
    every = np.divmod(np.arange(len(evidence) ** 2), len(evidence))
    np.testing.assert_allclose(evidence.rivals.terms(*every), expected.terms(*every))


def test_two_keys_share_the_chance_of_one(evidence_of: EvidenceOf) -> None:
    """A column refers to one key: a copy of the key's table takes half of the score, one elsewhere nothing."""
    evidence = evidence_of(shop("alone") + shop("both", customer=CUSTOMERS) + shop("old"))
    alone = of(evidence, "alone.orders.customer_id", "alone.customers.id")
    one, other = (of(evidence, "both.orders.customer_id", f"both.{name}.id") for name in ("customers", "customer"))
    assert alone > 0.9
    assert one + other < 1
    assert one == pytest.approx(other, abs=0.1)
    assert of(evidence, "alone.orders.customer_id", "old.customers.id") < 0.2


def test_a_second_column_has_to_make_its_case(evidence_of: EvidenceOf) -> None:
    """Beside a certain reference of its table a doubtful one loses, the certain one hardly anything."""
    evidence = evidence_of(shop())
    child, rival, parent = (
        np.array([evidence.ids.index(f"shop.{name}")])
        for name in ("orders.payer", "orders.customer_id", "customers.id")
    )
    one, other = (float(log_odds(evidence.pairs(k, parent))[0]) for k in (child, rival))
    assert one < other
    got = float(probabilities(evidence.pairs(child, parent))[0])
    assert got == pytest.approx(1 / (1 + math.exp(-one + math.log1p(math.exp(other)) / 2)), rel=1e-5)
    assert of(evidence, "shop.orders.customer_id", "shop.customers.id") > 0.9


def test_scores_do_not_depend_on_the_pairs_asked_for(evidence_of: EvidenceOf) -> None:
    """Squares, lists and the edges of single tables give a pair one score."""
    evidence = evidence_of(shop(customer=CUSTOMERS))
    whole = likelihood(evidence.block(range(len(evidence))))
    few = [0, 3]
    np.testing.assert_allclose(likelihood(evidence.block(few)), whole[np.ix_(few, few)])
    every = edges(evidence, default_score)
    some = edges(evidence, default_score, tables=[0])
    scores = dict(zip(zip(every.left.tolist(), every.right.tolist(), strict=True), every.score.tolist(), strict=True))
    assert len(some) > 0
    for left, right, score in zip(some.left.tolist(), some.right.tolist(), some.score.tolist(), strict=True):
        assert scores[left, right] == score
