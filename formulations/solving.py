"""Solve an instance by the name of a solver, and let nothing out that does not verify."""

from __future__ import annotations

import inspect
import math
from time import perf_counter
from typing import Any

from formulations.errors import SolverError
from formulations.instance import Instance
from formulations.objective import JarObjective
from formulations.registry import SolverFunction, load_solver
from formulations.solution import Outcome, Solution, Status, relative_gap
from formulations.verification import spanning_forest, verify


def solve(
    instance: Instance,
    objective: JarObjective,
    solver: str = "exact",
    *,
    time_limit: float | None = None,
    **options: Any,
) -> Solution:
    """Select ``instance.size`` tables that maximise the objective.

    Parameters
    ----------
    instance : Instance
        The tables and their scores.
    objective : JarObjective
        What a set is worth, and whether it must be connected.
    solver : str
        A name from `solvers()`.
    time_limit : float, optional
        Seconds after which the solver stops with what it has. The best set so far is returned with a valid bound and
        the status ``feasible``.
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
    run = load_solver(solver)
    _check_arguments(solver, run, time_limit, options)
    outcome = run(instance, objective, time_limit, **options)
    solution = _evaluated(instance, objective, outcome, solver, start)
    verify(instance, objective, solution)
    return solution


def _check_arguments(solver: str, run: SolverFunction, time_limit: float | None, options: dict[str, Any]) -> None:
    if time_limit is not None and not time_limit >= 0.0:
        raise SolverError(f"time_limit is {time_limit!r}; pass seconds >= 0, or None for no limit")
    if options:
        known = list(inspect.signature(run).parameters)[3:]
        unknown = sorted(set(options) - set(known))
        if unknown:
            listing = ", ".join(known) or "none"
            raise SolverError(f"solver {solver!r} has no option {unknown[0]!r}; its options: {listing}")


def _evaluated(
    instance: Instance, objective: JarObjective, outcome: Outcome, solver: str, start: float
) -> Solution:
    """Return the solution of an outcome; every number but the bound is computed here, from the set alone."""
    items, bound, status = outcome
    if not items:
        gap = 0.0 if status is Status.INFEASIBLE else math.inf
        bound = -math.inf if status is Status.INFEASIBLE else bound
        return Solution((), (), -math.inf, bound, gap, status, (), solver, perf_counter() - start, False, ())
    value = objective.value(instance, items)
    edges, components = spanning_forest(instance, items)
    # An optimal bound that rounding put a hair off the value is the value.
    bound = value if status is Status.OPTIMAL else max(bound, value)
    return Solution(
        items=items,
        ids=tuple([instance.ids[item] for item in items]),
        value=value,
        bound=bound,
        gap=relative_gap(value, bound),
        status=status,
        edges=edges,
        solver=solver,
        seconds=perf_counter() - start,
        connected=len(components) == 1,
        components=components,
    )
