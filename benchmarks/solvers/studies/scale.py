"""Does exact prove its answer over 20 tables, over whole corpora, and over 200 candidates?"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from benchmarks.solvers.bench import Bench, Check, Findings
from benchmarks.solvers.questions import KINDS
from benchmarks.solvers.races import Run
from benchmarks.solvers.summaries import counted, duration, limits, quantile, summarise, summary_grid

SUMMARY = "exact with proof over 20, 75 and 200 tables"
CONTESTANTS = "exact,local,greedy"
SIZES = (5, 10)
CANDIDATES = 20
WITHIN_SECONDS = 5.0


def measure(bench: Bench) -> Findings:
    """Race over 20 candidates and all tables of the small corpora, and over the top of the large one."""
    plan = bench.plan
    contestants = bench.contestants(CONTESTANTS)
    pools = [(name, n) for name in plan.datasets for n in (CANDIDATES, bench.corpus(name).tables)]
    pools += [(plan.union, n) for n in plan.union_sizes if n < bench.corpus(plan.union).tables]
    cases = chain.from_iterable(
        bench.corpus(name).cases(plan.questions, n, SIZES, kind=kind) for kind in KINDS for name, n in pools
    )
    total = plan.questions * len(SIZES) * len(pools) * len(KINDS)
    return tell(bench.race("scale", cases, total, contestants))


def tell(runs: Sequence[Run]) -> Findings:
    """The table and the checks of these runs."""
    summaries = summarise(runs, lambda run: (run.kind, run.n, run.k))
    note = (
        f"Each run has {limits(runs)}. Heuristics prove nothing but where their bound meets their value; their "
        "shortfall is against the optimum."
    )
    exact = [run for run in runs if run.solver == "exact" and run.kind == "paper" and run.k == 10]
    small, bird, large = ([run for run in exact if run.n == n] for n in (CANDIDATES, 75, 200))
    checks = []
    if small:
        checks.append(_times("n = 20, K = 10", small, ((0.5, "median", 0.002), (1.0, "worst", 0.050))))
    if bird:
        checks.append(
            _times("n = 75 (all BIRD tables), K = 10", bird, ((0.5, "median", 0.050), (0.95, "p95", 1.0)))
        )
    if large:
        quick = sum(run.proved and run.seconds <= WITHIN_SECONDS for run in large)
        checks.append(
            Check(
                "exact, n = 200 (top of SpiderUnion), K = 10: proved within 5 s on 90 %",
                f"{100 * quick / len(large):.1f} % of {len(large)}, worst {quantile(counted(large), 1.0)}",
                quick >= 0.9 * len(large),
            )
        )
    return Findings(summary_grid("exact and the heuristics", ("kind", "n", "K"), summaries, note), checks, runs)


def _times(where: str, runs: Sequence[Run], bounds: Sequence[tuple[float, str, float]]) -> Check:
    """All runs proved, and quantiles of their times within bounds."""
    judged = [(name, quantile(counted(runs), share), bound) for share, name, bound in bounds]
    proved = sum(run.proved for run in runs)
    return Check(
        f"exact, {where}: " + ", ".join(f"{name} at most {duration(bound)}" for name, _, bound in judged),
        ", ".join(f"{name} {time}" for name, time, _ in judged) + f"; {proved} of {len(runs)} proved",
        proved == len(runs) and all(time.seconds <= bound for _, time, bound in judged),
    )
