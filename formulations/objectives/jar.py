"""The JAR objective: what a set of tables is worth.

For a set S of K tables (docs/formulation.md derives it from the program of the paper):

    JAR(S) = coarse * sum_{i in S} r_i  +  Cover(S)  +  Forest(S)

Cover(S) matches tables to sub-queries: the first match of a sub-query earns ``fine * r_qi + coverage``, each further
one ``fine * r_qi``, at most ``floor(match_limit * m)`` matches in all (equations 5, 6, 9 and 10). Forest(S) is the
weight of a maximum spanning tree (or forest) of S in the join graph, where a join earns ``join * w + link`` (equations
2 to 4 and 11 to 15; ``link`` is not in the paper).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

import numpy as np

from formulations import validation
from formulations.errors import InvalidInstanceError
from formulations.instance import Instance
from formulations.solution import JoinEdge
from formulations.validation import Array

Connect: TypeAlias = Literal["require", "prefer", "ignore"]
CONNECT_MODES: tuple[Connect, ...] = ("require", "prefer", "ignore")


class Terms(NamedTuple):
    """The value of a set, term by term; the value is their sum."""

    coarse: float
    fine: float
    coverage: float
    join: float


class Match(NamedTuple):
    """Sub-query q is matched by table i, with fine relevance ``score``; the first match also earns the coverage."""

    subquery: int
    table: int
    score: float
    first: bool


@dataclass(frozen=True)
class JarObjective:
    """The objective of the JAR paper, over the reduced instance.

    Parameters
    ----------
    coarse, fine, coverage, join : float >= 0
        Weights of the coarse relevance, the fine relevance of each match, the first match of each sub-query, and the
        compatibility of each join of the spanning tree.
    connect : {"prefer", "require", "ignore"}
        ``require`` is the paper: the selected tables must be connected by joins. ``prefer`` takes the maximum
        spanning *forest* and demands nothing. ``ignore`` has no join term (the paper's JAR-D).
    link : float >= 0
        A constant that each join of the forest earns on top.
    match_limit : float >= 0
        At most ``floor(match_limit * m)`` matches are counted, m the number of sub-queries (equation 10 has 1).

    Raises
    ------
    InvalidInstanceError
        When a parameter is out of its range.
    """

    name: ClassVar[str] = "jar"

    coarse: float = 10.0
    fine: float = 2.0
    coverage: float = 8.0
    join: float = 1.0
    connect: Connect = "prefer"
    link: float = 0.0
    match_limit: float = 1.0

    def __post_init__(self) -> None:
        for name in ("coarse", "fine", "coverage", "join", "link", "match_limit"):
            vars(self)[name] = validation.parameter(f"objective.{name}", getattr(self, name))
        if self.connect not in CONNECT_MODES:
            remedy = f"choose one of {', '.join(CONNECT_MODES)}"
            raise InvalidInstanceError("objective.connect", f"is {self.connect!r}", remedy)

    def scale(self, instance: Instance) -> float:
        """Return the largest positive term that occurs in the value of a set (`formulations.scale`)."""
        relevance, coverage, weight = instance.largest
        join = self.join * weight + self.link if self.connect != "ignore" and weight > 0.0 else 0.0
        return max(self.coarse * relevance, self.fine * coverage, self.coverage if instance.m else 0.0, join)

    def matches_allowed(self, m: int) -> int:
        """Return how many matches count with m sub-queries: ``floor(match_limit * m)`` (equation 10)."""
        return math.floor(self.match_limit * m + 1e-9)

    def match_scores(self, instance: Instance) -> Array:
        """Return ``fine * r_qi``, shape (m, n), ``-inf`` where table i can not match sub-query q."""
        if self.fine > 0.0:
            return self.fine * instance.coverage
        return np.where(instance.coverage == -np.inf, -np.inf, 0.0)

    def join_weights(self, instance: Instance) -> Array:
        """Return what each join earns, shape (n, n): ``join * w + link`` where w > 0, ``-inf`` where there is none.

        All ``-inf`` when the joins are ignored.
        """
        if self.connect == "ignore":
            return np.full(instance.weights.shape, -np.inf)
        weights: Array = np.multiply(self.join, instance.weights, order="C")
        if self.link > 0.0:
            weights += self.link
        np.copyto(weights, -np.inf, where=instance.weights == 0.0)
        return weights

    def matches(self, instance: Instance, items: Sequence[int]) -> list[Match]:
        """Return the matches that Cover(S) counts, the most valuable first."""
        scores = self.match_scores(instance)[:, list(items)]
        best = scores.argmax(axis=1) if len(items) else np.zeros(0, dtype=np.int64)
        gains = scores.copy()
        rows = np.arange(len(scores))[: len(best)]
        gains[rows, best] += self.coverage
        order = np.argsort(-gains, axis=None, kind="stable")[: self.matches_allowed(instance.m)]
        counted = []
        for flat in order.tolist():
            q, position = divmod(flat, len(items))
            if gains[q, position] <= 0.0:
                break
            table = int(items[position])
            counted.append(Match(q, table, float(instance.coverage[q, table]), bool(position == best[q])))
        return counted

    def edges(self, instance: Instance, items: Sequence[int]) -> tuple[JoinEdge, ...]:
        """Return a maximum spanning forest of the selected tables by compatibility, the best join first (Kruskal)."""
        chosen = sorted(int(i) for i in items)
        weights = instance.weights[np.ix_(chosen, chosen)]
        rows, columns = np.nonzero(np.triu(weights, 1))
        order = np.argsort(-weights[rows, columns], kind="stable")
        component = list(range(len(chosen)))
        forest = []
        for a, b in zip(rows[order].tolist(), columns[order].tolist(), strict=True):
            if component[a] != component[b]:
                old, new = component[b], component[a]
                component = [new if c == old else c for c in component]
                forest.append(JoinEdge(chosen[a], chosen[b], float(weights[a, b])))
        return tuple(forest)

    def terms(self, instance: Instance, items: Sequence[int]) -> Terms:
        """Return the four terms of the value of a set of tables."""
        matched = self.matches(instance, items)
        joins = () if self.connect == "ignore" else self.edges(instance, items)
        return Terms(
            coarse=self.coarse * float(instance.relevance[list(items)].sum()),
            fine=self.fine * sum(match.score for match in matched),
            coverage=self.coverage * sum(match.first for match in matched),
            join=sum(self.join * edge.weight + self.link for edge in joins),
        )

    def value(self, instance: Instance, items: Sequence[int]) -> float:
        """Return JAR(S), or ``-inf`` where S must be connected and is not."""
        if self.connect == "require" and len(self.edges(instance, items)) < len(items) - 1:
            return -math.inf
        return sum(self.terms(instance, items))

    def to_dict(self) -> dict[str, Any]:
        """Return the objective as JSON types, with its name."""
        return {"name": self.name, **asdict(self)}
