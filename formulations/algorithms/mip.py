"""The program of an objective by python-mip: HiGHS, CBC or Gurobi, in a worker process."""

from __future__ import annotations

import math
from functools import partial

from formulations.algorithms.option import HelperOption, Option
from formulations.instance import Instance
from formulations.objectives.protocol import Objective
from formulations.programs.program import Program, power_of_two
from formulations.programs.rounds import Claim, CuttingProgram, Helper, solve_in_rounds
from formulations.solution import Outcome
from formulations.validation import Array
from formulations.workers.engines import LINEAR_ENGINES, native_engine
from formulations.workers.frames import Frame
from formulations.workers.pool import MOST_THREADS, call_engine

LARGEST_COST = 16.0
"""Costs are scaled by a power of two so that the largest is about this: the scale of the JAR weights."""

OPTIONS = {
    "engine": Option(("highs", "cbc"), choices=LINEAR_ENGINES),
    "threads": Option((0, 2), most=MOST_THREADS),
    "start": HelperOption((None, "local", "greedy"), default="local"),
}


def solve(
    instance: Instance,
    objective: Objective,
    time_limit: float | None,
    *,
    engine: str = "highs",
    threads: int = 1,
    start: Helper | None = None,
) -> Outcome:
    """Return a best set by mixed-integer programming.

    Few columns are integers: those of the items and, in `formulations.programs.crush_program`, those of the counts.
    ``optimal`` is the engine's proof, good to 1e-6 of the scale (`formulations.scale`).

    Parameters
    ----------
    instance, objective, time_limit
        As for `formulations.solve`. An engine that does not keep the limit is stopped `pool.grace` later.
    engine : {"highs", "cbc", "gurobi"}
        Which engine python-mip calls.
    threads : int
        Threads of the engine; 0 leaves the number to it.
    start : callable, optional
        The function of the in-process solver whose set the engine starts from (callers of `formulations.solve` pass
        its name); None for a start from nothing.
    """
    return solve_in_rounds(instance, objective, partial(_round, engine, threads), time_limit, start)


def _round(
    engine: str, threads: int, cutting: CuttingProgram, hint: Array | None, time_limit: float | None
) -> Claim:
    return solve_linear(engine, cutting.program(), hint, time_limit, threads)


def solve_linear(
    engine: str, program: Program, hint: Array | None, time_limit: float | None, threads: int
) -> Claim:
    """Solve a linear program on a worker of an engine."""
    # The tolerances of an engine are absolute: 1e-6 must be little against the costs, and nothing must overflow.
    factor = power_of_two(program, LARGEST_COST)
    arrays = program.arrays() | {"cost": program.cost * factor} | ({} if hint is None else {"hint": hint})
    answer = call_engine(engine, Frame({"time_limit": time_limit, "threads": threads}, arrays), time_limit)
    bound = answer.fields["bound"]
    return Claim(
        native_engine(engine).claim(answer.fields["status"]),
        math.inf if bound is None else bound / factor,
        answer.arrays.get("x"),
    )
