"""How long does the paper's program take, beside its reduction and the search without an engine?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from statistics import median

from benchmarks.solvers.bench import Bench, Check, Findings
from benchmarks.solvers.races import Run
from benchmarks.solvers.summaries import duration, limits, small, summarise, summary_grid

SUMMARY = "the paper's program on CBC and HiGHS against its reduction and exact, 20 candidates"
FAST = "exact,mip:highs,mip:cbc,cpsat"
PAPER = "paper-mip:cbc,paper-mip:highs"
CANDIDATES = 20
JUDGED_SIZE = 5
TOLERANCE = 1e-6
FACTORS = (
    (("paper-mip:cbc",), "exact", 10_000),
    (("mip:highs", "mip:cbc", "cpsat"), "exact", 100),
    (("paper-mip:cbc",), "mip:cbc", 20),
    (("paper-mip:highs",), "mip:highs", 20),
)
"""How many times as fast as the fastest of some solvers another shall be."""


def measure(bench: Bench) -> Findings:
    """Race over column-level problems: the paper's program gets the columns, all others the reduced instance.

    All questions of one size come before those of the next.
    """
    contestants = bench.contestants(FAST) + bench.contestants(PAPER, bench.plan.paper_limit)
    cases = chain.from_iterable(
        bench.corpus(name).cases(count, CANDIDATES, (size,), columns=True)
        for size, count in bench.plan.paper_questions
        for name in bench.plan.datasets
    )
    total = sum(count for _, count in bench.plan.paper_questions) * len(bench.plan.datasets)
    return tell(bench.race("paper", cases, total, contestants))


def tell(runs: Sequence[Run]) -> Findings:
    """The table and the checks of these runs."""
    slow, fast = ([run for run in runs if run.solver.startswith("paper") == paper] for paper in (True, False))
    reductions = [run.reduction_seconds for run in runs if run.reduction_seconds is not None]
    note = (
        f"paper-mip has {limits(slow)} for each run, the others {limits(fast)}. A run without proof counts at its "
        "limit: '>' marks times and ratios that are therefore lower bounds."
    )
    if reductions:
        note += (
            " The reduction from columns is in the time of no other solver; it takes "
            f"{duration(median(reductions))} at the median, {duration(max(reductions))} at most."
        )
    summaries = summarise(runs, lambda run: (run.k,))
    grid = summary_grid(
        f"{CANDIDATES} candidates, columns for paper-mip", ("K",), summaries, f"{note} {failures(slow)}".strip()
    )
    return Findings(grid, [*_agreement(runs), *speed_checks(runs)], runs)


def failures(runs: Sequence[Run]) -> str:
    """Say which runs ended in an error, and in which; messages that differ in their numbers alone are one."""
    counts = Counter((run.solver, re.sub(r"[\d.]*\d", "N", run.error)) for run in runs if run.error)
    lines = [f"{solver}, {count} runs: {message}" for (solver, message), count in sorted(counts.items())]
    return f"Errors: {'; '.join(lines)}." if lines else ""


def _agreement(runs: Sequence[Run]) -> Iterator[Check]:
    summaries = [summary for summary in summarise(runs, lambda run: ()) if summary.solver.startswith("paper")]
    if summaries:
        known = [summary.disagreement for summary in summaries if summary.disagreement is not None]
        worst = max(known, default=None)
        proved = ", ".join(f"{summary.solver} proves {summary.proved} of {summary.runs}" for summary in summaries)
        yield Check(
            "paper-mip agrees wherever it proves optimality within 60 s",
            f"largest disagreement {small(worst) or 'none: nothing proved'}; {proved}",
            worst is not None and worst <= TOLERANCE,
        )


def speed_checks(runs: Sequence[Run]) -> Iterator[Check]:
    """How many times as fast one solver is as the fastest of others, medians at one size; where both were run."""
    summaries = summarise((run for run in runs if run.k == JUDGED_SIZE), lambda run: ())
    medians = {summary.solver: summary.median for summary in summaries}
    for slow, fast, factor in FACTORS:
        slower = {name: medians[name] for name in slow if name in medians}
        if not slower or fast not in medians:
            continue
        one = min(slower, key=lambda name: slower[name].seconds)
        ratio = slower[one].seconds / medians[fast].seconds
        against = slow[0] if len(slow) == 1 else f"the fastest of {', '.join(slow)}"
        yield Check(
            f"{fast} at least {factor:,.0f} times as fast as {against}, medians at K = {JUDGED_SIZE}",
            f"{one} {slower[one]}, {fast} {medians[fast]}: {'> ' if slower[one].censored else ''}{ratio:,.0f}",
            ratio >= factor and not medians[fast].censored,
        )
