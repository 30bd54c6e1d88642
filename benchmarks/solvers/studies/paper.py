"""How long does the paper's program take, beside its reduction and the search without an engine?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from statistics import median

from benchmarks.solvers.bench import Bench, Check, Findings
from benchmarks.solvers.cases import Case
from benchmarks.solvers.journal import Run
from benchmarks.solvers.quantiles import duration
from benchmarks.solvers.summaries import Summary, largest, limits, small, summarise, summary_grid

NAME = "paper"
SUMMARY = "the paper's program on CBC and HiGHS against its reduction and exact, 20 candidates"
FAST = "exact,mip:highs,mip:cbc,cpsat"
PAPER = "paper-mip:cbc,paper-mip:highs"
CANDIDATES = 20
JUDGED_SIZE = 5
TOLERANCE = 1e-6


def measure(bench: Bench) -> Findings:
    """Race over column-level problems: the paper's program gets the columns, all others the reduced instance."""
    contestants = bench.contestants(FAST) + bench.contestants(PAPER, bench.plan.paper_limit)
    return tell(bench.race(NAME, paper_cases(bench), paper_total(bench), contestants))


def tell(runs: Sequence[Run]) -> Findings:
    """The table and the checks of these runs."""
    summaries = summarise(runs, lambda run: (run.k,))
    slow, fast = ([run for run in runs if run.solver.startswith("paper") == paper] for paper in (True, False))
    note = (
        f"paper-mip has {limits(slow)} for each run, the others {limits(fast)}. A run without proof counts at its "
        "limit: '>' marks times and ratios that are therefore lower bounds. "
        + " ".join(filter(None, (_reduction(runs), failures(slow))))
    )
    grid = summary_grid(f"{CANDIDATES} candidates, columns for paper-mip", ("K",), summaries, note)
    return Findings([grid], [*_agreement(runs), *speed_checks(runs)], runs)


def paper_cases(bench: Bench) -> chain[Case]:
    """Cases with columns: all questions of one size, then of the next; data sets one after the other."""
    return chain.from_iterable(
        bench.corpus(name).cases(count, CANDIDATES, (size,), columns=True)
        for size, count in bench.plan.paper_questions.items()
        for name in bench.plan.datasets
    )


def paper_total(bench: Bench) -> int:
    """How many cases these are."""
    return sum(bench.plan.paper_questions.values()) * len(bench.plan.datasets)


def _reduction(runs: Sequence[Run]) -> str:
    seconds = [run.reduction_seconds for run in runs if run.reduction_seconds is not None]
    if not seconds:
        return ""
    return (
        "The reduction from columns is in the time of no other solver; it takes "
        f"{duration(median(seconds))} at the median, {duration(max(seconds))} at most."
    )


def failures(runs: Sequence[Run]) -> str:
    """Say which runs ended in an error, and in which; messages that differ in their numbers alone are one."""
    counts = Counter((run.solver, re.sub(r"[\d.]*\d", "N", run.error)) for run in runs if run.error)
    lines = [f"{solver}, {count} runs: {message}" for (solver, message), count in sorted(counts.items())]
    return f"Errors: {'; '.join(lines)}." if lines else ""


def _agreement(runs: Sequence[Run]) -> list[Check]:
    summaries = [summary for summary in summarise(runs, lambda run: ()) if summary.solver.startswith("paper")]
    if not summaries:
        return []
    worst = largest(summary.disagreement for summary in summaries if summary.disagreement is not None)
    proved = ", ".join(f"{summary.solver} proves {summary.proved} of {summary.runs}" for summary in summaries)
    return [
        Check(
            "paper-mip agrees wherever it proves optimality within 60 s",
            f"largest disagreement {small(worst) or 'none: nothing proved'}; {proved}",
            worst is not None and worst <= TOLERANCE,
        )
    ]


def speed_checks(runs: Sequence[Run]) -> list[Check]:
    """How many times as fast one program or solver is as another, medians at one size; where both were run."""
    summaries = summarise((run for run in runs if run.k == JUDGED_SIZE), lambda run: ())
    judged = {summary.solver: summary for summary in summaries}
    checks = [_ratio_check(judged, ("paper-mip:cbc",), ("exact",), 10_000)]
    checks.append(_ratio_check(judged, ("mip:highs", "mip:cbc", "cpsat"), ("exact",), 100))
    checks += [_ratio_check(judged, (f"paper-mip:{engine}",), (f"mip:{engine}",), 20) for engine in ("cbc", "highs")]
    return [check for check in checks if check is not None]


def _ratio_check(
    judged: dict[str, Summary], slow: tuple[str, ...], fast: tuple[str, ...], factor: float
) -> Check | None:
    """How many times the median of the fastest of some solvers is that of the fastest of others."""
    slower = [judged[name] for name in slow if name in judged]
    faster = [judged[name] for name in fast if name in judged]
    if not slower or not faster:
        return None
    one = min(slower, key=lambda summary: summary.median.seconds)
    other = min(faster, key=lambda summary: summary.median.seconds)
    ratio = one.median.seconds / other.median.seconds
    against = slow[0] if len(slow) == 1 else f"the fastest of {', '.join(slow)}"
    return Check(
        f"{fast[0]} at least {factor:,.0f} times as fast as {against}, medians at K = {JUDGED_SIZE}",
        f"{one.solver} {one.median}, {other.solver} {other.median}: {'> ' if one.median.censored else ''}{ratio:,.0f}",
        ratio >= factor and not other.median.censored,
    )
