"""The program of an objective by CP-SAT, over integers, in a worker process."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np

from formulations.algorithms.option import HelperOption, Option
from formulations.instance import Instance
from formulations.objectives.protocol import Objective
from formulations.programs.program import Program, power_of_two
from formulations.programs.rounds import Claim, CuttingProgram, Helper, solve_in_rounds
from formulations.solution import Outcome
from formulations.validation import Array
from formulations.workers.engines import native_engine
from formulations.workers.frames import Frame
from formulations.workers.pool import MOST_THREADS, call_engine

LARGEST_COST = 2.0**32
"""Costs are scaled by a power of two so that the largest is about this, with errors of 1e-10 of it."""

LARGEST_SUM = 2.0**53
"""They are scaled by less where what a solution costs could be more than this: larger integers are no exact floats."""

OPTIONS = {
    "threads": Option((0, 2), most=MOST_THREADS),
    "start": HelperOption((None, "local", "greedy"), default="local"),
}


def solve(
    instance: Instance,
    objective: Objective,
    time_limit: float | None,
    *,
    threads: int = 1,
    start: Helper | None = None,
) -> Outcome:
    """Return a best set by constraint programming.

    CP-SAT counts in integers: the costs are scaled and rounded once, and the most that rounding can hide in a set is
    added to the bound and reported as ``scaling_error`` in the details. The value is computed anew in floating point.

    Parameters
    ----------
    instance, objective, time_limit
        As for `formulations.solve`. An engine that does not keep the limit is stopped `pool.grace` later.
    threads : int
        Threads of the engine; 0 leaves the number to it. With one, the answer is the same in each run.
    start : callable, optional
        The function of the in-process solver whose set the engine starts from (callers of `formulations.solve` pass
        its name); None for a start from nothing.
    """
    return solve_in_rounds(instance, objective, partial(_round, threads), time_limit, start, integral=True)


def _round(threads: int, cutting: CuttingProgram, hint: Array | None, time_limit: float | None) -> Claim:
    program, scale, errors = scaled(cutting.program())
    error = cutting.most(errors)
    arrays = program.arrays() | ({} if hint is None else {"hint": hint})
    answer = call_engine("cpsat", Frame({"time_limit": time_limit, "threads": threads}, arrays), time_limit)
    bound = answer.fields["bound"]
    return Claim(
        native_engine("cpsat").claim(answer.fields["status"]),
        math.inf if bound is None else bound / scale + error,
        answer.arrays.get("x"),
        {"scaling_error": error},
    )


def scaled(program: Program) -> tuple[Program, float, Array]:
    """Return the program with integer costs, the scale, and by how much each cost was changed by rounding."""
    scale = power_of_two(program, LARGEST_COST)
    most = scale * float(np.abs(program.cost) @ np.maximum(np.abs(program.lower), np.abs(program.upper)))
    if most > LARGEST_SUM:
        scale *= 2.0 ** -math.ceil(math.log2(most / LARGEST_SUM))
    costs = np.rint(program.cost * scale)
    return replace(program, cost=costs), scale, np.abs(program.cost - costs / scale)
