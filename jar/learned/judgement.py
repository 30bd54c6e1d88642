"""What a relevance model says of the candidates of a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jar.arrays import Array
from jar.learned.relevance_model import reasons_of

if TYPE_CHECKING:
    from jar.learned.adaptation import Adapted
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
    features : array (n, F + S)
        What the model sees of them.
    model : RelevanceModel
        That of these candidates (`RelevanceModel.at`).
    adapted : Adapted, optional
        What logged questions add to the model's; it is in the log-odds.
    """

    log_odds: Array
    seen: Candidates
    features: Array
    model: RelevanceModel
    adapted: Adapted | None = None

    def reasons(self, places: Sequence[int]) -> list[tuple[str, ...]]:
        """What speaks most for some of the candidates, in words: what logged questions say first."""
        of_model = reasons_of(self.model, self.features, places)
        if self.adapted is None:
            return of_model
        return [(*self.adapted.reasons[place], *said) for place, said in zip(places, of_model, strict=True)]

    def with_adapted(self, adapted: Adapted) -> Judgement:
        """The judgement with what logged questions add."""
        return replace(self, log_odds=self.log_odds + adapted.log_odds, adapted=adapted)


def judge(model: RelevanceModel, seen: Candidates) -> Judgement:
    """The judgement of a model on candidates."""
    of_them, features = model.judging(seen)
    return Judgement(of_them.second.log_odds(features), seen, features, of_them)
