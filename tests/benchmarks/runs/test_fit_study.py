"""The study of fits: how questions are divided, and what its table says."""

from __future__ import annotations

import numpy as np

from benchmarks.data.dataset_form import Question
from benchmarks.pages.fit_page import fit_grid
from benchmarks.runs.fit_study import Outcome, all_gains, divided


def asked(number: int, sql: str) -> Question:
    return Question(str(number), f"question {number}", "shop", frozenset({"shop.orders"}), None, sql)


def outcome(name: str, before: float, after: float, *, refused: bool = False) -> Outcome:
    """Ten questions, all with the same figures: half of those of the model by the cosines, and others by the fit."""
    figures = np.broadcast_to(np.array([[before / 2] * 2, [before] * 2, [after] * 2]), (10, 3, 2))
    return Outcome(name, 8, 40, 10, refused, 2.5, 1.5, figures, tuple(f"{name} {number}" for number in range(10)))


def test_questions_of_one_sql_are_on_one_side() -> None:
    """About half teach, or as many as are wanted at most; none is on both sides, none is lost."""
    questions = [asked(number, f"SELECT {number // 2}") for number in range(60)]
    for count, most in ((None, 30), (20, 20)):
        taught, measured = divided(questions, count)
        assert most - 2 < len(taught) <= most
        assert sorted(taught + measured, key=lambda question: int(question.id)) == questions
        assert {question.sql for question in taught}.isdisjoint(question.sql for question in measured)
        assert divided(questions, count) == (taught, measured)


def test_the_table_has_each_fit_and_all() -> None:
    """Gains are those over the model, in points; a refused fit is told."""
    outcomes = [outcome("bank", 0.5, 1.0), outcome("shop", 1.0, 1.0, refused=True)]
    assert all_gains(outcomes[:1], 0)[0] == (25.0, 100.0, 75.0, 75.0)
    rows = {row[0]: row for row in fit_grid("", outcomes).rows}
    assert list(rows) == ["bank", "shop (refused)", "all of these (1 refused)"]
    assert rows["bank"][6:10] == ("25.0", "50.0", "100.0", "+50.0 (+50.0 to +50.0)")
    assert rows["all of these (1 refused)"][2:4] == ("80", "20")
    assert rows["all of these (1 refused)"][8] == "100.0"
