"""Solve a program in rounds: solve, cut off a set that earned too much, solve again."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import NamedTuple, Protocol

from formulations.errors import SolverError
from formulations.instance import Instance
from formulations.objectives.crush import CrushObjective
from formulations.objectives.jar import JarObjective
from formulations.objectives.protocol import Objective
from formulations.programs.crush_program import CrushProgram
from formulations.programs.program import Program
from formulations.programs.reduced import ReducedProgram
from formulations.scale import ENGINE_ROUNDING, ENGINE_SLACK
from formulations.solution import NO_DETAILS, NO_SET, Outcome, Status
from formulations.validation import Array
from formulations.workers.process import EngineTimeoutError


class Claim(NamedTuple):
    """What an engine says about the program that it was given.

    Attributes
    ----------
    status : Status
        What it claims to know.
    bound : float
        No solution of the program earns more; ``inf`` where it has no bound.
    x : array, optional
        Its best solution.
    details : mapping
        What else there is to report.
    """

    status: Status
    bound: float
    x: Array | None
    details: Mapping[str, float] = NO_DETAILS


class CuttingProgram(Protocol):
    """A program that relaxes a problem, and can be told which sets it values too highly."""

    @property
    def instance(self) -> Instance:
        """The problem."""
        ...

    @property
    def objective(self) -> Objective:
        """What a set is worth."""
        ...

    @property
    def constant(self) -> float:
        """What every set earns beyond the costs of the program."""
        ...

    def program(self) -> Program:
        """Return the program with the cuts so far."""
        ...

    def cut_off(self, items: tuple[int, ...]) -> bool:
        """Add the cuts under which this set earns no more than it is worth; say whether any is new."""
        ...

    def most(self, amounts: Array) -> float:
        """Return a bound on ``amounts @ x`` over the sets, of amounts >= 0."""
        ...

    def decode(self, x: Array) -> tuple[int, ...]:
        """Return the set in a solution."""
        ...

    def encode(self, items: tuple[int, ...]) -> Array:
        """Return the solution that stands for a set, as a start for the engine."""
        ...


Engine = Callable[[CuttingProgram, Array | None, float | None], Claim]
"""Solves a program, from the start if there is one, within the number of seconds if there is a limit."""

Helper = Callable[[Instance, Objective, float | None], Outcome]
"""The function of an in-process solver, whose set an engine starts from or falls back on."""


@dataclass
class Incumbent:
    """The best set so far.

    Attributes
    ----------
    items, value
        The set; none at first, or that of the start.
    bound : float
        The best bound of the engine; infinite before it reported one.
    other_bound : float
        The bound of the start: for an answer at the time limit, not for ending the search.
    scale : float
        The scale of the problem.
    details : mapping
        What the last round has to report.
    """

    scale: float
    items: tuple[int, ...] = ()
    value: float = -math.inf
    bound: float = math.inf
    other_bound: float = math.inf
    details: Mapping[str, float] = field(default_factory=dict)

    def offer(self, items: tuple[int, ...], value: float) -> None:
        """Keep a set if it is better."""
        if value > self.value:
            self.items, self.value = items, value

    def proven(self) -> bool:
        """Say whether the engine's bound proves the set, to the tolerance of an engine."""
        return bool(self.items) and self.bound <= self.value + tolerance(self.scale, self.value)

    def outcome(self) -> Outcome:
        """Return the claim of a solver."""
        bound = min(self.bound, self.other_bound)
        if not self.items:
            return Outcome((), -math.inf, bound, Status.UNKNOWN, self.details)
        if bound <= self.value + tolerance(self.scale, self.value):
            return Outcome(self.items, self.value, self.value, Status.OPTIMAL, self.details)
        return Outcome(self.items, self.value, max(bound, self.value), Status.FEASIBLE, self.details)


def solve_in_rounds(
    instance: Instance,
    objective: Objective,
    engine: Engine,
    time_limit: float | None,
    start: Helper | None,
    *,
    integral: bool = False,
) -> Outcome:
    """Return the best set that the rounds of `engine` end with; `integral` asks for integer columns only.

    A round solves a relaxation, so its bound holds. Each cuts off one set for good, so the rounds end; most instances
    need one or two.

    Raises
    ------
    SolverError
        When the engine fails, or claims what a known set contradicts.
    """
    begin = perf_counter()
    best = starting_incumbent(instance, objective, start, time_limit)
    program = cutting_program(instance, objective, integral=integral)
    while True:
        remaining = None if time_limit is None else time_limit - (perf_counter() - begin)
        if remaining is not None and remaining <= 0.0:
            return best.outcome()
        try:
            claim = engine(program, program.encode(best.items) if best.items else None, remaining)
        except EngineTimeoutError:
            if best.items:
                return best.outcome()
            raise
        if claim.status is Status.INFEASIBLE:
            if best.items:
                raise SolverError(f"the engine claims that no set is feasible, but {best.items} is; try another engine")
            return NO_SET
        if not absorb(best, claim, program) or best.proven():
            return best.outcome()


def cutting_program(instance: Instance, objective: Objective, *, integral: bool) -> CuttingProgram:
    """Return the program of an objective."""
    if isinstance(objective, JarObjective):
        return ReducedProgram(instance, objective, integral=integral)
    if isinstance(objective, CrushObjective):
        return CrushProgram(instance, objective, integral=integral)
    raise SolverError(f"there is no program for {type(objective).__name__}; use JarObjective or CrushObjective")


def absorb(best: Incumbent, claim: Claim, program: CuttingProgram) -> bool:
    """Take over what a round found, and cut its set off; say whether another round can improve on it."""
    best.bound = min(best.bound, claim.bound + program.constant)
    best.details = claim.details
    if claim.x is not None:
        items = program.decode(claim.x)
        if len(items) == program.instance.size:
            best.offer(items, program.objective.value(program.instance, items))
    if contradicts(best.bound, best.scale, best.value):
        raise SolverError(
            f"the engine claims the bound {best.bound!r}, but {best.items} is worth {best.value!r}; try another engine"
        )
    return claim.status is Status.OPTIMAL and claim.x is not None and program.cut_off(items)


def starting_incumbent(
    instance: Instance, objective: Objective, start: Helper | None, time_limit: float | None
) -> Incumbent:
    """Return the set of an in-process solver to start from, or none."""
    scale = objective.scale(instance)
    if start is None:
        return Incumbent(scale)
    outcome = start(instance, objective, time_limit)
    if not outcome.items:
        return Incumbent(scale)
    return Incumbent(scale, outcome.items, outcome.value, other_bound=outcome.bound)


def tolerance(scale: float, value: float) -> float:
    """Return how much an engine may be off at a value."""
    return ENGINE_ROUNDING * max(scale, abs(value))


def contradicts(bound: float, scale: float, value: float) -> bool:
    """Say whether a bound lies so far below the value of a known set that no tolerance of an engine explains it."""
    return bound < value - ENGINE_SLACK * max(scale, abs(value))
