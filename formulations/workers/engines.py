"""The native engines, one row each: what they need, how to install it, and which module runs them in a worker."""

from __future__ import annotations

import importlib.util
import os
from dataclasses import dataclass

from formulations.errors import SolverError, SolverNotInstalledError


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
    variable : str
        An environment variable that stands for an installation outside Python, where there is one.
    """

    name: str
    title: str
    module: str
    needs: tuple[str, ...]
    install: str
    variable: str = ""

    def missing(self) -> tuple[str, ...]:
        """Return the needed packages that can not be found; imports none."""
        found_outside = bool(self.variable and os.environ.get(self.variable))
        needs = self.needs[:1] if found_outside else self.needs
        return tuple(package for package in needs if importlib.util.find_spec(package) is None)


_MIP = "formulations.workers.python_mip"
ENGINES = (
    NativeEngine("highs", "HiGHS", _MIP, ("mip", "highspy"), 'pip install "jar-rerank[mip]"', "PMIP_HIGHS_LIBRARY"),
    NativeEngine("cbc", "CBC", _MIP, ("mip", "cbcbox"), 'pip install "jar-rerank[mip]"', "PMIP_CBC_LIBRARY"),
    NativeEngine(
        "gurobi", "Gurobi", _MIP, ("mip", "gurobipy"), 'pip install "jar-rerank[mip]" gurobipy', "GUROBI_HOME"
    ),
    NativeEngine(
        "cpsat", "CP-SAT", "formulations.workers.cp_sat", ("ortools",), 'pip install "jar-rerank[cpsat]"'
    ),
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
