"""The model of sets: from log-odds of tables the probability of each set; read from `set_model.json`.

    P(S) proportional to exp(sum_{i in S} o_i + sum_g w_g x_g(S)),   S not empty                                (1)
    P(nothing fits) proportional to exp(sum_h v_h z_h)                                                          (2)

o_i = c + c' u + (s + s' u) L_i with the log-odds L_i of table i by the relevance model, and the share u of the words
of the question that the candidates do not know (`unknown_share`): of a question in words of its own L_i tells less.
x(S) are the terms of a set (`SET_TERMS`), z those of the answer that nothing fits (`NOTHING_TERMS`). The sets are those
of at most four of the ten tables of greatest log-odds. The tables which are needed may be no such set, because they are
not among the ten, or because they are more than four:

    P(outside) = 1 / (1 + exp(-b_0 - b_1 log(e + sum_{i > 4} p_i) - b_2 u)),   p_i = 1 / (1 + exp(-o_i))        (3)
    P(more) = product over l of 1 / (1 + exp(-d_0 - d_1 log(1 + m) - d_2 l - d_3 u)),   l = 1, ..., 4           (4)
    P(beyond) = 1 - (1 - P(outside)) (1 - P(more))

with i in order of o_i: the more tables are expected after the fourth, the likelier it is. If the needed tables are none
of the sets, an answer A with more tables than any set holds them all with probability

    P(A holds all | beyond) = 1 / (1 + exp(-h_0 - h_1 log(e + sum_{i not in A} p_i)))                           (6)

m is the number of sub-queries; a factor of (4) is the probability that a question which needs l tables needs one more
(a model of continuation ratios; Agresti, Categorical Data Analysis, 2013, section 8.3.6). Where no key between the
candidates is declared, other weights count in (1) to (3): joins are guesses there. Between both,

    w = t w_declared + (1 - t) w_undeclared                                                                     (7)

with the share t of the candidates with a join of which the best one is declared. docs/how-many.md tells how the weights
were fitted, and what they are worth on schemas that had no part in it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from jar.learned.logistic import expit
from jar.sizes.candidate_sets import LARGEST, MORE_POOL, POOL, candidate_sets
from jar.sizes.distribution import LEAST_EXPECTED, NEVER, SetDistribution
from jar.sizes.set_terms import NOTHING_TERMS, SET_TERMS, nothing_terms, set_terms, unknown_share

if TYPE_CHECKING:
    from jar.arrays import Array, IntArray
    from jar.learned.candidates_seen import Candidates

FILE = "set_model.json"
VERSION = 6
TABLE_TERMS = ("constant", "log_odds", "unknown", "unknown_log_odds")
"""Names of c, s, c' and s'."""
BEYOND_TERMS = ("constant", "expected", "unknown")
"""Names of b_0, b_1 and b_2."""
HELD_TERMS = ("constant", "missing")
"""Names of h_0 and h_1."""
MORE_TERMS = ("constant", "subqueries", "tables", "unknown")
"""Names of d_0, d_1, d_2 and d_3."""
STRONGEST = 20.0
"""Log-odds beyond which a table is no surer."""
JOINED = 0.5
"""Weight from which a join counts in `declared_share`."""
MIXED = ("tables", "sets", "nothing", "beyond")
"""The weights of which there are two kinds."""
DECLARED = 0.9999
"""Weight from which a join is one by a declared key; those by rows and names weigh less."""


@dataclass(frozen=True)
class SetModel:
    """The weights.

    Attributes
    ----------
    tables, sets, nothing : arrays (4,), (G,), (H,)
        In the order of `TABLE_TERMS`, `SET_TERMS` and `NOTHING_TERMS`.
    beyond : array (3,)
        In the order of `BEYOND_TERMS`.
    more : array (4,)
        In the order of `MORE_TERMS`; by default hardly any question needs more tables than the largest set has.
    held : array (2,)
        In the order of `HELD_TERMS`; by default no answer holds what lies beyond the sets.
    undeclared : SetModel, optional
        The other weights where no key between the candidates is declared; by default the same.
    """

    tables: Array
    sets: Array
    nothing: Array
    beyond: Array
    more: Array = field(default_factory=lambda: np.array([-STRONGEST, 0.0, 0.0, 0.0]))
    held: Array = field(default_factory=lambda: np.array(NEVER))
    undeclared: SetModel | None = None

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> SetModel:
        """The model of a JSON document.

        Raises
        ------
        ValueError
            When the version or the names of the terms are not those of this version of the package.
        """
        if document["version"] != VERSION:
            raise ValueError(f"the set model has version {document['version']}, not {VERSION}: fit it again")
        shared = {"more": _read(document, "more", MORE_TERMS), "held": _read(document, "held", HELD_TERMS)}
        return replace(cls._of_weights(document), **shared, undeclared=cls._of_weights(document["undeclared"]))

    @classmethod
    def _of_weights(cls, data: Mapping[str, Any]) -> SetModel:
        groups = {"tables": TABLE_TERMS, "sets": SET_TERMS, "nothing": NOTHING_TERMS, "beyond": BEYOND_TERMS}
        tables, sets, nothing, beyond = (_read(data, group, names) for group, names in groups.items())
        return cls(tables, sets, nothing, beyond)

    def at(self, seen: Candidates) -> SetModel:
        """The weights for candidates: between both kinds, by the share of them that a declared key joins (7)."""
        if self.undeclared is None:
            return self
        share, other = declared_share(seen), self.undeclared
        mixed = {name: share * getattr(self, name) + (1 - share) * getattr(other, name) for name in MIXED}
        return replace(self, **mixed)

    def odds(self, log_odds: Array, unknown: float) -> Array:
        """o_i of each candidate by its log-odds, shape (n,), in a question of whose words a share is unknown."""
        calibrated: Array = table_terms(log_odds, unknown) @ self.tables
        return calibrated.clip(-STRONGEST, STRONGEST)

    def distribution(
        self, seen: Candidates, log_odds: Array, required: Sequence[int] = (), *, connected: bool = False
    ) -> SetDistribution | None:
        """The probabilities of the sets of tables that answer a question.

        Parameters
        ----------
        log_odds : array (n,)
            Of the candidates, by the relevance model.
        required : sequence of int
            Candidates that every set holds.
        connected : bool
            Whether sets that are not connected by joins are impossible; None is returned where no set is left.
        """
        weights = self.at(seen)
        unknown = unknown_share(seen)
        odds = weights.odds(log_odds, unknown)
        pool = pool_of(odds, required)
        sets = candidate_sets(len(pool), len(required))
        terms = set_terms(seen, pool, sets)
        scores = sets.member @ odds[pool] + terms @ weights.sets
        if connected:
            scores[terms[:, SET_TERMS.index("parts")] > 0] = -np.inf
        if not required:
            scores[0] = nothing_terms(seen, log_odds) @ weights.nothing
        if scores.max() == -np.inf:
            return None
        outside = float(expit(weights.beyond @ beyond_terms(odds, unknown)))
        largest = int(sets.size.max())
        least = max(len(required), 1)
        more = self.chance_of_more(len(seen.fine), unknown, least, largest) if seen.n > largest else 0.0
        beyond = 1 - (1 - outside) * (1 - more)
        return SetDistribution.of(sets, pool, scores, beyond, expit(odds), self.held)

    def chance_of_more(self, subqueries: int, unknown: float, least: int, largest: int) -> float:
        """The probability that a question with so many sub-queries, and such a share of unknown words, needs more
        tables than `largest`, when it needs at least `least`: equation (4)."""
        terms = np.ones((largest + 1 - least, len(MORE_TERMS)))
        terms[:, 1], terms[:, 2], terms[:, 3] = np.log1p(subqueries), np.arange(least, largest + 1), unknown
        return float(expit(terms @ self.more).prod())


def declared_share(seen: Candidates) -> float:
    """Of the candidates that others join, the share of which the best join is by a declared key; 0 where none joins."""
    best = seen.joins.max(axis=1, initial=0.0)
    joined = best >= JOINED
    return float((best[joined] >= DECLARED).mean()) if joined.any() else 0.0


def has_declared(seen: Candidates) -> bool:
    """Whether a key between two candidates is declared."""
    return bool(seen.joins.max(initial=0.0) >= DECLARED)


def pool_of(odds: Array, required: Sequence[int] = ()) -> IntArray:
    """The candidates that sets are made of: the required ones, then those of greatest log-odds, shape (p,)."""
    order = [item for item in np.argsort(-odds, kind="stable").tolist() if item not in required]
    size = max(POOL, len(required) + MORE_POOL)
    return np.array([*required, *order][:size], dtype=np.int64)


def table_terms(log_odds: Array, unknown: float) -> Array:
    """The terms of o_i, shape (n, 4), in the order of `TABLE_TERMS`."""
    ones = np.ones(len(log_odds))
    return np.stack([ones, log_odds, unknown * ones, unknown * log_odds], axis=-1)


def beyond_terms(odds: Array, unknown: float) -> Array:
    """The terms of equation (3), shape (3,), in the order of `BEYOND_TERMS`."""
    expected = np.sort(expit(odds))[::-1][LARGEST:].sum()
    return np.array([1.0, np.log(LEAST_EXPECTED + expected), unknown])


def _read(data: Mapping[str, Any], group: str, names: Sequence[str]) -> Array:
    """The weights of a group of terms, which have to be those of this version."""
    if tuple(data[group]) != tuple(names):
        raise ValueError(f"the set model has other terms of {group} than {', '.join(names)}: fit it again")
    return np.array(list(data[group].values()), dtype=np.float64)


@cache
def load_set_model() -> SetModel:
    """The model that comes with the package."""
    return SetModel.of(json.loads((files("jar.sizes") / FILE).read_text("utf-8")))
