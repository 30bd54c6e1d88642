"""Proves that one row per solver is enough: names, installation and messages all come from it."""

from __future__ import annotations

import inspect
from dataclasses import replace

import pytest
from formulation_problems import random_problem

from formulations import SolverError, SolverNotInstalledError, SolverRow, registry, solve, solvers
from formulations.registry import SolverTable, load_solver, solver_row


def test_the_registry_is_a_sequence_that_prints_as_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line per solver under a heading, with its name, what it promises, and a summary."""
    monkeypatch.setattr(registry, "COMPILER", "json")  # a package that is there
    table = solvers()
    lines = str(table).splitlines()
    assert len(lines) == 1 + len(table)
    for line, row in zip(lines[1:], table, strict=True):
        assert line.split()[:2] == [row.name, "exact" if row.exact else "bound"]
        assert row.summary in line
    assert table.names()[:4] == ("exact", "greedy", "local", "enumerate")
    assert table[0].name == "exact"
    assert isinstance(table[:2], SolverTable)


@pytest.mark.parametrize("name", ["exact", "greedy", "local", "enumerate"])
def test_a_solver_without_an_engine_is_there(name: str) -> None:
    """The four that run in process are installed with the package, and load."""
    row = next(row for row in solvers() if row.name == name)
    assert row.installed()
    assert callable(row.load().solve)


def test_a_missing_package_is_answered_with_the_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the package and the command; the table shows the command too."""
    row = SolverRow(
        "oracle",
        {"jar": "formulations.algorithms.exact"},
        "asks Delphi",
        exact=True,
        needs=("delphi_of_old",),
        install='pip install "jar-rerank[oracle]"',
    )
    table = SolverTable([*solvers(), row])
    monkeypatch.setattr(registry, "_SOLVERS", table)
    assert not row.installed()
    with pytest.raises(SolverNotInstalledError, match=r"needs delphi_of_old.*jar-rerank\[oracle\]") as caught:
        solve(*random_problem(4, 1, 2, 0), "oracle")
    assert isinstance(caught.value, ImportError)
    assert row.install in str(table)
    load_solver.cache_clear()


def test_the_table_says_once_what_machine_code_would_bring(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no compiler, a last line names the solvers that gain, and the command; else there is none."""
    compiled = solvers()
    monkeypatch.setattr(registry, "COMPILER", "json")  # a package that is there
    assert registry.COMPILER_INSTALL not in str(compiled)
    monkeypatch.setattr(registry, "COMPILER", "numba_of_old")
    said = str(compiled).splitlines()[-1]
    assert said.startswith("as machine code exact, greedy, local, sweep are 10 to 50 times as fast")
    assert said.endswith('pip install "jar-rerank[compiled]"')
    assert str(compiled).count(registry.COMPILER_INSTALL) == 1
    native = [row for row in compiled if row.needs]
    assert registry.COMPILER_INSTALL not in str(SolverTable(native))


def test_a_solver_says_what_it_does_not_take() -> None:
    """The refusal of a mode has the reason of the solver, and who takes the problem."""
    instance, objective = random_problem(4, 1, 2, 0, connect="prefer")
    paper = solver_row("paper-mip")
    assert paper.supports(instance, replace(objective, connect="require")) is None
    assert paper.supports(instance, objective) == "has no connect='prefer'; the paper's program has require and ignore"
    with pytest.raises(SolverError, match=r"solver 'paper-mip' has no connect='prefer'.*that take it: exact, greedy"):
        solve(instance, objective, "paper-mip")


@pytest.mark.parametrize("row", [row for row in solvers() if row.installed()], ids=lambda row: row.name)
def test_a_solver_refuses_what_is_no_objective(row: SolverRow) -> None:
    """Nobody takes a number for an objective, and the message has the name of the type."""
    instance, _ = random_problem(4, 1, 2, 0)
    assert row.supports(instance, 3.0) is not None
    with pytest.raises(SolverError, match="the objective is float; pass a JarObjective"):
        solve(instance, 3.0, row.name)  # type: ignore[arg-type]


@pytest.mark.parametrize("row", [row for row in solvers() if row.installed()], ids=lambda row: row.name)
def test_every_option_is_declared(row: SolverRow) -> None:
    """The options of a row are the keyword arguments of its function for an objective, all of them with examples."""
    for objective in row.modules:
        loaded = row.load(objective)
        parameters = inspect.signature(loaded.solve).parameters.values()
        assert [p.name for p in parameters if p.kind is p.KEYWORD_ONLY] == list(loaded.options)
        assert all(option.examples for option in loaded.options.values())
