"""Proves that every engine has a row, and that each of its status words means something."""

from __future__ import annotations

import pytest

from formulations import Instance, JarObjective, SolverError, Status, solve
from formulations.workers.engines import installed_engine, native_engine


def test_every_status_of_an_engine_means_something() -> None:
    """The words of all engines are mapped; failures and unknown words raise with the word in the message."""
    assert native_engine("cbc").claim("OPTIMAL") is Status.OPTIMAL
    assert native_engine("cpsat").claim("UNKNOWN") is Status.UNKNOWN
    for engine, word in (("highs", "ERROR"), ("cpsat", "MODEL_INVALID"), ("cbc", "NEW_WORD")):
        with pytest.raises(SolverError, match=word):
            native_engine(engine).claim(word)


def test_unknown_engines_are_listed(small: tuple[Instance, JarObjective]) -> None:
    """A wrong engine name is answered with the right ones."""
    with pytest.raises(SolverError, match="highs, cbc, gurobi, cpsat"):
        native_engine("cplex")
    for solver in ("mip", "paper-mip"):
        with pytest.raises(SolverError, match="'highs', 'cbc', 'gurobi'"):
            solve(*small, solver, engine="cpsat")
    assert installed_engine("highs").title == "HiGHS"
