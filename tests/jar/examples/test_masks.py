"""Masks leave no value of the SQL in a question, in its SQL, or in a skeleton."""

from __future__ import annotations

import re

import pytest
import sqlglot
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp

from jar.errors import QueryError
from jar.examples import ExampleStore
from jar.examples.question_masks import masked_question
from jar.examples.sql_structure import masked_sql, read_structure

VALUES = st.text(alphabet="abYZ09 'é%-", min_size=1, max_size=8).filter(lambda text: text.strip(" %'-"))


@given(VALUES, st.integers(0, 10**6), st.booleans())
def test_no_value_is_left(text: str, number: int, in_double_quotes: bool) -> None:
    """Neither the text nor the number of a query is in what a prompt would show, however the text is quoted."""
    literal = f'"{text}"' if in_double_quotes else "'" + text.replace("'", "''") + "'"
    sql = f"SELECT name FROM singer WHERE country = {literal} AND age > {number} LIMIT {number}"
    store = ExampleStore([{"question": f"Which qqq {text} over {number} ?", "sql": sql}])
    question, masked = store[0].masked
    assert masked == "SELECT name FROM singer WHERE country = ? AND age > ? LIMIT ?"
    assert store[0].skeleton == "SELECT c FROM t WHERE c = 'v' AND c > 'v' LIMIT 'v'"
    assert question.startswith("Which qqq _")
    assert not re.search(r"\d", question)
    assert set(re.findall(r"\w+", question)) <= {"Which", "qqq", "_", "over"}


@pytest.mark.parametrize(
    ("question", "values", "names", "expected"),
    [
        ("Which Singers from 'New York' are there?", [], ["singer"], "Which Singers from _ are there?"),
        ("Names with the letter ha in them", ["%ha%"], [], "Names with the letter _ in them"),
        ("How old are the DOGS?", ["dog"], [], "How old are the _?"),
        ("List all of Mary Ann Smith's loans.", [], [], "List all of _ loans."),
        ("Who was born on 1990-01-02 or paid 3,000.50?", [], [], "Who was born on _ or paid _?"),
    ],
)
def test_questions(question: str, values: list[str], names: list[str], expected: str) -> None:
    """Values in quotes, in other forms, names of persons, dates and amounts go; names of tables stay."""
    assert masked_question(question, values, names) == expected


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ('SELECT "a b" FROM t WHERE "a b" = "x"', 'SELECT "a b" FROM t WHERE "a b" = ?'),
        ('SELECT a FROM t WHERE "x" = a', "SELECT a FROM t WHERE ? = a"),
        ('SELECT a FROM t WHERE "a b" > 5', 'SELECT a FROM t WHERE "a b" > ?'),
        ('SELECT a FROM t WHERE a IN ("x", "y") OR a LIKE "%z%"', "SELECT a FROM t WHERE a IN (?, ?) OR a LIKE ?"),
        ('SELECT a FROM t WHERE lower(a) = lower("X")', "SELECT a FROM t WHERE LOWER(a) = LOWER(?)"),
        ('SELECT a FROM t WHERE "a" BETWEEN "x" AND "y"', 'SELECT a FROM t WHERE "a" BETWEEN ? AND ?'),
        ('SELECT t."a" FROM t JOIN u ON "b" = "c"', 'SELECT t."a" FROM t JOIN u ON "b" = "c"'),
        ("SELECT a FROM t WHERE b = x'41' -- of Mary", "SELECT a FROM t WHERE b = ?"),
    ],
)
def test_names_and_texts_in_double_quotes(sql: str, expected: str) -> None:
    """Without a dialect, what stands in double quotes is a text where a value is compared, and else a name."""
    assert masked_sql(sql) == expected


def test_a_dialect_says_what_double_quotes_mean() -> None:
    """In PostgreSQL they hold names, in MySQL texts."""
    sql = 'SELECT a FROM t WHERE a = "x"'
    assert masked_sql(sql, "postgres") == sql
    assert masked_sql(sql, "mysql") == "SELECT a FROM t WHERE a = ?"


@pytest.mark.parametrize(
    ("sql", "skeleton"),
    [
        (
            "SELECT T1.* FROM singer AS T1 JOIN band b ON T1.id = b.id",
            "SELECT * FROM t JOIN t ON c = c",
        ),
        ("SELECT count(*) AS n FROM (SELECT a FROM b) AS x", "SELECT COUNT(*) FROM (SELECT c FROM t)"),
        ("WITH x AS (SELECT a FROM b) SELECT a FROM x", "WITH t AS (SELECT c FROM t) SELECT c FROM t"),
    ],
)
def test_skeletons(sql: str, skeleton: str) -> None:
    """Tables, columns and aliases of a query do not show in its skeleton."""
    assert read_structure(sql).skeleton == skeleton
    assert not list(sqlglot.parse_one(skeleton).find_all(exp.TableAlias)) or "WITH" in skeleton


def test_what_a_query_uses() -> None:
    """Columns go to the table that their alias means, or to the only one; of the others it is not known."""
    sql = "SELECT T2.name, x FROM likes AS T1 JOIN person AS T2 ON T1.liked = T2.id WHERE 1 < (SELECT max(n) FROM club)"
    assert read_structure(sql).used == (("likes", ("liked",)), ("person", ("name", "id")), ("club", ("n",)))


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("SELECT FROM WHERE", "cannot be read"),
        ("SELECT 1; SELECT 2", "2 statements"),
        ("DROP TABLE x", "no query"),
        ("VACUUM", "no query"),
        ("", "0 statements"),
        ("SELECT " + "(" * 12_000 + ")" * 12_000, "characters"),
    ],
)
def test_what_is_no_query(sql: str, reason: str) -> None:
    """Each is refused with what is wrong with it."""
    with pytest.raises(QueryError, match=reason):
        read_structure(sql)


def test_an_unknown_dialect() -> None:
    """It is named."""
    with pytest.raises(QueryError, match="'klingon' is unknown"):
        read_structure("SELECT 1", "klingon")
