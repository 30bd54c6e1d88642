"""A store keeps every row: as an example, or as one that was left out, with the reason."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jar.errors import QueryError
from jar.examples import ExampleStore

ROWS = [
    {"question": "How many singers are there?", "sql": "SELECT COUNT(*) FROM singer", "database": "concert"},
    {"question": "Names of singers, by age", "sql": "SELECT name FROM singer ORDER BY age", "database": "concert"},
    {"question": "Which songs are long?", "sql": "SELECT title FROM song WHERE length > 300", "database": "music"},
]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None)
@given(
    questions=st.lists(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1).filter(str.strip),
        min_size=1,
        max_size=3,
        unique_by=str.strip,
    ),
    ending=st.sampled_from([".csv", ".jsonl"]),
)
def test_a_store_is_read_as_it_was_written(questions: list[str], ending: str, tmp_path: Path) -> None:
    """Whatever the questions hold, and in both forms."""
    store = ExampleStore([{"question": text, "sql": "SELECT 'a,\"b'", "database": "é"} for text in questions])
    path = tmp_path / f"store{ending}"
    store.save(path)
    again = ExampleStore.from_file(path)
    assert list(again) == list(store)
    assert again.left_out == ()


def test_rows_that_are_left_out(tmp_path: Path) -> None:
    """Each is told with its number and why; the others are there."""
    path = tmp_path / "log.jsonl"
    bad = ['{"question": "half', "[1]", '{"question": "No SQL"}', '{"question": "Bad", "sql": "SELECT FROM"}']
    path.write_text("\n".join([json.dumps(ROWS[0]), *bad, json.dumps(ROWS[0]), "", json.dumps(ROWS[1])]))
    store = ExampleStore.from_file(path)
    assert [example.question for example in store] == [ROWS[0]["question"], ROWS[1]["question"]]
    assert [entry.row for entry in store.left_out] == [2, 3, 4, 5, 6]
    no_sql = "no text under 'sql' or 'query'"
    reasons = ["no JSON", "list and no mapping", no_sql, "cannot be read", "the same as row 1"]
    for entry, reason in zip(store.left_out, reasons, strict=True):
        assert reason in entry.reason


def test_a_csv_row_with_too_many_cells(tmp_path: Path) -> None:
    """A comma without quotes does not cut the SQL in silence."""
    path = tmp_path / "log.csv"
    path.write_text("question,sql\nOne?,SELECT a FROM b\nTwo?,SELECT a, b FROM c\n")
    store = ExampleStore.from_file(path)
    assert len(store) == 1
    assert "more cells" in store.left_out[0].reason


def test_names_of_fields() -> None:
    """Spider's own form, with the parsed query as "sql", is read as well; the database may be missing."""
    store = ExampleStore([{"Question": "One?", "query": "SELECT 1", "sql": {"select": []}, "db_id": "x"}])
    assert (store[0].sql, store[0].database) == ("SELECT 1", "x")
    assert ExampleStore([{"question": "One?", "sql": "SELECT 1"}])[0].database == ""


def test_parts_of_a_store() -> None:
    """By database, in any case; a part of nothing is refused."""
    store = ExampleStore(ROWS)
    assert [example.database for example in store.of(["Music"])] == ["music"]
    assert [example.database for example in store.without(["music"])] == ["concert", "concert"]
    with pytest.raises(QueryError, match="no example"):
        store.of(["other"])


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("log.txt", "", "are read from"),
        ("log.csv", "", "no row"),
        ("log.csv", "a,b\n1,2\n", "row 1: no text under 'question'"),
        ("log.jsonl", "nonsense\n" * 9, "row 5: no JSON.*and 4 more"),
        ("log.json", "{}", "a list"),
        ("log.json", "{", "no JSON"),
        ("log.csv", b"question,sql\n\xff\xfe,\n", "cannot be read"),
        ("missing.csv", None, "cannot be read"),
    ],
)
def test_files_that_are_no_store(name: str, text: str | bytes | None, reason: str, tmp_path: Path) -> None:
    """Each error names the file and says what is wrong."""
    if text is not None:
        (tmp_path / name).write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(QueryError, match=reason) as told:
        ExampleStore.from_file(tmp_path / name)
    assert name in str(told.value)


def test_an_ending_that_is_not_written(tmp_path: Path) -> None:
    """Endings that can be written are told."""
    with pytest.raises(QueryError, match=r"\.csv or \.jsonl"):
        ExampleStore(ROWS).save(tmp_path / "store.parquet")
