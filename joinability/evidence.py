"""The evidence in memory: arrays per column, sparse matrices per pair, and dense blocks of them for a question.

Everything here is an array operation; no loop over pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray
    from scipy.sparse import csr_array

    Floats = NDArray[np.float32]
    Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Profiles:
    """What is known of each column, one array per quantity.

    Attributes
    ----------
    family : array of int8
        Index into `FAMILIES`.
    position : array of int
        Place of the column in its table, from 0.
    rows, nulls, distinct : arrays of int
    values : array of int
        How many distinct values the overlaps count: `distinct`, or fewer where they are a sample.
    uniqueness : array of float
        `distinct / rows`, or what the owner told.
    integer_share, mean_length : arrays of float
        Share of the values that are integers, and mean length of their text.
    lowest, highest : arrays of float
        Of the values that are numbers; NaN where none is.
    is_key : array of bool
        The column alone is its table's declared primary key.
    has_rows : array of bool
        False where only a schema is known.
    estimated : array of bool
        True where the values are a sample, or not known at all.
    """

    family: NDArray[np.int8]
    position: NDArray[np.int64]
    rows: NDArray[np.int64]
    nulls: NDArray[np.int64]
    distinct: NDArray[np.int64]
    values: NDArray[np.int64]
    uniqueness: NDArray[np.float64]
    integer_share: NDArray[np.float64]
    mean_length: NDArray[np.float64]
    lowest: NDArray[np.float64]
    highest: NDArray[np.float64]
    is_key: Flags
    has_rows: Flags
    estimated: Flags


@dataclass(frozen=True)
class JoinEvidence(Profiles):
    """Evidence on every pair of C columns; the profiles of `Profiles`, and

    Attributes
    ----------
    table : (C,) array of int
        Index into `table_names`.
    table_names : tuple of str
        Ids of the tables.
    name : tuple of str
        Column names.
    intersections : (C, C) sparse array of int32
        |A n B| of the columns of different tables, symmetric.
    declared : (C, C) sparse array of int32
        Declared keys: entry (k, l) is the number of columns of the key by which column k refers to column l.
    tokens : (C, V) sparse binary array
        Words of "database table column".
    headers : (C, W) sparse binary array
        Trigrams of the column's name, after that of its table where the name alone is generic.
    words, table_words : (C, U) and (T, U) sparse binary arrays
        Words of the names of columns and of tables, in the singular.
    """

    table: NDArray[np.int64]
    table_names: tuple[str, ...]
    name: tuple[str, ...]
    intersections: csr_array
    declared: csr_array
    tokens: csr_array
    headers: csr_array
    words: csr_array
    table_words: csr_array

    def __len__(self) -> int:
        return len(self.name)

    @property
    def ids(self) -> list[str]:
        """Column ids, "database.table.column"."""
        return [f"{self.table_names[table]}.{name}" for table, name in zip(self.table, self.name, strict=True)]

    def block(self, columns: ArrayLike) -> EvidenceBlock:
        """All pairs among c columns, as (c, c) arrays."""
        index = np.asarray(columns, dtype=np.int64)
        declared = _square(self.declared, index) > 0
        named_after = self._named_after_square(index)
        return EvidenceBlock(
            evidence=self,
            left=index[:, None],
            right=index[None, :],
            intersection=_square(self.intersections, index),
            token_overlap=_overlap_coefficient(*_square_counts(self.tokens, index)),
            header_similarity=_set_cosine(*_square_counts(self.headers, index)),
            named_after_right=named_after,
            named_after_left=named_after.T,
            declared=declared | declared.T,
        )

    def pairs(self, left: ArrayLike, right: ArrayLike) -> EvidenceBlock:
        """The given pairs of columns, as (p,) arrays."""
        k, l = np.asarray(left, dtype=np.int64), np.asarray(right, dtype=np.int64)  # noqa: E741
        return EvidenceBlock(
            evidence=self,
            left=k,
            right=l,
            intersection=_entries(self.intersections, k, l),
            token_overlap=_overlap_coefficient(*_pair_counts(self.tokens, k, l)),
            header_similarity=_set_cosine(*_pair_counts(self.headers, k, l)),
            named_after_right=self._named_after(k, l),
            named_after_left=self._named_after(l, k),
            declared=(_entries(self.declared, k, l) > 0) | (_entries(self.declared, l, k) > 0),
        )

    def _named_after_square(self, index: NDArray[np.int64]) -> Floats:
        tables, place = np.unique(self.table[index], return_inverse=True)
        named = self.table_words[tables]
        common = (self.words[index] @ named.T).toarray()
        return _ratio(common, np.diff(named.indptr))[:, place]

    def _named_after(self, child: NDArray[np.int64], parent: NDArray[np.int64]) -> Floats:
        named = self.table_words[self.table[parent]]
        common = np.asarray(self.words[child].multiply(named).sum(axis=1), dtype=np.float32)
        return _ratio(common, np.diff(named.indptr))


@dataclass(frozen=True)
class EvidenceBlock:
    """Evidence on pairs of columns: every array has the shape of the block, (c, c) or (p,).

    Attributes
    ----------
    evidence : JoinEvidence
    left, right : arrays of int
        The columns of each pair; they broadcast to the shape of the block.
    intersection : array of float
        |A n B| of the values that are known.
    token_overlap : array of float
        Overlap coefficient of the words of "database table column".
    header_similarity : array of float
        Cosine of the letter trigrams of the column names; a generic name counts together with that of its table.
    named_after_right, named_after_left : arrays of float
        Share of the words of the right (left) table's name that are in the name of the left (right) column.
    declared : array of bool
        A declared key links the two, in either direction.
    """

    evidence: JoinEvidence
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    intersection: Floats
    token_overlap: Floats
    header_similarity: Floats
    named_after_right: Floats
    named_after_left: Floats
    declared: Flags

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of every array of the block."""
        return self.intersection.shape

    def sides(self, quantity: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """A quantity per column, of the left and of the right column of each pair."""
        return quantity[self.left], quantity[self.right]

    @property
    def name_similarity(self) -> Floats:
        """How well the names say that the two belong together: alike, or one named after the other's table."""
        return np.maximum(self.header_similarity, 0.8 * np.maximum(self.named_after_left, self.named_after_right))

    @cached_property
    def same_table(self) -> Flags:
        """Both columns belong to one table (such pairs have no intersection counted)."""
        return np.asarray(np.equal(*self.sides(self.evidence.table)))

    @cached_property
    def same_family(self) -> Flags:
        """Both columns have one type family."""
        return np.asarray(np.equal(*self.sides(self.evidence.family)))

    @cached_property
    def estimated(self) -> Flags:
        """The values of a side are a sample, or unknown."""
        return np.asarray(np.logical_or(*self.sides(self.evidence.estimated)))

    @cached_property
    def unknown(self) -> Flags:
        """Nothing is known of the values of a side: an empty table, a schema without rows, no sample."""
        evidence = self.evidence
        unknown = (evidence.values == 0) & (evidence.estimated | (evidence.rows == 0))
        return np.asarray(np.logical_or(*self.sides(unknown)))

    @cached_property
    def expected_left(self) -> Floats:
        """Size of the intersection, were all values of the left column in the right one: |A|, less for samples."""
        left, right = self.sides(self.evidence.values)
        return _ratio(left * right, self.sides(self.evidence.distinct)[1])

    @cached_property
    def expected_right(self) -> Floats:
        """Size of the intersection, were all values of the right column in the left one: |B|, less for samples."""
        left, right = self.sides(self.evidence.values)
        return _ratio(left * right, self.sides(self.evidence.distinct)[0])

    @cached_property
    def containment_left(self) -> Floats:
        """|A n B| / |A|, A the values of the left column; an estimate where the values are samples."""
        return np.minimum(_ratio(self.intersection, self.expected_left), 1)

    @cached_property
    def containment_right(self) -> Floats:
        """|A n B| / |B|, B the values of the right column; an estimate where the values are samples."""
        return np.minimum(_ratio(self.intersection, self.expected_right), 1)

    @cached_property
    def jaccard(self) -> Floats:
        """|A n B| / |A u B| of the values that are known."""
        return _ratio(self.intersection, np.add(*self.sides(self.evidence.values)) - self.intersection)

    @cached_property
    def greater_uniqueness(self) -> Floats:
        """Uniqueness of the more unique side."""
        return np.asarray(np.maximum(*self.sides(self.evidence.uniqueness)), dtype=np.float32)


def _ratio(part: Floats, whole: NDArray[Any]) -> Floats:
    """`part / whole`, 0 where the whole is empty."""
    return np.asarray(np.divide(part, np.maximum(whole, 1), dtype=np.float32))


def _square(matrix: csr_array, index: NDArray[np.int64]) -> Floats:
    """Dense (c, c) block of a sparse matrix: the rows of `index`, whose entries are scattered where they are wanted."""
    place = np.full(matrix.shape[1], -1, dtype=np.int64)
    place[index] = np.arange(len(index))
    starts, ends = matrix.indptr[index].astype(np.int64), matrix.indptr[index + 1].astype(np.int64)
    lengths = ends - starts
    offsets = np.repeat(starts - np.concatenate([[0], np.cumsum(lengths)[:-1]]), lengths) if len(index) else lengths
    entries = np.arange(lengths.sum()) + offsets
    column = place[matrix.indices[entries]]
    wanted = np.flatnonzero(column >= 0)
    block = np.zeros((len(index), len(index)), dtype=np.float32)
    block[np.repeat(np.arange(len(index)), lengths)[wanted], column[wanted]] = matrix.data[entries[wanted]]
    return block


def _square_counts(sets: csr_array, index: NDArray[np.int64]) -> tuple[Floats, Floats, Floats]:
    """|A n B|, |A| and |B| of the sets of all pairs of `index`."""
    chosen = sets[index]
    sizes = np.diff(chosen.indptr).astype(np.float32)
    return (chosen @ chosen.T).toarray(), sizes[:, None], sizes[None, :]


def _pair_counts(sets: csr_array, left: NDArray[np.int64], right: NDArray[np.int64]) -> tuple[Floats, Floats, Floats]:
    """|A n B|, |A| and |B| of the sets of the given pairs."""
    sizes = np.diff(sets.indptr).astype(np.float32)
    common = np.asarray(sets[left].multiply(sets[right]).sum(axis=1), dtype=np.float32)
    return common, sizes[left], sizes[right]


def _overlap_coefficient(common: Floats, left: Floats, right: Floats) -> Floats:
    return _ratio(common, np.minimum(left, right))


def _set_cosine(common: Floats, left: Floats, right: Floats) -> Floats:
    return _ratio(common, np.sqrt(left * right))


def _entries(matrix: csr_array, left: NDArray[np.int64], right: NDArray[np.int64]) -> Floats:
    return np.asarray(matrix[left, right], dtype=np.float32) if len(left) else np.zeros(0, dtype=np.float32)
