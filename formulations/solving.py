"""Solve a problem by the name of a solver, and verify every solution before it is returned."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any, overload

from formulations.algorithms.option import HelperOption, Option
from formulations.best_sets import best_sets
from formulations.checks.verification import Evaluation, check_claim, check_set, evaluate, verify
from formulations.coercion import real_number, whole_number
from formulations.columns import ColumnProblem
from formulations.errors import SolverError, SolverOptionError, SolverRefusalError, UnknownSolverError
from formulations.instance import Instance
from formulations.kernels.dispatch import kernel_named, search_name
from formulations.objectives.jar import JarObjective
from formulations.objectives.protocol import Objective
from formulations.off_clock import Clock, off_the_clock
from formulations.registry import load_solver, refusal, solver_row, solvers
from formulations.scale import close
from formulations.solution import Outcome, Solution, Status

BY_DEFAULT = JarObjective()
"""The objective where none is given."""


@overload
def solve(
    instance: Instance | ColumnProblem,
    objective: Objective = ...,
    solver: str = ...,
    *,
    time_limit: float | None = ...,
    fallback: str | None = ...,
    solutions: None = ...,
    **options: Any,
) -> Solution: ...
@overload
def solve(
    instance: Instance | ColumnProblem,
    objective: Objective = ...,
    solver: str = ...,
    *,
    time_limit: float | None = ...,
    fallback: str | None = ...,
    solutions: int,
    **options: Any,
) -> list[Solution]: ...
def solve(
    instance: Instance | ColumnProblem,
    objective: Objective = BY_DEFAULT,
    solver: str = "exact",
    *,
    time_limit: float | None = None,
    fallback: str | None = None,
    solutions: int | None = None,
    **options: Any,
) -> Solution | list[Solution]:
    """Select ``instance.size`` items (tables, or columns) that maximise the objective.

    Parameters
    ----------
    instance : Instance or ColumnProblem
        The tables and their scores. A column-level problem is reduced for all solvers that do not take columns.
    objective : JarObjective or CrushObjective
        What a set is worth, and whether it must be connected; by default `JarObjective()`.
    solver : str
        A name from `solvers()`.
    time_limit : float, optional
        Seconds after which the solver stops with what it has. The best set so far is returned with a valid bound and
        the status ``feasible``.
    fallback : str, optional
        Who answers when `solver` is missing, fails or refuses; the result then names both: ``"mip->exact"``.
    solutions : int, optional
        Return a list of so many best sets, in order, as `solve_best` does.
    **options
        Options of the solver, as its module documents them.

    Returns
    -------
    Solution
        Evaluated and checked by `verify`, which shares no code with the solvers. A list of them with `solutions`.

    Raises
    ------
    UnknownSolverError, SolverNotInstalledError
        With the known names, or the install line.
    SolverError
        When the solver fails, refuses the instance or an option, or returns a solution that does not verify.
    """
    if solutions is not None:
        return solve_best(instance, objective, solutions, solver, time_limit=time_limit, fallback=fallback, **options)
    return solve_one(instance, objective, solver, time_limit, fallback, options)


def solve_best(
    instance: Instance | ColumnProblem,
    objective: Objective,
    solutions: int,
    solver: str = "exact",
    *,
    time_limit: float | None = None,
    fallback: str | None = None,
    **options: Any,
) -> list[Solution]:
    """Select the best sets, all different, each with a proof that no other one comes before it.

    At most 1 + (solutions - 1) K times the work of `solve`; `formulations.best_sets` has the method (Lawler 1972).

    Parameters
    ----------
    instance, objective, solver, time_limit, fallback, **options
        As for `solve`. The solver, and the fallback, must be exact; the time limit is one for all sets together.
    solutions : int
        How many sets, at least 1.

    Returns
    -------
    list of Solution
        By value, descending; the same call gives the same order, also of ties. Fewer than `solutions` where there are
        no more, none where no set satisfies the constraints. The ``bound`` of each is one on all sets that do not come
        before it. At a limit, the last one is the first without proof: ``feasible``, or ``unknown`` without tables.

    Raises
    ------
    SolverError
        As for `solve`; when the solver is not exact; when `solutions` is less than 1.
    """
    number = whole_number(solutions)
    if number is None or number < 1:
        raise SolverOptionError(f"solutions is {solutions!r}; pass a whole number >= 1")
    time_limit = _seconds(time_limit)
    check_problem(instance, objective)
    for name in (solver, fallback):
        if name is not None and not solver_row(name).exact:
            proving = ", ".join(row.name for row in solvers() if row.exact)
            raise SolverRefusalError(f"solver {name!r} proves no set to be the next best; use one of {proving}")
    deadline = math.inf if time_limit is None else perf_counter() + time_limit
    given = problem_for(instance, solver)

    def solve_part(part: Instance | ColumnProblem) -> Solution:
        left = None if time_limit is None else max(0.0, deadline - perf_counter())
        return solve_one(part, objective, solver, left, fallback, options)

    best = best_sets(given, number, solve_part, deadline)
    reduced = given.reduce().instance if isinstance(given, ColumnProblem) else given
    for solution in best:
        verify(reduced, objective, solution)
    return best


def problem_for(instance: Instance | ColumnProblem, solver: str) -> Instance | ColumnProblem:
    """Return the problem as a solver takes it: reduced, unless the solver is one for columns."""
    if isinstance(instance, ColumnProblem) and not solver_row(solver).columns:
        return instance.reduce().instance
    return instance


def solve_one(
    instance: Instance | ColumnProblem,
    objective: Objective,
    solver: str,
    time_limit: float | None,
    fallback: str | None,
    options: dict[str, Any],
) -> Solution:
    """Return one best set: `solve` without the choice of how many."""
    clock = Clock()
    time_limit = _seconds(time_limit)
    check_problem(instance, objective)
    if fallback is not None:
        solver_row(fallback)
    given = instance
    if isinstance(instance, ColumnProblem):
        instance = instance.reduce().instance
        given = given if solver_row(solver).columns else instance
    try:
        outcome = _outcome(given, objective, solver, time_limit, options)
    except SolverError as cause:
        if fallback is None or isinstance(cause, (UnknownSolverError, SolverOptionError)):
            raise
        outcome = _outcome(instance, objective, fallback, time_limit, {})
        solver = f"{solver}->{fallback}"
    check_set(instance, outcome.items, outcome.status)
    if not outcome.items:
        return _empty(outcome, solver, clock.seconds())
    evaluation = evaluate(instance, objective, outcome.items)
    check_claim(instance, objective, solver, outcome, evaluation)
    return _solution(instance, outcome, evaluation, solver, clock.seconds())


def warm_up(objective: Objective | None = None) -> None:
    """Compile the solvers, or read their machine code, and wait for it.

    Without this call nobody waits: `solve` runs plain Python first, ten to fifty times slower and with the same
    answers, and has machine code made by another process when that pays. The first time after an installation
    compiling takes ten to thirty seconds, which the logger ``formulations`` says; afterwards half a second per process.
    Without numba, which the extra ``compiled`` brings, there is no machine code, and this call only loads the solvers.

    Parameters
    ----------
    objective : JarObjective or CrushObjective, optional
        For which objective; by default the first.
    """
    objective = JarObjective() if objective is None else objective
    kernel_named(search_name(objective)).KIT.compile()
    instance = Instance([1.0, 0.5, 0.0], [[0.0, 1.0, 0.5]], [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]], 2)
    for name in ("exact", "local"):
        solve(instance, objective, name)


def _outcome(
    instance: Instance | ColumnProblem,
    objective: Objective,
    solver: str,
    time_limit: float | None,
    options: dict[str, Any],
) -> Outcome:
    reason = refusal(solver_row(solver), objective)
    if reason is None:
        with off_the_clock():
            run, supports, known = load_solver(solver, objective.name)
        options = _converted(solver, known, options)
        reason = supports(instance, objective)
    if reason is not None:
        raise SolverRefusalError(f"solver {solver!r} {reason}{_remedy(instance, objective)}")
    return run(instance, objective, time_limit, **options)


def _remedy(instance: Instance | ColumnProblem, objective: Objective) -> str:
    """Return the end of a refusal: which solvers take the problem."""
    able = [row.name for row in solvers() if row.installed() and row.supports(instance, objective) is None]
    return f"; solvers that take it: {', '.join(able)}" if able else "; no installed solver takes it"


def _converted(solver: str, known: Mapping[str, Option], options: dict[str, Any]) -> dict[str, Any]:
    """Return the options as Python's own numbers and words, and for the name of a helping solver its function."""
    converted: dict[str, Any] = {
        name: _helper(option.default) for name, option in known.items() if isinstance(option, HelperOption)
    }
    for name, value in options.items():
        if name not in known:
            listing = ", ".join(known) or "none"
            raise SolverOptionError(f"solver {solver!r} has no option {name!r}; its options: {listing}")
        try:
            option = known[name]
            word = option.convert(value)
            converted[name] = _helper(word) if isinstance(option, HelperOption) else word
        except ValueError as cause:
            raise SolverOptionError(f"option {name!r} of solver {solver!r} is {value!r}; pass {cause}") from None
    return converted


def _helper(name: Any) -> Callable[..., Outcome] | None:
    """Return the function of an in-process solver, which is imported when it is called."""
    if name is None:
        return None

    def solve_by_name(instance: Instance, objective: Objective, time_limit: float | None) -> Outcome:
        return load_solver(name, objective.name).solve(instance, objective, time_limit)

    return solve_by_name


def _seconds(time_limit: Any) -> float | None:
    """Return the time limit as a float; None where there is no limit."""
    if time_limit is None:
        return None
    seconds = real_number(time_limit)
    if seconds is None or not seconds >= 0.0:
        raise SolverOptionError(f"time_limit is {time_limit!r}; pass seconds >= 0, or None for no limit")
    return seconds if seconds < math.inf else None


def check_problem(instance: Any, objective: Any) -> None:
    """Raise `SolverError` unless it is a problem with an objective."""
    if not isinstance(instance, (Instance, ColumnProblem)):
        raise SolverError(f"the problem is a {type(instance).__name__}; pass an Instance or a ColumnProblem")
    if isinstance(objective, type) or not hasattr(objective, "name"):
        what = objective.__name__ if isinstance(objective, type) else type(objective).__name__
        raise SolverError(f"the objective is {what}; pass a JarObjective(...) or a CrushObjective(...)")


def _solution(
    instance: Instance, outcome: Outcome, evaluation: Evaluation, solver: str, seconds: float
) -> Solution:
    """Return the solution: the set and bound of the solver with the value, joins and components of the evaluation."""
    items, _, bound, status, details = outcome
    value, edges, components = evaluation
    # Where rounding alone separates an optimal value from its bound, there is no gap. Where it is larger numbers that
    # cancel out, the gap is reported.
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
        seconds=seconds,
        connected=len(components) == 1,
        components=components,
        details=dict(details),
    )


def _empty(outcome: Outcome, solver: str, seconds: float) -> Solution:
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
        seconds=seconds,
        connected=False,
        components=(),
        details=dict(outcome.details),
    )
