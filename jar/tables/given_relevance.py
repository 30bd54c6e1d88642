"""Relevance from elsewhere: an object that scores tables and columns in place of the cosines of the index."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol

import numpy as np
import numpy.typing as npt

from jar.arrays import Array, IntArray
from jar.errors import QueryError
from jar.tables.relevance import CosineRelevance, ScoredTables, on_scale, retrieve, text_cosines, with_databases

if TYPE_CHECKING:
    from jar.learned.relevance_model import RelevanceModel
    from jar.tables.query import EmbeddedQuery
    from jar.values.known_values import Mention

COSINE: Final = "cosine"
"""The name of the relevance of the index."""
LEARNED: Final = "learned"
"""The name of the relevance of the index with the log-odds of the package's model beside it."""
DEFAULT_RELEVANCE = COSINE
"""What scores tables where a caller names none; the package's model judges what the own first stage finds, too."""
MATCHED = 20
"""Tables, the most relevant ones, whose scores get the mean and the standard deviation of their cosines."""


class Relevance(Protocol):
    """Scores the tables and columns of an index for a question, in any unit; more is more relevant."""

    def tables(self, question: str) -> npt.ArrayLike:
        """Relevance of all N tables, in the order of `Index.tables`: N finite numbers."""

    def columns(self, question: str, subqueries: Sequence[str], columns: IntArray) -> npt.ArrayLike:
        """Relevance of C columns to each of m sub-queries, shape (m, C).

        Parameters
        ----------
        columns : array (C,)
            Their positions in the index, whose columns are numbered table by table.
        """


@dataclass(frozen=True)
class GivenRelevance(CosineRelevance):
    """A user's `Relevance` on the scale of cosines, for which the weights of objectives are set.

    Scores of tables are moved and stretched so that the `MATCHED` greatest have mean and standard deviation of the
    cosines of the same tables; those of columns so that all have those of the cosines of columns and sub-queries. Order
    and relative distances stay. What databases fall short is taken off as from cosines; shared words and values that
    the question names do not count beside it. Candidates that come with scores of a retriever are scored by it, too.

    Attributes
    ----------
    given : Relevance
    """

    given: Relevance = field(kw_only=True)

    name: ClassVar[str] = "given"

    def similarity(
        self, question: EmbeddedQuery, mentions: Sequence[Mention], exclude: Collection[int] = ()
    ) -> Array:
        """The scores of every table of the index, shape (N,), on the scale of cosines.

        Raises
        ------
        QueryError
            When the object does not give a finite number for each table.
        """
        given = self.given.tables(question.query.question)
        scores = _checked("tables", given, (len(self.contents.tables),), "tables of the index")
        best = retrieve(scores, MATCHED, exclude)
        cosines = text_cosines(self.contents, question.vectors[0], self.names)
        return on_scale(scores, cosines, best) if len(best) else cosines

    def mixed(self, similarity: Array, question: EmbeddedQuery, given: ScoredTables) -> Array:
        """The same, whatever scores a retriever gives."""
        return similarity

    def lessened(
        self,
        similarity: Array,
        question: EmbeddedQuery,
        exclude: Collection[int] = (),
        kept: Collection[int] = (),
        pool: IntArray | None = None,
    ) -> Array:
        """The same less what databases fall short, shape (N,)."""
        return with_databases(similarity, self.contents.databases, self.database, exclude)

    def columns(self, question: EmbeddedQuery, columns: IntArray, mentions: Sequence[Mention]) -> Array:
        """Relevance of C columns to the m sub-queries, shape (m, C); values count where the object scores nothing.

        Raises
        ------
        QueryError
            When the object does not give a finite number for each pair.
        """
        if not len(question.query.subqueries):
            return super().columns(question, columns, mentions)
        cosines = super().columns(question, columns, ())
        query = question.query
        scores = self.given.columns(query.question, query.subqueries, columns)
        return on_scale(_checked("columns", scores, cosines.shape, "sub-queries and columns"), cosines)


def check_relevance(relevance: object, chooses_tables: bool = True) -> Any:
    """The same, when it is the name of a relevance, a model, or scores tables and columns, and tables are chosen.

    Raises
    ------
    QueryError
    """
    if not chooses_tables and not (isinstance(relevance, str) and relevance == COSINE):
        raise QueryError('relevance is for objectives over tables, such as objective="jar": leave it out')
    if model_of(relevance) is not None or (isinstance(relevance, str) and relevance == COSINE):
        return relevance
    for method in ("tables", "columns"):
        if isinstance(relevance, type) or not callable(getattr(relevance, method, None)):
            raise QueryError(
                f'relevance is "cosine", "learned", a RelevanceModel or an object with tables(question) -> N scores, '
                f"and columns(question, subqueries, columns) -> (m, C) scores (jar.Relevance), not {relevance!r}"
            )
    return relevance


def model_of(relevance: object) -> RelevanceModel | None:
    """The model of a relevance: the package's for "learned", a given one; None where there is none."""
    if isinstance(relevance, str) and relevance == COSINE:
        return None
    from jar.learned.relevance_model import RelevanceModel, shipped_model

    if isinstance(relevance, RelevanceModel):
        return relevance
    return shipped_model() if isinstance(relevance, str) and relevance == LEARNED else None


def _checked(method: str, scores: Any, shape: tuple[int, ...], of: str) -> Array:
    try:
        array = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise QueryError(f"{method}() of the relevance gives no array of numbers: {error}") from error
    if array.shape != shape:
        raise QueryError(f"{method}() of the relevance gives shape {array.shape} for {shape} {of}: one number for each")
    if not np.isfinite(array).all():
        place = tuple(int(axis[0]) for axis in np.nonzero(~np.isfinite(array)))
        raise QueryError(f"{method}() of the relevance gives {array[place]} at {place}: give finite numbers")
    return array
