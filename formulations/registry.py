"""The solvers, one row each. Error messages, `solvers()` and the command line are generated from this table."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, overload

from formulations.algorithms.option import Solver
from formulations.errors import SolverNotInstalledError, SolverRefusalError, UnknownSolverError


@dataclass(frozen=True)
class SolverRow:
    """One solver: what it is and what it needs.

    Attributes
    ----------
    name : str
        The name to pass to `solve`.
    modules : mapping of str to str
        For each objective that it takes, by name, the module that implements it, with the names of
        `capabilities.Solver`; imported on first use.
    summary : str
        One line for a user who chooses.
    exact : bool
        Whether it proves optimality when given the time; a heuristic returns a bound all the same.
    needs : tuple of str
        Importable packages that must be installed.
    install : str
        The command that installs them.
    columns : bool
        Whether it takes a column-level problem as it is, not reduced.
    """

    name: str
    modules: Mapping[str, str]
    summary: str
    exact: bool
    needs: tuple[str, ...] = ()
    install: str = "pip install jar-rerank"
    columns: bool = False

    def installed(self) -> bool:
        """Say whether every needed package can be found, without importing any."""
        return all(importlib.util.find_spec(package) is not None for package in self.needs)

    def supports(self, problem: Any, objective: Any) -> str | None:
        """Say why the solver refuses a problem with an objective; ``None`` where it takes them. Imports the solver."""
        name = getattr(objective, "name", "")
        if name not in self.modules:
            return f"takes the objective {' or '.join(map(repr, self.modules))}, not {type(objective).__name__}"
        return self.load(name).supports(problem, objective)

    def load(self, objective: str = "") -> Solver:
        """Import the solver for an objective, by its name; by default the first that it takes.

        Raises
        ------
        SolverNotInstalledError
            When a needed package is missing, with the install line.
        SolverRefusalError
            When the solver does not take the objective.
        """
        if not self.installed():
            missing = ", ".join(package for package in self.needs if importlib.util.find_spec(package) is None)
            raise SolverNotInstalledError(f"solver {self.name!r} needs {missing}; install it with: {self.install}")
        name = objective or next(iter(self.modules))
        if name not in self.modules:
            raise SolverRefusalError(
                f"solver {self.name!r} takes the objective {' or '.join(map(repr, self.modules))}, not {name!r}"
            )
        module = importlib.import_module(self.modules[name])
        return Solver(module.solve, module.supports, module.OPTIONS)


class SolverTable(Sequence[SolverRow]):
    """The rows as a sequence that prints as a table."""

    def __init__(self, rows: Iterable[SolverRow]) -> None:
        self._rows = tuple(rows)

    @overload
    def __getitem__(self, index: int) -> SolverRow: ...
    @overload
    def __getitem__(self, index: slice) -> SolverTable: ...
    def __getitem__(self, index: int | slice) -> SolverRow | SolverTable:
        return SolverTable(self._rows[index]) if isinstance(index, slice) else self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[SolverRow]:
        return iter(self._rows)

    def names(self) -> tuple[str, ...]:
        """Return the names, in order."""
        return tuple(row.name for row in self._rows)

    def __str__(self) -> str:
        cells = [("solver", "proof", "objectives", "ready", "summary")]
        for row in self._rows:
            ready = "yes" if row.installed() else row.install
            cells.append((row.name, "exact" if row.exact else "bound", ", ".join(row.modules), ready, row.summary))
        widths = [max(len(line[k]) for line in cells) for k in range(4)]
        return "\n".join("  ".join([*map(str.ljust, line[:4], widths), line[4]]) for line in cells)

    __repr__ = __str__


_SOLVERS = SolverTable(
    [
        SolverRow(
            "exact",
            {"jar": "formulations.algorithms.exact", "crush": "formulations.algorithms.exact_columns"},
            "branch and bound; proves optimality, for most real questions in milliseconds",
            exact=True,
            needs=("numba",),
        ),
        SolverRow(
            "greedy",
            {"jar": "formulations.algorithms.greedy", "crush": "formulations.algorithms.greedy_columns"},
            "adds the item of the largest gain; keeps the set connected where that is required",
            exact=False,
            needs=("numba",),
        ),
        SolverRow(
            "local",
            {"jar": "formulations.algorithms.local", "crush": "formulations.algorithms.local_columns"},
            "greedy, then exchanges items while that helps",
            exact=False,
            needs=("numba",),
        ),
        SolverRow(
            "enumerate",
            {"jar": "formulations.algorithms.enumerate", "crush": "formulations.algorithms.enumerate_columns"},
            "tries every set; slow, short, and the oracle of the tests",
            exact=True,
        ),
        SolverRow(
            "sweep",
            {"crush": "formulations.algorithms.sweep"},
            "the rule of CRUSH's released code: in each sweep each probe takes its best column",
            exact=False,
            needs=("numba",),
        ),
        SolverRow(
            "mip",
            {"jar": "formulations.algorithms.mip", "crush": "formulations.algorithms.mip"},
            "a linear program with integers by python-mip: HiGHS, CBC or Gurobi, in a worker process",
            exact=True,
            needs=("mip", "highspy"),
            install='pip install "jar-rerank[mip]"',
        ),
        SolverRow(
            "cpsat",
            {"jar": "formulations.algorithms.cpsat", "crush": "formulations.algorithms.cpsat"},
            "a program over integers by CP-SAT of OR-Tools, in a worker process",
            exact=True,
            needs=("ortools",),
            install='pip install "jar-rerank[cpsat]"',
        ),
        SolverRow(
            "paper-mip",
            {"jar": "formulations.algorithms.paper_mip"},
            "the program of the JAR paper as it stands, by python-mip, for comparison",
            exact=True,
            needs=("mip",),
            install='pip install "jar-rerank[mip]"',
            columns=True,
        ),
    ]
)

IN_PROCESS = tuple(row.name for row in _SOLVERS if set(row.needs) <= {"numba"})
"""The solvers that need no native engine, which may start one."""


def solvers() -> SolverTable:
    """Return the registry: a sequence of `SolverRow` that prints as a table."""
    return _SOLVERS


def solver_row(name: str) -> SolverRow:
    """Return the row of a solver.

    Raises
    ------
    UnknownSolverError
        When there is none of that name; the message lists those that exist.
    """
    for row in _SOLVERS:
        if row.name == name:
            return row
    raise UnknownSolverError(f"unknown solver {name!r}; known solvers: {', '.join(_SOLVERS.names())}")


@cache
def load_solver(name: str, objective: str = "jar") -> Solver:
    """Return what the module of a solver for an objective, by its name, offers (imported once)."""
    return solver_row(name).load(objective)
