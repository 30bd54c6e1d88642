"""What a further table would change in an answer, by the probabilities of sets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jar.answers.why_not import Added
from jar.sizes.distribution import SetDistribution


def adding(distribution: SetDistribution, chosen: Sequence[int], item: int) -> Added:
    """What a candidate would change in a set of others."""
    more = [*chosen, item]
    return Added(
        needed=_needed(distribution, item),
        f1=_expected_f1(distribution, chosen),
        f1_with=_expected_f1(distribution, more),
        whole=distribution.confidence(chosen) if chosen else 0.0,
        whole_with=distribution.confidence(more),
    )


def _needed(distribution: SetDistribution, item: int) -> float:
    """How likely a candidate is needed: it is in the set that is, or beyond the sets, and there by itself."""
    inside = distribution.sets.member[:, distribution.pool == item].sum(axis=1) @ distribution.probability
    return float(inside + distribution.beyond * distribution.presence[item])


def _expected_f1(distribution: SetDistribution, chosen: Sequence[int]) -> float:
    """sum_S P(S) 2 |A and S| / (|A| + |S|) of any candidates; the sets beyond count as 0, as in the choice."""
    common = distribution.sets.member @ np.isin(distribution.pool, chosen).astype(np.float64)
    size = distribution.sets.size + len(chosen)
    return float(distribution.probability @ (2 * common / np.maximum(size, 1)))
