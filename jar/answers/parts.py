"""The parts of an answer: what a table adds, what answers a sub-query, which value is named, what was left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from jar.answers.join import name_in
from jar.text.word_runs import folded_words

_TOLD = {
    "itself": "the value",
    "beginning": "a value that begins with",
    "nationality": "the country that is",
    "word": "a value with the word",
}
WEAK = 0.25
"""Similarity below which a column is told not to answer a sub-query: docs/ranking.md has what these are worth."""
NOTABLE = 0.1
"""What a join has to earn to be told."""


@dataclass(frozen=True)
class Coverage:
    """A match: the column "db.table.column" that answers a sub-query, and their similarity."""

    subquery: str
    column: str
    score: float
    table: str

    @property
    def column_name(self) -> str:
        """Name of the column inside its table."""
        return name_in(self.table, self.column)

    @property
    def is_weak(self) -> bool:
        """Whether the two have hardly anything in common, though no column is nearer."""
        return self.score < WEAK


def unanswered_notes(subqueries: Sequence[str]) -> list[str]:
    """What an answer says of sub-queries without an answer; nothing where there are none.

    Examples
    --------
    >>> unanswered_notes(["rent", "landowner"])
    ['no column chosen answers "rent", "landowner"']
    """
    parts = ", ".join(f'"{subquery}"' for subquery in subqueries)
    return [f"no column chosen answers {parts}"] if parts else []


@dataclass(frozen=True)
class NamedValue:
    """A value that the question names: the words of the question, or the value itself, and its column.

    It is named by "itself", by the "beginning" or a "word" of it that the words are, or, a country, by the
    "nationality" that they are.
    """

    text: str
    column: str
    table: str
    named_by: str = "itself"

    @property
    def column_name(self) -> str:
        """Name of the column inside its table."""
        return name_in(self.table, self.column)

    @property
    def told(self) -> str:
        """Itself, in words."""
        return f'{_TOLD[self.named_by]} "{self.text}"'

    def is_named_in(self, subquery: str) -> bool:
        """Whether a sub-query has the words that name it."""
        return set(folded_words(self.text)) <= set(folded_words(subquery))


@dataclass(frozen=True)
class Contribution:
    """What a chosen table adds to the value, and where the retriever had it.

    Attributes
    ----------
    coarse : float
        Its relevance to the question, weighted.
    coverage : float
        The fine and the coverage terms of the sub-queries that it answers.
    fine : float
        The fine term alone, a part of `coverage`.
    join : float
        The joins that link it to the tables listed before it.
    rank : int
        Place among the candidates, from 1.
    required : bool
        Whether the caller asked for the table.
    """

    coarse: float
    coverage: float
    join: float
    rank: int
    required: bool
    fine: float = 0.0

    @property
    def total(self) -> float:
        """The table's score."""
        return self.coarse + self.coverage + self.join

    @property
    def terms(self) -> tuple[float, float, float, float]:
        """The score by the terms of the objective: coarse, fine, coverage, join."""
        return self.coarse, self.fine, self.coverage - self.fine, self.join

    def to_dict(self) -> dict[str, float | int | bool]:
        """The terms that make up the total, with rank and required."""
        return {name: value for name, value in asdict(self).items() if name != "fine"}


@dataclass(frozen=True)
class LeftOutTable:
    """A candidate that was not chosen.

    Attributes
    ----------
    table : str
    rank : int
        Its place among the candidates, from 1.
    coarse : float
        Its relevance to the question, weighted, as in `Contribution`.
    join : float
        What its best join with a chosen table would earn; 0 without one.
    joins_to : str
        The chosen table of that join; "" without one.
    """

    table: str
    rank: int
    coarse: float
    join: float
    joins_to: str

    @property
    def total(self) -> float:
        """What its relevance and its best join would add to the chosen set."""
        return self.coarse + self.join

    @property
    def told(self) -> str:
        """Its place and its join in a few words."""
        near = f", joins {self.joins_to.rpartition('.')[2]}" if self.join >= NOTABLE else ", no join"
        return f"candidate {self.rank}{near}"
