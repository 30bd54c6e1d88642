"""The paper's program, solved as it stands by python-mip, in a worker process: for comparison."""

from __future__ import annotations

import math

from formulations.algorithms.mip import solve_linear
from formulations.algorithms.option import HelperOption, Option
from formulations.columns import ColumnProblem
from formulations.errors import SolverError
from formulations.instance import Instance
from formulations.objectives.jar import JarObjective
from formulations.programs.paper import PaperProgram, column_problem
from formulations.programs.rounds import Claim, Helper, contradicts, tolerance
from formulations.solution import NO_SET, Outcome, Status
from formulations.workers.engines import LINEAR_ENGINES
from formulations.workers.pool import MOST_THREADS
from formulations.workers.process import EngineTimeoutError

MODES = ("require", "ignore")
"""The modes that the paper has: JAR, and JAR-D without joins."""

OPTIONS = {
    "engine": Option(("cbc", "highs"), choices=LINEAR_ENGINES),
    "big_m": Option((None, 1e6), proof=False, least=1.0),
    "threads": Option((0, 2), most=MOST_THREADS),
    "otherwise": HelperOption((None, "greedy", "local"), default="greedy"),
}


def supports(problem: Instance | ColumnProblem, objective: JarObjective) -> str | None:
    """Say why the paper's program does not fit: it lacks the mode of connectedness."""
    if objective.connect in MODES:
        return None
    return f"has no connect={objective.connect!r}; the paper's program has {' and '.join(MODES)}"


def solve(
    problem: Instance | ColumnProblem,
    objective: JarObjective,
    time_limit: float | None,
    *,
    engine: str = "cbc",
    big_m: float | None = None,
    threads: int = 1,
    otherwise: Helper | None = None,
) -> Outcome:
    """Return what the engine makes of the paper's program.

    Parameters
    ----------
    problem : ColumnProblem or Instance
        Tables with columns; an instance counts as tables with one column each.
    objective, time_limit
        As for `formulations.solve`. An engine that does not keep the limit is stopped `pool.grace` later.
    engine : {"cbc", "highs", "gurobi"}
        Which engine python-mip calls.
    big_m : float, optional
        Use the paper's constant (1,000,000) in (14) and (15). What an engine then calls optimal may not be, so the
        status is ``feasible``, and the bound is that of the solver "greedy".
    threads : int
        Threads of the engine; 0 leaves the number to it.
    otherwise : callable, optional
        The function of the in-process solver whose set is the answer where the engine found none within the limit
        (callers of `formulations.solve` pass its name). The engine starts from nothing all the same, as in the paper.
        None: no set then, and the status ``unknown``.

    Raises
    ------
    SolverError
        When the engine fails.
    """
    columns = column_problem(problem) if isinstance(problem, Instance) else problem
    instance = problem if isinstance(problem, Instance) else problem.reduce().instance
    paper = PaperProgram(columns, instance, objective, big_m)
    try:
        claim = solve_linear(engine, paper.program, None, time_limit, threads)
    except EngineTimeoutError:
        if otherwise is None:
            raise
        claim = Claim(Status.UNKNOWN, math.inf, None)
    if claim.x is None:
        return NO_SET if claim.status is Status.INFEASIBLE else _without_set(instance, objective, claim, otherwise)
    return _outcome(instance, objective, claim, paper.decode(claim.x), trusted=big_m is None)


def _without_set(instance: Instance, objective: JarObjective, claim: Claim, otherwise: Helper | None) -> Outcome:
    if otherwise is None:
        return Outcome((), -math.inf, claim.bound, claim.status)
    outcome = otherwise(instance, objective, 0.0)
    return outcome._replace(bound=max(outcome.value, min(outcome.bound, claim.bound)))


def _outcome(
    instance: Instance, objective: JarObjective, claim: Claim, items: tuple[int, ...], *, trusted: bool
) -> Outcome:
    value = objective.value(instance, items) if len(items) == instance.size else -math.inf
    if value == -math.inf:
        raise SolverError(f"the engine returned {items}, which is no feasible set; leave big_m out")
    if not trusted:
        from formulations.algorithms import greedy

        valid = greedy.solve(instance, objective, 0.0)
        return Outcome(items, value, max(value, valid.bound), Status.FEASIBLE)
    scale = objective.scale(instance)
    if contradicts(claim.bound, scale, value):
        raise SolverError(f"the engine claims the bound {claim.bound!r} for a set that is worth {value!r}")
    if claim.status is Status.OPTIMAL and claim.bound <= value + tolerance(scale, value):
        return Outcome(items, value, value, Status.OPTIMAL)
    return Outcome(items, value, max(value, claim.bound), Status.FEASIBLE)
