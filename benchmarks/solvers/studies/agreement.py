"""Do solvers that share no code find the same optimum, and how long do they take on the way?"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from benchmarks.solvers.bench import Bench, Check, Findings
from benchmarks.solvers.contestants import start_note
from benchmarks.solvers.races import Run
from benchmarks.solvers.summaries import limits, pairs, small, summarise, summary_grid, value_difference

SUMMARY = "the same optimum from exact, mip and cpsat, at K = 2, 5 and 10 of 20 candidates"
CONTESTANTS = "exact,mip:highs:cold,mip:cbc:cold,cpsat:cold"
SIZES = (2, 5, 10)
CANDIDATES = 20
TOLERANCE = 1e-6
PACKAGE_SHARE = 5
"""Of every so many questions one is also asked with the weights and joins of the package."""


def measure(bench: Bench) -> Findings:
    """Race over the same instances, and compare the proven values."""
    contestants = bench.contestants(CONTESTANTS)
    few = max(1, bench.plan.questions // PACKAGE_SHARE)
    cases = chain.from_iterable(
        bench.corpus(name).cases(count, CANDIDATES, SIZES, kind=kind)
        for kind, count in (("paper", bench.plan.questions), ("package", few))
        for name in bench.plan.datasets
    )
    total = (bench.plan.questions + few) * len(bench.plan.datasets) * len(SIZES)
    return tell(bench.race("agreement", cases, total, contestants))


def tell(runs: Sequence[Run]) -> Findings:
    """The table and the check of these runs."""
    note = (
        f"Each run has {limits(runs)}. {start_note(run.solver for run in runs)} `paper`: score and weights of the "
        "paper, connected sets; `package`: those of the package, joins preferred."
    )
    summaries = summarise(runs, lambda run: (run.kind, run.k))
    worst = max((value_difference(run, other) for run, other in pairs(runs, runs)), default=None)
    proved = ", ".join(f"{summary.solver} {summary.proved}" for summary in summarise(runs, lambda run: ()))
    check = Check(
        f"exact, mip and cpsat: one optimum to {TOLERANCE:g} relative, K = 2, 5, 10 of {CANDIDATES} candidates",
        f"largest difference {small(worst)}, with a proof or without; of {len({run.case for run in runs})} instances "
        f"proved: {proved}",
        worst is not None and worst <= TOLERANCE,
    )
    return Findings(summary_grid(f"{CANDIDATES} candidates", ("kind", "K"), summaries, note), [check], runs)
