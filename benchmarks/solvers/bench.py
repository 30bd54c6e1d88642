"""What all studies share: how much they measure, the data, and what a study hands back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.pages.grids import Grid
from benchmarks.runs.evaluation import Options, Report
from benchmarks.runs.vectors import VectorCache
from benchmarks.solvers.cases import Case
from benchmarks.solvers.contestants import Contestant, parse_contestants, ready
from benchmarks.solvers.questions import Corpus
from benchmarks.solvers.races import Run, race
from jar.progress import progress_bars

FOLDER = "solvers"
"""Where a comparison lives in the output folder."""


@dataclass(frozen=True)
class Plan:
    """How much all studies measure: by default the whole.

    `full` says whether targets are judged: a smoke run, or one with other questions, says nothing of them. The paper's
    program gets `paper_questions` of each data set by size. Times are seconds for each run: of most studies, of the
    paper's program, and at a thousand tables. `datasets` have at most a hundred tables; `union` is the large corpus,
    and `union_sizes` are numbers of candidates out of it. `synthetic` are instances of each synthetic kind.
    """

    full: bool = True
    questions: int = 200
    paper_questions: tuple[tuple[int, int], ...] = ((5, 15), (2, 5), (10, 5))
    limit: float = 30.0
    paper_limit: float = 60.0
    large_limit: float = 1.0
    datasets: tuple[str, ...] = ("spider", "bird")
    union: str = "spider-union"
    union_sizes: tuple[int, ...] = (200, 1000)
    synthetic: int = 5
    synthetic_tables: int = 1000


FULL = Plan()
SMOKE = Plan(
    full=False,
    questions=2,
    paper_questions=((2, 1),),
    limit=2.0,
    paper_limit=1.0,
    datasets=("spider",),
    union="spider",
    union_sizes=(40,),
    synthetic=1,
    synthetic_tables=60,
)


@dataclass(frozen=True)
class Check:
    """A target, what was measured, and whether it is met."""

    target: str
    measured: str
    met: bool


@dataclass(frozen=True)
class Findings:
    """What a study found: its table, its targets, and the runs that both are made of."""

    grid: Grid
    checks: Sequence[Check]
    runs: Sequence[Run]


class Bench:
    """The setting of a comparison."""

    def __init__(self, options: Options, plan: Plan, report: Report) -> None:
        self.options, self.plan, self.report = options, plan, report
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
        """The runs of all contestants on all cases, with progress; each is in ``runs/STUDY.jsonl`` when it is made.

        `total` is the number of cases, for the bar; fewer may come.
        """
        path = self.folder / "runs" / f"{study}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        label = f"{study}: {', '.join(contestant.label for contestant in contestants)}"
        runs = []
        with progress_bars(None) as stage, path.open("w", encoding="utf-8", buffering=1) as file:
            advance = stage(label, total * len(contestants))
            for run in race(study, cases, contestants):
                file.write(run.to_json() + "\n")
                runs.append(run)
                advance(1)
        return runs
