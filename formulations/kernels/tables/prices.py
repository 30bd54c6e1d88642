"""The prices of the Lagrangian relaxation.

Four families of constraints are priced (docs/formulation.md derives the bound):

- each sub-query has at most one first match: a price per sub-query, from 0 to the bonus;
- at most ``limit`` matches count: one price >= 0;
- a join is earned only if its end u is selected: a price >= 0 per end, which is taken off the join (u, v) and given
  to table u. Few of these are ever positive, so they are kept as a list;
- where the set must be connected, each of its tables has a join: a price >= 0 per table, which is taken off the table
  and given to each of its joins.

Any prices give a valid bound; good prices give a tight one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from formulations.kernels.compiled import kernel
from formulations.validation import Array, IntArray, SignArray


class Prices(NamedTuple):
    """The multipliers, changed in place.

    Attributes
    ----------
    match : array of m + 1 floats
        Price of the first match of each sub-query; the last one is the price of any match.
    slot : array of shape (n, n), int32
        1 + position in the list of the price of end u of join (u, v); 0 where there is none.
    end, other : arrays of integers
        The listed pairs (u, v), by original index.
    amount : array of floats
        The listed prices.
    stamp : array of integers
        The step in which the join of a listed price was last earned.
    listed : array of 1 integer
        Length of the list.
    need : array of n floats
        The price of having a join.
    joins : array of n^2 floats
        Room for the join weights less the prices of their ends, of the tables in play.
    """

    match: Array
    slot: IntArray
    end: IntArray
    other: IntArray
    amount: Array
    stamp: IntArray
    listed: IntArray
    need: Array
    joins: Array


def new_prices(n: int, m: int) -> Prices:
    """Return prices of zero, with room for 8 n + 1000 ends; when it is full, further ends stay unpriced."""
    integers = np.empty((3, 8 * n + 1000), np.int64)
    return Prices(
        match=np.zeros(m + 1),
        slot=np.zeros((n, n), np.int32),
        end=integers[0],
        other=integers[1],
        amount=np.empty(8 * n + 1000),
        stamp=integers[2],
        listed=np.zeros(1, np.int64),
        need=np.zeros(n),
        joins=np.empty(n * n),
    )


@kernel
def price_matches(scores: Array, bonus: float, limit: int, fixed: SignArray, match: Array) -> None:
    """Price matches so that the best match of each sub-query is just worth it, and a second one is not. O(n m)."""
    n, m = scores.shape
    highest = 0.0
    for q in range(m):
        best, second = -np.inf, -np.inf
        for i in range(n):
            if fixed[i] >= 0 and scores[i, q] > second:
                second = scores[i, q]
                if second > best:
                    best, second = second, best
        match[q] = best if second == -np.inf else (best + second) / 2.0
        highest = max(highest, best)
    price = highest if limit <= m else 0.0
    match[m] = price
    for q in range(m):
        match[q] = min(max(0.0, match[q] + bonus - price), bonus)


@kernel
def drop_zeros(prices: Prices) -> None:
    """Take the prices that fell to zero off the list."""
    end, other, amount, slot = prices.end, prices.other, prices.amount, prices.slot
    kept = 0
    for s in range(prices.listed[0]):
        u, v = end[s], other[s]
        if amount[s] > 0.0:
            end[kept], other[kept], amount[kept] = u, v, amount[s]
            prices.stamp[kept] = prices.stamp[s]
            kept += 1
            slot[u, v] = kept
        else:
            slot[u, v] = 0
    prices.listed[0] = kept
