"""The sets of tables that an answer may be: all small ones of the best candidates."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from jar.arrays import Array, IntArray
from joinability.attributes import cached_property

POOL = 10
"""Candidates of greatest log-odds that sets are made of."""
LARGEST = 6
"""Tables of the largest set."""
MORE_POOL, MORE_TABLES = 6, 2
"""Beside many required tables: candidates at least, and tables at most."""


class OneLess(NamedTuple):
    """Sets without one of their tables.

    Attributes
    ----------
    sets : array (M, k - 1)
        All different sets that are left when one table is taken from some set of k.
    place : array (N_k, k)
        Element (s, t): the row of `sets` that is set s without its t-th table.
    """

    sets: IntArray
    place: IntArray


@dataclass(frozen=True, eq=False)
class CandidateSets:
    """N sets of p tables, the empty one first where nothing is required; those of one size follow each other.

    Attributes
    ----------
    member : array (N, p)
        1 where a table is in a set, else 0.
    of_size : dict
        The sets of k tables, as places of the tables, shape (N_k, k), by k from 1.
    """

    member: Array
    of_size: dict[int, IntArray]

    def __len__(self) -> int:
        return len(self.member)

    @cached_property
    def size(self) -> IntArray:
        """Number of tables of each set, shape (N,)."""
        return np.asarray(self.member.sum(axis=1), dtype=np.int64)

    @cached_property
    def f1(self) -> Array:
        """F1 of each set (row) when another one (column) is right, shape (N, N).

        2 |A and S| / (|A| + |S|), which is 1 for two empty sets.
        """
        total = self.size[:, None] + self.size
        shared = 2 * self.member @ self.member.T
        return np.asarray(np.divide(shared, total, out=np.ones(total.shape), where=total > 0))

    @cached_property
    def one_less(self) -> dict[int, OneLess]:
        """The sets of k tables without one of them, by k from 2."""
        return {k: _one_less(sets) for k, sets in self.of_size.items() if k > 1}

    def rows(self, k: int) -> slice:
        """Where the sets of k tables are."""
        first = int(np.searchsorted(self.size, k))
        return slice(first, first + len(self.of_size.get(k, ())))


@lru_cache(maxsize=64)
def candidate_sets(p: int, required: int = 0) -> CandidateSets:
    """All sets of at most `LARGEST` of p tables that hold the first `required` of them.

    With many required tables a set may have up to `MORE_TABLES` others.
    """
    largest = min(p, max(LARGEST, required + MORE_TABLES))
    of_size: dict[int, IntArray] = {}
    for k in range(max(required, 1), largest + 1):
        others = list(combinations(range(required, p), k - required))
        sets = [(*range(required), *some) for some in others]
        of_size[k] = np.array(sets, dtype=np.int64).reshape(len(sets), k)
    empty = [np.zeros((1, p))] if not required else []
    return CandidateSets(np.concatenate([*empty, *(_members(sets, p) for sets in of_size.values())]), of_size)


def _one_less(sets: IntArray) -> OneLess:
    rest = np.stack([np.delete(sets, place, axis=1) for place in range(sets.shape[1])], axis=1)
    different, place = np.unique(rest.reshape(-1, sets.shape[1] - 1), axis=0, return_inverse=True)
    return OneLess(different, place.reshape(sets.shape))


def _members(sets: IntArray, p: int) -> Array:
    member: npt.NDArray[np.float64] = np.zeros((len(sets), p))
    np.put_along_axis(member, sets, 1.0, axis=1)
    return member
