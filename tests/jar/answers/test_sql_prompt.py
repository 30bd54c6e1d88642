"""Sample values in a prompt: off unless asked for, what the index holds, and a word where it holds none."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest

from jar import Catalog, Index, QueryError, Reranker
from jar.answers.join import Join
from jar.answers.sql_context import SqlContext
from jar.answers.sql_dialects import NAMES, dialect_named
from jar.answers.sql_prompt import check_form, with_values
from jar.answers.token_budget import estimated_tokens, token_counter
from joinability import Column, ForeignKey, Table
from tests.jar.conftest import toy_embedder

FRAMES = {
    "shop.city": pd.DataFrame(
        {"city_id": [1, 2, 3], "name": ["Berlin", "O'Hare\n-- x", "Rio"], "empty": [None] * 3}
        | {f"unused_{number}": [10 + number] * 3 for number in range(4)}
    ),
    "shop.visit": pd.DataFrame({"city_id": [1, 2, 2, 3], "seen": ["a" * 60, "b", "c", "d"]}),
}


@pytest.fixture(scope="module")
def shop(lake_index: Index) -> Index:
    """An index of two tables."""
    return Index.build(Catalog.from_frames(FRAMES), embedder=lake_index.embedder, progress=False)


def test_sample_values_are_those_of_the_rows(shop: Index) -> None:
    """Each column with values has up to `count` of them, all from its rows; one without has none."""
    for count in (1, 2, 5):
        samples = shop.sample_values(["shop.city", "shop.visit"], count)
        assert samples.keys() == {f"{table}.{name}" for table in FRAMES for name in FRAMES[table]} - {"shop.city.empty"}
        for column, values in samples.items():
            table, name = column.rsplit(".", 1)
            assert len(values) == min(count, FRAMES[table][name].nunique())
            assert set(values) <= set(map(str, FRAMES[table][name]))
    assert shop.sample_values([]) == {}


def test_there_are_no_sample_values_of_passwords_and_tokens() -> None:
    """Neither in the mapping nor in the texts that are embedded."""
    user = pd.DataFrame({"login": ["ada", "bob"], "password_digest": ["x1f", "y2e"], "apiToken": ["tk-1", "tk-2"]})
    texts: list[str] = []

    def embedder(given: list[str]) -> np.ndarray:
        texts.extend(given)
        return toy_embedder(given)

    index = Index.build(Catalog.from_frames({"app.user": user}), embedder=embedder, text_values=2, progress=False)
    assert {column: set(values) for column, values in index.sample_values(["app.user"]).items()} == {
        "app.user.login": {"ada", "bob"}
    }
    assert any("ada" in text for text in texts)
    assert not any("x1f" in text or "tk-1" in text for text in texts)


def test_sample_values_are_those_of_a_file_that_was_saved(shop: Index, lake_index: Index, tmp_path: Path) -> None:
    """An index that is opened again has the same ones."""
    shop.save(tmp_path / "shop.jar")
    again = Index.load(tmp_path / "shop.jar", embedder=lake_index.embedder)
    assert again.sample_values(["shop.city"]) == shop.sample_values(["shop.city"])


@pytest.mark.parametrize("count", [0, 1.5, True, "3"])
def test_a_count_is_a_whole_number(shop: Index, count: Any) -> None:
    """Any other count is refused, and so is a table that is not there."""
    with pytest.raises(QueryError, match="count is a number of values"):
        shop.sample_values(["shop.city"], count)
    with pytest.raises(QueryError, match=r"no table 'shop\.cities'"):
        shop.sample_values(["shop.cities"])
    with pytest.raises(QueryError, match="list of ids"):
        shop.sample_values("shop.city")


def test_values_stand_in_comments(shop: Index) -> None:
    """Texts are quoted and cut, numbers are bare, line breaks are gone, and the statements still run."""
    answer = Reranker(shop).rank("How many visits to Berlin?", k=2)
    assert "e.g." not in answer.to_sql_context()
    text = answer.to_sql_context("duckdb", values=shop.sample_values(answer.tables, 5))
    with duckdb.connect() as connection:
        connection.execute(text)
    assert "city_id BIGINT,  -- e.g. " in text
    assert "'O''Hare -- x'" in text
    assert f"'{'a' * 40}...'" in text
    assert "'" not in text.split("city_id BIGINT,  -- e.g. ")[1].splitlines()[0]


def test_truth_values_are_such(lake_index: Index) -> None:
    """They are kept as 1 and 0, which not every engine compares with a boolean."""
    frame = pd.DataFrame({"sku": range(20), "active": [True, False] * 10})
    index = Index.build(Catalog.from_frames({"shop.sku": frame}), embedder=lake_index.embedder, progress=False)
    answer = Reranker(index).rank("active skus", k=1)
    text = answer.to_sql_context("bigquery", values=index.sample_values(answer.tables, 2))
    assert set(re.findall(r"active BOOL.*-- e\.g\. (.*), (.*)", text)[0]) == {"TRUE", "FALSE"}


def test_values_that_the_question_names_are_told(shop: Index) -> None:
    """With values, the column that has a value of the question says so; that column stays within a budget."""
    answer = Reranker(shop).rank("How many visits to Berlin?", k=2)
    assert [(named.column, named.column_name) for named in answer.values] == [("shop.city.name", "name")]
    text = answer.to_sql_context(values={})
    assert "name VARCHAR,  -- the question names 'Berlin'" in text
    shorter = answer.to_sql_context(max_tokens=estimated_tokens(answer.to_sql_context()) - 1)
    assert re.match("-- [1-5] columns left out", shorter)
    assert "name VARCHAR" in shorter


def test_where_no_values_are_known_the_text_says_so(lake_index: Index) -> None:
    """A schema without rows has no samples: the answer is the same, with a note."""
    catalog = Catalog.from_ddl("CREATE TABLE city (city_id INTEGER, name TEXT);", database="shop")
    index = Index.build(catalog, embedder=lake_index.embedder, progress=False)
    answer = Reranker(index).rank("cities", k=1)
    samples = index.sample_values(answer.tables)
    assert samples == {}
    note = "-- no sample values of these tables are known\n\n"
    assert answer.to_sql_context(values=samples) == note + answer.to_sql_context()


@pytest.mark.parametrize("values", [3, True, ["Berlin"], {"shop.city.name": "Berlin"}])
def test_values_are_a_mapping_to_lists(shop: Index, values: Any) -> None:
    """A number or a bare text is refused, with the call that gives what is wanted."""
    answer = Reranker(shop).rank("cities", k=1)
    with pytest.raises(QueryError, match=r"index\.sample_values"):
        answer.to_sql_context(values=values)


def test_an_answer_is_json_without_values(shop: Index) -> None:
    """Neither schemas nor the relevance of columns are in `to_dict`."""
    answer = Reranker(shop).rank("How many visits to Berlin?", k=2)
    assert not {"schemas", "column_relevance"} & answer.to_dict().keys()
    assert answer.column_relevance.keys() == {
        f"{table.id}.{column.name}" for table in answer.schemas for column in table.columns
    }


def test_tables_of_two_databases_are_written_with_theirs() -> None:
    """All of them, in statements, keys and joins, in every dialect; for SQLite a comment says what to attach."""
    columns = (Column("id", "INTEGER"), Column("ref", "INTEGER"))
    one = Table("shop", "orders", columns, primary_key=("id",))
    other = Table("bank", "loan", columns, foreign_keys=(ForeignKey(("ref",), "shop.orders", ("id",)),))
    join = Join("shop.orders.id", "bank.loan.ref", 1.0, {}, "shop.orders", "bank.loan")
    context = SqlContext((one, other), (join,))
    for name in (None, *NAMES):
        dialect = None if name is None else dialect_named(name)
        text = context.text(dialect)
        assert "CREATE TABLE shop.orders (" in text
        assert "CREATE TABLE bank.loan (" in text
        assert "-- shop.orders.id = bank.loan.ref" in text
        assert ("-- attach the databases: ATTACH ... AS shop; ATTACH ... AS bank" in text) == (name == "sqlite")
        assert "CREATE TABLE orders (" in SqlContext((one,)).text(dialect)
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript("ATTACH ':memory:' AS shop; ATTACH ':memory:' AS bank;")
        connection.executescript(context.text(dialect_named("sqlite")))


def test_tables_are_written_with_the_schema_that_their_script_writes() -> None:
    """Also where all of an answer are of one, and none where the script writes none; SQLite knows no schemas."""
    ddl = """
    CREATE TABLE dwh.claim (claim_id INT PRIMARY KEY, policy_id INT REFERENCES dwh.policy (policy_id));
    CREATE TABLE dwh.policy (policy_id INT PRIMARY KEY);
    CREATE TABLE stg.policy (policy_id INT);
    CREATE TABLE note (claim_id INT);
    CREATE TABLE lake.events.click (at INT);
    """
    claim, policy, raw, note, click = Catalog.from_ddl(ddl, database="insurer")
    assert [one.schema for one in (claim, raw, note, click)] == ["dwh", "stg", "", "lake.events"]
    for dialect in (None, dialect_named("postgres"), dialect_named("duckdb")):
        text = SqlContext((policy, claim)).text(dialect)
        assert "CREATE TABLE dwh.claim (" in text
        assert "REFERENCES dwh.policy" in text
        assert "CREATE TABLE note (" in SqlContext((note,)).text(dialect)
        all_of_them = SqlContext((policy, claim, raw, note)).text(dialect)
        assert all(f"CREATE TABLE {name} (" in all_of_them for name in ("dwh.policy", "stg.policy", "note"))
    assert "CREATE TABLE claim (" in SqlContext((policy, claim)).text(dialect_named("sqlite"))
    elsewhere = Table("bank", "loan", (Column("id"),))
    assert "CREATE TABLE insurer.note (" in SqlContext((note, elsewhere)).text()


def test_an_index_keeps_the_schema_of_a_table(tmp_path: Path, lake_index: Index) -> None:
    """A file of a version that did not is opened as before, and a refresh adds it; rows beside a script have its."""
    path = tmp_path / "dwh.jar"
    ddl = "CREATE TABLE dwh.claim (claim_id INT, policy_id INT); CREATE TABLE dwh.policy (policy_id INT);"
    rows = Catalog.from_frames({"out.policy": pd.DataFrame({"policy_id": [1]})})
    catalog = rows.with_declared(Catalog.from_ddl(ddl))
    options: dict[str, Any] = {"path": path, "embedder": lake_index.embedder, "progress": False}
    assert [table.schema for table in Index.build(catalog, **options).contents.tables] == ["dwh"] * 2
    with duckdb.connect(str(path)) as connection:
        connection.execute("ALTER TABLE catalog_tables DROP COLUMN schema_name")
        connection.execute("UPDATE catalog_tables SET fingerprint = 'of tables without it'")
    old = Index.load(path, embedder=lake_index.embedder)
    assert [table.schema for table in old.contents.tables] == [None, None]
    assert "CREATE TABLE claim (" in SqlContext(old.contents.tables).text()
    assert [table.schema for table in Index.build(catalog, **options).contents.tables] == ["dwh"] * 2


def test_a_key_that_tells_no_columns_of_its_target_is_a_comment() -> None:
    """As that to a table without a primary key, in plain SQL, too."""
    parent = Table("shop", "parent", (Column("a", "INTEGER"),))
    key = ForeignKey(("a",), "shop.parent", ())
    child = Table("shop", "child", (Column("id", "INTEGER"), Column("a", "INTEGER")), ("id",), (key,))
    for dialect in (None, dialect_named("sqlite")):
        text = SqlContext((parent, child)).text(dialect)
        assert "\n  -- FOREIGN KEY (a) REFERENCES parent\n" in text
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.executescript(text)


def test_signs_that_steer_a_terminal_become_blanks_and_blanks_stay() -> None:
    """In values, whose blanks are part of them, as in names; so no sign ends a comment."""
    table = Table("shop", "orders", (Column("id", "TEXT", description="one\n two"),))
    odd = "a  b\x00\x1b[31m\u2028c\r\nd"
    text = with_values(SqlContext((table,)), {"shop.orders.id": [odd]}, []).text()
    assert "  -- one two; e.g. 'a  b  [31m c d'" in text
    assert all(sign.isprintable() or sign == "\n" for sign in text)


def test_sample_values_are_lists_or_arrays() -> None:
    """Anything else is an error that says so."""
    context = SqlContext((Table("shop", "orders", (Column("id", "TEXT"),)),))
    for lists in ([], ["a", "b"], np.array(["a", "b"]), pd.Series(["a", "b"]), ("a", "b")):
        text = with_values(context, {"shop.orders.id": lists}, []).text()
        assert ("e.g. 'a', 'b'" in text) == (len(lists) > 0)
    for wrong in (5, None, "ab", b"ab"):
        with pytest.raises(QueryError, match="to lists of values"):
            with_values(context, {"shop.orders.id": wrong}, [])  # type: ignore[dict-item]


def test_the_form_of_a_prompt_is_checked_before_there_is_one() -> None:
    """Names, dialect, number and tokenizer; numbers of numpy are numbers."""
    for options, said in (
        ({"tokens": 3}, "has no 'tokens': it takes dialect, max_tokens"),
        ({"dialect": "pg"}, "no SQL dialect 'pg'"),
        ({"max_tokens": 0}, "from 1 up"),
        ({"tokenizer": 3}, "tokenizer is a function"),
    ):
        with pytest.raises(QueryError, match=said):
            check_form(options)
    form = {"dialect": "duckdb", "max_tokens": np.int64(9), "tokenizer": len}
    assert check_form(form) == form
    assert token_counter(lambda text: np.int64(len(text)))("four") == 4


def test_a_number_stands_without_quotes_if_sql_reads_it_as_one() -> None:
    """What Python alone takes for a number is a text."""
    context = SqlContext((Table("shop", "orders", (Column("id", "REAL"),)),))
    text = with_values(context, {"shop.orders.id": ["1.5", "-2e3", "7", "nan", "1_0", " 5 "]}, []).text()
    assert "e.g. 1.5, -2e3, 7, 'nan', '1_0', ' 5 '" in text


@pytest.mark.parametrize(
    ("score", "remark"),
    [
        (0.049, "  (unlikely, score 0.05: a table between them may be missing)"),
        (0.05, "  (a guess, score 0.05)"),
        (0.49, "  (a guess, score 0.49)"),
        (0.5, ""),
    ],
)
def test_a_join_for_which_little_speaks_is_told_as_a_guess(score: float, remark: str) -> None:
    """A model that reads the prompt can tell a likely join from one that only fills a set."""
    tables = tuple(Table("shop", name, (Column("id"),)) for name in ("a", "b"))
    join = Join("shop.a.id", "shop.b.id", score, {}, "shop.a", "shop.b")
    assert SqlContext(tables, (join,)).text().endswith(f"-- a.id = b.id{remark}\n")


@pytest.mark.parametrize(
    ("types", "remark"),
    [(("BIGINT", "VARCHAR"), "  (cast one side: BIGINT and VARCHAR)"), (("BIGINT", "INT"), ""), (("", "TEXT"), "")],
)
def test_a_join_of_a_number_and_a_text_asks_for_a_cast(types: tuple[str, str], remark: str) -> None:
    """No engine compares them as they stand."""
    tables = tuple(Table("shop", name, (Column("id", type_),)) for name, type_ in zip("ab", types, strict=True))
    join = Join("shop.a.id", "shop.b.id", 1.0, {}, "shop.a", "shop.b")
    assert SqlContext(tables, (join,)).text().endswith(f"-- a.id = b.id{remark}\n")
