"""Proves that one row per solver is enough: names, installation and messages all come from it."""

from __future__ import annotations

import subprocess
import sys

import pytest
from formulation_problems import random_problem

from formulations import SolverNotInstalledError, SolverRow, registry, solve, solvers
from formulations.registry import SolverTable, load_solver


def test_the_registry_is_a_sequence_that_prints_as_a_table() -> None:
    """One line per solver under a heading, with its name, what it promises, and a summary."""
    table = solvers()
    lines = str(table).splitlines()
    assert len(lines) == 1 + len(table)
    for line, row in zip(lines[1:], table, strict=True):
        assert line.split()[:2] == [row.name, "exact" if row.exact else "bound"]
        assert row.summary in line
    assert table.names()[:4] == ("exact", "greedy", "local", "enumerate")
    assert table[0].name == "exact"
    assert isinstance(table[:2], SolverTable)


def test_loading_a_solver_does_not_hide_the_table() -> None:
    """`formulations.solvers` is the function, also after a module of the folder of that name was imported."""
    code = "import formulations as f; f.solve(f.Instance([1.0], [], [[0.0]], 1), f.JarObjective()); print(f.solvers())"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.split()[0] == "solver"


@pytest.mark.parametrize("name", ["exact", "greedy", "local", "enumerate"])
def test_a_solver_without_an_engine_is_there(name: str) -> None:
    """The four that run in process are installed with the package, and load."""
    row = next(row for row in solvers() if row.name == name)
    assert row.installed()
    assert callable(row.load())


def test_a_missing_package_is_answered_with_the_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the package and the command; the table shows the command too."""
    row = SolverRow(
        "oracle",
        "formulations.solvers.exact",
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
