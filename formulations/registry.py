"""The solvers, one row each. Error messages, `solvers()` and the command line are generated from this table."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol, overload

from formulations.errors import SolverNotInstalledError, UnknownSolverError

if TYPE_CHECKING:
    from formulations.columns import ColumnProblem
    from formulations.instance import Instance
    from formulations.objective import JarObjective
    from formulations.solution import Outcome


class SolverFunction(Protocol):
    """What the module of a solver offers under the name ``solve``."""

    def __call__(
        self, instance: Instance | ColumnProblem, objective: JarObjective, time_limit: float | None, **options: Any
    ) -> Outcome:
        """Return a set of tables with an upper bound; `SolverRow.columns` says who takes a column-level problem."""
        ...


@dataclass(frozen=True)
class SolverRow:
    """One solver: what it is and what it needs.

    Attributes
    ----------
    name : str
        The name to pass to `solve`.
    module : str
        The module that implements it; imported on first use.
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
    module: str
    summary: str
    exact: bool
    needs: tuple[str, ...] = ()
    install: str = "pip install jar-rerank"
    columns: bool = False

    def installed(self) -> bool:
        """Say whether every needed package can be found, without importing any."""
        return all(importlib.util.find_spec(package) is not None for package in self.needs)

    def load(self) -> SolverFunction:
        """Import the solver.

        Raises
        ------
        SolverNotInstalledError
            When a needed package is missing, with the install line.
        """
        if not self.installed():
            missing = ", ".join(package for package in self.needs if importlib.util.find_spec(package) is None)
            raise SolverNotInstalledError(f"solver {self.name!r} needs {missing}; install it with: {self.install}")
        function: SolverFunction = importlib.import_module(self.module).solve
        return function


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
        cells = [("solver", "proof", "ready", "summary")]
        for row in self._rows:
            ready = "yes" if row.installed() else row.install
            cells.append((row.name, "exact" if row.exact else "bound", ready, row.summary))
        widths = [max(len(line[k]) for line in cells) for k in range(3)]
        return "\n".join("  ".join([*map(str.ljust, line[:3], widths), line[3]]) for line in cells)

    __repr__ = __str__


_SOLVERS = SolverTable(
    [
        SolverRow(
            "exact",
            "formulations.solvers.exact",
            "branch and bound on the reduced form; proves optimality, milliseconds at 20 tables",
            exact=True,
            needs=("numba",),
        ),
        SolverRow(
            "greedy",
            "formulations.solvers.greedy",
            "adds the table of the largest gain; keeps the set connected where that is required",
            exact=False,
            needs=("numba",),
        ),
        SolverRow(
            "local",
            "formulations.solvers.local",
            "greedy, then exchanges tables while that helps",
            exact=False,
            needs=("numba",),
        ),
        SolverRow(
            "enumerate",
            "formulations.solvers.enumerate",
            "tries every set; slow, short, and the oracle of the tests",
            exact=True,
        ),
        SolverRow(
            "mip",
            "formulations.engines.mip",
            "the reduced program by python-mip: HiGHS, CBC or Gurobi, in a worker process",
            exact=True,
            needs=("mip", "highspy"),
            install='pip install "jar-rerank[mip]"',
        ),
        SolverRow(
            "cpsat",
            "formulations.engines.cpsat",
            "the reduced program by CP-SAT of OR-Tools, in a worker process",
            exact=True,
            needs=("ortools",),
            install='pip install "jar-rerank[cpsat]"',
        ),
        SolverRow(
            "paper-mip",
            "formulations.engines.paper_mip",
            "the program of the JAR paper as it stands, by python-mip, for comparison",
            exact=True,
            needs=("mip",),
            install='pip install "jar-rerank[mip]"',
            columns=True,
        ),
    ]
)


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
def load_solver(name: str) -> SolverFunction:
    """Return the function of a solver by its name (imported once)."""
    return solver_row(name).load()
