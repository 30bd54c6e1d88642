"""The race that the caller describes: contestants, numbers of tables, candidates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from benchmarks.solvers.bench import Bench, Findings
from benchmarks.solvers.races import Run
from benchmarks.solvers.summaries import summarise, summary_grid

NAME = "race"


@dataclass(frozen=True)
class Race:
    """What the caller asks for: contestants with commas, numbers of tables to choose, and candidates."""

    contestants: str = "exact,mip,cpsat"
    sizes: Sequence[int] = (2, 5, 10)
    candidates: int = 20

    def measure(self, bench: Bench) -> Findings:
        """Race over the questions of the data sets of the plan."""
        contestants = bench.contestants(self.contestants)
        columns = any(contestant.row.columns for contestant in contestants)
        cases = chain.from_iterable(
            bench.corpus(name).cases(bench.plan.questions, self.candidates, self.sizes, columns=columns)
            for name in bench.plan.datasets
        )
        total = bench.plan.questions * len(bench.plan.datasets) * len(self.sizes)
        return tell(bench.race(NAME, cases, total, contestants))


def tell(runs: Sequence[Run]) -> Findings:
    """The table of these runs."""
    limits = {run.solver: f"{run.solver} {run.limit:g} s" for run in runs}
    note = f"Limits: {', '.join(limits.values())}. A run without proof counts at its limit: '>' marks lower bounds."
    summaries = summarise(runs, lambda run: (run.kind, run.n, run.k))
    title = ", ".join(dict.fromkeys(run.dataset for run in runs))
    return Findings(summary_grid(title, ("kind", "n", "K"), summaries, note), [], runs)
