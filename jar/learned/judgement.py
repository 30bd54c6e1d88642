"""What a relevance model says of the candidates of a question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jar.arrays import Array

if TYPE_CHECKING:
    from jar.learned.candidates_seen import Candidates
    from jar.learned.relevance_model import RelevanceModel


@dataclass(frozen=True, eq=False)
class Judgement:
    """The log-odds of n candidates, and where they come from.

    Attributes
    ----------
    log_odds : array (n,)
        Calibrated log-odds that the question needs each.
    seen : Candidates
    model : RelevanceModel
    """

    log_odds: Array
    seen: Candidates
    model: RelevanceModel

    def reasons(self) -> list[tuple[str, ...]]:
        """What speaks most for each candidate, in words."""
        return self.model.reasons(self.seen)


def judge(model: RelevanceModel, seen: Candidates) -> Judgement:
    """The judgement of a model on candidates."""
    return Judgement(model.log_odds(seen), seen, model)
