"""What does a call of `solve` cost when there is next to nothing to solve?"""

from __future__ import annotations

from time import perf_counter

import numpy as np

from benchmarks.pages.grids import Grid
from benchmarks.solvers.bench import Bench, Check, Findings
from benchmarks.solvers.contestants import Contestant
from benchmarks.solvers.quantiles import duration
from formulations import Instance, JarObjective

NAME = "overhead"
SUMMARY = "solve() on instances of 5 tables"
CONTESTANTS = "exact,local,greedy,enumerate"
TABLES, SIZE, SUBQUERIES = 5, 3, 3
INSTANCES = 20
BOUND = 150e-6


def measure(bench: Bench) -> Findings:
    """Time calls one by one, solvers and instances in turn."""
    contestants = bench.contestants(CONTESTANTS)
    times = _times(contestants, bench.plan.overhead_calls)
    rows = [
        (contestant.label, str(len(found)), *(duration(float(number)) for number in np.percentile(found, (50, 95, 99))))
        for contestant, found in times.items()
    ]
    grid = Grid(
        f"solve() over {TABLES} tables",
        ("solver", "calls", "median", "p95", "p99"),
        rows,
        f"K = {SIZE}, {INSTANCES} random instances in turn; with checks of the arguments and of the answer.",
    )
    middle = float(np.median(times[contestants[0]]))
    check = Check(
        f"exact: solve() over 5 tables takes at most {duration(BOUND)} (median)", duration(middle), middle <= BOUND
    )
    return Findings([grid], [check])


def _times(contestants: list[Contestant], calls: int) -> dict[Contestant, list[float]]:
    objective = JarObjective(connect="require")
    instances = [small_instance(seed) for seed in range(INSTANCES)]
    times: dict[Contestant, list[float]] = {contestant: [] for contestant in contestants}
    for contestant in contestants:
        contestant.warm_up()
    for call in range(calls):
        for contestant, found in times.items():
            instance = instances[call % INSTANCES]
            start = perf_counter()
            contestant.solve(instance, objective)
            found.append(perf_counter() - start)
    return times


def small_instance(seed: int) -> Instance:
    """A dense random instance of a few tables."""
    random = np.random.default_rng(seed)
    weights = np.triu(random.random((TABLES, TABLES)), 1)
    return Instance(random.random(TABLES), random.random((SUBQUERIES, TABLES)), weights + weights.T, SIZE)
