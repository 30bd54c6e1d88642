"""Which candidates refer to which: what a column tells of the table that it refers to.

"Which customer complaints are open, and who is handling them?" names no table of users, but ``complaint.handler_id``
answers a part of it, and refers to one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from jar.learned.standardising import standard_rows
from joinability.sparse.sparse_rows import ranges

if TYPE_CHECKING:
    from jar.arrays import Array, IntArray
    from jar.index.contents import IndexContents
    from joinability.scores.score import JoinScore


class Referring(NamedTuple):
    """How n candidates refer to each other.

    Attributes
    ----------
    refers : array (n, n)
        ``refers[i, j]``: how likely a column of candidate j refers to candidate i, by the greatest joinability of such
        a column; 0 where none refers to it, and on the diagonal.
    answers : array (n, n)
        ``answers[i, j]``: the same for a column of j that answers a sub-query; the greatest product of joinability and
        of what the column is worth as an answer, from 0 to 1.
    """

    refers: Array
    answers: Array


def referring(
    contents: IndexContents, score: JoinScore, tables: IntArray, columns: IntArray, joinability: Array, worth: Array
) -> Referring:
    """Which of n candidates refer to which, by values, declared keys and names.

    Parameters
    ----------
    tables, columns : arrays (n,), (C,)
        Positions of the candidates, and of their columns, table by table.
    joinability : array (C, C)
        Of each pair of these columns.
    worth : array (C,)
        What each is worth as an answer: `answering`.
    """
    place = np.full(len(contents.owner), -1, dtype=np.int64)
    place[columns] = np.arange(len(columns))
    item = np.full(len(contents.tables), -1, dtype=np.int64)
    item[tables] = np.arange(len(tables))
    child, key = _references(contents, score, columns)
    child, key = child[place[key] >= 0], key[place[key] >= 0]
    parent, owner = item[contents.owner[key]], item[contents.owner[child]]
    likely = np.where(parent == owner, 0.0, joinability[place[child], place[key]])
    refers, answers = (np.zeros((len(tables), len(tables))) for _ in Referring._fields)
    np.maximum.at(refers, (parent, owner), likely)
    np.maximum.at(answers, (parent, owner), likely * worth[place[child]])
    return Referring(refers, answers)


def answering(fine: Array) -> Array:
    """What each of C columns is worth as an answer to the sub-query to which it is nearest to the best, shape (C,): 1
    for the best, exp(-x) for one that is x standard deviations behind; 0 without sub-queries."""
    if not fine.size:
        return np.zeros(fine.shape[1])
    standing = standard_rows(fine)
    worth: Array = np.exp(standing - standing.max(axis=1, keepdims=True)).max(axis=0)
    return worth


def _references(contents: IndexContents, score: JoinScore, columns: IntArray) -> tuple[IntArray, IntArray]:
    """References of some columns: these, and the keys."""
    named = contents.evidence.named.chance
    lengths = np.diff(named.indptr)[columns]
    child = np.repeat(columns, lengths)
    key = named.indices[ranges(named.indptr[columns], lengths)].astype(np.int64)
    found = contents.joins.references(score, columns)
    if found is None:
        return child, key
    first, end = (np.searchsorted(found.child, columns, side=side) for side in ("left", "right"))
    entries = ranges(first, end - first)
    return np.concatenate([child, found.child[entries]]), np.concatenate([key, found.key[entries]])
