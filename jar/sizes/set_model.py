"""The model of sets: from log-odds of tables the probability of each set; read from `set_model.json`.

    P(S) proportional to exp(sum_{i in S} o_i + sum_g w_g x_g(S)),   S not empty                                (1)
    P(nothing fits) proportional to exp(sum_h v_h z_h)                                                          (2)

    o_i = c + c' u + (s + s' u) L_i + A_i                                                                           (3)

with the log-odds L_i of table i by the relevance model, what logged questions add to them (A_i of
`jar.learned.adaptation`; 0 without a fit), and the share u of the words of the question that the candidates do not know
(`unknown_share`): of a question in words of its own L_i tells less. x(S) are the terms of a set
(`SET_TERMS`), z those of the answer that nothing fits (`NOTHING_TERMS`). The sets are those of at most six of the ten
tables of greatest log-odds. The tables which are needed may be no such set, because they are more than six, or because
they are fewer and one is not among the ten:

    P(outside) = 1 / (1 + exp(-b_0 - b_1 log(e + sum_{i > 6} p_i) - b_2 u - b_3 L)),   p_i = 1 / (1 + exp(-o_i))    (4)
    P(more) = product over l of 1 / (1 + exp(-d_0 - d_1 log(1 + m) - d_2 l - d_3 u)),   l = 1, ..., 6           (5)
    P(beyond) = 1 - (1 - P(outside)) (1 - P(more)),   if something fits

with i in order of o_i, e = `LEAST_EXPECTED` and L the greatest L_i, 5 at most: the more tables are expected after the
sixth, and the less the first one fits, the likelier it is. If the needed tables are none of the sets, an answer A with
more tables than any set holds them all with probability

    P(A holds all | beyond) = 1 / (1 + exp(-h_0 - h_1 sum_{i not in A} p_i / sum_i p_i))                        (6)

m is the number of sub-queries; a factor of (5) is the probability that a question which needs l tables needs one more
(a model of continuation ratios; Agresti, Categorical Data Analysis, 2013, section 8.3.6). Where no key between the
candidates is declared, other weights count in (1) to (4): joins are guesses there, by rows and names, or by names
alone where no rows are known; either has its own. Between both,

    w = t w_declared + (1 - t) w_undeclared                                                                     (7)

with the share t, among the candidates that others join, of those whose best join is declared. Questions in words of
their own name few tables, and leave out those between them; in schemas as companies have them, and in warehouses,
questions need more tables, and names tell less of which. There, further weights count in (1) to (6): first

    w + o (w_own_words - w)                                                                                     (8)

in place of w, with o from 0 to 1 by the share of words that no name of a candidate has (`own_words_share`), and then

    w' = f w_broad + (1 - f) w                                                                                  (9)
    w'' = v w_wide + (1 - v) w'                                                                                (10)
    w''' = l w_loose + (1 - l) w''                                                                             (11)

with f from 0 to 1 by the columns of the tables (`broad_share`), v from 0 to 1 by the number of candidates that joins
connect with the likeliest one (`wide_share`), and l from 0 to 1 by the share of broad tables that join no other
(`loose_share`). Where no rows are known, so that tables are told by names alone, w_wide are other ones, and between
those for declared keys and those for guessed joins (7) counts, too.
Editions that a question asks for together (`Editions.together`) count as one table in (1), by the greatest o_i of
them divided among them, and a set with some and not all of them loses `SPLIT`; how likely nothing fits stays.
docs/set-model.md tells how the weights were fitted, and what they are worth on schemas that had no part in it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from jar.learned.logistic import expit
from jar.learned.width import broad_share, loose_share, own_words_share, unknown_share, wide_share
from jar.sizes.candidate_sets import LARGEST, MORE_POOL, POOL, candidate_sets
from jar.sizes.distribution import LEAST_EXPECTED, NEVER, SetDistribution
from jar.sizes.mixing import declared_share
from jar.sizes.set_terms import NOTHING_TERMS, SET_TERMS, likeliest, nothing_terms, set_terms
from jar.sizes.together import as_likely_as_the_best, linked_together, scores_together

if TYPE_CHECKING:
    from jar.arrays import Array, IntArray
    from jar.learned.candidates_seen import Candidates

FILE = "set_model.json"
VERSION = 15
TABLE_TERMS = ("constant", "log_odds", "unknown", "unknown_log_odds")
"""Names of c, s, c' and s'."""
BEYOND_TERMS = ("constant", "expected", "unknown", "likeliest")
"""Names of b_0, b_1, b_2 and b_3."""
HELD_TERMS = ("constant", "missing_share")
"""Names of h_0 and h_1."""
MORE_TERMS = ("constant", "subqueries", "tables", "unknown")
"""Names of d_0, d_1, d_2 and d_3."""
TERMS: Mapping[str, Collection[str]] = {
    "tables": TABLE_TERMS,
    "sets": SET_TERMS,
    "nothing": NOTHING_TERMS,
    "beyond": BEYOND_TERMS,
    "more": MORE_TERMS,
    "held": HELD_TERMS,
}
"""The names of the terms, by what they tell."""
STRONGEST = 20.0
"""Log-odds beyond which a table is no surer."""
BY_KEYS = ("tables", "sets", "nothing", "beyond")
"""The weights that differ where no key is declared; in schemas as companies have them all do."""
KINDS: Mapping[str, Collection[str]] = {
    **dict.fromkeys(("undeclared", "undeclared_without_rows"), BY_KEYS),
    **dict.fromkeys(("own_words", "broad", "wide", "wide_without_rows", "wide_declared_without_rows", "loose"), TERMS),
}
"""Schemas and questions with weights of their own, as the data file has them, and which of the weights these are."""


@dataclass(frozen=True)
class SetModel:
    """The weights.

    Attributes
    ----------
    tables, sets, nothing : arrays (4,), (G,), (H,)
        In the order of `TABLE_TERMS`, `SET_TERMS` and `NOTHING_TERMS`.
    beyond : array (4,)
        In the order of `BEYOND_TERMS`.
    more : array (4,)
        In the order of `MORE_TERMS`; by default hardly any question needs more tables than the largest set has.
    held : array (2,)
        In the order of `HELD_TERMS`; by default no answer holds what lies beyond the sets.
    undeclared : SetModel, optional
        The other weights where no key between the candidates is declared; by default the same.
    undeclared_without_rows : SetModel, optional
        Those where besides nothing is known of the rows; by default those without declared keys.
    broad : SetModel, optional
        The other weights in schemas of broad tables; by default the same.
    wide : SetModel, optional
        The other weights in wide schemas; by default the same.
    wide_without_rows : SetModel, optional
        Those in wide schemas of whose rows nothing is known; by default those for wide ones.
    wide_declared_without_rows : SetModel, optional
        Those in wide schemas without rows whose keys are declared; by default `wide_without_rows`.
    loose : SetModel, optional
        The other weights in schemas of which hardly any join is known; by default the same.
    own_words : SetModel, optional
        The other weights for questions in words of their own; by default the same.
    """

    tables: Array
    sets: Array
    nothing: Array
    beyond: Array
    more: Array = field(default_factory=lambda: np.array([-STRONGEST, 0.0, 0.0, 0.0]))
    held: Array = field(default_factory=lambda: np.array(NEVER))
    undeclared: SetModel | None = None
    undeclared_without_rows: SetModel | None = None
    broad: SetModel | None = None
    wide: SetModel | None = None
    wide_without_rows: SetModel | None = None
    wide_declared_without_rows: SetModel | None = None
    loose: SetModel | None = None
    own_words: SetModel | None = None

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
        others: dict[str, Any] = {kind: cls._of_weights(document[kind], groups) for kind, groups in KINDS.items()}
        return replace(cls._of_weights(document, TERMS), **others)

    @classmethod
    def _of_weights(cls, data: Mapping[str, Any], groups: Iterable[str]) -> SetModel:
        found: dict[str, Any] = {group: _read(data, group, TERMS[group]) for group in groups}
        tables, sets, nothing, beyond = (found[group] for group in BY_KEYS)
        return replace(cls(tables, sets, nothing, beyond), **found)

    def at(self, seen: Candidates, log_odds: Array) -> SetModel:
        """The weights for candidates: by the share of those that others join whose best join is declared (7), by how
        far the question is in words of its own (8), by the columns of their tables (9), by the width of their schema
        (10), and by how few joins it has (11)."""
        weights = self
        undeclared = self.undeclared if seen.has_rows else self.undeclared_without_rows or self.undeclared
        if undeclared is not None:
            weights = self._towards(undeclared, 1 - declared_share(seen), BY_KEYS)
        if self.own_words is not None:
            weights = weights._towards(self.own_words, own_words_share(seen), TERMS)
        if self.broad is not None:
            weights = weights._towards(self.broad, broad_share(seen, log_odds), TERMS)
        wide = self._wide_for(seen)
        if wide is not None:
            weights = weights._towards(wide, wide_share(seen, log_odds), TERMS)
        if self.loose is not None:
            weights = weights._towards(self.loose, loose_share(seen, log_odds), TERMS)
        return weights

    def _wide_for(self, seen: Candidates) -> SetModel | None:
        """The weights in wide schemas, by what is known of rows and keys."""
        if seen.has_rows or self.wide_without_rows is None:
            return self.wide
        if self.wide_declared_without_rows is None:
            return self.wide_without_rows
        return self.wide_without_rows._towards(self.wide_declared_without_rows, declared_share(seen), TERMS)

    def _towards(self, other: SetModel, share: float, groups: Iterable[str]) -> SetModel:
        """Some of the weights between these and others, which count by a share."""
        mixed = {name: (1 - share) * getattr(self, name) + share * getattr(other, name) for name in groups}
        return replace(self, **mixed)

    def odds(self, log_odds: Array, unknown: float) -> Array:
        """o_i of each candidate by its log-odds, shape (n,), in a question of whose words a share is unknown."""
        calibrated: Array = table_terms(log_odds, unknown) @ self.tables
        return calibrated.clip(-STRONGEST, STRONGEST)

    def distribution(
        self,
        seen: Candidates,
        log_odds: Array,
        required: Sequence[int] = (),
        *,
        connected: bool = False,
        logged: Array | float = 0.0,
    ) -> SetDistribution | None:
        """The probabilities of the sets of tables that answer a question.

        Parameters
        ----------
        log_odds : array (n,)
            Of the candidates, by the relevance model.
        required : sequence of int
            Candidates that every set holds.
        connected : bool
            Whether a set that joins do not connect may not be chosen, however likely its tables are needed; None is
            returned where no set is left.
        logged : array (n,) or 0
            What logged questions add to the log-odds: of it the terms of a set know nothing, so that it counts in full.
        """
        weights = self.at(seen, log_odds)
        unknown = unknown_share(seen)
        odds = (weights.odds(log_odds - logged, unknown) + logged).clip(-STRONGEST, STRONGEST)
        likely = as_likely_as_the_best(odds, seen.together)
        pool = pool_of(likely, required)
        sets = candidate_sets(len(pool), len(required))
        terms = set_terms(seen, pool, sets)
        scores = sets.member @ odds[pool] + terms @ weights.sets
        if (seen.together[pool] >= 0).any():
            linked = seen if connected else replace(seen, joins=linked_together(seen.joins, seen.together))
            of_terms = set_terms(linked, pool, sets) @ weights.sets
            scores = scores_together(scores, of_terms, likely[pool], seen.together[pool], sets.member)
        if not required:
            scores[0] = nothing_terms(seen, log_odds) @ weights.nothing
        possible = np.ones(len(sets), dtype=np.bool_)
        if connected:
            possible = terms[:, list(SET_TERMS).index("parts")] == 0
        if not possible.any():
            return None
        outside = float(expit(weights.beyond @ beyond_terms(odds, unknown, likeliest(log_odds))))
        largest = int(sets.size.max())
        least = max(len(required), 1)
        more = weights.chance_of_more(len(seen.fine), unknown, least, largest) if seen.n > largest else 0.0
        beyond = 1 - (1 - outside) * (1 - more)
        return SetDistribution.of(sets, pool, scores, possible, beyond, expit(odds), weights.held)

    def chance_of_more(self, subqueries: int, unknown: float, least: int, largest: int) -> float:
        """The probability that a question with so many sub-queries, and such a share of unknown words, needs more
        tables than `largest`, when it needs at least `least`: equation (5)."""
        terms = np.ones((largest + 1 - least, len(MORE_TERMS)))
        terms[:, 1], terms[:, 2], terms[:, 3] = np.log1p(subqueries), np.arange(least, largest + 1), unknown
        return float(expit(terms @ self.more).prod())


def pool_of(odds: Array, required: Sequence[int] = ()) -> IntArray:
    """The candidates that sets are made of: the required ones, then those of greatest log-odds, shape (p,)."""
    order = [item for item in np.argsort(-odds, kind="stable").tolist() if item not in required]
    size = max(POOL, len(required) + MORE_POOL)
    return np.array([*required, *order][:size], dtype=np.int64)


def table_terms(log_odds: Array, unknown: float) -> Array:
    """The terms of o_i, shape (n, 4), in the order of `TABLE_TERMS`."""
    ones = np.ones(len(log_odds))
    return np.stack([ones, log_odds, unknown * ones, unknown * log_odds], axis=-1)


def beyond_terms(odds: Array, unknown: float, greatest: float) -> Array:
    """The terms of equation (4), shape (4,), in the order of `BEYOND_TERMS`.

    Parameters
    ----------
    greatest : float
        The greatest log-odds by the relevance model (`likeliest`).
    """
    expected = np.sort(expit(odds))[::-1][LARGEST:].sum()
    return np.array([1.0, np.log(LEAST_EXPECTED + expected), unknown, greatest])


def _read(data: Mapping[str, Any], group: str, names: Collection[str]) -> Array:
    """The weights of a group of terms, which have to be those of this version."""
    if tuple(data[group]) != tuple(names):
        raise ValueError(f"the set model has other terms of {group} than {', '.join(names)}: fit it again")
    return np.array(list(data[group].values()), dtype=np.float64)


@cache
def load_set_model() -> SetModel:
    """The model that comes with the package."""
    return SetModel.of(json.loads((files("jar.sizes") / FILE).read_text("utf-8")))
