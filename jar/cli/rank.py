"""``jar rank`` and its options, which ``jar explain`` shares."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from jar.cli import options
from jar.cli.output import FAILURE, SUCCESS, format_options, print_prompt, print_selection, say

if TYPE_CHECKING:
    from jar.answers.selection import Selection
    from jar.cli.options import ColumnChoice, Command, LanguageChoice, SqlChoice
    from jar.index.index import Index
    from jar.page.exploration import Exploration
    from jar.proposals.retrieval import Retriever
    from jar.rerank import Reranker


LATE = "late"
RELEVANCES = ("cosine", "learned", LATE)
AUTO, BY_DEFAULT = "auto", 5
"""As `jar.sizes.sizing` has them, which loads too much for a help text."""


class TableCount(click.ParamType[int | str]):
    """A number of tables, or "auto"."""

    name = "number|auto"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | str:
        """The number, or the word."""
        if str(value).casefold() == AUTO:
            return AUTO
        try:
            return int(value)
        except ValueError:
            self.fail(f"{value!r} is neither a number of tables nor {AUTO!r}", param, ctx)


@dataclass(frozen=True)
class Constraints:
    """What the options say of single tables, sub-queries and joins, as `Reranker.rank` takes it."""

    subqueries: tuple[str, ...]
    candidates: tuple[str, ...]
    require: tuple[str, ...]
    exclude: tuple[str, ...]
    forbid_joins: tuple[tuple[str, str], ...]
    time_limit: float | None

    def arguments(self) -> dict[str, Any]:
        """The arguments of `Reranker.rank`."""
        return {
            "subqueries": list(self.subqueries) or None,
            "candidates": [_candidate(text) for text in self.candidates] or None,
            "require": self.require,
            "exclude": self.exclude,
            "forbid_joins": self.forbid_joins,
            "time_limit": self.time_limit,
        }


@dataclass(frozen=True)
class Ranking:
    """What makes a re-ranker, beside its language model and its columns."""

    size: int | str | None
    recall: float | None
    max_k: int | None
    objective: str
    solver: str | None
    pool: int | None
    connect: Any
    trust_declared: bool | None
    retriever: str | None
    relevance: str | None

    @property
    def leaves_size_open(self) -> bool:
        """Whether there are as many tables as the question needs."""
        return self.size == AUTO or (self.size is None and (self.recall, self.max_k) != (None, None))

    def sizing(self) -> dict[str, Any]:
        """The arguments of `Reranker.rank` that say how many tables.

        Raises
        ------
        UsageError
            When a number has limits beside it.
        """
        if isinstance(self.size, int):
            for name, limit in (("--recall", self.recall), ("--max-k", self.max_k)):
                if limit is not None:
                    said = f"{name} says how many tables there may be: give -k {AUTO} with it, not -k {self.size}"
                    raise click.UsageError(said)
        return {"k": self.size, "recall": self.recall, "max_k": self.max_k}

    def read_connect(self) -> Any:
        """How joins are to hold a set together, as `Reranker` takes it; None for an objective over columns alone."""
        if self.objective not in options.OF_COLUMNS:
            return self.connect
        if self.connect != "prefer":
            raise click.UsageError(f"--connect is about tables, and {self.objective} chooses columns: leave it out")
        return None

    def first_stage(self, index: Index, language: LanguageChoice) -> Retriever | None:
        """The retriever that proposes candidates; None: the package's own first stage."""
        if self.retriever is None:
            return None
        from jar.multihop import MultiHopRetriever

        return MultiHopRetriever(index, language.rewriter(index))

    def read_relevance(self, index: Index) -> Any:
        """The relevance as `Reranker` takes it; None: its own choice.

        Raises
        ------
        JarError
            When the index has no vectors of tokens for late interaction.
        """
        if self.relevance != LATE:
            return self.relevance
        from jar.late import LateRelevance

        return LateRelevance(index)


def ranking_options(command: Command, question: Callable[[Any], Any] = options.questions) -> Command:
    """The options that ``rank`` and ``explain`` share; the latter can do without a question."""
    for option in reversed(
        (
            options.language_options,
            options.column_options,
            options.group_of("constraints", Constraints),
            options.group_of("ranking", Ranking),
            options.index_file,
            question,
            click.option(
                "-k",
                "size",
                type=TableCount(),
                help=f"How many tables, {BY_DEFAULT} by default; auto for as many as the question needs.",
            ),
            click.option("--recall", type=float, help="As many as likely hold this share of the needed tables (0.95)."),
            click.option("--max-k", type=click.IntRange(1), help="As many as the question needs, but at most so many."),
            click.option(
                "--objective",
                type=click.Choice(options.OBJECTIVES),
                default="jar",
                show_default=True,
                help="What is chosen.",
            ),
            click.option("--solver", help="See `jar solvers`; by default exact, for crush-paper sweep."),
            click.option("--subquery", "subqueries", multiple=True, help="A part of the question; may be repeated."),
            click.option("--candidate", "candidates", multiple=True, help="A candidate, ID or ID=SCORE; repeated."),
            click.option(
                "--candidates",
                "pool",
                type=click.IntRange(1),
                help="Tables of the first stage, at least K; by default 20 to 50, and some that join them.",
            ),
            click.option(
                "--relevance",
                type=click.Choice(RELEVANCES),
                help="By what tables are scored; by default learned, but cosine for --candidate and --retriever.",
            ),
            click.option("--retriever", type=click.Choice(["multihop"]), help="Another first stage: several hops."),
            options.table_option("--require", multiple=True, help="A table that must be chosen."),
            options.table_option("--exclude", multiple=True, help="A table that must not be chosen, or a schema."),
            click.option("--forbid-join", "forbid_joins", nargs=2, multiple=True, help="What must not join: A B."),
            click.option(
                "--connect",
                type=click.Choice(["prefer", "require", "ignore"]),
                default="prefer",
                help="Whether joins should connect the set (the default), have to, or do not count.",
            ),
            click.option("--trust-declared/--distrust-declared", default=None, help="Declared keys are certain."),
            options.time_limit,
        )
    ):
        command = option(command)
    return command


def asker(
    index: Index, ranking: Ranking, constraints: Constraints, columns: ColumnChoice, language: LanguageChoice
) -> Callable[..., Selection]:
    """What answers questions as the options of ``rank`` ask for; takes other wishes of `Reranker.rank` beside them."""
    how = {**ranking.sizing(), **constraints.arguments()}
    return partial(_reranker(index, ranking, constraints, columns, language).rank, probes=columns.schema(), **how)


def explorer(
    index: Index, ranking: Ranking, constraints: Constraints, columns: ColumnChoice, language: LanguageChoice
) -> Callable[..., Exploration]:
    """What answers questions as the options ask for with a page to explore."""
    how = {**ranking.sizing(), **constraints.arguments()}
    return partial(_reranker(index, ranking, constraints, columns, language).explore, probes=columns.schema(), **how)


def _reranker(
    index: Index, ranking: Ranking, constraints: Constraints, columns: ColumnChoice, language: LanguageChoice
) -> Reranker:
    from jar.rerank import Reranker

    for candidate in constraints.arguments()["candidates"] or ():
        _check_candidate(index, candidate)
    decomposes = ranking.objective == "jar"
    return Reranker(
        index,
        ranking.objective,
        ranking.solver,
        candidates=ranking.pool,
        trust_declared=ranking.trust_declared,
        decomposer=language.decomposer(index) if decomposes else None,
        budget=columns.size(ranking.objective),
        hallucinator=None if decomposes else language.hallucinator(index),
        retriever=ranking.first_stage(index, language),
        relevance=ranking.read_relevance(index),
        connect=ranking.read_connect(),
    )


@contextmanager
def garbage_left() -> Iterator[None]:
    """Python does not look for garbage meanwhile: of what a start makes hardly anything is, and to look through it
    again and again takes a twelfth of the time to a first answer."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def exit_status(selection: Selection) -> int:
    """Failure where no set of tables is feasible."""
    return FAILURE if selection.status == "infeasible" else SUCCESS


def _candidate(text: str) -> str | tuple[str, float]:
    """A candidate of ID or ID=SCORE; of the whole text where what follows the sign is no number: an id may have one."""
    name, equals, score = text.rpartition("=")
    try:
        return (name, float(score)) if equals else text
    except ValueError:
        return text


def _check_candidate(index: Index, candidate: str | tuple[str, float]) -> None:
    """
    Raises
    ------
    QueryError
        When the index has no such table.
    click.BadParameter
        When it has, but for a score that is no number.
    """
    from jar.errors import QueryError
    from jar.index.lookup import table_position

    name = candidate if isinstance(candidate, str) else candidate[0]
    table, equals, score = name.rpartition("=")
    try:
        table_position(index.contents, name)
    except QueryError:
        if not equals:
            raise
        known = table_position(index.contents, table)
        told = f"the score of {index.contents.tables[known].id} is no number: {score!r}"
        raise click.BadParameter(told, param_hint="--candidate") from None


@click.command("rank")
@ranking_options
@format_options("rank")
@options.sql_options
@options.prompt_option
def rank_command(index_file: str, output: str, sql: SqlChoice, show_prompt: bool, **values: Any) -> None:
    """Choose the tables that answer QUESTION; - for questions from standard input, one a line.

    Each of those is answered as it comes, with --json in a line of JSON, else with an empty line behind it.
    """
    from jar.index.index import Index

    bounds_tables = values["ranking"].leaves_size_open
    sql.check(output, bounds_tables=bounds_tables)
    question = values.pop("question")
    if show_prompt:
        print_prompt(index_file, question, values["language"], values["ranking"].objective, output)
        return
    many = question == options.STANDARD_INPUT
    if many and values["columns"].reads_input:
        raise click.UsageError("the questions and --probes-file cannot both come from standard input")
    if many and sys.stdin is None:
        raise click.UsageError("standard input is closed: there are no questions to read")
    with garbage_left():
        index = Index.load(index_file)
        ask, written = asker(index, **values), sql.arguments(index)
    if bounds_tables:
        ask = partial(ask, max_tokens=sql.max_tokens)
    statuses = []
    for asked in _lines() if many else (question,):
        with garbage_left():
            selection = ask(asked)
        print_selection(selection, output, written(selection), one_of_many=many)
        statuses.append(exit_status(selection))
    if not statuses:
        say("standard input has no question: write one a line")
    sys.exit(max(statuses, default=SUCCESS))


def _lines() -> Iterator[str]:
    """The lines of standard input that are not blank, as they come; what is no UTF-8 in them is told."""
    for number, line in enumerate(sys.stdin, 1):
        if any("\udc80" <= letter <= "\udcff" for letter in line):
            say(f"line {number} of standard input has bytes that are no UTF-8: they are read as '?'")
        if line.strip():
            yield line.strip()
