"""Solve an instance by the name of a solver, and let nothing out that does not verify."""

from __future__ import annotations

import inspect
import math
from time import perf_counter
from typing import Any

from formulations.columns import ColumnProblem
from formulations.errors import SolverError, UnknownSolverError
from formulations.instance import Instance
from formulations.objective import JarObjective
from formulations.registry import SolverFunction, load_solver, solver_row
from formulations.solution import Outcome, Solution, Status
from formulations.verification import Evaluation, check_measures, check_set, close, evaluate


def solve(
    instance: Instance | ColumnProblem,
    objective: JarObjective,
    solver: str = "exact",
    *,
    time_limit: float | None = None,
    fallback: str | None = None,
    **options: Any,
) -> Solution:
    """Select ``instance.size`` tables that maximise the objective.

    Parameters
    ----------
    instance : Instance or ColumnProblem
        The tables and their scores. A column-level problem is reduced for all solvers that do not take columns.
    objective : JarObjective
        What a set is worth, and whether it must be connected.
    solver : str
        A name from `solvers()`.
    time_limit : float, optional
        Seconds after which the solver stops with what it has. The best set so far is returned with a valid bound and
        the status ``feasible``.
    fallback : str, optional
        Who answers when `solver` is missing, fails or refuses; the result then names both: ``"mip->exact"``.
    **options
        Options of the solver, as its module documents them.

    Returns
    -------
    Solution
        Evaluated and checked by `verify`, which shares no code with the solvers.

    Raises
    ------
    UnknownSolverError, SolverNotInstalledError
        With the known names, or the install line.
    SolverError
        When the solver fails, refuses the instance or an option, or returns a solution that does not verify.
    """
    start = perf_counter()
    if fallback is not None:
        solver_row(fallback)
    given = instance
    if isinstance(instance, ColumnProblem):
        instance = instance.reduce().instance
        given = given if solver_row(solver).columns else instance
    try:
        outcome = _outcome(given, objective, solver, time_limit, options)
    except SolverError as cause:
        if fallback is None or isinstance(cause, UnknownSolverError):
            raise
        outcome = _outcome(instance, objective, fallback, time_limit, {})
        solver = f"{solver}->{fallback}"
    check_set(instance, outcome.items, outcome.status)
    if not outcome.items:
        return _empty(outcome, solver, start)
    evaluation = evaluate(instance, objective, outcome.items)
    solution = _solution(instance, outcome, evaluation, solver, start)
    check_measures(objective, solution, evaluation)
    return solution


def warm_up() -> None:
    """Compile the solvers, or load their machine code, so that the next call of `solve` takes its usual time.

    The first time after an installation this takes some ten seconds; afterwards, half a second per process.
    """
    instance = Instance([1.0, 0.5, 0.0], [[0.0, 1.0, 0.5]], [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]], 2)
    for name in ("exact", "local"):
        solve(instance, JarObjective(), name)


def _outcome(
    instance: Instance | ColumnProblem,
    objective: JarObjective,
    solver: str,
    time_limit: float | None,
    options: dict[str, Any],
) -> Outcome:
    run = load_solver(solver)
    _check_arguments(solver, run, time_limit, options)
    return run(instance, objective, time_limit, **options)


def _check_arguments(solver: str, run: SolverFunction, time_limit: float | None, options: dict[str, Any]) -> None:
    if time_limit is not None and not time_limit >= 0.0:
        raise SolverError(f"time_limit is {time_limit!r}; pass seconds >= 0, or None for no limit")
    if options:
        known = list(inspect.signature(run).parameters)[3:]
        unknown = sorted(set(options) - set(known))
        if unknown:
            listing = ", ".join(known) or "none"
            raise SolverError(f"solver {solver!r} has no option {unknown[0]!r}; its options: {listing}")


def _solution(instance: Instance, outcome: Outcome, evaluation: Evaluation, solver: str, start: float) -> Solution:
    """Return the solution with the evaluated value, after comparing it with what the solver claims."""
    items, claim, bound, status = outcome
    value, edges, components = evaluation
    if not close(claim, value):
        raise SolverError(f"solver {solver!r} claims the value {claim!r} for a set that is worth {value!r}")
    if not bound >= value and not close(bound, value):
        raise SolverError(f"solver {solver!r} claims the bound {bound!r}, which is below the value {value!r}")
    # What rounding leaves between an optimal value and its bound is no gap.
    bound = value if status is Status.OPTIMAL and close(bound, value) else max(bound, value)
    return Solution(
        items=items,
        ids=tuple([instance.ids[item] for item in items]),
        value=value,
        bound=bound,
        gap=(bound - value) / max(abs(value), 1e-12),
        status=status,
        edges=edges,
        solver=solver,
        seconds=perf_counter() - start,
        connected=len(components) == 1,
        components=components,
    )


def _empty(outcome: Outcome, solver: str, start: float) -> Solution:
    """Return the solution without tables: nothing is feasible, or nothing was found in time."""
    infeasible = outcome.status is Status.INFEASIBLE
    return Solution(
        items=(),
        ids=(),
        value=-math.inf,
        bound=-math.inf if infeasible else outcome.bound,
        gap=0.0 if infeasible else math.inf,
        status=outcome.status,
        edges=(),
        solver=solver,
        seconds=perf_counter() - start,
        connected=False,
        components=(),
    )
