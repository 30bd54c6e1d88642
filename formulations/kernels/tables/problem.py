"""What the compiled solvers see of an instance and its objective: plain arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from formulations.instance import Instance
from formulations.objectives.jar import JarObjective
from formulations.validation import Array, IntArray

SPARSE_FROM, SPARSE_SHARE = 64, 16
"""From this many tables on, a graph with at most n^2 / 16 joins is handled as a list of joins."""


class Problem(NamedTuple):
    """Maximise ``sum base_i + Cover(S) + Forest(S)`` over sets of ``size`` tables.

    Attributes
    ----------
    base : array of shape (n,)
        ``coarse * r_i``.
    scores : array of shape (n, m)
        ``fine * r_qi``, ``-inf`` where table i can not match sub-query q.
    weights : array of shape (n, n)
        What a join earns (>= 0), ``-inf`` where there is none.
    bonus : float
        What the first match of a sub-query earns on top of its score.
    limit : int
        Number of matches that count.
    size : int
        K.
    connected : bool
        Whether the joins must connect the set.
    sparse : bool
        Whether the joins are listed.
    left, right : arrays of integers
        The joins by descending weight, where they are listed; empty otherwise.
    """

    base: Array
    scores: Array
    weights: Array
    bonus: float
    limit: int
    size: int
    connected: bool
    sparse: bool
    left: IntArray
    right: IntArray


_NONE = np.empty(0, np.int64)


class Scores(NamedTuple):
    """The fields of `Problem` that are the same for every size, and for all required and excluded tables."""

    base: Array
    scores: Array
    weights: Array
    sparse: bool
    left: IntArray
    right: IntArray


def problem_arrays(instance: Instance, objective: JarObjective) -> Problem:
    """Return the arrays of an instance under an objective; O(n^2 + m n)."""
    base, scores, weights, sparse, left, right = instance.derived(objective, lambda: _scores(instance, objective))
    return Problem(
        base=base,
        scores=scores,
        weights=weights,
        bonus=float(objective.coverage),
        limit=min(objective.matches_allowed(instance.m), instance.m * instance.size),
        size=instance.size,
        connected=objective.connect == "require",
        sparse=sparse,
        left=left,
        right=right,
    )


def _scores(instance: Instance, objective: JarObjective) -> Scores:
    sparse = False
    left: IntArray = _NONE
    right: IntArray = _NONE
    if instance.n >= SPARSE_FROM:
        places = _NONE if objective.connect == "ignore" else np.flatnonzero(instance.weights)
        sparse = len(places) * SPARSE_SHARE <= 2 * instance.n**2
        left, right = _listed(instance.weights, places) if sparse else (_NONE, _NONE)
    return Scores(
        base=objective.coarse * instance.relevance,
        scores=np.ascontiguousarray(objective.match_scores(instance).T),
        weights=objective.join_weights(instance),
        sparse=sparse,
        left=left,
        right=right,
    )


def _listed(weights: Array, places: IntArray) -> tuple[IntArray, IntArray]:
    left, right = np.divmod(places, len(weights))
    above = left < right
    left, right = left[above], right[above]
    order = np.argsort(-weights[left, right], kind="stable")
    return left[order], right[order]
