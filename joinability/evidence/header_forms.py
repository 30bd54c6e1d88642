"""The forms of the names of columns in which they are compared: trigrams and endings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from joinability.attributes import cached_property
from joinability.names import endings, header_words, is_generic, trigrams
from joinability.sparse.products import common_counts, sparse_common_counts
from joinability.sparse.sparse_entries import common_entries, entries_at, entries_of
from joinability.sparse.sparse_rows import SparseRows, incidence

if TYPE_CHECKING:
    from joinability.arrays import Flags, Indices, Vectors


@dataclass(frozen=True, eq=False)
class HeaderForms:
    """The names of C columns, a generic one together with that of its table.

    Attributes
    ----------
    trigrams : (C, W) sparse binary array
    number : (C,) array of int
        Columns with one number have names of the same words.
    endings : (N, N) sparse binary array
        Entry (k, l): name k ends with the words of name l, or is it.
    """

    trigrams: SparseRows
    number: Indices
    endings: SparseRows

    @cached_property
    def named(self) -> SparseRows:
        """Trigrams of each of the N names, shape (N, W)."""
        _, first = np.unique(self.number, return_index=True)
        return self.trigrams[first]

    def cosines(self, left: Indices, right: Indices) -> Vectors:
        """Cosines of the trigrams of p pairs of columns, by their names: each two names are compared once."""
        count = self.named.shape[0]
        pairs, place = np.unique(self.number[left] * count + self.number[right], return_inverse=True)
        one, other = np.divmod(pairs, count)
        common = common_entries(self.named, one, self.named, other)
        sizes = np.diff(self.named.indptr).astype(np.float32)
        lengths = np.sqrt(sizes[one] * sizes[other])
        return np.asarray(np.divide(common, np.maximum(lengths, 1), dtype=np.float32)[place])

    def cosine_matrix(self, left: Indices, right: Indices) -> Vectors:
        """Cosines of the trigrams of all pairs of l and r columns, shape (l, r): each two names are compared once."""
        names, place = np.unique(self.number[left], return_inverse=True)
        others, beside = np.unique(self.number[right], return_inverse=True)
        common = common_counts(self.named[names], self.named[others])
        sizes = np.diff(self.named.indptr).astype(np.float32)
        lengths = np.sqrt(sizes[names][:, None] * sizes[others][None, :])
        return np.asarray(np.divide(common, np.maximum(lengths, 1), dtype=np.float32)[place][:, beside])

    def ends_with(self, left: Indices, right: Indices) -> Flags:
        """Whether the name of the left column ends with that of the right one, for p pairs of columns."""
        return np.asarray(entries_at(self.endings, self.number[left], self.number[right]) > 0)

    def endings_matrix(self, left: Indices, right: Indices) -> Flags:
        """Whether names of l columns end with those of r columns, shape (l, r)."""
        names, place = np.unique(self.number[left], return_inverse=True)
        others, beside = np.unique(self.number[right], return_inverse=True)
        ends = np.zeros((len(names), len(others)), dtype=np.bool_)
        is_other = np.zeros(self.endings.width, dtype=np.bool_)
        is_other[others] = True
        name, end, _ = entries_of(self.endings, names, is_other)
        ends[np.searchsorted(names, name), np.searchsorted(others, end)] = True
        return ends[place][:, beside]

    def alike(self, names: Indices, others: Indices, least: float) -> tuple[Indices, Indices]:
        """Which of a names are like which of b others, by a cosine of trigrams of `least` or more, or because one ends
        with the other: pairs of places, each once.

        Parameters
        ----------
        names, others : (a,) and (b,) arrays of int, ascending
        """
        sizes = np.sqrt(np.diff(self.named.indptr)).astype(np.float32)
        common = sparse_common_counts(self.named[names], self.named[others])
        enough = np.repeat(np.float32(least) * sizes[names], np.diff(common.indptr))
        enough *= sizes[others][common.indices]
        like = np.flatnonzero(common.data >= enough)
        row = np.searchsorted(common.indptr, like, side="right") - 1
        keys = [row * len(others) + common.indices[like]]
        marks = np.zeros((2, self.endings.shape[0]), dtype=np.bool_)
        marks[0, names] = marks[1, others] = True
        name, end, _ = entries_of(self.endings, names, marks[1])
        keys.append(np.searchsorted(names, name) * len(others) + np.searchsorted(others, end))
        name, end, _ = entries_of(self.endings, others, marks[0])
        keys.append(np.searchsorted(names, end) * len(others) + np.searchsorted(others, name))
        place, other_place = np.divmod(np.unique(np.concatenate(keys)), max(len(others), 1))
        return place, other_place

    @classmethod
    def of(cls, labels: Sequence[str], tables: Sequence[str]) -> HeaderForms:
        """The forms of the names of columns, each with the name of its table where it is generic."""
        generic = {label: is_generic(label) for label in set(labels)}
        qualified = [(label, table if generic[label] else "") for label, table in zip(labels, tables, strict=True)]
        numbers: dict[tuple[str, ...], int] = {}
        known = {name: numbers.setdefault(header_words(*name), len(numbers)) for name in dict.fromkeys(qualified)}
        number = np.array([known[name] for name in qualified], dtype=np.int64)
        names = list(numbers)
        return cls(incidence([trigrams("".join(name)) for name in names])[number], number, _square(endings(names)))


def _square(rows: list[list[int]]) -> SparseRows:
    """Square binary matrix with these columns in its rows."""
    starts = np.cumsum([0, *map(len, rows)])
    indices = np.fromiter(chain.from_iterable(map(sorted, rows)), dtype=np.int32, count=starts[-1])
    return SparseRows(np.ones(len(indices), dtype=np.float32), indices, starts, len(rows))
