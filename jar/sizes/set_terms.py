"""What speaks for a set of tables beyond its tables, by joins, databases, sub-queries and size; and for no set."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from formulations.forests import forest_joins
from jar.arrays import Array, IntArray
from jar.learned.connected_parts import connected_parts
from jar.learned.evidence import LINKED
from jar.learned.width import unknown_share

if TYPE_CHECKING:
    from jar.learned.candidates_seen import Candidates
    from jar.sizes.candidate_sets import CandidateSets, OneLess

Flags: TypeAlias = "npt.NDArray[np.bool_]"

TYPICAL, MOST_SUBQUERIES = 4, 8
"""Sub-queries of a question: the term of their number is 0 for so many, and no greater than for so many."""
SET_TERMS = {
    "joins": "weight of the maximum spanning forest",
    "parts": "components by joins above 0, less one",
    "databases": "databases less one",
    "uncovered": "what the set falls short of the best candidate, in the mean over the sub-queries",
    "least_covered": "the same, at most over the sub-queries",
    "subqueries": f"number of tables times (sub-queries - {TYPICAL}) / {TYPICAL}, of which {MOST_SUBQUERIES} count at "
    "most",
    "pairs": "sets of two tables",
    "triples": "sets of three",
    "fours": "sets of four; a larger set continues the last step",
    "unsaid": "words that names of candidates have and none of the set, each divided by the root of how many have it",
    "missed_values": "values that the question names and no table of the set has, each by what it counts most",
    "idle": "tables without a word or value of their own, best for no sub-query, that do not join two others by joins"
    f" of {LINKED} and more",
    "gaps": f"components by joins of {LINKED} and more, less those that would be left with all candidates in the set",
    "bridges": "tables without a word or value, without which the set has more components by joins of "
    f"{LINKED} and more",
    "nobody": "where the question asks for somebody, what the best table of the set tells less of who it is than the "
    "best of all: 1 for one that holds people, 1/2 for one that names some",
}
"""The terms of a set, and what they mean; the weights of `set_model.json` have the same names."""
NOTHING_TERMS = {
    "constant": "1",
    "cosine": "the best cosine of a table",
    "values": "the most that the values which the question names count in a table",
    "words": "the greatest share of its words that the names of a table have",
    "mentions": "values that it names",
    "likeliest": "the greatest log-odds of a table",
    "unknown": "the share of its words that no table knows",
}
"""The terms of the answer that nothing fits, and what they mean."""
MOST_MENTIONS = 3
SURE = 5.0
"""Log-odds beyond which a table speaks no more against it that nothing fits, or that needed tables are not in any set.
"""


def set_terms(seen: Candidates, pool: IntArray, sets: CandidateSets) -> Array:
    """The terms of each set, shape (N, G), in the order of `SET_TERMS`; 0 for the empty set.

    Parameters
    ----------
    pool : array (p,)
        The candidates that the sets are made of.
    """
    terms = {name: np.zeros(len(sets)) for name in SET_TERMS}
    joins = seen.joins[np.ix_(pool, pool)]
    weights = np.where(joins > 0, joins, -np.inf)
    databases, connected = seen.databases[pool], connected_parts(seen.joins >= LINKED)[pool]
    unnamed = np.all(np.concatenate([seen.words, seen.values])[:, pool] <= 0, axis=0)
    short = _shortfalls(seen)[:, pool]
    many = (min(len(seen.fine), MOST_SUBQUERIES) - TYPICAL) / TYPICAL
    for k, places in sets.of_size.items():
        rows = sets.rows(k)
        forest = forest_joins(weights, places)
        terms["joins"][rows], terms["parts"][rows] = forest.clip(0.0).sum(axis=1), (forest <= 0).sum(axis=1)
        terms["databases"][rows] = _different(databases[places]) - 1
        linked = _links(forest)
        terms["gaps"][rows] = k - linked - _different(connected[places])
        if k > 2:
            alone = _connects_alone(weights, sets.one_less[k], linked)
            terms["bridges"][rows] = (unnamed[places] & alone).sum(axis=1)
        if len(short):
            missing = short[:, places].min(axis=2)
            terms["uncovered"][rows], terms["least_covered"][rows] = missing.mean(axis=0), missing.max(axis=0)
        terms["subqueries"][rows] = k * many
        terms["pairs"][rows], terms["triples"][rows], terms["fours"][rows] = _steps(k)
    some = sets.size > 0
    named = _named_terms(seen, pool, sets.member[some])
    terms["unsaid"][some], terms["missed_values"][some], terms["idle"][some] = named
    people = seen.people[pool]
    if people.any():
        terms["nobody"][some] = people.max() - (sets.member[some] * people).max(axis=1)
    return np.column_stack([terms[name] for name in SET_TERMS])


def _links(forest: Array) -> IntArray:
    """How many joins of each forest are of `LINKED` and more, shape (N,)."""
    links: IntArray = (forest >= LINKED).sum(axis=1)
    return links


def _connects_alone(joins: Array, less: OneLess, linked: IntArray) -> Flags:
    """Which tables of each set connect others that nothing else does, shape (N, k): without one of these the forest of
    the set has at least two joins less of `LINKED` and more.

    Parameters
    ----------
    linked : array (N,)
        How many such joins the forest of the whole set has.
    """
    without: IntArray = _links(forest_joins(joins, less.sets))[less.place]
    return without < linked[:, None] - 1


def _different(numbers: IntArray) -> IntArray:
    """How many different numbers each row has, shape (N,)."""
    different: IntArray = 1 + (np.diff(np.sort(numbers, axis=1), axis=1) != 0).sum(axis=1)
    return different


def _named_terms(seen: Candidates, pool: IntArray, member: Array) -> tuple[Array, Array, IntArray]:
    """What each set lacks of the words and values that the question names, and its idle tables, shapes (N,). Of tables
    that answer a sub-query equally well the one that stands first in the pool is the best."""
    words, values = (_held(rows[:, pool]) for rows in (seen.words, seen.values))
    unsaid = (member @ (words > 0).T == 0) @ (1 / np.sqrt((words > 0).sum(axis=1)))
    missed = (member @ (values > 0).T == 0) @ values.max(axis=1, initial=0.0)
    named = np.concatenate([words, values]) > 0
    useful = (member @ named.T == 1) @ named > 0
    for part in seen.parts[:, pool]:
        best = np.where(member > 0, part, -np.inf).argmax(axis=1)
        useful[np.arange(len(member)), best] = True
    useful |= member @ (seen.joins[np.ix_(pool, pool)] >= LINKED) > 1
    return unsaid, missed, (~useful & (member > 0)).sum(axis=1)


def _held(rows: Array) -> Array:
    """The rows of words or values that some candidate has."""
    return np.asarray(rows[(rows > 0).any(axis=1)])


def nothing_terms(seen: Candidates, log_odds: Array) -> Array:
    """What tells a question that no table answers, shape (7,), in the order of `NOTHING_TERMS`."""
    values = seen.values.sum(axis=0).max()
    words = (seen.words > 0).sum(axis=0).max() / max(seen.length, 1)
    mentions = min(len(seen.values), MOST_MENTIONS)
    return np.array([1.0, seen.text.max(), values, words, mentions, likeliest(log_odds), unknown_share(seen)])


def likeliest(log_odds: Array) -> float:
    """The greatest log-odds of a candidate, `SURE` at most."""
    return min(float(log_odds.max()), SURE)


def _shortfalls(seen: Candidates) -> Array:
    """What each candidate falls short of the best one for each sub-query, from 0 to 1, shape (m, n)."""
    parts = seen.parts
    if not len(parts):
        return parts
    return np.asarray((parts.max(axis=1, keepdims=True) - parts).clip(0.0, 1.0))


def _steps(k: int) -> tuple[float, float, float]:
    """Which of the sizes 2, 3 and 4 a set has; of 4 + j tables that of 4 by 1 + j, less that of 3 by j."""
    beyond = max(k - 4, 0)
    return float(k == 2), float(k == 3) - beyond, float(k >= 4) + beyond
