"""How good is the certificate after a hundredth of a second, a tenth, a second?"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from benchmarks.pages.grids import Grid, share
from benchmarks.solvers.bench import Bench, Findings
from benchmarks.solvers.cases import Case
from benchmarks.solvers.contestants import start_note
from benchmarks.solvers.journal import Run
from benchmarks.solvers.quantiles import duration
from benchmarks.solvers.synthetic import synthetic_cases

NAME = "anytime"
SUMMARY = "gap over time: the same instances with growing limits, whole corpora and hard synthetic ones"
CONTESTANTS = "exact,mip:highs:cold,cpsat:cold"
SIZE = 10
HARD_KINDS = ("random-topical-heavy-prefer", "random-flat-heavy-require")
HARD_TABLES = 150
"""Synthetic instances without databases, small enough for the engines."""


def measure(bench: Bench) -> Findings:
    """Give each contestant each limit of the ladder, from a fresh start each time."""
    plan = bench.plan
    runs: list[Run] = []
    for limit in plan.ladder:
        contestants = bench.contestants(CONTESTANTS, limit)
        total = len(plan.datasets) * plan.ladder_questions + plan.synthetic * len(HARD_KINDS)
        runs += bench.race(NAME, _cases(bench), total, contestants)
    return tell(runs)


def tell(runs: Sequence[Run]) -> Findings:
    """The table of these runs."""
    return Findings([_grid(runs)], [], runs)


def _cases(bench: Bench) -> chain[Case]:
    plan = bench.plan
    real = chain.from_iterable(
        bench.corpus(name).cases(plan.ladder_questions, bench.corpus(name).tables, (SIZE,)) for name in plan.datasets
    )
    made = synthetic_cases(plan.synthetic, min(HARD_TABLES, plan.synthetic_tables), SIZE, HARD_KINDS)
    return chain(real, made)


def _grid(runs: Sequence[Run]) -> Grid:
    """A row for each group, solver and limit."""
    groups: dict[tuple[str, str, float], list[Run]] = {}
    for run in runs:
        where = "synthetic" if run.dataset == "synthetic" else "whole corpora"
        groups.setdefault((where, run.solver, run.limit), []).append(run)
    rows = []
    for (where, solver, limit), found in sorted(groups.items()):
        gaps = sorted(run.gap for run in found)
        rows.append(
            (
                where,
                solver,
                duration(limit),
                str(len(found)),
                str(sum(run.proved for run in found)),
                share(gaps[(len(gaps) - 1) // 2]),
                share(gaps[-1]),
                duration(max(run.seconds for run in found)),
            )
        )
    header = ("instances", "solver", "limit", "runs", "proved", "median gap", "largest gap", "longest call")
    note = (
        f"K = {SIZE}. Whole corpora have 81 and 75 tables, synthetic ones {HARD_TABLES} ({', '.join(HARD_KINDS)}). "
        f"The gap is the answer's own. {start_note(run.solver for run in runs)}"
    )
    return Grid("Gap over time", header, rows, note)
