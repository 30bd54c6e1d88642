"""What is solved for a question over tables, and what comes out: values that the stages of a ranking hand on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from formulations import Instance, JarObjective, Reduction, Solution
    from jar.answers.join import Join
    from jar.arrays import IntArray
    from jar.learned.judgement import Judgement
    from jar.tables.composites import Composites
    from jar.tables.first_stage import Found
    from jar.tables.problem import Joinability
    from jar.tables.query import EmbeddedQuery


@dataclass(frozen=True)
class TableProblem:
    """The problem of a question, for one or several numbers of tables.

    Attributes
    ----------
    question : EmbeddedQuery
    tables, columns : arrays (n,), (C,)
        Positions in the index of the items, and of those of their columns that count (`telling_columns`).
    reduction : Reduction
        The column-level problem as an instance over tables.
    composites : mapping
        The composite keys among the joins, by pairs of columns.
    joinability : Joinability
        Of these columns.
    timings : dict
        Seconds by stage so far.
    found : Found
        How the candidates came in.
    objective : JarObjective
        What a set of them is worth.
    judged : Judgement, optional
        What a relevance model says of them.
    relevance : str
        By what its tables are scored: "cosine", "learned" (with log-odds in the instance) or "given".
    beside : sequence of Join
        Likely joins that are told beside those of the reduction: of rows of one table, and with lists of codes by type.
    """

    question: EmbeddedQuery
    tables: IntArray
    columns: IntArray
    reduction: Reduction
    composites: Composites
    joinability: Joinability
    timings: Mapping[str, float]
    found: Found
    objective: JarObjective
    judged: Judgement | None = None
    relevance: str = "cosine"
    beside: Sequence[Join] = ()

    def instances(self, sizes: Sequence[int]) -> list[Instance]:
        """The instance for each number of tables; all candidates where there are fewer."""
        whole = self.reduction.instance
        if len(sizes) == 1:
            return [whole]
        shared = whole.resized(whole.size)
        return [shared.resized(min(k, whole.n)) for k in sizes]


@dataclass(frozen=True)
class SolvedProblem:
    """A solution and the seconds that it took."""

    solution: Solution
    seconds: float
