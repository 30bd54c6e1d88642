"""Execution accuracy by system, on the same questions, with paired tests."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.data.dataset_form import Dataset, Question
from benchmarks.data.layout import Layout, MissingDataError
from benchmarks.data.refusal import RefusalError
from benchmarks.runs.evaluation import Report
from benchmarks.runs.resampling import SEED, PairedTest, mean_interval, paired_tests
from benchmarks.sql.contexts import ShownTables
from benchmarks.sql.execution import QueryResult, is_ordered, run_query, same_result
from benchmarks.sql.writer import SqlWriter

PAIRS = (
    ("jar", "dense"),
    ("jar", "dense-as-jar"),
    ("jar", "schemagate"),
    ("jar-auto", "dense"),
    ("jar-auto", "dense-as-auto"),
    ("jar-auto", "schemagate"),
    ("jar-auto", "jar"),
    ("gold", "jar"),
    ("gold", "jar-auto"),
)
"""What is compared, the second subtracted from the first, where both were run."""
GOLD_LIMIT = 120.0
"""Seconds of a gold query, which has to run even on a busy machine."""
STEP = 10
"""Questions between two messages."""


class GoldQueryError(RefusalError, ValueError):
    """A gold query that does not run on the databases that are here: nothing can be compared with it."""


@dataclass(frozen=True)
class AskedAnswer:
    """One question over one context.

    Attributes
    ----------
    question, system : str
    tables : int
        Shown to the model.
    complete : bool
        Whether all gold tables are among them.
    correct : bool
        Whether the query returns what the gold query returns.
    error : str
        Why the query, or the answer of the model, is none; empty where it ran.
    sql : str
    prompt_tokens, completion_tokens : int
    seconds : float
        Of the model.
    """

    question: str
    system: str
    tables: int
    complete: bool
    correct: bool
    error: str
    sql: str
    prompt_tokens: int
    completion_tokens: int
    seconds: float


@dataclass(frozen=True)
class SqlFigures:
    """What a system reaches: shares in percent, means over questions otherwise.

    `low` and `high` are the 95 % bootstrap interval of `accuracy`. `when_complete` is the accuracy of the questions of
    which all gold tables were shown, None without any.
    """

    system: str
    accuracy: float
    low: float
    high: float
    errors: float
    complete: float
    when_complete: float | None
    tables: float
    prompt_tokens: float
    seconds: float


@dataclass(frozen=True, kw_only=True)
class SqlComparison(PairedTest):
    """A system against another on the same questions, in percentage points."""

    system: str
    baseline: str


@dataclass(frozen=True)
class SqlStudy:
    """All of a run. `empty` counts the gold queries that return no row, which a wrong query may match by chance."""

    dataset: str
    of: int
    questions: int
    k: int
    model: str
    empty: int
    figures: tuple[SqlFigures, ...]
    comparisons: tuple[SqlComparison, ...]


def drawn(dataset: Dataset, limit: int | None) -> Dataset:
    """The questions in an order of chance (seeded), at most so many: a smaller draw is the start of a larger one."""
    questions = list(dataset.questions)
    random.Random(SEED).shuffle(questions)
    return replace(dataset, questions=tuple(questions[:limit]))


def database_files(dataset: Dataset, root: Path) -> dict[str, Path]:
    """The SQLite files by database.

    Raises
    ------
    MissingDataError
        When a question's own is not there: its gold query cannot run.
    """
    files = Layout(root, "spider").databases()
    missing = sorted({question.database for question in dataset.questions} - files.keys())
    if missing:
        raise MissingDataError(f"the rows of {', '.join(missing)} are not in {root / 'spider'}: queries cannot run")
    return files


def ask_all(
    dataset: Dataset,
    shown: Mapping[str, Sequence[ShownTables]],
    files: Mapping[str, Path],
    writer: SqlWriter,
    report: Report,
    minutes: float | None = None,
) -> Iterator[AskedAnswer]:
    """Ask question by question, each over the contexts of all systems before the next one.

    Each question begins with another system, so that what a server remembers of prompts favours none.

    Raises
    ------
    NoAnswerError
        When the server gives no answer.
    GoldQueryError
        When a gold query fails.
    """
    start = time.monotonic()
    for place, question in enumerate(dataset.questions):
        if place and minutes is not None and time.monotonic() - start > 60 * minutes:
            report(f"{place} questions in {minutes:g} minutes, which is the time that was given")
            return
        gold = run_gold(question, files)
        results: dict[tuple[str, tuple[str, ...]], QueryResult] = {}
        for system in rotated(list(shown), place):
            yield _answered(system, question, shown[system][place], gold, results, files, writer)
        if (place + 1) % STEP == 0:
            report(f"{place + 1} of {len(dataset.questions)} questions, {writer.asked} answers of the server")


def run_gold(question: Question, files: Mapping[str, Path]) -> QueryResult:
    """What the gold query of a question returns.

    Raises
    ------
    GoldQueryError
        When it fails.
    """
    result = run_query(question.sql, {question.database: files[question.database]}, GOLD_LIMIT)
    if result.error:
        raise GoldQueryError(
            f"the gold query of question {question.id} does not run on {files[question.database]}: {result.error}. "
            f"Get the databases anew, as --data has them"
        )
    return result


def rotated(names: Sequence[str], by: int) -> list[str]:
    """The names in their order from another one on."""
    first = by % len(names)
    return [*names[first:], *names[:first]]


def _answered(
    system: str,
    question: Question,
    context: ShownTables,
    gold: QueryResult,
    results: dict[tuple[str, tuple[str, ...]], QueryResult],
    files: Mapping[str, Path],
    writer: SqlWriter,
) -> AskedAnswer:
    answer = writer.write(context.text, question.text)
    databases = tuple(dict.fromkeys(table.partition(".")[0] for table in context.tables))
    if answer.failure:
        result = QueryResult(error=answer.failure)
    elif not answer.sql:
        result = QueryResult(error="the answer has no query")
    else:
        key = answer.sql, databases
        if key not in results:
            results[key] = run_query(answer.sql, {name: files[name] for name in databases if name in files})
        result = results[key]
    return AskedAnswer(
        question.id,
        system,
        len(context.tables),
        question.gold_tables <= {table.casefold() for table in context.tables},
        same_result(gold, result, is_ordered(question.sql)),
        result.error,
        answer.sql,
        answer.prompt_tokens,
        answer.completion_tokens,
        answer.seconds,
    )


def by_system(answers: Iterable[AskedAnswer]) -> dict[str, list[AskedAnswer]]:
    """Answers in their order, by system."""
    of_systems: dict[str, list[AskedAnswer]] = {}
    for answer in answers:
        of_systems.setdefault(answer.system, []).append(answer)
    return of_systems


def system_figures(system: str, answers: Sequence[AskedAnswer]) -> SqlFigures:
    """The figures of one system."""
    correct = _correct(answers)
    complete = [answer for answer in answers if answer.complete]
    return SqlFigures(
        system,
        float(correct.mean()),
        *mean_interval(correct),
        100 * float(np.mean([bool(answer.error) for answer in answers])),
        100 * len(complete) / len(answers),
        float(_correct(complete).mean()) if complete else None,
        float(np.mean([answer.tables for answer in answers])),
        float(np.mean([answer.prompt_tokens for answer in answers])),
        float(np.mean([answer.seconds for answer in answers])),
    )


def compare(of_systems: Mapping[str, Sequence[AskedAnswer]]) -> tuple[SqlComparison, ...]:
    """The pairs of `PAIRS` of which both were run, corrected by Holm over these."""
    pairs = [pair for pair in PAIRS if set(pair) <= of_systems.keys()]
    tests = paired_tests([_correct(of_systems[system]) - _correct(of_systems[baseline]) for system, baseline in pairs])
    return tuple(
        SqlComparison(system=system, baseline=baseline, **vars(test))
        for (system, baseline), test in zip(pairs, tests, strict=True)
    )


def _correct(answers: Sequence[AskedAnswer]) -> npt.NDArray[np.float64]:
    return np.array([100.0 * answer.correct for answer in answers])
