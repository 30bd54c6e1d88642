"""Probabilities of the sets of tables that may answer a question, and what follows from them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from jar.arrays import Array, IntArray
from jar.learned.logistic import expit, logsumexp

if TYPE_CHECKING:
    from jar.sizes.candidate_sets import CandidateSets

LEAST_EXPECTED = 1e-3
"""e of equation (4) of `jar.sizes.set_model`: no number of tables that may be missing is expected to be 0."""
NEVER = (-20.0, 0.0)
"""Weights of equation (6) by which no answer holds what lies beyond the sets."""


@dataclass(frozen=True, eq=False)
class SetDistribution:
    """Probabilities of N sets of p of the n candidates; with `beyond` they sum to 1.

    Attributes
    ----------
    sets : CandidateSets
    pool : array (p,)
        The candidates that they are made of.
    probability : array (N,)
        That just the tables of the set are needed; of the empty set, that nothing fits.
    beyond : float
        That the needed tables are none of these sets.
    presence : array (n,)
        How likely each candidate is needed, by itself: this shares out what lies beyond the sets.
    possible : array (N,) of bool
        The sets that may be chosen.
    held : array (2,)
        Weights of equation (6).
    """

    sets: CandidateSets
    pool: IntArray
    probability: Array
    beyond: float
    presence: Array
    possible: npt.NDArray[np.bool_]
    held: Array = field(default_factory=lambda: np.array(NEVER))

    @classmethod
    def of(
        cls,
        sets: CandidateSets,
        pool: IntArray,
        scores: Array,
        possible: npt.NDArray[np.bool_],
        beyond: float,
        presence: Array,
        held: Array,
    ) -> SetDistribution:
        """The distribution of sets whose logarithms of probabilities are `scores` and a constant.

        Parameters
        ----------
        possible : array (N,) of bool
            The sets that may be chosen; those that may not can be what is needed, all the same.
        beyond : float
            Probability that none of the sets is right, if anything fits.
        """
        probability = np.exp(scores - logsumexp(scores))
        nothing = probability[0] if sets.size[0] == 0 else 0.0
        probability[sets.size > 0] *= 1.0 - beyond
        return cls(sets, pool, probability, float(beyond * (1.0 - nothing)), presence, possible, held)

    @property
    def nothing(self) -> float:
        """The probability that nothing fits."""
        return float(self.probability[0]) if self.sets.size[0] == 0 else 0.0

    def expected_f1(self) -> Array:
        """The F1 that each set has in expectation, shape (N,): sum_S P(S) F1(A, S).

        The sets beyond count as 0.
        """
        return np.asarray(self.sets.f1 @ self.probability)

    def shares(self) -> Array:
        """What each candidate adds to the recall of an answer, if anything fits, shape (n,); they sum to 1.

        Recall is additive: sum_S P(S) |A and S| / |S| = sum_{i in A} sum_{S with i} P(S) / |S|. Beyond the sets, the
        needed tables are taken to be among the candidates as their presence is.
        """
        some = self.sets.size > 0
        inside = (self.probability[some] / self.sets.size[some]) @ self.sets.member[some]
        shares = self.beyond * self.presence / self.presence.sum()
        shares[self.pool] += inside
        return np.asarray(shares / max(1.0 - self.nothing, np.finfo(np.float64).tiny))

    def confidence(self, chosen: Collection[int]) -> float:
        """The probability that all needed tables are among some candidates; of none, that nothing fits.

        Of an answer with more tables than any set, it is the greater by the probability of what lies beyond the sets
        times that of equation (6), that the answer holds this.
        """
        if not len(chosen):
            return self.nothing
        missing = ~np.isin(self.pool, list(chosen))
        inside = (self.sets.member[:, missing].sum(axis=1) == 0) & (self.sets.size > 0)
        whole = float(self.probability[inside].sum())
        if len(chosen) > self.sets.size.max():
            whole += self.beyond * float(expit(self.held @ held_terms(self.presence, chosen)))
        return whole

    def items(self, row: int) -> tuple[int, ...]:
        """The candidates of a set, in ascending order."""
        return tuple(sorted(self.pool[self.sets.member[row] > 0].tolist()))

    def likeliest(self, count: int, without: Collection[tuple[int, ...]] = ()) -> list[tuple[tuple[int, ...], float]]:
        """The likeliest sets that may be chosen with their probabilities, some left out; the empty one among them."""
        sets = []
        likely = np.argsort(-self.probability, kind="stable")
        for row in likely[self.possible[likely]].tolist():
            items = self.items(row)
            if items not in without and self.probability[row] > 0.0:
                sets.append((items, float(self.probability[row])))
            if len(sets) == count:
                break
        return sets


def held_terms(presence: Array, chosen: Collection[int]) -> Array:
    """The terms of equation (6), shape (2,): 1, and the share of the needed tables that is expected to be missing.

    Parameters
    ----------
    presence : array (n,)
        How likely each candidate is needed.
    chosen : collection of int
        Candidates.
    """
    return np.array([1.0, np.delete(presence, list(chosen)).sum() / presence.sum()])
