"""`Assembly`: the rankers behind `Reranker`, put together from its settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from formulations import solve
from jar.columns.search import DEFAULT_SEARCH
from jar.errors import QueryError
from jar.fitting.stored_fit import stored_fit
from jar.learned.relevance_model import shipped_model
from jar.proposals.retrieval import Retrieval
from jar.tables.first_stage import Pool
from jar.tables.given_relevance import COSINE, GivenRelevance
from jar.tables.objective import has_default_weights
from jar.tables.relevance import CosineRelevance
from jar.tables.table_ranker import TableRanker

if TYPE_CHECKING:
    from formulations import Instance, JarObjective, Solution
    from jar.columns.column_ranker import ColumnRanker
    from jar.columns.joint_ranker import JointRanker
    from jar.columns.probed_question import Hallucinator
    from jar.columns.search import ColumnSearch
    from jar.index.index import Index
    from jar.learned.adaptation import Adaptation
    from jar.learned.relevance_model import RelevanceModel
    from jar.proposals.foreign import Foreign
    from jar.proposals.retrieval import Retriever
    from jar.sizes.sized_ranker import SizedRanker
    from jar.text.embedding import Embedder
    from jar.text.stop_words import StopWords
    from joinability.scores.score import JoinScore


def opened(index: Index | str | PathLike[str]) -> Index:
    """The index, loaded where its path is given.

    Raises
    ------
    QueryError
        When it is neither an index nor a path.
    """
    from jar.index.index import Index

    if isinstance(index, (str, PathLike)):
        return Index.load(Path(index))
    if not isinstance(index, Index):
        raise QueryError(f'a re-ranker takes an Index or the path of one, such as "shop.jar", not {index!r}')
    return index


class Assembly:
    """Settings, checked, and the rankers that they make; these are made anew for each call, as an index may change.

    Nothing here changes after it is made, so that many threads may ask at once.
    """

    index: Index
    objective: JarObjective
    search: ColumnSearch | None
    solver: str
    chooses_tables: bool
    budget: int
    candidates: int | None
    lexical: float
    database: float
    names: float
    area: float
    edition: float
    variant: float
    twin: float
    value: float
    stop_words: StopWords
    decomposer: Callable[[str], Sequence[str]]
    hallucinator: Hallucinator | None
    embedder: Embedder
    join_score: JoinScore
    retriever: Retriever | None
    foreign: Foreign
    expand: int
    relevance: Any
    model: RelevanceModel | None
    uses_fit: bool

    def __repr__(self) -> str:
        search = "" if self.search is None else f" and {self.search}" if self.chooses_tables else str(self.search)
        chosen = f"{self.objective}{search}" if self.chooses_tables else search
        return f"<{type(self).__name__} over {self.index!r}: {chosen}, solver {self.solver!r}>"

    def _ranker(self) -> TableRanker | ColumnRanker | JointRanker:
        if not self.chooses_tables:
            return self._column_ranker(self.budget)
        retrieval, pool = self._sources()
        tables = TableRanker(
            decomposer=self.decomposer,
            embedder=self.embedder,
            relevance=self._relevance(),
            retrieval=retrieval,
            pool=pool,
            score=self.join_score,
            objective=self.objective,
            solve=self._solve,
            **self._judges(stored_fit(self.index.contents) if self.uses_fit else None),
        )
        if self.search is None:
            return tables
        from jar.columns.joint_ranker import JointRanker

        return JointRanker(tables, self._column_ranker(self.budget))

    def _judges(self, adaptation: Adaptation | None) -> dict[str, Any]:
        """The relevance model, what logged questions add to it, and where it counts.

        Where the caller names no relevance and nothing is fitted, the model counts beside the weights of "jar", for
        which it was chosen, and for what it was fitted on: candidates of the own first stage (docs/relevance.md).
        """
        if self.model is not None or adaptation is not None:
            return {"model": self.model or shipped_model(), "adaptation": adaptation, "weighs_given": True}
        by_default = self.uses_fit and self.search is None and has_default_weights(self.objective)
        return {"model": shipped_model() if by_default else None, "adaptation": None, "weighs_given": False}

    def _relevance(self) -> CosineRelevance:
        """How tables and columns are scored."""
        weights: dict[str, Any] = {
            "lexical": self.lexical,
            "database": self.database,
            "names": self.names,
            "stop_words": self.stop_words,
            "value": self.value,
            "area": self.area,
            "edition": self.edition,
            "variant": self.variant,
            "twin": self.twin,
        }
        if self.model is not None or self.relevance == COSINE:
            return CosineRelevance(self.index.contents, **weights)
        return GivenRelevance(self.index.contents, **weights, given=self.relevance)

    def _unfitted_ranker(self) -> TableRanker:
        """The table ranker without what logged questions taught, on which a new fit is made.

        Raises
        ------
        QueryError
            When the rankings would not use a fit.
        """
        ranker = self._ranker()
        if not isinstance(ranker, TableRanker) or not self.uses_fit:
            raise QueryError('a fit is for objective="jar" and the package\'s relevance: leave relevance out')
        return replace(ranker, **self._judges(None))

    def _sized_ranker(self) -> SizedRanker:
        """What chooses the number of tables, too.

        Raises
        ------
        QueryError
            When the objective chooses columns, or relevance is an object of the caller, for which no chances are known.
        """
        from jar.sizes.set_model import load_set_model
        from jar.sizes.sized_ranker import SizedRanker

        tables = self._ranker()
        if not isinstance(tables, TableRanker):
            raise QueryError('k="auto" is for objectives over tables alone: objective="jar"; else give a number')
        if tables.model is None:
            if self.relevance != COSINE:
                raise QueryError('k="auto" has no chances for a relevance of your own: give a number')
            tables = replace(tables, model=shipped_model().weighing_nothing())
        return SizedRanker(replace(tables, always_judges=True), load_set_model())

    def _explorers(self) -> tuple[TableRanker, SizedRanker | None]:
        """The table ranker, and the ranker that knows probabilities of sets, which a caller's own relevance has not.

        Raises
        ------
        QueryError
            When the objective chooses columns.
        """
        tables = self._ranker()
        if not isinstance(tables, TableRanker):
            raise QueryError('a page to explore is for objectives over tables alone: objective="jar"')
        return tables, self._sized_ranker() if tables.model is not None or self.relevance == COSINE else None

    def _column_ranker(self, budget: int) -> ColumnRanker:
        from jar.columns.column_ranker import ColumnRanker

        retrieval, pool = self._sources()
        search = self.search or DEFAULT_SEARCH
        return ColumnRanker(
            contents=self.index.contents,
            embedder=self.embedder,
            search=search if self.value else replace(search, values=False),
            solver=self.solver,
            score=self.join_score,
            budget=budget,
            retrieval=retrieval,
            pool=pool,
            hallucinator=self.hallucinator,
        )

    def _sources(self) -> tuple[Retrieval, Pool]:
        """Who proposes candidates, and how many."""
        retrieval = Retrieval(self.index.contents, self.foreign, self.retriever)
        return retrieval, Pool(self.candidates, expand=self.expand)

    def _solve(self, instance: Instance, objective: JarObjective, time_limit: float | None) -> Solution:
        """Solve a choice of tables: all of them pass here, for a subclass to keep or to solve otherwise."""
        return solve(instance, objective, self.solver, time_limit=time_limit)
