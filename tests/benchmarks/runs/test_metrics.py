"""Metrics against numbers worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence

import ir_measures
import numpy as np
import pytest

from benchmarks.runs.metrics import METRICS, question_scores

SELECTED = ["a.x", "b.y", "A.Z", "c.w"]
GOLD = {"a.x", "a.z", "d.v"}


def score(metric: str, selected: Sequence[str], gold: set[str], k: int) -> float:
    """One question's metric, from 0 to 1."""
    return float(question_scores([metric], [selected], [gold], k)[metric][0])


@pytest.mark.parametrize(
    ("metric", "k", "expected"),
    [
        ("P", 2, 1 / 2),  # a.x of two places
        ("P", 3, 2 / 3),  # a.x and a.z of three
        ("P", 5, 2 / 5),  # a place that is left empty is a miss
        ("R", 2, 1 / 3),
        ("R", 3, 2 / 3),
        ("F1", 2, 2 / 5),  # P = 1/2 and R = 1/3: 2 * 1/6 / (5/6)
        ("F1", 3, 2 / 3),  # P = R = 2/3
        ("CR", 4, 0.0),
        ("ES", 3, 0.0),
    ],
)
def test_one_question(metric: str, k: int, expected: float) -> None:
    """The first k tables count, compared without regard to case."""
    assert score(metric, SELECTED, GOLD, k) == pytest.approx(expected)


def test_complete_recall_asks_for_every_gold_table() -> None:
    """Two gold tables among the first three are complete at 3 and not at 2."""
    assert [score("CR", SELECTED, {"a.x", "a.z"}, k) for k in (2, 3)] == [0.0, 1.0]


@pytest.mark.parametrize("metric", METRICS)
def test_nothing_found_scores_nothing(metric: str) -> None:
    """A wrong answer and an empty one score 0."""
    assert score(metric, ["b.y"], GOLD, 2) == score(metric, [], GOLD, 2) == 0.0


def test_f1_is_averaged_over_questions() -> None:
    """F1 of a full hit (1) and of the question above (2/5) average to 70 %, not to the F1 of mean P and mean R."""
    assert question_scores(["F1"], [["u", "v"], SELECTED], [{"u", "v"}, GOLD], 2)["F1"].mean() == pytest.approx(0.7)


@pytest.mark.parametrize(("selected", "k", "expected"), [(["v", "U"], 2, 1), (["u", "w"], 2, 0), (["u", "v"], 3, 0)])
def test_an_exact_set_has_nothing_else(selected: list[str], k: int, expected: float) -> None:
    """Both gold tables in two places are exact in any order; a wrong one, or a third place, is not."""
    assert score("ES", selected, {"u", "v"}, k) == expected


def test_a_table_that_is_named_twice_counts_once() -> None:
    """The second mention takes a place and finds nothing."""
    assert score("P", ["u", "U"], {"u", "v"}, 2) == score("R", ["u", "U"], {"u", "v"}, 2) == 0.5


@pytest.mark.parametrize("k", [1, 2, 5, 9])
def test_our_metrics_agree_with_those_of_the_field(k: int) -> None:
    """On random runs F1, complete recall and exact set are what ir-measures gives in its own terms.

    Its ``SetF`` equals our F1 where every place is taken; complete recall is a recall of 1 (``R``), and an exact set
    is a ``SetP`` and a ``SetR`` of 1 with every place taken.
    """
    random = np.random.default_rng(k)
    items = [f"db.{letter}" for letter in "abcdefghijkl"]
    golds = [set(random.choice(items, random.integers(1, 6), replace=False)) for _ in range(300)]
    selections = [
        list(random.choice(items, k, replace=False)) if random.random() < 0.8 else sorted(gold)[:k] for gold in golds
    ]
    qrels = [ir_measures.Qrel(str(place), item, 1) for place, gold in enumerate(golds) for item in gold]
    run = [
        ir_measures.ScoredDoc(str(place), item, -float(rank))
        for place, selected in enumerate(selections)
        for rank, item in enumerate(selected)
    ]
    measures = [ir_measures.SetF, ir_measures.SetP, ir_measures.SetR, ir_measures.R @ k]
    theirs = {measure: np.zeros(len(golds)) for measure in measures}
    for found in ir_measures.iter_calc(measures, qrels, run):
        theirs[found.measure][int(found.query_id)] = found.value
    f_measure, precision, recall, recall_at = theirs.values()
    full = np.array([len(selected) == k for selected in selections])
    ours = question_scores(METRICS, selections, golds, k)
    assert ours["F1"][full] == pytest.approx(f_measure[full])
    assert list(ours["CR"]) == list(recall_at == 1)
    assert list(ours["ES"]) == list((precision == 1) & (recall == 1) & full)
    assert 0 < ours["CR"].mean() < 1
