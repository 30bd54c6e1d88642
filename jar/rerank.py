"""`Reranker`: from a question to the set of tables that answers it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from formulations import CrushObjective, JarObjective, solve
from formulations.registry import load_solver
from jar.arrays import Vectors
from jar.columns.jointly import NAME, propose, with_columns
from jar.columns.probing import read_probings
from jar.columns.ranker import ColumnRanker, check_budget
from jar.columns.search import BUDGET, DEFAULT_SEARCH, PAPER_SEARCH, SEARCHES, ColumnSearch, column_search
from jar.errors import QueryError
from jar.tables.prepare import Prepared, prepare
from jar.tables.query import Candidates, Limits, Query, check_size, check_weight, read_limits, read_queries
from jar.tables.table_answer import report
from jar.text.decomposition import decompose
from jar.text.embedding import load_embedder
from joinability.scores.score import join_score

if TYPE_CHECKING:
    from formulations import Instance, Solution
    from jar.answers.column_selection import ColumnSelection
    from jar.answers.selection import Selection
    from jar.columns.probing import GivenProbes, Hallucinator, Probing
    from jar.index.index import Index


DEFAULT_OBJECTIVE = JarObjective(coarse=10, fine=6, coverage=8, join=2.5)
"""What "jar" stands for: the paper's weights for Spider with fine relevance 6 for 2 and joins 2.5 for 1, chosen for the
join score "default" on training questions over 137 databases. ``JarObjective()`` has the paper's own."""

LEXICAL = 0.2
"""Weight of shared words in the relevance of a table, chosen on training questions over 137 databases."""
DATABASE = 0.7
"""Weight in the relevance of a table of what its database falls short of the best one, chosen likewise."""


class Reranker:
    """Chooses, from a retriever's candidates, the best connected set of tables for a question.

    Parameters
    ----------
    index : Index
        Tables, join evidence and embeddings.
    objective : "jar", "jar+crush", "crush", "crush-paper", JarObjective, CrushObjective or ColumnSearch
        What a set is worth. "jar" chooses tables; it is `DEFAULT_OBJECTIVE` (coarse 10, fine 6, coverage 8, join
        2.5, connect "prefer"). "crush" chooses columns, from which the tables follow; "crush-paper" does so as the
        CRUSH paper does. `jar.columns.search` has the details. "jar+crush" chooses tables as "jar" does, among those,
        and with regard to how much, the probes of "crush" mean them, and adds their columns (`jar.columns.jointly`).
    solver : str, optional
        Name of the solver; see ``jar solvers``. "exact" by default; "sweep", the rule of CRUSH's released code, for
        "crush-paper".
    candidates : int
        How many tables the own first-stage retriever proposes (20, as in the paper).
    decomposer : callable, optional
        ``question -> list of sub-queries``; by default the one without a language model. `jar.language` has one
        with.
    embedder : optional
        The embedder of the questions; by default the one of the index, which it has to match.
    score : "default" or "paper", optional
        Join score; by default the one of the index.
    trust_declared : bool, optional
        Declared keys count as certain joins (w = 1), whatever the contents say (the paper's JAR-G). By default the
        score "default" trusts them and "paper" does not.
    lexical : float
        Weight of the words that a question and a table share, beside the cosine of their texts
        (`jar.tables.relevance`); 0 for embeddings alone, as in the paper.
    database : float
        Weight of what the best table of a database falls short of the best of all (`jar.tables.relevance`); 0 for
        tables by themselves, as in the paper. Over one database it makes no difference.
    budget : int
        How many columns are chosen where columns are asked for.
    hallucinator : callable, optional
        ``question -> probes``, an imagined schema as text or a list of probes, where columns are chosen; `jar.language`
        has one with a language model. By default the chunks of the question are the probes.

    Raises
    ------
    UnknownSolverError, SolverNotInstalledError, EmbedderError
    """

    def __init__(
        self,
        index: Index,
        objective: str | JarObjective | CrushObjective | ColumnSearch = "jar",
        solver: str | None = None,
        *,
        candidates: int = 20,
        decomposer: Callable[[str], Sequence[str]] | None = None,
        embedder: Any = None,
        score: str | None = None,
        trust_declared: bool | None = None,
        lexical: float = LEXICAL,
        database: float = DATABASE,
        budget: int = BUDGET,
        hallucinator: Hallucinator | None = None,
    ) -> None:
        self.index = index
        self.objective, self.search = _objective(objective)
        self.solver = solver or ("sweep" if self.search is PAPER_SEARCH else "exact")
        self.proposes = objective == NAME
        for kind in ["jar"] * (self.search is None) + ["crush"] * (self.proposes or self.search is not None):
            load_solver(self.solver, kind)  # an unknown or missing solver is said here, not at the first question
        self.budget = check_budget(budget)
        self.hallucinator = hallucinator
        self.candidates = check_size(candidates)
        self.lexical = check_weight("lexical", lexical)
        self.database = check_weight("database", database)
        self.decomposer = decomposer or decompose
        self.embedder = index.embedder if embedder is None else index.check_embedder(load_embedder(embedder))
        self.join_score = join_score(score or index.score, trust_declared)

    @cached_property
    def _columns(self) -> ColumnRanker:
        search = self.search or DEFAULT_SEARCH
        return ColumnRanker(self.index.contents, self.embedder, search, self.solver, self.join_score, self.hallucinator)

    def columns(
        self,
        question: str,
        budget: int | None = None,
        *,
        probes: GivenProbes | None = None,
        require: Iterable[str] = (),
        exclude: Iterable[str] = (),
        forbid_joins: Iterable[tuple[str, str]] = (),
        time_limit: float | None = None,
    ) -> ColumnSelection:
        """Choose the columns that together answer a question, of however many tables.

        Parameters
        ----------
        question : str
        budget : int, optional
            Number of columns; by default that of the re-ranker. More than there are: all, and a note says so.
        probes : optional
            An imagined schema as text, or a list such as ["client.gender", "card"], in place of the hallucinator's.
            What cannot be read gives way to the chunks of the question, and a note says so.
        require, exclude, forbid_joins, time_limit
            As for `rank`; a required table has at least one column.

        Raises
        ------
        QueryError
            When the question is empty, or a name or number cannot be used.
        """
        limits = read_limits(self.index.contents, require, exclude, forbid_joins)
        count = self.budget if budget is None else check_budget(budget)
        return self._columns.choose(question, count, limits, probes=probes, time_limit=time_limit)

    def rank(
        self,
        question: str,
        k: int = 5,
        *,
        candidates: Candidates | None = None,
        subqueries: Sequence[str] | None = None,
        probes: GivenProbes | None = None,
        require: Iterable[str] = (),
        exclude: Iterable[str] = (),
        forbid_joins: Iterable[tuple[str, str]] = (),
        time_limit: float | None = None,
    ) -> Selection:
        """Choose the k tables that together answer a question; where the objective chooses columns, with their columns.

        Parameters
        ----------
        question : str
        k : int
            Number of tables. More than there are candidates: all candidates, and a note says so.
        candidates : iterable of ids or of (id, score), or mapping from ids to scores, optional
            Another retriever's candidates, in place of the own dense retriever; scores may come in any unit.
        subqueries : list of str, optional
            The parts of the question, in place of the decomposer's.
        probes : optional
            For "jar+crush" and objectives over columns, what the columns are compared with; see `columns`.
        require, exclude : iterable of table ids
            Tables that must, or must not, be chosen.
        forbid_joins : pairs of columns "db.table.column", or pairs of table ids
            Joins that must not be used.
        time_limit : float, optional
            Seconds for the solver; at the limit the best set so far comes with its proven gap.

        Raises
        ------
        QueryError
            When the question is empty, or a name or number cannot be used.
        """
        limits = read_limits(self.index.contents, require, exclude, forbid_joins)
        size = check_size(k)
        if self.search is not None:
            _refuse_subqueries(subqueries)
            return self._columns.choose(question, self.budget, limits, size, candidates, probes, time_limit)
        started = time.perf_counter()
        (query,) = read_queries(self.decomposer, [question], [subqueries])
        (probing,) = self._probings([query.question], None if probes is None else [probes])
        vectors = self.embedder(query.texts)
        (selection,) = self._choose(query, vectors, [size], limits, candidates, time_limit, started, probing)
        return selection

    def rank_many(
        self,
        questions: Iterable[str],
        k: int = 5,
        *,
        subqueries: Sequence[Sequence[str] | None] | None = None,
        probes: Sequence[GivenProbes | None] | None = None,
        time_limit: float | None = None,
    ) -> list[Selection]:
        """`rank` for many questions: the same answers, with all texts embedded together.

        Parameters
        ----------
        questions : iterable of str
        k : int
        subqueries : list of lists, optional
            The sub-queries of each question, in the same order; None for those that the decomposer shall take apart.
        probes : list, optional
            For "jar+crush" and objectives over columns, the probes of each question; None for those that get them as in
            `rank`.
        """
        if isinstance(questions, str):
            raise QueryError("rank_many takes a list of questions; for one question use rank")
        size = check_size(k)
        found = self.rank_sizes(questions, [size], subqueries=subqueries, probes=probes, time_limit=time_limit)
        return found[size]

    def rank_sizes(
        self,
        questions: Iterable[str],
        sizes: Iterable[int],
        *,
        subqueries: Sequence[Sequence[str] | None] | None = None,
        probes: Sequence[GivenProbes | None] | None = None,
        time_limit: float | None = None,
    ) -> dict[int, list[Selection]]:
        """`rank_many` for several numbers of tables: the same answers, with the problem of a question set up once.

        Parameters
        ----------
        questions : iterable of str
        sizes : iterable of int
            Numbers of tables k; the best k tables need not be among the best k + 1.
        subqueries, probes
            As for `rank_many`.
        time_limit : float, optional
            Seconds for the solver, for each question and size.

        Returns
        -------
        dict of int to list of Selection
            By size, in the order of `sizes`; in each list a selection for each question.
        """
        if isinstance(questions, str):
            raise QueryError("rank_sizes takes a list of questions; for one question give a list of one")
        wanted = list(dict.fromkeys(map(check_size, sizes)))
        asked = list(questions)
        if self.search is not None:
            _refuse_subqueries(subqueries)
            return {
                k: [*self._columns.choose_many(asked, self.budget, tables=k, probes=probes, time_limit=time_limit)]
                for k in wanted
            }
        given = [None] * len(asked) if subqueries is None else list(subqueries)
        if len(given) != len(asked):
            raise QueryError(
                f"there are {len(asked)} questions and sub-queries for {len(given)}: give one list for each"
            )
        queries = read_queries(self.decomposer, asked, given)
        probings = self._probings([query.question for query in queries], probes)
        texts = list(dict.fromkeys(text for query in queries for text in query.texts))
        place = {text: row for row, text in enumerate(texts)}
        vectors = self.embedder(texts)
        found: dict[int, list[Selection]] = {k: [] for k in wanted}
        for query, probing in zip(queries, probings, strict=True):
            own = vectors[[place[text] for text in query.texts]]
            chosen = self._choose(query, own, wanted, Limits(), time_limit=time_limit, probing=probing)
            for k, selection in zip(wanted, chosen, strict=True):
                found[k].append(selection)
        return found

    def _probings(
        self, questions: Sequence[str], probes: Sequence[GivenProbes | None] | None
    ) -> Sequence[Probing | None]:
        """The probes of each question where they have a say in the choice of tables."""
        if not self.proposes:
            if probes is not None:
                raise QueryError('probes are for objectives over columns: Reranker(index, objective="crush")')
            return [None] * len(questions)
        given = [None] * len(questions) if probes is None else list(probes)
        if len(given) != len(questions):
            raise QueryError(
                f"there are {len(questions)} questions and probes for {len(given)}: give one entry for each"
            )
        return read_probings(self.embedder, questions, given, self.hallucinator, context=self._columns.search.context)

    def _choose(
        self,
        query: Query,
        vectors: Vectors,
        sizes: Sequence[int],
        limits: Limits,
        candidates: Candidates | None = None,
        time_limit: float | None = None,
        started: float | None = None,
        probing: Probing | None = None,
    ) -> list[Selection]:
        """A selection for each number of tables; those that have the same candidates share one problem."""
        clock = [time.perf_counter() if started is None else started, time.perf_counter()]
        found: dict[int, Selection] = {}
        for count in dict.fromkeys(max(self.candidates, k) for k in sizes):
            own = [k for k in sizes if max(self.candidates, k) == count]
            proposal = None if probing is None else propose(self._columns, probing, count, limits)
            prepared = prepare(
                self.index.contents,
                query,
                vectors,
                max(own),
                count,
                limits,
                score=self.join_score,
                lexical=self.lexical,
                database=self.database,
                clock=clock.copy(),
                candidates=candidates,
                proposal=proposal,
            )
            for k, instance in zip(own, prepared.instances(own), strict=True):
                found[k] = self._select(query, vectors, k, prepared, instance, time_limit)
        if probing is not None:
            found = {
                k: with_columns(self._columns, selection, probing, self.budget, limits, time_limit)
                for k, selection in found.items()
            }
        return [found[k] for k in sizes]

    def _select(
        self,
        query: Query,
        vectors: Vectors,
        k: int,
        prepared: Prepared,
        instance: Instance,
        time_limit: float | None,
    ) -> Selection:
        """The best k tables of a problem."""
        clock = prepared.clock_from_now()
        solution = self._solve(instance, time_limit)
        clock.append(time.perf_counter())
        return report(
            query,
            prepared.reduction,
            self.objective,
            solution,
            self.index.contents,
            prepared.tables,
            composites=prepared.composites,
            asked=k,
            vectors=vectors,
            clock=clock,
        )

    def _solve(self, instance: Instance, time_limit: float | None) -> Solution:
        return solve(instance, self.objective, self.solver, time_limit=time_limit)


def _refuse_subqueries(subqueries: Sequence[object] | None) -> None:
    if subqueries is not None:
        raise QueryError("an objective over columns compares them with probes, not sub-queries: give probes=")


def _objective(
    objective: str | JarObjective | CrushObjective | ColumnSearch,
) -> tuple[JarObjective, ColumnSearch | None]:
    """The objective over tables, and the search for columns where the objective is one over columns."""
    if isinstance(objective, JarObjective):
        return objective, None
    if objective in ("jar", NAME):
        return DEFAULT_OBJECTIVE, None
    try:
        return DEFAULT_OBJECTIVE, column_search(objective)
    except (KeyError, TypeError):  # none of that name, or nothing that could be one
        known = ", ".join(map(repr, ("jar", NAME, *SEARCHES)))
        raise ValueError(
            f"unknown objective {objective!r}: choose {known}, or give a JarObjective with your weights"
        ) from None
