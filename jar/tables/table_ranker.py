"""`TableRanker`: from questions to the sets of tables that answer them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from jar.stopwatch import Stopwatch
from jar.tables.composites import joins_beside
from jar.tables.first_stage import candidate_tables
from jar.tables.given_relevance import LEARNED
from jar.tables.meant import tables_meant, values_near
from jar.tables.objective import has_default_weights
from jar.tables.problem import build_problem, with_first_twins, with_log_odds, without_twin_joins
from jar.tables.query import check_subqueries, embed_queries, read_queries
from jar.tables.table_answer import report
from jar.tables.table_problem import SolvedProblem, TableProblem
from jar.tables.wide_tables import telling_columns
from jar.text.decomposition import phrase_spans
from jar.values.whole_values import with_whole_values

if TYPE_CHECKING:
    from formulations import Instance, JarObjective, Solution
    from jar.answers.selection import Selection
    from jar.arrays import Array, IntArray
    from jar.learned.adaptation import Adaptation
    from jar.learned.candidates_seen import Candidates, Drawn
    from jar.learned.judgement import Judgement
    from jar.learned.relevance_model import RelevanceModel
    from jar.proposals.given_tables import GivenTables
    from jar.proposals.retrieval import Retrieval
    from jar.tables.first_stage import CandidateTables, Found, Pool, Proposal
    from jar.tables.query import Ask, Conditions, EmbeddedQuery, Limits, Query
    from jar.tables.relevance import CosineRelevance
    from jar.text.embedding import Embedder
    from joinability.scores.score import JoinScore


@dataclass(frozen=True)
class TableRanker:
    """Chooses tables: reads and embeds a question, takes candidates, assembles their problem, solves, names.

    Attributes
    ----------
    decomposer : callable
        ``question -> sub-queries``.
    embedder : Embedder
    relevance : CosineRelevance
        How tables and columns are scored, and the index that has them.
    retrieval : Retrieval
        Who else proposes candidates.
    pool : Pool
        How many tables are candidates.
    score : JoinScore
    objective : JarObjective
    solve : callable
        ``(instance, objective, time_limit) -> solution``.
    model : RelevanceModel, optional
        Judges the candidates; its log-odds count beside their coarse relevance.
    adaptation : Adaptation, optional
        What logged questions add to the model's log-odds.
    weighs_given : bool
        Whether log-odds count for candidates from elsewhere, too, or for those alone that the own first stage finds.
    always_judges : bool
        Whether candidates are judged where the log-odds do not count, too: for their probabilities.
    """

    decomposer: Callable[[str], Sequence[str]]
    embedder: Embedder
    relevance: CosineRelevance
    retrieval: Retrieval
    pool: Pool
    score: JoinScore
    objective: JarObjective
    solve: Callable[[Instance, JarObjective, float | None], Solution]
    model: RelevanceModel | None = None
    adaptation: Adaptation | None = None
    weighs_given: bool = True
    always_judges: bool = False

    UNUSED: ClassVar[dict[str, str]] = {
        "probes": 'probes are for objectives over columns: Reranker(index, objective="crush")'
    }
    """What a caller cannot give, and why."""

    def one(self, ask: Ask, size: int, conditions: Conditions) -> Selection:
        """The best tables for one question."""
        (question,) = self.read([ask])
        (selections,) = self._choose([question], [ask], [size], conditions)
        return selections[size]

    def many(self, asks: Sequence[Ask], sizes: Sequence[int], conditions: Conditions) -> list[dict[int, Selection]]:
        """The best tables for each question, by their number; all texts are embedded together."""
        return self._choose(self.read(asks), asks, sizes, conditions)

    def _choose(
        self, questions: Sequence[EmbeddedQuery], asks: Sequence[Ask], sizes: Sequence[int], conditions: Conditions
    ) -> list[dict[int, Selection]]:
        answers: list[dict[int, Selection]] = [{} for _ in questions]
        for count, group in self.by_pool(sizes):
            given = self.given(questions, asks, count, conditions)
            for answer, question, candidates in zip(answers, questions, given, strict=True):
                problem = self.problem(question, max(group), count, conditions.limits, candidates)
                answer |= self.solved(problem, group, conditions.time_limit)
        return answers

    def given(
        self, questions: Sequence[EmbeddedQuery], asks: Sequence[Ask], count: int, conditions: Conditions
    ) -> list[GivenTables | None]:
        """The candidates from elsewhere for each question, of a retriever `count`; None where there are none."""
        texts = [question.query.question for question in questions]
        return self.retrieval(texts, [ask.candidates for ask in asks], count, conditions.limits.exclude)

    def read(self, asks: Sequence[Ask]) -> list[EmbeddedQuery]:
        """Questions with their sub-queries and vectors, all texts embedded together; with the vectors of their phrases
        where a model judges by them."""
        watch = Stopwatch()
        asked = zip(map(self._with_mentions, read_queries(self.decomposer, asks)), asks, strict=True)
        read = [self._in_phrases(query, ask) for query, ask in asked]
        questions = embed_queries(self.embedder, [query for query, _ in read], [spans for _, spans in read])
        return questions if len(asks) > 1 else [replace(question, seconds=watch.lap()) for question in questions]

    def _with_mentions(self, query: Query) -> Query:
        return replace(query, mentions=self.relevance.mentions(query))

    def _in_phrases(self, query: Query, ask: Ask) -> tuple[Query, tuple[tuple[int, int], ...]]:
        """A query, and where its phrases are if a model judges by them: with whole values, also where they are its
        sub-queries."""
        is_judged = self.judges(self.retrieval.retriever is None and ask.candidates is None)
        is_cut = query.decomposition == "default"
        if not (is_judged or is_cut):
            return query, ()
        question, spans = query.question, phrase_spans(query.question, self.relevance.stop_words.words)
        whole = with_whole_values(question, spans, query.mentions)
        if is_cut and whole != spans:
            query = replace(query, subqueries=check_subqueries([question[start:end] for start, end in whole]))
        return query, whole if is_judged else ()

    def by_pool(self, sizes: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
        """The sizes that have the same least number of candidates, with this number: they share a problem."""
        for least in dict.fromkeys(map(self.pool.least, sizes)):
            yield least, [k for k in sizes if self.pool.least(k) == least]

    def problem(
        self,
        question: EmbeddedQuery,
        k: int,
        count: int,
        limits: Limits,
        given: GivenTables | None = None,
        proposal: Proposal | None = None,
    ) -> TableProblem:
        """The problem of choosing at most k of `count` candidates, or more of a large database."""
        watch = Stopwatch()
        contents = self.relevance.contents
        candidates = candidate_tables(self.relevance, question, self.pool, count, limits, self.score, given, proposal)
        tables, coarse, found = candidates
        elsewhere = sum(source.seconds for source in (given, proposal) if source is not None)
        timings = {"embed": question.seconds, "retrieve": watch.lap() + elsewhere}
        if self.relevance.twin:
            limits = without_twin_joins(contents, tables, limits)
        columns = contents.columns_of(tables)
        fine = self.relevance.columns(question, columns, found.mentions)
        telling = telling_columns(contents, columns, fine, self.score)
        columns = columns[telling]
        problem, composites, joins = build_problem(
            contents, tables, columns, coarse, fine[:, telling], k, limits, self.score
        )
        reduction = problem.reduce()
        timings["joins"] = watch.lap()
        built_in, judged, model = given is None, None, self.model
        if model is not None and self.judges(built_in):
            drawn = self._drawn(question, candidates, fine, telling, reduction.instance.weights, problem.joinability)
            judged = self._judged(model, question, found, drawn)
            model = judged.model
        weight = self.weight(tables, built_in, model)
        objective = self.weighing(tables, weight, model)
        if judged is not None:
            reduction = with_log_odds(reduction, objective, judged.log_odds, weight)
            timings["judge"] = watch.lap()
        by = LEARNED if weight else self.relevance.name
        beside = joins_beside(contents, tables, limits, self.score)
        return TableProblem(
            question, tables, columns, reduction, composites, joins, timings, found, objective, judged, by, beside
        )

    def judges(self, built_in: bool) -> bool:
        """Whether a model judges the candidates of the built-in first stage, or those from elsewhere."""
        return self.model is not None and (built_in or self.weighs_given or self.always_judges)

    def weight(self, tables: IntArray, built_in: bool, model: RelevanceModel | None) -> float:
        """What the log-odds of candidates weigh, by their positions in the index; 0 where they do not count.

        Parameters
        ----------
        built_in : bool
            Whether the built-in first stage proposed them.
        model : RelevanceModel, optional
            As it counts for them.
        """
        if model is None or not (built_in or self.weighs_given):
            return 0.0
        return model.weight_of(several=self.adaptation is not None or self._several(tables))

    def weighing(self, tables: IntArray, weight: float, model: RelevanceModel | None) -> JarObjective:
        """What a set of candidates is worth where their log-odds have a weight: the model says what joins weigh beside
        log-odds, unless the caller gives weights."""
        join = None if model is None else model.join_of(self._several(tables))
        if not weight or join is None or not has_default_weights(self.objective):
            return self.objective
        return replace(self.objective, join=join)

    def _several(self, tables: IntArray) -> bool:
        """Whether tables are of several databases."""
        return len(np.unique(self.relevance.contents.databases[tables])) > 1

    def _drawn(
        self,
        question: EmbeddedQuery,
        candidates: CandidateTables,
        fine: Array,
        telling: npt.NDArray[np.bool_],
        joins: Array,
        joinability: Array,
    ) -> Drawn:
        """The candidates as a model sees them.

        Parameters
        ----------
        fine : array (m, C)
            Of all their columns.
        telling : array (C,)
            The columns that count (`telling_columns`).
        joins, joinability : arrays (n, n), (c, c)
            Of the candidates, and of the columns that count.
        """
        from jar.learned.candidates_seen import Drawn
        from jar.learned.referring import answering, referring

        contents, (tables, coarse, found) = self.relevance.contents, candidates
        columns = contents.columns_of(tables)[telling]
        refer = referring(contents, self.score, tables, columns, joinability, answering(fine)[telling])
        told = tables_meant(contents, question, tables, found.mentions)
        return Drawn(tables, coarse, fine, joins, told, values_near(contents, question, tables), refer)

    def _judged(self, model: RelevanceModel, question: EmbeddedQuery, found: Found, drawn: Drawn) -> Judgement:
        """What a model says of candidates: one of twins comes first, and logged questions add their log-odds."""
        from jar.learned.judgement import judge

        judged = judge(model, self._seen(question, found, drawn))
        judged = replace(judged, log_odds=with_first_twins(judged.log_odds, drawn.tables, found.first_twins))
        return self._adapted(judged, question, drawn.tables)

    def _seen(self, question: EmbeddedQuery, found: Found, drawn: Drawn) -> Candidates:
        """What is known of the candidates."""
        from jar.learned.candidates_seen import Asked, see_candidates

        relevance = self.relevance
        text = question.query.question
        asked = Asked(text, question.vectors[0], found.mentions, relevance.stop_words.of(text))
        return see_candidates(relevance.contents, asked, drawn)

    def _adapted(self, judged: Judgement, question: EmbeddedQuery, tables: IntArray) -> Judgement:
        """The judgement with what logged questions add, where there is any."""
        if self.adaptation is None:
            return judged
        from jar.learned.adaptation import hashed_words

        ids = [self.relevance.contents.tables[table].id for table in tables.tolist()]
        text = question.query.question
        words = hashed_words(text, self.relevance.stop_words.of(text))
        return judged.with_adapted(self.adaptation.adapted(words, ids))

    def solved(self, problem: TableProblem, sizes: Sequence[int], time_limit: float | None) -> dict[int, Selection]:
        """The best tables of a problem, for each number of tables."""
        selections = {}
        for k, instance in zip(sizes, problem.instances(sizes), strict=True):
            watch = Stopwatch()
            answer = SolvedProblem(self.solve(instance, problem.objective, time_limit), watch.lap())
            selections[k] = report(self.relevance.contents, problem, answer, k)
        return selections
