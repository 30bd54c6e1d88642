"""The most that the odds of a reference can be by what is known of its two columns alone, before they are compared.

Features of one column depend on the child or on the parent; those of the pair are at most 1. So a sum over the columns
tells of most pairs that they fall short of a threshold, without a look at the pair: parents that are no keys drop out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from joinability.attributes import WeakCache, cached_property
from joinability.evidence.blocks import PairBlock
from joinability.scores.features import FEATURES, Pairs
from joinability.scores.weights import KNOWLEDGE, SAMPLES, SCHEMA, VALUES, load_weights

if TYPE_CHECKING:
    from joinability.arrays import Array, Flags, Indices
    from joinability.evidence.profiles import ColumnEvidence

SLACK = 1e-3
"""Log-odds by which a bound is raised, far more than the rounding of a sum."""


@dataclass(frozen=True, eq=False)
class Bounds:
    """Terms of the log-odds of each column as the child and as the parent of a reference, in each state of knowledge.

    Attributes
    ----------
    state : (C,) array of int
        What is known of each column; that of a pair is the greater one.
    child : (3, C) array
        Terms of the child.
    parent : (3, C) array
        Terms of the parent, the intercept, and the positive weights of all features of pairs.
    order : (C,) array of int
        The columns in the order of their tables.
    starts : (T + 1,) array of int
        Where those of each table begin.
    """

    state: Indices
    child: Array
    parent: Array
    order: Indices
    starts: Indices

    @classmethod
    def of(cls, evidence: ColumnEvidence) -> Bounds:
        """The bounds of the columns of the evidence."""
        weights, every = load_weights(), np.arange(len(evidence))
        pairs = Pairs(PairBlock(evidence, every, every))
        sides = {side: np.zeros((len(KNOWLEDGE), len(evidence))) for side in ("child", "parent")}
        most = weights.intercepts + SLACK
        for place, (name, feature) in enumerate(FEATURES.items()):
            coefficients = weights.coefficients[:, place]
            side = name.partition("_")[0]
            if side in sides:
                sides[side] += coefficients[:, None] * feature.of(pairs).astype(np.float64)
            else:
                most = most + np.maximum(coefficients, 0)
        known = np.where(evidence.silent, SCHEMA, np.where(evidence.estimated, SAMPLES, VALUES))
        order = np.argsort(evidence.table, kind="stable")
        starts = np.searchsorted(evidence.table[order], np.arange(len(evidence.table_names) + 1))
        return cls(known, sides["child"], sides["parent"] + most[:, None], order, starts)

    @cached_property
    def _states(self) -> list[int]:
        """The states that some column is in."""
        states: list[int] = np.unique(self.state).tolist()
        return states

    def reach(self, child: Indices, parent: Indices, least: float) -> Flags:
        """Which of p references may have log-odds of `least` or more."""
        state = np.maximum(self.state[child], self.state[parent])
        return np.asarray(self.child[state, child] + self.parent[state, parent] >= least)

    def possible_parents(self, children: Indices, least: float) -> Flags:
        """Which of all columns may be the parent of one of some children, with log-odds of `least` or more."""
        possible = np.zeros(len(self.state), dtype=np.bool_)
        for state in self._states:
            of_state = children[self.state[children] <= state]
            if len(of_state):
                enough = self.child[state, of_state].max() + self.parent[state] >= least
                possible |= enough & (self.state <= state)
        return possible


_BOUNDS: WeakCache[Bounds] = WeakCache()


def bounds_of(evidence: ColumnEvidence) -> Bounds:
    """The bounds of the columns of the evidence; computed when first asked for."""
    return _BOUNDS.of(evidence, None, lambda: Bounds.of(evidence))
