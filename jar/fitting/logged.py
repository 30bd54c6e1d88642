"""A log of questions: each with the tables that it needs, or with SQL that reads them; what cannot be used, and why."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from jar.errors import QueryError
from jar.fitting.named_tables import NamedTables, check_dialect, read_sql_tables
from jar.tables.query import check_question
from jar.text.lexical import content_words

if TYPE_CHECKING:
    from jar.index.contents import IndexContents

Gold: TypeAlias = str | Iterable[str]
"""SQL, or the ids of tables."""

QUESTION, TABLES, SQL, DATABASE = "question", "tables", "sql", "database"
"""Columns of a log."""
FIRST_ROW = 2
"""The row of the first question of a file, whose names of columns are row 1."""


class Entry(NamedTuple):
    """A row of a log as it stands: its number, the question, ids of tables or SQL, and the database, "" for any."""

    row: int
    question: str
    gold: Gold
    database: str = ""


class LeftOut(NamedTuple):
    """A row that teaches nothing, and why."""

    row: int
    cause: str


@dataclass(frozen=True)
class LoggedQuestion:
    """A question and the tables that it needs.

    Attributes
    ----------
    row : int
    question : str
    tables : tuple of int
        Their positions in the index.
    group : str
        Equal for questions that are one but for the wording, as far as their SQL or their words tell.
    """

    row: int
    question: str
    tables: tuple[int, ...]
    group: str


class Log(NamedTuple):
    """The questions that can be used, and the rows that can not."""

    questions: tuple[LoggedQuestion, ...]
    left_out: tuple[LeftOut, ...]


def read_log_file(path: str | Path) -> list[Entry]:
    """The rows of a CSV file with the columns ``question``, ``tables`` (ids between commas, semicolons or blanks) or
    ``sql``, and ``database`` where names alone do not say which table is meant; other columns are not read.

    Raises
    ------
    FileNotFoundError
    QueryError
        When the file is no CSV file in UTF-8, or lacks these columns.
    """
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.reader(file, strict=True))
    except (csv.Error, UnicodeDecodeError) as error:
        raise QueryError(f"{path} is no CSV file in UTF-8: {error}") from error
    names = [name.strip().casefold() for name in rows[0]] if rows else []
    if QUESTION not in names or not {TABLES, SQL} & set(names):
        raise QueryError(
            f"{path} needs a first row that names its columns, {QUESTION} and {TABLES} (or {SQL}); "
            f"it has {', '.join(names) or 'none'}"
        )
    entries = []
    for row, cells in enumerate(rows[1:], FIRST_ROW):
        given = dict(zip(names, (cell.strip() for cell in cells), strict=False))
        if any(given.values()):
            tables = [name for name in re.split(r"[,;\s]+", given.get(TABLES, "")) if name]
            entries.append(Entry(row, given.get(QUESTION, ""), tables or given.get(SQL, ""), given.get(DATABASE, "")))
    return entries


def given_log(questions: Iterable[str], gold: Iterable[Gold]) -> list[Entry]:
    """Questions and their gold tables, or SQL, as the rows of a log, counted from 1.

    Raises
    ------
    QueryError
        When they are no lists, or not of one length.
    """
    for name, given in (("questions", questions), ("gold", gold)):
        if isinstance(given, str) or not isinstance(given, Iterable):
            raise QueryError(f"{name} is a list with an entry for each question, not {type(given).__name__}")
    asked, needed = list(questions), list(gold)
    if len(asked) != len(needed):
        raise QueryError(f"there are {len(asked)} questions and gold for {len(needed)}: give one entry for each")
    return [Entry(row, question, needs) for row, (question, needs) in enumerate(zip(asked, needed, strict=True), 1)]


def usable_questions(contents: IndexContents, entries: Sequence[Entry], dialect: str) -> Log:
    """The questions of a log whose tables the index has.

    Parameters
    ----------
    dialect : str
        That of SQL, as sqlglot names it.

    Raises
    ------
    QueryError
        When there is no such dialect.
    """
    dialect = check_dialect(dialect)
    names = NamedTables.of(contents)
    questions, left_out = [], []
    for entry in entries:
        try:
            question = check_question(entry.question)
            tables, group = _needed(names, entry, dialect)
        except QueryError as error:
            left_out.append(LeftOut(entry.row, str(error)))
        else:
            questions.append(LoggedQuestion(entry.row, question, tables, group or _words(question)))
    return Log(tuple(questions), tuple(left_out))


def _needed(names: NamedTables, entry: Entry, dialect: str) -> tuple[tuple[int, ...], str]:
    """Positions of the needed tables, and the SQL without differences of case and blanks."""
    if isinstance(entry.gold, str):
        if not entry.gold.strip():
            raise QueryError("neither tables nor SQL are given")
        tables = names.positions(read_sql_tables(entry.gold, dialect), entry.database)
        return tables, " ".join(entry.gold.casefold().split()).rstrip("; ")
    given = list(entry.gold) if isinstance(entry.gold, Iterable) else [entry.gold]
    if not given or not all(isinstance(name, str) for name in given):
        raise QueryError("gold is a list of ids of tables, or SQL")
    return names.positions([(name,) for name in given], entry.database), ""


def _words(question: str) -> str:
    return " ".join(sorted(set(content_words(question)))) or question.casefold()
