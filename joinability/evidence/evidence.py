"""The evidence in memory: arrays per column and sparse matrices per pair, from which blocks of pairs are cut."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from joinability.evidence.blocks import EvidenceBlock, PairBlock, SquareBlock
from joinability.evidence.traits import Traits
from joinability.scores.rivals import Rivals

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray
    from scipy.sparse import csr_array

    Floats = NDArray[np.float32]
    Flags = NDArray[np.bool_]

__all__ = ["EvidenceBlock", "JoinEvidence", "Profiles"]


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
    numeric_share, integer_share, time_share, mean_length : arrays of float
        Shares of the values that read as a number, an integer, a date or time of day, and mean length of their text.
    padded_share : array of float
        Share of the values that have blanks before or after them, which a join has to trim.
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
    numeric_share: NDArray[np.float64]
    integer_share: NDArray[np.float64]
    time_share: NDArray[np.float64]
    mean_length: NDArray[np.float64]
    padded_share: NDArray[np.float64]
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
    database : (T,) array of int
        Tables with one number are of one database.
    name : tuple of str
        Column names.
    intersections : (C, C) sparse array of int32
        |A n B| of the columns of different tables, symmetric.
    intersection_errors : (C, C) sparse array of float64
        Their standard errors, symmetric; those that are not there are exact, as far as the values are.
    declared : (C, C) sparse array of int32
        Declared keys: entry (k, l) is the number of columns of the key by which column k refers to column l.
    tokens : (C, V) sparse binary array
        Words of "database table column".
    headers : (C, W) sparse binary array
        Trigrams of the column's name, after that of its table where the name alone is generic.
    words, table_words : (C, U) and (T, U) sparse binary arrays
        Words of the names of columns, with those that they abbreviate, and of tables, in the singular.
    name_number : (C,) array of int
        Columns with one number have one name, as far as its words go; a generic one counts with that of its table.
    name_endings : (N, N) sparse binary array
        Entry (k, l): name k ends with the words of name l, or is it.
    """

    table: NDArray[np.int64]
    table_names: tuple[str, ...]
    database: NDArray[np.int64]
    name: tuple[str, ...]
    intersections: csr_array
    intersection_errors: csr_array
    declared: csr_array
    tokens: csr_array
    headers: csr_array
    words: csr_array
    table_words: csr_array
    name_number: NDArray[np.int64]
    name_endings: csr_array

    def __len__(self) -> int:
        return len(self.name)

    @property
    def ids(self) -> list[str]:
        """Column ids, "database.table.column"."""
        return [f"{self.table_names[table]}.{name}" for table, name in zip(self.table, self.name, strict=True)]

    @cached_property
    def traits(self) -> Traits:
        """What makes each column a key or a reference by itself."""
        return Traits.of(self)

    @cached_property
    def rivals(self) -> Rivals:
        """The likeliest references of all columns, that others are weighed against."""
        return Rivals.among(self)

    def padding(self, left: Sequence[int], right: Sequence[int]) -> tuple[tuple[bool, bool], ...]:
        """Which columns of each pair have values with blanks around them; empty where none has."""
        marks = [
            (bool(self.padded_share[own] > 0), bool(self.padded_share[other] > 0))
            for own, other in zip(left, right, strict=True)
        ]
        return tuple(marks) if any(map(any, marks)) else ()

    def block(self, columns: ArrayLike) -> EvidenceBlock:
        """All pairs among c columns, as (c, c) arrays."""
        return SquareBlock(self, np.asarray(columns, dtype=np.int64))

    def pairs(self, left: ArrayLike, right: ArrayLike) -> EvidenceBlock:
        """The given pairs of columns, as (p,) arrays."""
        return PairBlock(self, np.asarray(left, dtype=np.int64), np.asarray(right, dtype=np.int64))
