"""How does the time grow with the number of tables?"""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.solvers.bench import Bench, Findings
from benchmarks.solvers.journal import Run
from benchmarks.solvers.summaries import limits, summarise, summary_grid

NAME = "growth"
SUMMARY = "time against the number of candidates out of SpiderUnion, K = 10"
IN_PROCESS = "exact,local,greedy"
ENGINES = "exact,local,greedy,mip:highs,cpsat"
SIZE = 10


def measure(bench: Bench) -> Findings:
    """Race over the same questions with more and more candidates; the engines drop out where they take too long."""
    plan = bench.plan
    corpus = bench.corpus(plan.union)
    runs: list[Run] = []
    for n in plan.growth_sizes:
        contestants = bench.contestants(ENGINES if n <= plan.engine_tables else IN_PROCESS)
        runs += bench.race(NAME, corpus.cases(plan.growth_questions, n, (SIZE,)), plan.growth_questions, contestants)
    return tell(runs)


def tell(runs: Sequence[Run]) -> Findings:
    """The table of these runs."""
    summaries = summarise(runs, lambda run: (run.n,))
    note = f"Each run has {limits(runs)}. The engines are left out where they would take minutes."
    return Findings([summary_grid("Time against the number of tables", ("n",), summaries, note)], [], runs)
