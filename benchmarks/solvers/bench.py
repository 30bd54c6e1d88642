"""What all studies share: the data and the journal; and what a study hands back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.pages.grids import Grid
from benchmarks.runs.evaluation import Options, Report
from benchmarks.runs.vectors import VectorCache
from benchmarks.solvers.cases import Case
from benchmarks.solvers.contestants import Contestant, parse_contestants, ready
from benchmarks.solvers.journal import Journal, Run
from benchmarks.solvers.plans import Plan
from benchmarks.solvers.questions import Corpus
from benchmarks.solvers.racing import race
from jar.progress import progress_bars

FOLDER = "solvers"
"""Where a comparison lives in the output folder."""


@dataclass(frozen=True)
class Check:
    """A target, what was measured, and whether it is met."""

    target: str
    measured: str
    met: bool


@dataclass(frozen=True)
class Findings:
    """What a study found.

    Attributes
    ----------
    grids : sequence of Grid
    checks : sequence of Check
    runs : sequence of Run
        Empty where a study measures something else.
    """

    grids: Sequence[Grid]
    checks: Sequence[Check] = ()
    runs: Sequence[Run] = ()

    def to_dict(self) -> dict[str, Any]:
        """All but the runs, as JSON types."""
        return {
            "grids": [asdict(grid) for grid in self.grids],
            "checks": [asdict(check) for check in self.checks],
        }


class Bench:
    """The setting of a comparison.

    Parameters
    ----------
    options : Options
        Folders and embedder.
    plan : Plan
    report : callable
        Told what is going on.
    """

    def __init__(self, options: Options, plan: Plan, report: Report) -> None:
        self.options, self.plan, self.report = options, plan, report
        self.journal = Journal(self.folder / "journal.jsonl")
        self._cache = VectorCache(options.embedder, options.output / "vectors")
        self._corpora: dict[str, Corpus] = {}
        self._reported: set[str] = set()

    @property
    def folder(self) -> Path:
        """Where everything is written."""
        return self.options.output / FOLDER

    def corpus(self, name: str) -> Corpus:
        """A data set, opened once."""
        if name not in self._corpora:
            self._corpora[name] = Corpus(name, self.options, self._cache)
        return self._corpora[name]

    def contestants(self, text: str, limit: float | None = None) -> list[Contestant]:
        """Those that can run here; the others are reported, once."""
        able, missing = ready(parse_contestants(text, self.plan.limit if limit is None else limit))
        for message in missing:
            if message not in self._reported:
                self.report(message)
                self._reported.add(message)
        return able

    def race(self, study: str, cases: Iterable[Case], total: int, contestants: Sequence[Contestant]) -> list[Run]:
        """The runs of all contestants on all cases, with progress.

        Parameters
        ----------
        total : int
            Number of cases, for the bar; fewer may come.
        """
        label = f"{study}: {', '.join(contestant.label for contestant in contestants)}"
        with progress_bars(None) as stage:
            return list(race(study, cases, contestants, self.journal, stage(label, total * len(contestants))))
