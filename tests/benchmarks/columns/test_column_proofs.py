"""The studies of solvers over columns: proofs, gaps against proved optima, times, and their reports."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from benchmarks.columns import column_speed
from benchmarks.columns.proofs import Answer, constant_part, main, race, summary
from formulations import CrushObjective, Instance, solve


def columns_instance(n: int, size: int, seed: int, spread: float = 0.3) -> Instance:
    """Three probes, columns in tables of four, no key links."""
    similarities = np.random.default_rng(seed).normal(0.5, spread, (3, n))
    return Instance(np.zeros(n), similarities, np.zeros((n, n)), size, groups=[item // 4 for item in range(n)])


def test_the_constant_part_is_the_value_of_columns_without_similarity_or_links() -> None:
    """At any sharpness and connectivity."""
    instance = Instance(np.zeros(5), np.zeros((2, 5)), np.zeros((5, 5)), 3)
    for objective in (CrushObjective(), CrushObjective(sharpness=0.1, connectivity=2.0), CrushObjective(sharpness=0)):
        assert objective.value(instance, [0, 2, 4]) == pytest.approx(constant_part(instance, objective))


def test_gaps_are_shares_of_what_the_optimum_is_worth_above_the_constant_part() -> None:
    """Here by hand: an optimum of 3 + constant, sets that are worth 2 and 3 above it, and one without an optimum."""
    instance = columns_instance(5, 3, 0)
    objective = CrushObjective()
    floor = constant_part(instance, objective)
    answers = {
        "exact": [Answer(floor + 3, True, 0.1), Answer(floor + 3, True, 0.3), Answer(floor + 1, False, 0.2)],
        "greedy": [Answer(floor + 2, False, 0.1), Answer(floor + 3, False, 0.1), Answer(floor + 1, False, 0.1)],
    }
    exact, greedy = summary([instance] * 3, objective, answers)
    assert (exact.best, exact.mean_gap, exact.largest_gap) == (100, 0, 0)
    assert (exact.proved, greedy.proved) == (pytest.approx(200 / 3), 0)
    assert (exact.median_ms, exact.slowest_ms) == (200, 300)
    assert greedy.best == 50
    assert greedy.mean_gap == pytest.approx(100 / 6)
    assert greedy.largest_gap == pytest.approx(100 / 3)
    (nothing,) = summary([instance], objective, {"greedy": [Answer(1.0, False, 0.1)]})
    assert math.isnan(nothing.best)
    assert math.isnan(nothing.mean_gap)


def test_every_solver_answers_every_question() -> None:
    """The enumeration proves what the search does, and nobody exceeds it."""
    instances = [columns_instance(9, 4, seed) for seed in range(3)]
    objective = CrushObjective(gamma=0.2, sharpness=0.3)
    answers = race(instances, objective, ("exact", "enumerate", "greedy"), 30.0)
    for instance, exact, oracle, greedy in zip(instances, *answers.values(), strict=True):
        assert exact.proved
        assert exact.value == pytest.approx(oracle.value)
        assert greedy.value == pytest.approx(solve(instance, objective, "greedy").value)
        assert greedy.value <= oracle.value + 1e-9


def test_the_command_writes_what_it_prints(data_folder: Path, tmp_path: Path) -> None:
    """A row for each budget and solver, with the search that was measured."""
    pytest.importorskip("wordllama", reason="the static embedder is an extra")
    options = ("--data", str(data_folder), "--output", str(tmp_path), "--questions", "3", "--embedder", "static")
    told = CliRunner().invoke(main, [*options, "--budgets", "3,10", "--solvers", "exact,sweep", "--sharpness", "0.1"])
    assert told.exit_code == 0, told.output
    document = json.loads((tmp_path / "columns" / "proofs.json").read_text())
    assert [(row["budget"], row["solver"]) for row in document["rows"]] == [
        (budget, solver) for budget in (3, 10) for solver in ("exact", "sweep")
    ]
    assert document["search"]["objective"]["sharpness"] == 0.1
    assert all(row["proved"] == 100 for row in document["rows"] if row["solver"] == "exact")
    assert "sharpness 0.1" in told.output


def test_the_steps_of_a_question_are_timed(data_folder: Path, tmp_path: Path) -> None:
    """Those before the solvers, and each solver, over the default candidates and over all columns with their keys."""
    pytest.importorskip("wordllama", reason="the static embedder is an extra")
    options = ("--data", str(data_folder), "--output", str(tmp_path), "--questions", "3", "--embedder", "static")
    told = CliRunner().invoke(column_speed.main, list(options))
    assert told.exit_code == 0, told.output
    rows = json.loads((tmp_path / "columns" / "speed.json").read_text())["rows"]
    steps = ("candidates", "instance", "sweep", "greedy")
    assert [(row["candidates"], row["step"]) for row in rows] == [(n, step) for n in (100, 798) for step in steps]
    assert all(row["questions"] == 3 and 0 < row["median_ms"] <= row["slowest_ms"] for row in rows)
    assert all(row["key_links"] > 0 for row in rows)
    assert all(step in told.output for step in steps)
