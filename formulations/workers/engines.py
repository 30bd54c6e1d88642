"""The native engines, one row each: what they need, which module runs them in a worker, what their answers mean."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Mapping
from dataclasses import dataclass

from formulations.errors import SolverError, SolverNotInstalledError
from formulations.solution import Status


@dataclass(frozen=True)
class NativeEngine:
    """A native engine.

    Attributes
    ----------
    name : str
        The name to pass as the option ``engine``.
    title : str
        The name in messages.
    module : str
        The module of the worker that runs it: its ``load(name)`` returns a function from request to answer.
    needs : tuple of str
        Importable packages that must be installed.
    install : str
        The command that installs them.
    statuses : mapping of str to Status
        What its status words claim, all of them; None where it gave up.
    variable : str
        An environment variable that stands for an installation outside Python, where there is one.
    """

    name: str
    title: str
    module: str
    needs: tuple[str, ...]
    install: str
    statuses: Mapping[str, Status | None]
    variable: str = ""

    def claim(self, word: str) -> Status:
        """Return what a status word of the engine claims.

        Raises
        ------
        SolverError
            When the word reports a failure of the engine, or is not known.
        """
        status = self.statuses.get(word)
        if status is None:
            raise SolverError(
                f"engine {self.name!r} stopped with status {word}; try another engine, or the solver 'exact'"
            )
        return status

    def missing(self) -> tuple[str, ...]:
        """Return the needed packages that can not be found; imports none."""
        found_outside = bool(self.variable and os.environ.get(self.variable))
        needs = self.needs[:1] if found_outside else self.needs
        return tuple(package for package in needs if importlib.util.find_spec(package) is None)


_MIP_STATUSES = {
    "OPTIMAL": Status.OPTIMAL,
    "FEASIBLE": Status.FEASIBLE,
    "TRUNCATED": Status.FEASIBLE,
    "NO_SOLUTION_FOUND": Status.UNKNOWN,
    "INFEASIBLE": Status.INFEASIBLE,
    "INT_INFEASIBLE": Status.INFEASIBLE,
    # Every column that earns something is bounded, so "unbounded or infeasible" can only be the latter.
    "UNBOUNDED": Status.INFEASIBLE,
    "ERROR": None,
    "LOADED": None,
    "CUTOFF": None,
    "OTHER": None,
}
_CPSAT_STATUSES = {
    "OPTIMAL": Status.OPTIMAL,
    "FEASIBLE": Status.FEASIBLE,
    "UNKNOWN": Status.UNKNOWN,
    "INFEASIBLE": Status.INFEASIBLE,
    "MODEL_INVALID": None,
}
_MIP, _MIP_INSTALL = "formulations.workers.python_mip", 'pip install "jar-rerank[mip]"'
_CPSAT, _CPSAT_INSTALL = "formulations.workers.cp_sat", 'pip install "jar-rerank[cpsat]"'

ENGINES = (
    NativeEngine("highs", "HiGHS", _MIP, ("mip", "highspy"), _MIP_INSTALL, _MIP_STATUSES, "PMIP_HIGHS_LIBRARY"),
    NativeEngine("cbc", "CBC", _MIP, ("mip", "cbcbox"), _MIP_INSTALL, _MIP_STATUSES, "PMIP_CBC_LIBRARY"),
    NativeEngine(
        "gurobi", "Gurobi", _MIP, ("mip", "gurobipy"), f"{_MIP_INSTALL} gurobipy", _MIP_STATUSES, "GUROBI_HOME"
    ),
    NativeEngine("cpsat", "CP-SAT", _CPSAT, ("ortools",), _CPSAT_INSTALL, _CPSAT_STATUSES),
)
LINEAR_ENGINES = tuple(engine.name for engine in ENGINES if engine.module == _MIP)


def native_engine(name: str) -> NativeEngine:
    """Return the row of an engine.

    Raises
    ------
    SolverError
        When there is none of that name; the message lists those that exist.
    """
    for engine in ENGINES:
        if engine.name == name:
            return engine
    known = ", ".join(engine.name for engine in ENGINES)
    raise SolverError(f"unknown engine {name!r}; known engines: {known}")


def installed_engine(name: str) -> NativeEngine:
    """Return the row of an engine whose packages can be found.

    Raises
    ------
    SolverNotInstalledError
        When one can not; the message has the install line.
    """
    engine = native_engine(name)
    if missing := engine.missing():
        raise SolverNotInstalledError(
            f"engine {name!r} needs {', '.join(missing)}; install it with: {engine.install}"
        )
    return engine
