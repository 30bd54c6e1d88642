"""Coarse and fine relevance, and the first-stage retriever: cosines between a question and the texts of an index."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from jar.contents import IndexContents

Array = npt.NDArray[np.float64]
FloatArray = npt.NDArray[np.float32]
IntArray = npt.NDArray[np.int64]


def retrieve(contents: IndexContents, question: FloatArray, count: int, exclude: Collection[int] = ()) -> IntArray:
    """Dense retrieval: the tables whose text is nearest to the question.

    Parameters
    ----------
    question : array (d,)
        Unit vector of the question.
    count : int
        Number of tables.
    exclude : positions
        Tables that are left out; the next ones move up.

    Returns
    -------
    array (min(count, tables left),)
        Positions, nearest first; equal cosines in the order of the index.
    """
    cosines = (contents.table_vectors @ question).astype(np.float64)
    if exclude:
        cosines[list(exclude)] = -np.inf
    count = min(count, len(cosines) - len(exclude))
    return np.argsort(-cosines, kind="stable")[:count].astype(np.int64)


def coarse_relevance(
    contents: IndexContents, tables: IntArray, question: FloatArray, scores: list[float] | None = None
) -> Array:
    """Relevance r_i of each candidate table to the question, shape (n,).

    Without scores: the cosine of question and table text. A retriever's own scores come in its own unit (BM25, rank
    fusion, another model's cosines), while the weights of an objective are set for cosines: they are moved and
    stretched to the mean and standard deviation that the cosines of the same candidates have, which keeps their order
    and their relative distances.
    """
    cosines: Array = (contents.table_vectors[tables] @ question).astype(np.float64)
    if scores is None:
        return cosines
    given = np.asarray(scores, dtype=np.float64)
    spread = given.std()
    standard = (given - given.mean()) / spread if spread > 0 else np.zeros_like(given)
    matched: Array = cosines.mean() + cosines.std() * standard
    return matched


def fine_relevance(contents: IndexContents, columns: IntArray, subqueries: FloatArray) -> Array:
    """Relevance r_qk of each column to each sub-query: cosine with the column text, shape (m, C)."""
    cosines: Array = (subqueries @ contents.column_vectors[columns].T).astype(np.float64)
    return cosines


def schema_similarity(contents: IndexContents, columns: IntArray) -> Array:
    """Cosine between the schema texts of columns, shape (C, C)."""
    vectors = contents.schema_vectors[columns]
    cosines: Array = (vectors @ vectors.T).astype(np.float64)
    return cosines
