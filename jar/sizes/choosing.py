"""Which set is chosen by the probabilities of all: that of least Bayes risk, or the smallest that holds enough.

The expected F1 of a set A is sum_S P(S) 2 |A and S| / (|A| + |S|), and the one of greatest expected F1 is chosen (the
decision of least Bayes risk when the loss is 1 - F1; Berger, Statistical Decision Theory and Bayesian Analysis, 1985,
chapter 1). Expected recall is a sum over the tables of A, so that the smallest set that reaches a wished one has the
tables of greatest shares.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from jar.arrays import Array, IntArray
from jar.errors import QueryError

if TYPE_CHECKING:
    from jar.sizes.distribution import SetDistribution

MOST_PRICED = 12
"""Candidates that a set within a number of tokens is made of, beside required ones: all their sets are tried."""
REFUSED = 0.5
"""Probability that nothing fits up to which some table is chosen all the same."""
ROUNDING = 1e-9


class SetLimits(NamedTuple):
    """What a set may be.

    Attributes
    ----------
    required : tuple of int
        Candidates that it holds.
    tables : int
        Tables at most.
    tokens : int, optional
        Sum of prices at most.
    prices : array (n,)
        Tokens of each candidate; zeros where they do not matter.
    joined : array (n, n) of bool, optional
        Which candidates joins connect, where a set has to be connected.
    """

    required: tuple[int, ...]
    tables: int
    tokens: int | None
    prices: Array
    joined: npt.NDArray[np.bool_] | None = None


class Choice(NamedTuple):
    """The chosen candidates, in ascending order, and what was expected of them: F1, or recall."""

    items: tuple[int, ...]
    expected: float


def greatest_f1(distribution: SetDistribution, limits: SetLimits) -> Choice:
    """The set of greatest expected F1 within limits; of equally good ones the first, which has fewest tables.

    The empty one only where it is likelier than not that nothing fits. Where all sets have too many tokens, the
    likeliest of the candidates that have not.

    Raises
    ------
    QueryError
        When no set is within the limits.
    """
    sets = distribution.sets
    fits = distribution.possible & (sets.size <= limits.tables)
    if not fits[sets.size > 0].any():
        raise _unconnected(limits)
    if limits.tokens is not None:
        fits &= sets.member @ limits.prices[distribution.pool] <= limits.tokens
        if not fits[sets.size > 0].any():
            return _likeliest_within(distribution, limits, limits.tokens)
    if distribution.nothing <= REFUSED:
        fits &= sets.size > 0
    expected = np.where(fits, distribution.expected_f1(), -1.0)
    row = int(np.argmax(expected))
    return Choice(distribution.items(row), float(expected[row]))


def _likeliest_within(distribution: SetDistribution, limits: SetLimits, tokens: int) -> Choice:
    """The likeliest candidate that has no more tokens; of its F1 the sets say nothing."""
    fits = limits.prices <= tokens
    if limits.required or not fits.any():
        raise _too_dear(limits)
    return Choice((int(np.argmax(np.where(fits, distribution.presence, -1.0))),), 0.0)


def enough_recall(distribution: SetDistribution, recall: float, limits: SetLimits) -> Choice:
    """The smallest set whose expected recall is `recall`, if anything fits; where none is, that of greatest recall.

    Where it has to be connected and no set of the distribution reaches the recall, the best of them grows along joins:
    then there may be a smaller one. With a limit of tokens the required tables and the `MOST_PRICED` likeliest others
    make the sets.

    Raises
    ------
    QueryError
        When no set is within the limits.
    """
    shares = distribution.shares()
    if limits.joined is not None or not distribution.possible.all():
        return _possible(distribution, shares, recall, limits)
    order = [item for item in np.argsort(-shares, kind="stable").tolist() if item not in limits.required]
    if limits.tokens is not None:
        room = limits.tokens - limits.prices[list(limits.required)].sum()
        return _priced(shares, recall, [item for item in order if limits.prices[item] <= room][:MOST_PRICED], limits)
    ranked = [*limits.required, *order][: limits.tables]
    reached = np.cumsum(shares[ranked])
    enough = int(np.searchsorted(reached, recall - ROUNDING)) + 1
    chosen = ranked[: max(min(enough, len(ranked)), len(limits.required))]
    return Choice(tuple(sorted(chosen)), float(shares[chosen].sum()))


def _priced(shares: Array, recall: float, others: list[int], limits: SetLimits) -> Choice:
    """The same with a limit of tokens, by trying all sets of required tables and some others."""
    rows = np.arange(2 ** len(others))[:, None] >> np.arange(len(others)) & 1
    required = list(limits.required)
    size = rows.sum(axis=1) + len(required)
    price = rows @ limits.prices[others] + limits.prices[required].sum()
    reached = rows @ shares[others] + shares[required].sum()
    assert limits.tokens is not None
    fits = (size <= limits.tables) & (size > 0) & (price <= limits.tokens)
    if not fits.any():
        raise _too_dear(limits)
    best = _first(fits, reached, size, price, recall)
    chosen = [*required, *np.array(others, dtype=np.int64)[rows[best] > 0].tolist()]
    return Choice(tuple(sorted(chosen)), float(reached[best]))


def _possible(distribution: SetDistribution, shares: Array, recall: float, limits: SetLimits) -> Choice:
    """The same where some sets cannot be chosen: among those of the distribution that can, then beyond them."""
    sets, pool = distribution.sets, distribution.pool
    reached, price = sets.member @ shares[pool], sets.member @ limits.prices[pool]
    fits = distribution.possible & (sets.size > 0) & (sets.size <= limits.tables)
    if not fits.any():
        raise _unconnected(limits)
    if limits.tokens is not None:
        fits &= price <= limits.tokens
        if not fits.any():
            return _likeliest_within(distribution, limits, limits.tokens)
    best = _first(fits, reached, sets.size, price, recall)
    chosen = list(distribution.items(best))
    if limits.joined is not None:
        chosen = _grown(chosen, limits.joined, shares, recall, limits)
    return Choice(tuple(sorted(chosen)), float(shares[chosen].sum()))


def _grown(
    chosen: list[int], joined: npt.NDArray[np.bool_], shares: Array, recall: float, limits: SetLimits
) -> list[int]:
    """A connected set with further tables, until it has enough recall or none more has room: each time the shortest way
    to another table that adds most recall for each table on it."""
    while shares[chosen].sum() < recall - ROUNDING:
        room = limits.tables - len(chosen)
        tokens = np.inf if limits.tokens is None else limits.tokens - limits.prices[chosen].sum()
        ways = [way for way in _ways(chosen, joined) if len(way) <= room and limits.prices[way].sum() <= tokens]
        if not ways:
            break
        chosen = chosen + max(ways, key=lambda way: float(shares[way].mean()))
    return chosen


def _ways(chosen: list[int], joined: npt.NDArray[np.bool_]) -> list[list[int]]:
    """A shortest way from a set of tables to each other one that joins connect with it, without the set."""
    ways: list[list[int]] = [[]]
    reached = np.isin(np.arange(len(joined)), chosen)
    ends = {0: chosen}
    for number, way in enumerate(ways):  # grows meanwhile
        near = np.flatnonzero(joined[ends[number]].any(axis=0) & ~reached)
        reached[near] = True
        for item in near.tolist():
            ends[len(ways)] = [item]
            ways.append([*way, item])
    return ways[1:]


def _first(fits: npt.NDArray[np.bool_], reached: Array, size: IntArray, price: Array, recall: float) -> int:
    """The best row that fits: of those that reach the recall the one with fewest tables, else that of most recall."""
    enough = fits & (reached >= recall - ROUNDING)
    keys = (price, -reached, size) if enough.any() else (price, size, -reached)
    rows = np.lexsort(keys)
    return int(rows[(enough if enough.any() else fits)[rows]][0])


def _unconnected(limits: SetLimits) -> QueryError:
    return QueryError(f"no connected set of at most {limits.tables} tables holds the required ones: raise max_k")


def _too_dear(limits: SetLimits) -> QueryError:
    if limits.required:
        least, what = limits.prices[list(limits.required)].sum(), "the required tables take"
    else:
        least, what = limits.prices.min(), "the shortest candidate takes"
    return QueryError(f"max_tokens is {limits.tokens}, and {what} about {least:.0f} tokens: raise it")
