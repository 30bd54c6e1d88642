"""`Reranker`: from a question to the set of tables that answers it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

from jar.assembly import Assembly, opened
from jar.columns.objectives import AnyObjective, checked_solver, connected_by, read_objective
from jar.columns.search import BUDGET, check_budget
from jar.proposals.foreign import DEFAULT_FOREIGN, Foreign, check_foreign
from jar.proposals.given_tables import Candidates
from jar.proposals.retrieval import check_retriever
from jar.sizes.sizing import Size, Sizing, read_size
from jar.tables.first_stage import EXPAND, check_expand
from jar.tables.given_relevance import DEFAULT_RELEVANCE, check_relevance, model_of
from jar.tables.objective import DATABASE, DEFAULT_OBJECTIVE, EDITION, LEXICAL, NAMES, TWIN, VALUE, VARIANT
from jar.tables.query import (
    Ask,
    Conditions,
    check_ask,
    check_size,
    check_sizes,
    check_weight,
    check_wishes,
    read_asks,
    read_limits,
)
from jar.text.decomposition import chunker
from jar.text.embedding import load_embedder
from jar.text.stop_words import read_stop_words
from joinability.scores.score import join_score

if TYPE_CHECKING:
    from pathlib import Path

    from formulations.objectives.jar import Connect
    from jar.answers.column_selection import ColumnSelection
    from jar.answers.selection import Selection
    from jar.columns.probed_question import GivenProbes, Hallucinator
    from jar.fitting.fit_report import FitReport
    from jar.fitting.logged import Gold
    from jar.index.index import Index
    from jar.learned.relevance_model import RelevanceModel
    from jar.page.exploration import Exploration
    from jar.proposals.retrieval import Retriever
    from jar.tables.given_relevance import Relevance


class Reranker(Assembly):
    """Chooses, from a retriever's candidates, the best connected set of tables for a question.

    Raises `UnknownSolverError`, `UnknownScoreError`, `SolverNotInstalledError` or `EmbedderError` where something that
    it needs is missing, and `QueryError` for a setting that is none.

    Parameters
    ----------
    index : Index or path
        A path is opened by `Index.load`.
    objective : "jar", "jar+crush", "crush", "crush-paper", JarObjective, CrushObjective, ColumnSearch, JointObjective
        What a set is worth. "jar" chooses tables, by the weights of docs/ranking.md. "crush" chooses columns, from
        which the tables follow, and "crush-paper" does so as the CRUSH paper does (`jar.columns.search`). "jar+crush"
        chooses tables that the probes of "crush" propose, and adds their columns (`jar.columns.joint_ranker`).
    solver : str, optional
        See ``jar solvers``. By default "exact", or "sweep", the rule of CRUSH's released code, for "crush-paper".
    candidates : int, optional
        How many tables the own first-stage retriever proposes, and no others. By default 20 to 50, by the size of the
        database, with those that the meaning of a value finds, and up to 5 that join them (`jar.tables.first_stage`).
    budget : int
        How many columns an objective over columns chooses.
    decomposer : callable, optional
        ``question -> list of sub-queries``; by default one without a language model. `jar.language` has one with.
    embedder : optional
        The embedder of the questions; by default the one of the index, which it has to match.
    score : "default" or "paper", optional
        Join score; by default the one of the index.
    trust_declared : bool, optional
        Whether declared keys are certain joins (the paper's JAR-G); by default they are not for the score "paper".
    lexical, database, value, names, area, edition, variant, twin : float
        Weights beside the cosine of the texts of a question and a table (`jar.tables.relevance`); 0 for none, as in
        the paper.
        lexical: what words that both have add. value: what values add that the question names.
        names: how much the name of a table counts beside its whole text.
        database: what a table loses where the best one of its database falls short of the best of all.
        area: the same for its subject area within its database.
        edition, variant: what an edition (`county_2015`) or a variant of a table loses that is not asked for.
        twin: what a table loses that another schema has, too.
    hallucinator : callable, optional
        ``question -> probes``, an imagined schema as text or a list of probes; by default the chunks of the question.
    stop_words : str or words
        Words of questions that mean no table: a language (`jar.text.stop_words`), such as "de", or a list; "auto" for
        those of the language that each question is in.
    retriever : Retriever, optional
        Proposes the candidates; where they are fewer than wanted, the own first stage fills up.
    foreign : Foreign
        How ids and scores of `candidates` of a call, and of a retriever, are read.
    expand : int or bool
        How many tables that join those candidates are candidates, too; 0 or False for none.
    relevance : "cosine", "learned", RelevanceModel or Relevance, optional
        Scores tables and columns for a question: the cosines of their texts, with the weights above; "learned" has
        beside them the log-odds of the package's model, or of the given one (docs/relevance.md); an object of yours
        stands in their place (`jar.tables.given_relevance`), and raises `QueryError` where its answers have another
        shape than asked for, or are not finite. By default "learned" where the own first stage finds the candidates
        and the objective is "jar", else "cosine"; and "learned" with what logged questions add where the index is
        fitted to some (`fit`).
    connect : "prefer", "require" or "ignore", optional
        Whether joins are to hold a set together, in place of what the objective says (`JarObjective`).
    """

    def __init__(
        self,
        index: Index | str | PathLike[str],
        objective: AnyObjective = "jar",
        solver: str | None = None,
        *,
        candidates: int | None = None,
        decomposer: Callable[[str], Sequence[str]] | None = None,
        embedder: Any = None,
        score: str | None = None,
        trust_declared: bool | None = None,
        lexical: float = LEXICAL,
        database: float = DATABASE,
        value: float = VALUE,
        budget: int = BUDGET,
        hallucinator: Hallucinator | None = None,
        names: float = NAMES,
        area: float = 0.0,
        edition: float = EDITION,
        variant: float = VARIANT,
        twin: float = TWIN,
        stop_words: str | Iterable[str] = "auto",
        retriever: Retriever | None = None,
        foreign: Foreign = DEFAULT_FOREIGN,
        expand: int | bool = EXPAND,
        relevance: Literal["cosine", "learned"] | RelevanceModel | Relevance | None = None,
        connect: Connect | None = None,
    ) -> None:
        self.index = index = opened(index)
        tables, self.search = connected_by(connect, *read_objective(objective))
        self.solver = checked_solver(solver, tables, self.search)
        self.chooses_tables = tables is not None
        self.objective = tables or DEFAULT_OBJECTIVE
        self.budget = check_budget(budget)
        self.candidates = None if candidates is None else check_size(candidates, "candidates")
        self.lexical, self.database = check_weight("lexical", lexical), check_weight("database", database)
        self.names, self.value = check_weight("names", names), check_weight("value", value)
        self.area, self.edition = check_weight("area", area), check_weight("edition", edition)
        self.variant, self.twin = check_weight("variant", variant), check_weight("twin", twin)
        self.stop_words = read_stop_words(stop_words)
        self.decomposer, self.hallucinator = decomposer or chunker(self.stop_words), hallucinator
        self.embedder = index.embedder if embedder is None else index.check_embedder(load_embedder(embedder))
        self.join_score = join_score(score or index.score, trust_declared)
        self.retriever, self.expand = check_retriever(retriever), check_expand(expand)
        self.foreign = check_foreign(foreign, index.contents)
        self.uses_fit = relevance is None and tables is not None
        chosen = DEFAULT_RELEVANCE if relevance is None else relevance
        self.relevance, self.model = check_relevance(chosen, tables is not None), model_of(chosen)

    def columns(
        self,
        question: str,
        budget: int | None = None,
        *,
        probes: GivenProbes | None = None,
        require: Iterable[str] | None = (),
        exclude: Iterable[str] | None = (),
        forbid_joins: Iterable[tuple[str, str]] | None = (),
        time_limit: float | None = None,
    ) -> ColumnSelection:
        """Choose the `budget` columns that together answer a question, of however many tables; all if there are fewer.

        `probes` is an imagined schema as text, or a list such as ["client.gender", "card"], in place of the
        hallucinator's; where none can be read, the chunks of the question are the probes, and a note says so. A
        required table has at least one column; other parameters and errors are those of `rank`.
        """
        conditions = Conditions(read_limits(self.index.contents, require, exclude, forbid_joins), time_limit)
        ranker = self._column_ranker(self.budget if budget is None else check_budget(budget))
        return ranker.one(Ask(question, probes=probes), None, conditions)

    def fit(
        self,
        questions: Iterable[str],
        gold: Iterable[Gold],
        *,
        dialect: str = "sqlite",
        progress: bool | None = None,
    ) -> FitReport:
        """Learn from logged questions which tables are asked for, and with which words; keep that in the index file.

        Rankings of the index use it from then on, and `explain` says so; `unfit` takes it back. No question is kept,
        only hashes of its words. docs/fit.md

        Parameters
        ----------
        questions : list of str
            From 30 to some thousands.
        gold : list
            For each question the ids of the tables that it needs, or SQL that answers it.
        dialect : str
            That of the SQL, as sqlglot names it.
        progress : bool, optional
            Show progress on standard error; by default only in a terminal.

        Returns
        -------
        FitReport
            What the fit gives on questions that it has not seen, and which it could not use; printable.

        Raises
        ------
        FitRefusedError
            When fewer than 30 questions can be used, or these do not show that the fit helps; nothing is changed.
        QueryError
            When this re-ranker does not rank tables by the package's relevance, or the lists are none.
        """
        from jar.fitting.fitting import fit_index
        from jar.fitting.logged import given_log

        log = given_log(questions, gold)
        return fit_index(self.index, self._unfitted_ranker(), log, dialect=dialect, progress=progress)

    def fit_file(self, path: str | Path, *, dialect: str = "sqlite", progress: bool | None = None) -> FitReport:
        """`fit` by a CSV file with the columns ``question``, and ``tables`` (ids between commas) or ``sql``.

        A column ``database`` may say whose tables are meant. The row of the first question is 2, as in a spreadsheet.
        Raises `FileNotFoundError` where there is no such file, else what `fit` raises.
        """
        from jar.fitting.fitting import fit_index
        from jar.fitting.logged import read_log_file

        log = read_log_file(path)
        return fit_index(self.index, self._unfitted_ranker(), log, dialect=dialect, progress=progress)

    def unfit(self) -> None:
        """Forget what was learned from logged questions, in the index file, too.

        Raises
        ------
        QueryError
            When nothing was.
        """
        from jar.fitting.stored_fit import forget_fit

        forget_fit(self.index)

    def rank(
        self,
        question: str,
        k: Size | None = None,
        *,
        candidates: Candidates | None = None,
        subqueries: Sequence[str] | None = None,
        probes: GivenProbes | None = None,
        require: Iterable[str] | None = (),
        exclude: Iterable[str] | None = (),
        forbid_joins: Iterable[tuple[str, str]] | None = (),
        time_limit: float | None = None,
        recall: float | None = None,
        max_k: int | None = None,
        max_tokens: int | None = None,
    ) -> Selection:
        """Choose the k tables that together answer a question; where the objective chooses columns, with their columns.

        k is the number of tables: by default 5, and "auto" where `recall`, `max_k` or `max_tokens` is given, which
        takes as many as the question needs (objective "jar"; docs/how-many.md). That is the set of greatest expected
        F1, and no table where likely nothing fits; or with `recall` the smallest set that is expected to hold this
        share of the needed tables. It has at most `max_k` tables, whose CREATE TABLE statements take at most
        `max_tokens`.

        `candidates` replace the own ones and those of the retriever: ids, (id, score) pairs with scores in any unit, or
        a mapping; see `Foreign`. `subqueries` replace the decomposer's parts of the question, and `probes` what an
        objective over columns compares them with.
        Tables in `require` must be chosen, those in `exclude` must not; in `exclude` the name of a schema or database
        stands for all of its tables. `forbid_joins` are pairs of columns "db.table.column", or of table ids. At the
        `time_limit`, in seconds, the best set so far comes with its gap.

        Raises `QueryError` when the question is empty, or a name or number cannot be used.
        """
        size = read_size(k, recall, max_k, max_tokens)
        conditions = Conditions(read_limits(self.index.contents, require, exclude, forbid_joins), time_limit)
        ask = Ask(question, subqueries, probes, candidates)
        if isinstance(size, Sizing):
            sized = self._sized_ranker()
            return sized.one(check_ask(ask, sized.UNUSED), size, conditions)
        ranker = self._ranker()
        return ranker.one(check_ask(ask, ranker.UNUSED), size, conditions)

    async def arank(self, question: str, k: Size | None = None, **wishes: Any) -> Selection:
        """`rank` with the same parameters in a thread, while the event loop goes on.

        A cancelled call ends at once; its thread may work on, for no longer than `rank` takes, and nobody waits for it.
        """
        import asyncio

        return await asyncio.to_thread(self.rank, question, k, **wishes)

    def explore(self, question: str, k: Size | None = None, **wishes: Any) -> Exploration:
        """The answer of `rank` to the same parameters, and the best sets under other wishes: a page of HTML.

        ``exploration.save("out.html")`` writes it; docs/explore.md tells what it shows.

        Raises
        ------
        QueryError
            As `rank` does, and when the objective chooses columns.
        """
        from jar.page.exploration import explore

        check_wishes("explore", wishes, self.rank.__kwdefaults__ or ())
        size = read_size(k, *(wishes.pop(name, None) for name in ("recall", "max_k", "max_tokens")))
        limits = read_limits(
            self.index.contents, *(wishes.pop(name, ()) for name in ("require", "exclude", "forbid_joins"))
        )
        conditions = Conditions(limits, wishes.pop("time_limit", None))
        return explore(*self._explorers(), Ask(question, **wishes), size, conditions)

    def rank_many(
        self,
        questions: Iterable[str],
        k: Size | None = None,
        *,
        candidates: Sequence[Candidates | None] | None = None,
        subqueries: Sequence[Sequence[str] | None] | None = None,
        probes: Sequence[GivenProbes | None] | None = None,
        time_limit: float | None = None,
        recall: float | None = None,
        max_k: int | None = None,
        max_tokens: int | None = None,
    ) -> list[Selection]:
        """`rank` for many questions: the same answers, with all texts embedded together; see `rank_sizes`."""
        size = read_size(k, recall, max_k, max_tokens)
        given: dict[str, Any] = {"candidates": candidates, "subqueries": subqueries, "probes": probes}
        if isinstance(size, Sizing):
            sized = self._sized_ranker()
            return sized.many(read_asks(questions, given, sized.UNUSED), size, Conditions(time_limit=time_limit))
        return self.rank_sizes(questions, [size], **given, time_limit=time_limit)[size]

    def rank_sizes(
        self,
        questions: Iterable[str],
        sizes: Iterable[int],
        *,
        candidates: Sequence[Candidates | None] | None = None,
        subqueries: Sequence[Sequence[str] | None] | None = None,
        probes: Sequence[GivenProbes | None] | None = None,
        time_limit: float | None = None,
    ) -> dict[int, list[Selection]]:
        """`rank_many` for several k, by k, with the problem of a question set up once; sets need not be nested.

        `candidates`, `subqueries` and `probes` have an entry for each question, None where they are made as in `rank`
        without; the solver has `time_limit` seconds for each question and size.
        """
        numbers, ranker = check_sizes(sizes), self._ranker()
        given = {"candidates": candidates, "subqueries": subqueries, "probes": probes}
        answers = ranker.many(read_asks(questions, given, ranker.UNUSED), numbers, Conditions(time_limit=time_limit))
        return {k: [selections[k] for selections in answers] for k in numbers}
