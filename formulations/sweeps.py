"""Many problems in one call: all sizes of one instance, or many instances over the cores."""

from __future__ import annotations

import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from formulations.best_sets import Problem
from formulations.coercion import whole_number
from formulations.errors import FormulationError, SolverError
from formulations.objectives.protocol import Objective
from formulations.registry import solver_row
from formulations.solution import Solution
from formulations.solving import check_problem, problem_for, solve_one
from formulations.validation import as_list


def solve_sizes(
    instance: Problem,
    objective: Objective,
    sizes: Iterable[int] | None = None,
    solver: str = "exact",
    *,
    time_limit: float | None = None,
    fallback: str | None = None,
    **options: Any,
) -> dict[int, Solution]:
    """Solve one instance for several numbers of tables, with the arguments of `solve`; the limit is one for each.

    Without `sizes`, these are all from 1, or from the number of required tables, to ``instance.size``. What a solver
    derives from the scores alone is computed once.
    """
    check_problem(instance, objective)
    problem = problem_for(instance, solver)
    if sizes is None:
        sizes = range(max(1, len(problem.require)), problem.size + 1)
    shared = problem.resized(problem.size)
    problems = {size: shared.resized(size) for size in as_list("sizes", sizes, "numbers of tables")}
    arguments = (objective, solver, time_limit, fallback, options)
    return {size: solve_one(resized, *arguments) for size, resized in problems.items()}


def solve_many(
    instances: Iterable[Problem],
    objective: Objective,
    solver: str = "exact",
    *,
    workers: int | None = None,
    on_error: str = "raise",
    time_limit: float | None = None,
    fallback: str | None = None,
    **options: Any,
) -> list[Any]:
    """Solve many instances by threads, with the arguments of `solve`; the time limit is one for each instance.

    The solutions come in the order of the instances, from as many `workers` as there are cores by default. A failure
    is a `SolverError` that names the instance: the first is raised, or with ``on_error="return"`` each stands in the
    place of its solution.
    """
    solver_row(solver)
    if on_error not in ("raise", "return"):
        raise SolverError(f"on_error is {on_error!r}; choose one of raise, return")
    problems = as_list("instances", instances, "instances")
    if workers is None:
        workers = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    threads = whole_number(workers)
    if threads is None or threads < 1:
        raise SolverError(f"workers is {workers!r}; pass a whole number >= 1, or None for one per core")

    def attempt(index: int, problem: Problem) -> Solution | SolverError:
        try:
            return solve_one(problem, objective, solver, time_limit, fallback, options)
        except FormulationError as cause:
            error = SolverError(f"instance {index}: {cause}")
            error.__cause__ = cause
            if on_error == "return":
                return error
            raise error from cause

    with ThreadPoolExecutor(threads, thread_name_prefix="solve_many") as pool:
        # At an error, `map` cancels what has not started.
        return list(pool.map(attempt, range(len(problems)), problems))
