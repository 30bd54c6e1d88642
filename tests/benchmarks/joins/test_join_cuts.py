"""Where the join score is cut, and the figures on the page, from figures made by hand."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.joins.cuts import LOST, Cut, choose_cut
from benchmarks.joins.joinability_page import (
    FIGURES,
    PAGE,
    SCORE_NAMES,
    SETS,
    WEIGHTS,
    between,
    figures_tables,
    sets_tables,
)
from joinability.scores.odds import LEAST
from joinability.scores.score import LEAST_SHOWN

TRIED = [
    Cut(0.0, 1.0, 100, 1.0),
    Cut(0.001, 1.0, 50, 0.99),
    Cut(0.01, 0.995, 20, 0.98),
    Cut(0.1, 0.9, 10, 0.9),
]


@pytest.mark.parametrize(("lost", "chosen"), [(0.0, 0.001), (0.005, 0.01), (0.05, 0.01), (0.1, 0.1)])
def test_the_largest_cut_that_loses_no_more_is_chosen(lost: float, chosen: float) -> None:
    """A loss as large as allowed is allowed."""
    assert choose_cut(TRIED, lost) == chosen


def test_the_graph_may_lose_more_than_the_score() -> None:
    """Its limits stand in the order of what they may lose."""
    assert LOST["score"] < LOST["graph"]
    assert LEAST < LEAST_SHOWN


def test_data_sets_stand_beside_names_alone() -> None:
    """Each data set has a row of figures and one of shares by score; a bin without pairs is blank."""
    found = {"best_pair": 0.9876, "best_pair_mean": 1.0, "top_columns": 0.5, "precision": 0.25, "recall": 1.0}
    bins = [{"low": 0.4, "high": 0.6, "pairs": 12, "score": 0.5, "declared": 0.75}]
    figures = {
        "sets": {"six": dict.fromkeys(("default", "name equality", "header similarity"), found)},
        "set_calibration": {"six": {"error": 0.0, "bins": bins}, "none": {"error": 0.0, "bins": []}},
    }
    text = sets_tables(figures)
    assert f"| six | {'98.8 % (100.0) | ' * 3}.500 | .500 | .500 | .250 | 1.000 |" in text
    assert "| six | .750 (12) |" in text
    assert "| none |  |" in text


def test_figures_stand_between_their_marks() -> None:
    """Each score and each threshold has a row; the rest of the page stays."""
    found = {"best_pair": 0.987, "top_columns": 0.95, "top_tables": 1.0, "edges": 1234, "precision": 0.5, "recall": 1.0}
    figures: dict[str, Any] = {
        "scores": {name: {"all": found, "dev": found} for name in SCORE_NAMES},
        "graph": {"from 0.01": {"all": found, "dev": found}},
    }
    text = figures_tables(figures)
    assert "| the default | 98.7 % | 98.7 % | .950 / 1.000 | .950 / 1.000 |" in text
    assert "| 0.01 | 1,234 | .500 | 1.000 | 1,234 | .500 | 1.000 |" in text
    assert between("a <x> old </x> b", ("<x>", "</x>"), "new") == "a <x>\nnew\n</x> b"
    with pytest.raises(ValueError, match="has no <x>"):
        between("a", ("<x>", "</x>"), "new")
    page = PAGE.read_text("utf-8")
    for start, end in (WEIGHTS, FIGURES, SETS):
        assert page.index(start) < page.index(end)
