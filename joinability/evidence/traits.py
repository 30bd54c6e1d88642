"""What makes a column a key or a reference by itself, before it is compared with any other: arrays over columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from joinability.families import kinds

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from joinability.evidence.evidence import Flags, Floats, JoinEvidence

    Indices = NDArray[np.int64]

COUNTED = 0.5
"""Integers that fill more than this share of their range count as surrogate keys do: 1, 2, 3, ..."""


@dataclass(frozen=True)
class Traits:
    """Quantities of C columns.

    Attributes
    ----------
    silent : array of bool
        Nothing is known of the values: an empty table, a schema without rows, no sample.
    kind : array of int8
        Index into `KINDS`, by the contents where they are known.
    counted : array of bool
        The values are integers of a range with few gaps, as surrogate keys are.
    leads : array of bool
        The first of the most unique columns of its table, where keys stand.
    width : array of float32
        Decimal logarithm of the number of columns of the column's table.
    other_name : array of float32
        Of the tables of the column's database other than its own, the greatest share of a name's words that are in the
        column's name: "teacher_id" is named after the table of teachers.
    other_table : array of int
        The table that it is named after; -1 where there is none.
    next_name : array of float32
        The greatest share without that table.
    """

    silent: Flags
    kind: NDArray[np.int8]
    counted: Flags
    leads: Flags
    width: Floats
    other_name: Floats
    other_table: Indices
    next_name: Floats

    @classmethod
    def of(cls, evidence: JoinEvidence) -> Traits:
        """The traits of all columns, by array operations."""
        silent = np.asarray((evidence.values == 0) & (evidence.estimated | (evidence.rows == 0)))
        with np.errstate(invalid="ignore"):  # columns without numbers have no range
            filled = evidence.distinct > COUNTED * (evidence.highest - evidence.lowest + 1)
        return cls(
            silent,
            kinds(evidence.family, evidence.numeric_share, evidence.time_share, evidence.values > 0),
            np.asarray(filled & (evidence.integer_share > 0.99)),
            _leads(evidence),
            np.log10(np.bincount(evidence.table)[evidence.table]).astype(np.float32),
            *_named_after_others(evidence),
        )


def _leads(evidence: JoinEvidence) -> Flags:
    """Per table the column of greatest uniqueness that stands first."""
    order = np.lexsort((evidence.position, -evidence.uniqueness, evidence.table))
    leads = np.zeros(len(evidence), dtype=np.bool_)
    leads[order] = np.diff(evidence.table[order], prepend=-1) != 0
    return leads


def _named_after_others(evidence: JoinEvidence) -> tuple[Floats, Indices, Floats]:
    """The two best shares of the names of other tables of the database in each column's name, and whose is the best."""
    common = (evidence.words @ evidence.table_words.T).tocoo()
    column, table = common.coords
    database = evidence.database
    kept = (evidence.table[column] != table) & (database[evidence.table[column]] == database[table])
    column, table = column[kept].astype(np.int64), table[kept].astype(np.int64)
    share = common.data[kept] / np.diff(evidence.table_words.indptr)[table]
    order = np.lexsort((table, -share, column))
    column, table, share = column[order], table[order], share[order].astype(np.float32)
    first = np.flatnonzero(np.diff(column, prepend=-1))
    second = first[first + 1 < len(column)] + 1
    second = second[column[second] == column[second - 1]]
    best, following = np.zeros((2, len(evidence)), dtype=np.float32)
    whose = np.full(len(evidence), -1, dtype=np.int64)
    best[column[first]], whose[column[first]] = share[first], table[first]
    following[column[second]] = share[second]
    return best, whose, following
