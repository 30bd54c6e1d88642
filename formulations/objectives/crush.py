"""The CRUSH objective: what a set of schema elements (columns) is worth.

For a set R of columns, with the soft maximum ``smx(x) = t log sum_i exp(x_i / t)`` of sharpness t (equation 3; the
paper has t = 1, and t = 0 is the maximum):

    O1(R) = sum_k smx(s_kd : d in R)                   how well R covers the probes k         (equation 4)
    O2(R) = sum_{d in R} smx(e(d, d') : d' in R)       how well its columns hang together     (equation 5)
    value = O1(R) + connectivity * O2(R)                                                      (equation 6)

``e(d, d') = gamma`` for two columns of one table or of a key link, else 0; e(d, d) = 0. An instance holds s_kd in
``coverage``, key links in ``compatibility`` (any weight above zero is one) and the table of each column in
``groups``; ``relevance`` plays no part.

References
----------
M. Kothyari, D. Dhingra, S. Sarawagi, S. Chakrabarti, "CRUSH4SQL: Collective Retrieval Using Schema Hallucination For
Text2SQL", EMNLP 2023.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from formulations import validation
from formulations.instance import Instance
from formulations.solution import JoinEdge
from formulations.validation import Array


class CrushTerms(NamedTuple):
    """The value of a set, term by term; the value is their sum."""

    coverage: float
    connectivity: float


@dataclass(frozen=True)
class CrushObjective:
    """The objective of CRUSH4SQL, over columns.

    Parameters
    ----------
    gamma : float >= 0
        What e(d, d') is for two columns of one table, or of a key link.
    connectivity : float >= 0
        Weight of O2, the lambda of the paper.
    sharpness : float >= 0
        The t of both soft maxima: 1 is the paper; the smaller, the more a probe counts for its best column alone;
        0 is the maximum, so that O1 is facility location.

    Raises
    ------
    InvalidInstanceError
        When a parameter is out of its range.
    """

    name: ClassVar[str] = "crush"

    gamma: float = 0.01
    connectivity: float = 1.0
    sharpness: float = 1.0

    def __post_init__(self) -> None:
        for name in ("gamma", "connectivity", "sharpness"):
            vars(self)[name] = validation.parameter(f"objective.{name}", getattr(self, name))

    def scale(self, instance: Instance) -> float:
        """Return the largest positive term that occurs in the value of a set (`formulations.scale`)."""
        spread = self.sharpness * math.log(instance.size)
        covered = instance.largest[1] + spread if instance.m else 0.0
        return max(covered, self.connectivity * (self.gamma + spread))

    def links(self, instance: Instance) -> npt.NDArray[np.bool_]:
        """Return where e(d, d') = gamma, shape (n, n): columns of one table, or of a key link that is not forbidden.

        Without ``groups``, each column is a table of its own. O(n^2).
        """
        return self._links_among(instance, list(range(instance.n)))

    def link_values(self, size: int) -> Array:
        """Return smx(e(d, d') : d' in R) for 0, 1, ..., size - 1 neighbours of d among ``size`` columns (equation 5).

        ``t log(size - v + v exp(gamma / t))`` for v neighbours: not decreasing in v, with increments that do not
        increase. Shape (size,).
        """
        neighbours = np.arange(1, size, dtype=np.float64)
        values = np.full(size, float(self.gamma))
        values[0] = self.sharpness * math.log(size)
        if self.sharpness > 0.0:
            # exp(gamma / t) may overflow; its inverse does not.
            small = math.exp(-self.gamma / self.sharpness)
            values[1:] += self.sharpness * np.log((size - neighbours) * small + neighbours)
        return values

    def terms(self, instance: Instance, items: Sequence[int]) -> CrushTerms:
        """Return O1 and connectivity * O2 of a set of columns; O((m + |R|) |R|)."""
        chosen = [int(item) for item in items]
        if not chosen:
            return CrushTerms(-math.inf if instance.m else 0.0, 0.0)
        covered = soft_maximum(instance.coverage[:, chosen], self.sharpness)
        neighbours = self._links_among(instance, chosen).sum(axis=1)
        linked = self.link_values(len(chosen))[neighbours]
        return CrushTerms(float(covered.sum()), self.connectivity * float(linked.sum()))

    def value(self, instance: Instance, items: Sequence[int]) -> float:
        """Return O1(R) + connectivity * O2(R); ``-inf`` for the empty set, where there are probes."""
        return sum(self.terms(instance, items))

    def gains(self, instance: Instance, items: Sequence[int]) -> Array:
        """Return for each column what the value gains when it is added; ``-inf`` for those of the set.

        Added to the empty set, a column gains the value of the set of it alone. O(n |R| (m + |R|)).
        """
        chosen = {int(item) for item in items}
        before = self.value(instance, list(items)) if chosen else 0.0
        gains = np.full(instance.n, -np.inf)
        for column in range(instance.n):
            if column not in chosen:
                gains[column] = self.value(instance, [*items, column]) - before
        return gains

    def upper_bound(self, instance: Instance) -> float:
        """Return a bound on every set: each probe, and each column, with the best that it could have; O((m + n) n).

        A probe is covered by its ``size`` most similar columns, and a column next to all its neighbours.
        """
        free = np.delete(np.arange(instance.n), list(instance.exclude))
        size = instance.size
        similar = np.sort(instance.coverage[:, free], axis=1)[:, len(free) - size :]
        degrees = np.minimum(self._links_among(instance, free.tolist()).sum(axis=1), size - 1)
        linked = np.sort(self.link_values(size)[degrees])[len(free) - size :]
        return float(soft_maximum(similar, self.sharpness).sum()) + self.connectivity * float(linked.sum())

    def edges(self, instance: Instance, items: Sequence[int]) -> tuple[JoinEdge, ...]:
        """Return the key links between the columns, the strongest first; columns of one table are not listed."""
        chosen = sorted(int(item) for item in items)
        weights = np.triu(instance.weights[np.ix_(chosen, chosen)], 1)
        rows, columns = np.nonzero(weights)
        order = np.argsort(-weights[rows, columns], kind="stable")
        pairs = zip(rows[order].tolist(), columns[order].tolist(), strict=True)
        return tuple(JoinEdge(chosen[a], chosen[b], float(weights[a, b])) for a, b in pairs)

    def to_dict(self) -> dict[str, Any]:
        """Return the objective as JSON types, with its name."""
        return {"name": self.name, **asdict(self)}

    def _links_among(self, instance: Instance, chosen: list[int]) -> npt.NDArray[np.bool_]:
        """Return `links` between some columns only; O(|R|^2)."""
        label = group_numbers(instance)[chosen]
        linked: npt.NDArray[np.bool_] = label[:, None] == label
        linked |= instance.weights[np.ix_(chosen, chosen)] > 0.0
        np.fill_diagonal(linked, False)
        return linked


def soft_maximum(values: Array, sharpness: float) -> Array:
    """Return ``t log sum_i exp(x_i / t)`` along the last axis (equation 3); the maximum for t = 0."""
    largest = values.max(axis=-1, keepdims=True)
    if sharpness == 0.0:
        return np.asarray(largest[..., 0])
    with np.errstate(over="ignore"):  # -inf is right for what is so far below
        total: Array = np.exp((values - largest) / sharpness).sum(axis=-1)
    soft: Array = largest[..., 0] + sharpness * np.log(total)
    return soft


def group_numbers(instance: Instance) -> npt.NDArray[np.int64]:
    """Return the table of each column as a number from 0 up, in order of appearance; shape (n,).

    Without ``groups``, each column is a table of its own.
    """
    if instance.groups is None:
        return np.arange(instance.n)
    numbers = {label: number for number, label in enumerate(dict.fromkeys(instance.groups))}
    return np.fromiter(map(numbers.__getitem__, instance.groups), np.int64, instance.n)
