"""All contestants on each case in turn, in an order that rotates, so that a slow moment of the machine hits all."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from statistics import median

from benchmarks.solvers.cases import Case
from benchmarks.solvers.contestants import Contestant
from benchmarks.solvers.journal import Journal, Run, run_key
from benchmarks.solvers.processors import Meter
from formulations import Solution, SolverError

QUICK_SECONDS, REPEATS = 0.05, 5
"""A call that takes less is made so many times, and the median counts: one page fault would decide it otherwise."""

Advance = Callable[[int], None]


def race(
    study: str, cases: Iterable[Case], contestants: Sequence[Contestant], journal: Journal, advance: Advance
) -> Iterator[Run]:
    """Run every contestant on every case, but for what the journal has.

    Parameters
    ----------
    study : str
        Part of each run's key: studies share no times.
    cases, contestants
        All are told of each other's names only.
    journal : Journal
        Gets each run as soon as it is made.
    advance : callable
        Told of each run, made or found.
    """
    warm: dict[Contestant, tuple[int, ...]] = {}
    for turn, case in enumerate(cases):
        first = turn % len(contestants)
        for contestant in (*contestants[first:], *contestants[:first]):
            key = run_key(study, case, contestant)
            run = journal.find(key)
            if run is None:
                if contestant not in warm or warm[contestant] != contestant.workers():
                    contestant.warm_up()
                    warm[contestant] = contestant.workers()
                journal.add(run := make_run(key, study, case, contestant))
            advance(1)
            yield run


def make_run(key: str, study: str, case: Case, contestant: Contestant) -> Run:
    """Time one contestant on one case; an engine that fails is a run with an error."""
    times: list[float] = []
    processor: list[float | None] = []
    solution, error = None, ""
    while not times or (times[0] < QUICK_SECONDS and len(times) < REPEATS and solution is not None):
        meter = Meter(contestant.workers())
        start = time.perf_counter()
        try:
            solution = contestant.answer(case)
        except SolverError as cause:
            error = str(cause)
        times.append(time.perf_counter() - start)
        processor.append(meter.seconds(contestant.workers()))
    status, value, bound, gap = _certificate(solution)
    return Run(
        key=key,
        study=study,
        dataset=case.dataset,
        kind=case.kind,
        label=case.label,
        n=case.instance.n,
        m=case.instance.m,
        k=case.instance.size,
        solver=contestant.label,
        exact=contestant.row.exact,
        limit=contestant.time_limit,
        seconds=median(times),
        first_seconds=times[0],
        repeats=len(times),
        status=status,
        value=value,
        bound=bound,
        gap=gap,
        error=error,
        reduction_seconds=case.reduction_seconds,
        processor_seconds=_median(processor),
    )


def _median(seconds: Sequence[float | None]) -> float | None:
    known = [number for number in seconds if number is not None]
    return median(known) if len(known) == len(seconds) else None


def _certificate(solution: Solution | None) -> tuple[str, float, float, float]:
    if solution is None:
        return "error", -math.inf, math.inf, math.inf
    return solution.status.value, solution.value, solution.bound, solution.gap
