"""Proves that the page on the formulation tells the truth: its JSON is an instance."""

from __future__ import annotations

import re
from pathlib import Path

from formulations import JarObjective, load_problem, solve

PAGE = Path(__file__).parents[2] / "docs" / "formulation.md"



def test_the_schema_is_one() -> None:
    """The JSON of the page loads, keeps its constraints, and can be solved."""
    block = re.search(r"```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    instance, objective = load_problem(block[1])
    assert (instance.require, instance.forbid_joins) == ((0,), ((1, 2),))
    assert objective == JarObjective()
    # client and card: 10 (0.5 + 0.5) + (2 * 0.9 + 8) + (2 * 0.9 + 8) = 29.6, and no join; disposition in place of card:
    # 6 + 9.8 + (2 * 0.0 + 8) + 0.9 = 24.7.
    solution = solve(instance, objective)
    assert solution.ids == ("client", "card")
    assert abs(solution.value - 29.6) < 1e-9
