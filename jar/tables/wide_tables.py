"""Wide tables: which of their columns can matter to an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from jar.arrays import Array, IntArray
from jar.tables.composites import composites_between
from jar.tables.query import Limits

if TYPE_CHECKING:
    from jar.index.contents import IndexContents
    from joinability.scores.score import JoinScore

MANY = 200
"""Columns from which it pays to look which of those that may join others join some that are there."""


def telling_columns(contents: IndexContents, columns: IntArray, fine: Array, score: JoinScore) -> npt.NDArray[np.bool_]:
    """Which columns of some tables may join, or answer a sub-query best in their table; shape (C,).

    The answer is the same without the others: a table counts by its best column for each sub-query, and two tables by
    the best join of their columns. For a score that reads texts each pair of columns may join.

    Parameters
    ----------
    columns : array (C,)
        Positions in the index, table by table.
    fine : array (m, C)
        Relevance of each column to each sub-query.
    score : JoinScore
    """
    if score.reads_texts:
        return np.ones(len(columns), dtype=np.bool_)
    telling = contents.joins.may_join[columns]
    if len(columns) > MANY:
        telling = _joined(contents, columns, score)
    elif telling.all():
        return telling
    owner = contents.owner[columns]
    starts = np.flatnonzero(np.diff(owner, prepend=-1))
    for scores in fine:
        best = np.maximum.reduceat(scores, starts)
        places = np.flatnonzero(scores == np.repeat(best, np.diff([*starts, len(columns)])))
        telling[places[np.flatnonzero(np.diff(owner[places], prepend=-1))]] = True
    return telling


def _joined(contents: IndexContents, columns: IntArray, score: JoinScore) -> npt.NDArray[np.bool_]:
    """Which of all columns of some tables join others of them, whatever the caller forbids; shape (C,)."""
    tables = np.unique(contents.owner[columns])
    joined, here = np.zeros((2, len(contents.owner)), dtype=np.bool_)
    here[columns] = True
    one, other, _ = contents.joins.remembered(score).connecting(tables)
    both = here[one] & here[other]
    joined[one[both]] = joined[other[both]] = True
    references = contents.joins.references(score, columns)
    if references is not None:
        joined[columns[references.shared(contents.evidence, columns)[0]]] = True
    for join in composites_between(contents, tables, Limits(), score):
        joined[[join.left[0], join.right[0]]] = True
    marks: npt.NDArray[np.bool_] = joined[columns]
    return marks
