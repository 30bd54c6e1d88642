"""Metrics against numbers worked out by hand."""

from __future__ import annotations

import pytest

from benchmarks.metrics import METRICS, average, score

SELECTED = ["a.x", "b.y", "A.Z", "c.w"]
GOLD = {"a.x", "a.z", "d.v"}


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


def test_f1_is_averaged_over_questions_in_percent() -> None:
    """F1 of a full hit (1) and of the question above (2/5) average to 70 %, not to the F1 of mean P and mean R."""
    assert average("F1", [["u", "v"], SELECTED], [{"u", "v"}, GOLD], 2) == 70.0
