"""What is known within a second of a thousand tables?"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from benchmarks.pages.grids import Grid
from benchmarks.solvers.bench import Bench, Check, Findings
from benchmarks.solvers.questions import KINDS
from benchmarks.solvers.races import Run
from benchmarks.solvers.summaries import counted, limits, quantile, share
from benchmarks.solvers.synthetic import KINDS as SYNTHETIC_KINDS
from benchmarks.solvers.synthetic import synthetic_cases

SUMMARY = "exact within a second on all tables of SpiderUnion and on synthetic instances of 1000 tables, K = 10"
SIZE = 10
GAP, SHARE = 0.01, 0.95
HEADER = (
    "instances", "kind", "n", "solver", "runs", "proved", "gap at most 1 %", "median gap", "largest gap", "median",
    "p95", "longest call",
)  # fmt: skip


def measure(bench: Bench) -> Findings:
    """Race with a limit of a second; the gap is that of each answer's own certificate."""
    plan = bench.plan
    contestants = bench.contestants("exact", plan.large_limit)
    corpus = bench.corpus(plan.union)
    real = chain.from_iterable(
        corpus.cases(plan.questions, max(plan.union_sizes), (SIZE,), kind=kind) for kind in KINDS
    )
    made = synthetic_cases(plan.synthetic, plan.synthetic_tables, SIZE)
    total = plan.questions * len(KINDS) + plan.synthetic * len(SYNTHETIC_KINDS)
    return tell(bench.race("thousand", chain(real, made), total, contestants))


def tell(runs: Sequence[Run]) -> Findings:
    """The table and the checks of these runs."""
    groups: dict[tuple[str, ...], list[Run]] = {}
    for run in runs:
        groups.setdefault((run.dataset, run.kind, str(run.n), run.solver), []).append(run)
    note = (
        f"K = {SIZE}, {limits(runs)} for each run. The gap is the answer's own, (bound - value) / value. Median and "
        "p95 count runs without proof at the limit; the longest call is the wall-clock time that the caller waited."
    )
    rows = [(*group, *_cells(members)) for group, members in groups.items()]
    grid = Grid(f"A thousand tables, {limits(runs)}", HEADER, rows, note)
    real, made = ([run for run in runs if (run.dataset == "synthetic") == is_made] for is_made in (False, True))
    parts = {"all tables of SpiderUnion, K = 10": real, "synthetic, n = 1000, K = 10": made}
    return Findings(grid, [_check(where, members) for where, members in parts.items() if members], runs)


def _cells(runs: Sequence[Run]) -> tuple[str, ...]:
    gaps = sorted(run.gap for run in runs)
    times = counted(runs)
    return (
        str(len(runs)),
        str(sum(run.proved for run in runs)),
        share(sum(gap <= GAP for gap in gaps) / len(runs), 1),
        share(gaps[(len(gaps) - 1) // 2]),
        share(gaps[-1]),
        str(quantile(times, 0.5)),
        str(quantile(times, 0.95)),
        f"{max(run.seconds for run in runs):.2f} s",
    )


def _check(where: str, runs: Sequence[Run]) -> Check:
    close = sum(run.gap <= GAP for run in runs)
    return Check(
        f"exact, {where}: gap at most 1 % within 1 s on 95 %",
        f"{100 * close / len(runs):.1f} % of {len(runs)}, longest call {max(run.seconds for run in runs):.2f} s",
        close >= SHARE * len(runs),
    )
