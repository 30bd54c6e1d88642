"""The classes of losses: one for each stage that a repair would start at, in the order in which they are tried."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from formulations import Terms

TOLERANCE = 1e-6
"""Values nearer than this are one: sums of the same numbers in another order differ by less."""


@dataclass(frozen=True)
class Comparison:
    """The chosen set of a question beside its rival, the best set of this size for the gold tables.

    The rival holds all gold tables, if K tables suffice for them, and the K - g others that add most; if K is smaller
    it is the best of the sets of K gold tables.

    `size` is K; `found` and `reachable` are how many gold tables were chosen, and are among the candidates. There is no
    rival where too few are candidates, or where no such set is connected and the objective demands that. `connected`
    says whether joins of positive score connect the gold tables of the rival (of the candidates, without a rival), and
    `missing` how many joins of the gold query between these tables have no positive score.
    """

    size: int
    gold: int
    found: int
    reachable: int
    chosen: Terms
    rival: Terms | None
    connected: bool
    missing: int
    joins_count: bool = True

    @property
    def possible(self) -> int:
        """How many gold tables a set of K can hold."""
        return min(self.size, self.gold)

    @property
    def differences(self) -> Terms:
        """Terms of the rival less those of the chosen set; all ``-inf`` without a rival."""
        if self.rival is None:
            return Terms(*[-math.inf] * 4)
        return Terms(*(theirs - ours for theirs, ours in zip(self.rival, self.chosen, strict=True)))

    @property
    def deficit(self) -> float:
        """How much more the chosen set is worth than the rival; ``inf`` without a rival."""
        return -sum(self.differences)

    @property
    def relevance(self) -> float:
        """Difference in what questions and tables have to do with each other: coarse, fine and coverage."""
        return self.differences.coarse + self.differences.fine + self.differences.coverage


@dataclass(frozen=True)
class LossClass:
    """A row: a name, what it means, and the test that a comparison passes."""

    name: str
    meaning: str
    holds: Callable[[Comparison], bool]


def _worst_term(name: str) -> Callable[[Comparison], bool]:
    """Relevance is what the rival lacks, and this term of it most."""

    def holds(case: Comparison) -> bool:
        three = case.differences._asdict() | {"join": math.inf}
        return (
            case.relevance < min(case.differences.join, 0.0) + TOLERANCE and min(three, key=three.__getitem__) == name
        )

    return holds


def _disagree(case: Comparison) -> bool:
    signs = {math.copysign(1.0, part) for part in (case.relevance, case.differences.join) if abs(part) > TOLERANCE}
    return len(signs) == 2


CLASSES: tuple[LossClass, ...] = (
    LossClass("exact", "the gold tables and no other", lambda case: case.found == case.gold == case.size),
    LossClass(
        "size, K above",
        "all gold tables, and others because K asks for more",
        lambda case: case.found == case.gold < case.size,
    ),
    LossClass(
        "size, K below",
        "gold tables only, and not all because K asks for fewer",
        lambda case: case.found == case.size < case.gold,
    ),
    LossClass(
        "candidates",
        "too few gold tables are among the candidates of the first stage",
        lambda case: case.reachable < case.possible,
    ),
    LossClass(
        "join edge missing",
        "the gold query joins the gold tables, the join score does not connect them",
        lambda case: case.joins_count and not case.connected and case.missing > 0,
    ),
    LossClass(
        "connectedness",
        "the objective demands a connected set, and the gold query does not join its tables",
        lambda case: case.rival is None,
    ),
    LossClass("tie", "the two sets are worth the same", lambda case: case.deficit <= TOLERANCE),
    LossClass(
        "trade-off, joins too light",
        "the gold set joins better and is less relevant, and relevance decides",
        lambda case: _disagree(case) and case.relevance < 0,
    ),
    LossClass(
        "trade-off, joins too heavy", "the gold set is more relevant and joins worse, and the joins decide", _disagree
    ),
    LossClass("relevance, coarse", "less relevant, most of all as tables; joins no better", _worst_term("coarse")),
    LossClass("relevance, fine", "less relevant, most of all as columns; joins no better", _worst_term("fine")),
    LossClass("relevance, coverage", "it leaves a sub-query without a match; joins no better", _worst_term("coverage")),
    LossClass("join scores", "its joins score lower, and it is no more relevant", lambda case: True),
)
"""The first that holds is the class of a comparison; the last holds for all that is left."""

WON = ("exact", "size, K above", "size, K below")
"""Classes in which the system did all that can be done with K tables."""


def classify(case: Comparison) -> str:
    """The name of the first class whose test holds."""
    return next(row.name for row in CLASSES if row.holds(case))
