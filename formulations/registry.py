"""The solvers, one row each. Error messages, `solvers()` and the command line are generated from this table."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple, Protocol, overload

from formulations.algorithms.option import HelperOption, Option
from formulations.columns import ColumnProblem
from formulations.errors import SolverNotInstalledError, SolverRefusalError, UnknownSolverError
from formulations.instance import Instance
from formulations.objectives.protocol import OBJECTIVES
from formulations.solution import Outcome
from formulations.workers.engines import native_engine


class SolverFunction(Protocol):
    """The function ``solve`` of a solver's module."""

    def __call__(
        self, instance: Instance | ColumnProblem, objective: Any, time_limit: float | None, **options: Any
    ) -> Outcome:
        """Return a set of tables with an upper bound; `SolverRow.columns` says who takes a column-level problem."""
        ...


class SupportsFunction(Protocol):
    """The function ``supports`` of a module that does not take every problem of its objectives."""

    def __call__(self, problem: Instance | ColumnProblem, objective: Any, /) -> str | None:
        """Return None, or why the problem is refused: words that go on where ``solver 'name'`` begins."""
        ...


class Solver(NamedTuple):
    """What the module of a solver offers."""

    solve: SolverFunction
    supports: SupportsFunction
    options: Mapping[str, Option]


@dataclass(frozen=True)
class SolverRow:
    """One solver: what it is and what it needs.

    Attributes
    ----------
    name : str
        The name to pass to `solve`.
    modules : mapping of str to str
        For each objective that it takes, by name, the module that implements it: with a function ``solve`` and, where
        there are any, ``OPTIONS`` and ``supports``; imported on first use.
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
    compiles : bool
        Whether its search becomes machine code where numba is installed.
    """

    name: str
    modules: Mapping[str, str]
    summary: str
    exact: bool
    needs: tuple[str, ...] = ()
    install: str = "pip install jar-rerank"
    columns: bool = False
    compiles: bool = False

    def installed(self) -> bool:
        """Say whether every needed package can be found, without importing any."""
        return all(importlib.util.find_spec(package) is not None for package in self.needs)

    def supports(self, problem: Any, objective: Any) -> str | None:
        """Say why the solver refuses a problem with an objective; None where it takes them. Imports the solver."""
        return refusal(self, objective) or self.load(objective.name).supports(problem, objective)

    def load(self, objective: str = "") -> Solver:
        """Import the solver, for an objective by its name.

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
        if objective and objective not in self.modules:
            known = " or ".join(map(repr, self.modules))
            raise SolverRefusalError(f"solver {self.name!r} takes the objective {known}, not {objective!r}")
        module = importlib.import_module(self.modules[objective or next(iter(self.modules))])
        options = {
            name: replace(option, choices=in_process()) if isinstance(option, HelperOption) else option
            for name, option in getattr(module, "OPTIONS", {}).items()
        }
        return Solver(module.solve, getattr(module, "supports", _supports_all), options)


def refusal(row: SolverRow, objective: Any) -> str | None:
    """Say why a solver refuses an objective, whatever the problem; None where it takes it."""
    name = getattr(objective, "name", "")
    if name in row.modules and isinstance(objective, OBJECTIVES[name]):
        return None
    return f"takes the objective {' or '.join(map(repr, row.modules))}, not {type(objective).__name__}"


def _supports_all(problem: Instance | ColumnProblem, objective: Any) -> str | None:
    return None


COMPILER, COMPILER_INSTALL = "numba", 'pip install "jar-rerank[compiled]"'
SPEEDUP = "10 to 50"
"""How many times as fast machine code is, with sets of 5 and 10 of 20 and 50 tables (docs/choosing.md)."""


class SolverTable(Sequence[SolverRow]):
    """The rows as a sequence that prints as a table, with a last line on machine code where there is no compiler."""

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
        lines = ["  ".join([*map(str.ljust, line[:4], widths), line[4]]) for line in cells]
        compiling = [row.name for row in self._rows if row.compiles]
        if compiling and importlib.util.find_spec(COMPILER) is None:
            faster = f"as machine code {', '.join(compiling)} are {SPEEDUP} times as fast"
            lines.append(f"{faster}: {COMPILER_INSTALL}")
        return "\n".join(lines)

    __repr__ = __str__


def _for_both(module: str) -> dict[str, str]:
    return dict.fromkeys(OBJECTIVES, module)


_HIGHS, _CBC, _CPSAT = native_engine("highs"), native_engine("cbc"), native_engine("cpsat")

_SOLVERS = SolverTable(
    [
        SolverRow(
            "exact",
            _for_both("formulations.algorithms.exact"),
            "branch and bound; proves optimality, for most real questions in milliseconds",
            exact=True,
            compiles=True,
        ),
        SolverRow(
            "greedy",
            _for_both("formulations.algorithms.greedy"),
            "adds the item of the largest gain; keeps the set connected where that is required",
            exact=False,
            compiles=True,
        ),
        SolverRow(
            "local",
            _for_both("formulations.algorithms.local"),
            "greedy, then exchanges items while that helps",
            exact=False,
            compiles=True,
        ),
        SolverRow(
            "enumerate",
            _for_both("formulations.algorithms.enumerate"),
            "tries every set; slow, short, and the oracle of the tests",
            exact=True,
        ),
        SolverRow(
            "sweep",
            {"crush": "formulations.algorithms.sweep"},
            "the rule of CRUSH's released code: in each sweep each probe takes its best column",
            exact=False,
            compiles=True,
        ),
        SolverRow(
            "mip",
            _for_both("formulations.algorithms.mip"),
            "a linear program with integers by python-mip: HiGHS, CBC or Gurobi, in a worker process",
            exact=True,
            needs=_HIGHS.needs,
            install=_HIGHS.install,
        ),
        SolverRow(
            "cpsat",
            _for_both("formulations.algorithms.cpsat"),
            "a program over integers by CP-SAT of OR-Tools, in a worker process",
            exact=True,
            needs=_CPSAT.needs,
            install=_CPSAT.install,
        ),
        SolverRow(
            "paper-mip",
            {"jar": "formulations.algorithms.paper_mip"},
            "the program of the JAR paper as it stands, by python-mip, for comparison",
            exact=True,
            needs=_CBC.needs,
            install=_CBC.install,
            columns=True,
        ),
    ]
)


def in_process() -> tuple[str, ...]:
    """Return the names of the solvers that need no native engine; these may give one its start."""
    return tuple(row.name for row in _SOLVERS if not row.needs)


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
    """Return what the module of a solver offers, for an objective by its name (imported once)."""
    return solver_row(name).load(objective)
