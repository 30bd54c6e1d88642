"""How much a comparison measures: the whole, or a smoke run of the same studies."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Plan:
    """Counts and limits of all studies.

    Attributes
    ----------
    full : bool
        Whether targets are judged: of a smoke run, or of a run with other contestants, they say nothing.
    questions : int
        Questions of each data set; `paper_questions` those of them that the paper's program gets, for each size.
    limit, paper_limit, large_limit : float
        Seconds for each run: of most studies, of the paper's program, and at a thousand tables.
    datasets : tuple of str
        Data sets with at most a hundred tables.
    union : str
        The large corpus.
    union_sizes : tuple of int
        Candidates out of it.
    synthetic, synthetic_tables : int
        Instances of each synthetic kind, and their tables.
    """

    full: bool
    questions: int
    paper_questions: dict[int, int]
    limit: float
    paper_limit: float
    large_limit: float
    datasets: tuple[str, ...]
    union: str
    union_sizes: tuple[int, ...]
    synthetic: int
    synthetic_tables: int


FULL = Plan(
    full=True,
    questions=200,
    paper_questions={5: 15, 2: 5, 10: 5},
    limit=30.0,
    paper_limit=60.0,
    large_limit=1.0,
    datasets=("spider", "bird"),
    union="spider-union",
    union_sizes=(200, 1000),
    synthetic=5,
    synthetic_tables=1000,
)

SMOKE = Plan(
    full=False,
    questions=2,
    paper_questions={2: 1},
    limit=2.0,
    paper_limit=1.0,
    large_limit=1.0,
    datasets=("spider",),
    union="spider",
    union_sizes=(40,),
    synthetic=1,
    synthetic_tables=60,
)
