"""Contestants: a solver, its options, and the time it has, from a text such as ``paper-mip:cbc@60``.

``mip:highs:cold`` starts from nothing. Without ``cold``, `mip` and `cpsat` start from the set of the solver "local".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchmarks.data.refusal import RefusalError
from benchmarks.solvers.cases import Case
from formulations import Instance, JarObjective, Solution, SolverNotInstalledError, solve
from formulations.registry import SolverRow, solver_row
from formulations.workers.engines import LINEAR_ENGINES, installed_engine
from formulations.workers.pool import worker_pids

DEFAULT_ENGINES = {"mip": "highs", "paper-mip": "cbc"}
"""Solvers with a choice of engines, and the engine that their module takes by default."""

STARTED = ("mip", "cpsat")
"""Solvers that start from the set of an in-process solver, unless they are told not to."""

COLD = "cold"
WARM_UP_SECONDS = 60.0

REFERENCE = "exact"
"""The solver that the others are compared with."""


class UnknownContestantError(RefusalError, ValueError):
    """A text that names no engine of a solver, no way to start it, or no time."""


@dataclass(frozen=True)
class Contestant:
    """A solver with its engine, where it has a choice, and its time limit in seconds for each case.

    With `cold` it starts from nothing, so that set and bound are the engine's alone.
    """

    solver: str
    engine: str | None
    time_limit: float
    cold: bool = False

    @property
    def label(self) -> str:
        """How tables call it: "exact", "paper-mip:cbc"."""
        return ":".join(filter(None, (self.solver, self.engine, COLD if self.cold else None)))

    @property
    def row(self) -> SolverRow:
        """Its row of the registry."""
        return solver_row(self.solver)

    @property
    def options(self) -> dict[str, Any]:
        """What it passes to its solver."""
        return ({"engine": self.engine} if self.engine else {}) | ({"start": None} if self.cold else {})

    def answer(self, case: Case) -> Solution:
        """Its answer to the columns of a case, where it takes them and the case has them, else to the instance."""
        problem = case.columns if self.row.columns and case.columns is not None else case.instance
        solution: Solution = solve(problem, case.objective, self.solver, time_limit=self.time_limit, **self.options)
        return solution

    def missing(self) -> str | None:
        """Why it can not run here, with the install line; None when it can."""
        try:
            self.row.load()
            if self.worker_engine is not None:
                installed_engine(self.worker_engine)
        except SolverNotInstalledError as cause:
            return str(cause)
        return None

    def warm_up(self) -> None:
        """Load machine code or start the worker, so that the next answer takes its usual time."""
        instance = Instance([1.0, 0.5, 0.2], [[0.0, 1.0, 0.5]], [[0.0, 1.0, 0.5], [1.0, 0.0, 1.0], [0.5, 1.0, 0.0]], 2)
        case = Case("warm-up", "", "paper", instance, JarObjective(connect="require"))
        for _ in range(2):
            replace(self, time_limit=WARM_UP_SECONDS).answer(case)

    def workers(self) -> tuple[int, ...]:
        """Process ids of its workers, which change when one is started anew; the in-process solvers have none."""
        return () if self.worker_engine is None else tuple(worker_pids(self.worker_engine))

    @property
    def worker_engine(self) -> str | None:
        """The native engine whose worker answers; None for the in-process solvers."""
        return "cpsat" if self.solver == "cpsat" else self.engine


def parse_contestant(text: str, time_limit: float) -> Contestant:
    """The contestant that ``solver[:engine][:cold][@seconds]`` names."""
    name, _, seconds = text.strip().partition("@")
    solver, *parts = name.split(":")
    solver_row(solver)
    cold = COLD in parts and solver in STARTED
    engines = [part for part in parts if part != COLD or not cold]
    known = LINEAR_ENGINES if solver in DEFAULT_ENGINES else ()
    if len(engines) > 1 or not set(engines) <= set(known):
        choices = [f"{solver}:{engine}" for engine in known] or [solver]
        choices += [f"{choice}:{COLD}" for choice in choices] if solver in STARTED else []
        raise UnknownContestantError(f"unknown contestant {name!r}: choose among {', '.join(choices)}")
    engine = engines[0] if engines else DEFAULT_ENGINES.get(solver)
    return Contestant(solver, engine, _seconds(text, seconds, time_limit), cold)


def _seconds(text: str, seconds: str, default: float) -> float:
    if not seconds:
        return default
    try:
        limit = float(seconds)
    except ValueError:
        limit = -1.0
    if not 0.0 < limit < float("inf"):
        raise UnknownContestantError(f"{text!r} has no time limit in seconds after '@': write paper-mip:cbc@60")
    return limit


def parse_contestants(text: str, time_limit: float) -> list[Contestant]:
    """Contestants of a list with commas; one that is named twice runs once."""
    return list(dict.fromkeys(parse_contestant(part, time_limit) for part in text.split(",") if part.strip()))


def ready(contestants: Sequence[Contestant]) -> tuple[list[Contestant], list[str]]:
    """Those that can run here, and why the others can not."""
    missing = {contestant: contestant.missing() for contestant in contestants}
    return (
        [contestant for contestant, cause in missing.items() if cause is None],
        [f"{contestant.label} is left out: {cause}" for contestant, cause in missing.items() if cause is not None],
    )


def start_note(labels: Iterable[str]) -> str:
    """What a reader has to know of how the engines among these contestants start."""
    if any(label.endswith(f":{COLD}") for label in labels):
        return f"Engines marked `{COLD}` start from nothing, so that set and bound are theirs alone."
    return "Engines start from the set of `local`, and have its bound where they are stopped without a better one."
