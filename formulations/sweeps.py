"""Many problems in one call: all sizes of one instance, or many instances over the cores."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Literal, overload

from formulations.coercion import whole_number
from formulations.columns import ColumnProblem
from formulations.errors import FormulationError, SolverError
from formulations.instance import Instance
from formulations.objectives.protocol import Objective
from formulations.registry import solver_row
from formulations.solution import Solution
from formulations.solving import check_problem, problem_for, solve_one
from formulations.validation import as_list


def solve_sizes(
    instance: Instance | ColumnProblem,
    objective: Objective,
    sizes: Iterable[int] | None = None,
    solver: str = "exact",
    *,
    time_limit: float | None = None,
    fallback: str | None = None,
    **options: Any,
) -> dict[int, Solution]:
    """Solve one instance for several numbers of tables.

    The arrays that a solver derives from the scores (weights, lists of joins) are made once for all sizes, as the
    reduction of columns is; where sets are found in a millisecond, they are much of the time. The searches themselves
    start anew: the best set of the size before would spare `exact` no steps, since they go into the bound.

    Parameters
    ----------
    instance, objective, solver, fallback, **options
        As for `solve`; ``instance.size`` only limits the default of `sizes`.
    sizes : iterable of int, optional
        Numbers of tables K. By default all from 1, or from the number of required tables, to ``instance.size``.
    time_limit : float, optional
        Seconds for each size.

    Returns
    -------
    dict of int to Solution
        One solution per size, in the order of `sizes`; some may be infeasible.

    Raises
    ------
    InvalidInstanceError
        When a size is out of range: less than the required tables, or more than those not excluded.
    SolverError
        As for `solve`.
    """
    check_problem(instance, objective)
    given = problem_for(instance, solver)
    if sizes is None:
        sizes = range(max(1, len(given.require)), given.size + 1)
    wanted = as_list("sizes", sizes, "numbers of tables")
    first = given.resized(given.size)
    problems = {size: first.resized(size) for size in wanted}
    return {
        size: solve_one(problem, objective, solver, time_limit, fallback, options) for size, problem in problems.items()
    }


@overload
def solve_many(
    instances: Iterable[Instance | ColumnProblem],
    objective: Objective,
    solver: str = ...,
    *,
    workers: int | None = ...,
    on_error: Literal["raise"] = ...,
    time_limit: float | None = ...,
    fallback: str | None = ...,
    **options: Any,
) -> list[Solution]: ...
@overload
def solve_many(
    instances: Iterable[Instance | ColumnProblem],
    objective: Objective,
    solver: str = ...,
    *,
    workers: int | None = ...,
    on_error: Literal["return"],
    time_limit: float | None = ...,
    fallback: str | None = ...,
    **options: Any,
) -> list[Solution | SolverError]: ...
def solve_many(
    instances: Iterable[Instance | ColumnProblem],
    objective: Objective,
    solver: str = "exact",
    *,
    workers: int | None = None,
    on_error: Literal["raise", "return"] = "raise",
    time_limit: float | None = None,
    fallback: str | None = None,
    **options: Any,
) -> list[Solution] | list[Solution | SolverError]:
    """Solve many instances over the cores, by threads.

    The compiled search of `exact`, `greedy` and `local` runs outside of Python's lock, and the native engines in
    processes of their own; building arrays and checking solutions does not. Of the time of `exact` the search is some
    40 % at 20 tables, 65 % at 80 and 90 % at 150 (10, 10 and 20 selected): for instances of a fraction of a millisecond
    a loop (``workers=1``) may be faster. Instances that come from one by `Instance.resized` or `Instance.restricted`
    share the arrays that a solver derives from the scores.

    Parameters
    ----------
    instances : iterable of Instance or ColumnProblem
        The problems.
    objective, solver, fallback, **options
        As for `solve`, the same for all.
    workers : int, optional
        Number of threads; by default one for each core that this process may use.
    on_error : {"raise", "return"}
        ``raise`` stops with the first error in the order of the instances, ``return`` puts the error in the place of
        the solution. Its message names the index, its cause is the original error.
    time_limit : float, optional
        Seconds for each instance.

    Returns
    -------
    list of Solution
        In the order of the instances, whatever the order in which they are solved.

    Raises
    ------
    UnknownSolverError
        Before anything is solved.
    SolverError
        ``instance 3: ...``, when an instance fails; when `workers` or `on_error` is out of range.
    """
    solver_row(solver)
    if on_error not in ("raise", "return"):
        raise SolverError(f"on_error is {on_error!r}; choose one of raise, return")
    problems = as_list("instances", instances, "instances")
    threads = _threads(workers, len(problems))

    def solve_problem(problem: Instance | ColumnProblem) -> Solution:
        return solve_one(problem, objective, solver, time_limit, fallback, options)

    attempt = partial(_attempt, solve_problem, on_error == "return")
    if threads == 1:
        return [attempt(index, problem) for index, problem in enumerate(problems)]
    with ThreadPoolExecutor(threads, thread_name_prefix="solve_many") as pool:
        # At an error, `map` cancels what has not started.
        return list(pool.map(attempt, range(len(problems)), problems))


def _attempt(
    solve_problem: Callable[[Instance | ColumnProblem], Solution],
    keep: bool,
    index: int,
    problem: Instance | ColumnProblem,
) -> Solution | SolverError:
    """Return the solution, or with `keep` the error, of one problem among many."""
    try:
        return solve_problem(problem)
    except FormulationError as cause:
        error = SolverError(f"instance {index}: {cause}")
        error.__cause__ = cause
        if keep:
            return error
        raise error from cause


def _threads(workers: int | None, problems: int) -> int:
    """Return the number of threads, by default one for each core that this process may use; no more than problems."""
    if workers is None:
        workers = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    number = whole_number(workers)
    if number is None or number < 1:
        raise SolverError(f"workers is {workers!r}; pass a whole number >= 1, or None for one per core")
    return max(1, min(number, problems))
