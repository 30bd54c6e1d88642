"""The databases as companies have them: what their files say of themselves holds."""

from __future__ import annotations

import gzip
import sqlite3
from contextlib import closing

import pytest

from benchmarks.data.dataset_form import Dataset, Question
from benchmarks.data.wild.companies import AGES, FOLDER, SMALL, companies, company_schemas, declaring_all
from joinability import Catalog

NAMES_ALONE = {"coop", "freight", "lawfirm", "procure"}
"""Databases without rows."""


PARTS = [(False, False), (True, False), (False, True), (True, True)]


@pytest.fixture(
    scope="module", params=PARTS, ids=["to choose by", "held out", "plain, to choose by", "plain, held out"]
)
def dataset(request: pytest.FixtureRequest) -> Dataset:
    """One part, with the questions that nothing answers."""
    held_out, plain = request.param
    return companies(held_out=held_out, unanswered=True, plain=plain)


def test_each_database_has_answered_and_unanswered_questions(dataset: Dataset) -> None:
    """22 of the former and 4 of the latter, or 12 in plain words; needed tables are in the corpus."""
    corpus = {table.id.casefold() for table in dataset.catalog}
    counts = (12, 12) if "plain" in dataset.name else (22, 26)
    for part in dataset.parts():
        answered = [bool(question.gold_tables) for question in part.questions].count(True)
        assert (answered, len(part.questions)) == counts
    assert all(question.gold_tables <= corpus for question in dataset.questions)


def test_questions_in_plain_words_need_several_tables() -> None:
    """3.4 in the mean, of one to seven."""
    needed = [len(question.gold_tables) for part in (False, True) for question in _plain(part)]
    assert len(needed) == 288
    assert sum(needed) / len(needed) == pytest.approx(3.4, abs=0.05)
    assert {min(needed), max(needed)} == {1, 7}


def _plain(held_out: bool) -> tuple[Question, ...]:
    return companies(held_out=held_out, plain=True).questions


@pytest.mark.parametrize("held_out", [False, True])
def test_all_references_can_be_declared(held_out: bool) -> None:
    """Each of them once, whether the dump declares it or not."""
    tables = Catalog(declaring_all(companies(held_out=held_out).catalog))
    declared = {
        (table.database, table.name, *key.columns, key.target.partition(".")[2], *key.target_columns)
        for table in tables
        for key in table.foreign_keys
    }
    schemas = company_schemas(held_out=held_out)
    assert declared == {(schema.name, *key) for schema in schemas for key in schema.keys}
    assert sum(len(table.foreign_keys) for table in tables) == sum(len(schema.keys) for schema in schemas)


def test_without_them_every_question_needs_a_table() -> None:
    """As the benchmarks ask them."""
    assert all(question.gold_tables for question in companies(held_out=True).questions)


def test_the_sql_of_each_question_reads_its_tables(dataset: Dataset) -> None:
    """SQLite says what it reads while it prepares the query; where there are rows, the answer has some."""
    for part in dataset.parts():
        name = part.questions[0].database
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.executescript(gzip.decompress((FOLDER / f"{name}.sql.gz").read_bytes()).decode("utf-8"))
            tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            for question in part.questions:
                read: set[str] = set()
                connection.set_authorizer(_noting(read))
                rows = connection.execute(question.sql).fetchall() if question.sql else []
                connection.set_authorizer(None)
                assert rows or not question.sql or name in NAMES_ALONE, question.text
                assert {f"{name}.{table}".casefold() for table in read & tables} == question.gold_tables, question.text


def _noting(read: set[str]):  # type: ignore[no-untyped-def]
    def note(action: int, table: str | None, *_: str | None) -> int:
        if action == sqlite3.SQLITE_READ and table:
            read.add(table)
        return sqlite3.SQLITE_OK

    return note


@pytest.mark.parametrize("held_out", [False, True])
def test_references_are_between_columns_that_are_there(held_out: bool) -> None:
    """All of them, declared or not."""
    for schema in company_schemas(held_out=held_out):
        assert schema.keys
        for child, column, parent, to in schema.keys:
            assert {(child, column), (parent, to)} <= set(schema.types), (schema.name, child, column)


def test_the_parts_share_no_database() -> None:
    """What was held out chose nothing."""
    chosen, kept = ({table.database for table in companies(held_out=part).catalog} for part in (False, True))
    assert len(chosen) == 18
    assert len(kept) == 6
    assert not chosen & kept


def test_no_two_databases_of_the_project_have_one_name() -> None:
    """Their dumps are found by it."""
    names = [path.name for folder in (FOLDER, AGES, SMALL) for path in folder.glob("*.sql.gz")]
    assert len(names) == len(set(names)) > 60


def test_tables_of_sqlite_itself_are_left_out() -> None:
    """One database counts its rows by AUTOINCREMENT."""
    assert not [table.id for table in companies(held_out=False).catalog if ".sqlite_" in table.id]


def test_comments_and_keys_are_read() -> None:
    """Of a database with the former, and of one with the latter."""
    tables = companies(held_out=False).catalog
    assert tables["procure.LIFBEW"].description == "vendor scorecard, per quarter, 0 to 100 points"
    assert tables["town.permit"].foreign_keys
