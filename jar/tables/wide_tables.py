"""Wide tables: which of their columns can matter to an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from jar.arrays import Array, IntArray

if TYPE_CHECKING:
    from jar.index.contents import IndexContents
    from joinability.scores.score import JoinScore


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
    telling = contents.may_join[columns]
    if telling.all():
        return telling
    owner = contents.owner[columns]
    starts = np.flatnonzero(np.diff(owner, prepend=-1))
    for scores in fine:
        best = np.maximum.reduceat(scores, starts)
        places = np.flatnonzero(scores == np.repeat(best, np.diff([*starts, len(columns)])))
        telling[places[np.flatnonzero(np.diff(owner[places], prepend=-1))]] = True
    return telling
