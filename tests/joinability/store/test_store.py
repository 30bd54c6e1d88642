"""The evidence store, against sets in Python."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import duckdb
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from joinability import Catalog, Column, EvidenceStore, SourceError, Table
from joinability.store import batches, chunks
from joinability.store import overlaps as overlaps_module

Rows = list[tuple[Any, ...]]
VALUES = st.sampled_from([None, "", "a", "b ", "1", "1.0", "2", "x y", 1, 2, 2.5, float("nan"), True])
COLUMN = st.lists(VALUES, min_size=4, max_size=4)
TABLES = st.lists(st.lists(COLUMN, min_size=1, max_size=3), min_size=3, max_size=6)
FEW_TABLES = st.lists(st.lists(COLUMN, min_size=1, max_size=3), min_size=1, max_size=4)


@dataclass
class Given:
    """A source of given columns, which can fail after some batches."""

    columns: list[list[Any]]
    fails_after: int | None = None

    def batches(self, size: int) -> Iterator[list[pa.Array]]:
        from joinability.cells import column_array

        for number, start in enumerate(range(0, len(self.columns[0]), size)):
            if number == self.fails_after:
                raise SourceError("shop.broken", "the disk is gone")
            yield [column_array(column[start : start + size]) for column in self.columns]

    def fingerprint(self) -> str:
        return str(self.columns)


def made(name: str, columns: list[list[Any]], fails_after: int | None = None) -> Table:
    schema = tuple(Column(f"c{number}", "INT") for number in range(len(columns)))
    return Table("shop", name, schema, source=Given(columns, fails_after))


def numbered(tables: list[Table], first: int = 0) -> list[tuple[Table, int]]:
    result = []
    for table in tables:
        result.append((table, first))
        first += len(table.columns)
    return result


def distinct(column: list[Any]) -> set[str]:
    """The normalised distinct values of a column of `VALUES`."""
    texts = {1: "1", "1.0": "1", "b ": "b"}
    return {texts.get(value, str(value)) for value in column if value not in (None, "") and value == value}


def overlaps(store: EvidenceStore) -> Rows:
    return store.connection.execute("FROM column_overlaps ORDER BY ALL").fetchall()


def kept(store: EvidenceStore) -> list[Rows]:
    """Everything that the store holds, in a fixed order."""
    return [
        store.connection.execute(f"FROM {name} ORDER BY ALL").fetchall()
        for name in ("profiles", "column_values", "column_overlaps", "overlap_rows", "declared_keys")
    ]


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks, batches and slices so small that every table comes in several."""
    monkeypatch.setattr(chunks, "CHUNK_CELLS", 3)
    monkeypatch.setattr(batches, "BATCH_ROWS", 2)
    monkeypatch.setattr(overlaps_module, "SLICE_VALUES", 2)


def check_against_sets(tables: list[list[list[Any]]]) -> None:
    columns = [(number, column) for number, table in enumerate(tables) for column in table]
    with duckdb.connect() as connection:
        store = EvidenceStore(connection)
        store.create()
        assert store.add_tables(numbered([made(f"t{i}", table) for i, table in enumerate(tables)])) == []
        store.update_overlaps()
        evidence = store.load()
        expected = [
            (i, j, len(distinct(a) & distinct(b)))
            for i, (table, a) in enumerate(columns)
            for j, (other, b) in enumerate(columns)
            if i < j and table != other and distinct(a) & distinct(b)
        ]
        assert overlaps(store) == expected
    assert evidence.rows.tolist() == [len(column) for _, column in columns]
    assert evidence.distinct.tolist() == evidence.values.tolist() == [len(distinct(column)) for _, column in columns]
    missing = [sum(not distinct([value]) for value in column) for _, column in columns]
    assert evidence.nulls.tolist() == missing
    assert evidence.uniqueness.tolist() == [len(distinct(column)) / len(column) for _, column in columns]


@given(TABLES)
@settings(deadline=None, max_examples=10)
def test_overlaps_and_profiles_are_those_of_sets(tables: list[list[list[Any]]]) -> None:
    """Counts agree with Python's sets of normalised values, for all pairs of columns of different tables."""
    check_against_sets(tables)


@given(tables=TABLES)
@settings(deadline=None, max_examples=10)
def test_tables_in_many_chunks_give_the_same(tables: list[list[list[Any]]]) -> None:
    """The same holds when every table comes in several chunks and the overlaps in several slices."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunks, "CHUNK_CELLS", 3)
        patch.setattr(batches, "BATCH_ROWS", 2)
        patch.setattr(overlaps_module, "SLICE_VALUES", 2)
        check_against_sets(tables)


def test_chunks_make_no_difference(store: EvidenceStore, small_chunks: None) -> None:
    """Whole profiles, samples and all, are those of one chunk."""
    tables = [made("a", [[1, 2, 3, 4, 5, 6, 7, 7], list("hgfedcba")]), made("b", [["2020-01-02", "x", None, "7"]])]
    store.add_tables(numbered(tables))
    in_parts = kept(store)
    with pytest.MonkeyPatch.context() as patch, duckdb.connect() as connection:
        patch.setattr(chunks, "CHUNK_CELLS", 1_000_000)
        whole = EvidenceStore(connection)
        whole.create()
        whole.add_tables(numbered(tables))
        assert in_parts == kept(whole)


@pytest.mark.parametrize("fails_after", [0, 1, 3])
def test_a_table_that_fails_half_way_leaves_nothing(store: EvidenceStore, small_chunks: None, fails_after: int) -> None:
    """The failed table is reported with its cause; those before and after it are kept whole."""
    columns = [[1, 2, 3, 4, 5, 6, 7, 8]]
    broken = made("broken", columns, fails_after)
    seen: list[str] = []
    failures = store.add_tables([(made("a", columns), 0), (broken, 1), (made("b", columns), 2)], progress=seen.append)
    store.update_overlaps()
    assert failures == [("shop.broken", "the disk is gone")]
    assert seen == ["shop.a", "shop.broken", "shop.b"]
    assert overlaps(store) == [(0, 2, 8)]
    assert store.load().table_names == ("shop.a", "shop.b")


def test_a_source_with_the_wrong_number_of_columns_fails(store: EvidenceStore) -> None:
    """A batch that does not fit the schema is a failure of its table."""
    table = Table("shop", "narrow", (Column("a"), Column("b")), source=Given([[1]]))
    assert store.add_tables([(table, 0)]) == [("shop.narrow", "2 columns expected, 1 read")]


@given(before=TABLES, added=FEW_TABLES, removed=st.sets(st.integers(0, 5)))
@settings(deadline=None, max_examples=12)
def test_changes_give_what_a_new_store_gives(
    before: list[list[list[Any]]], added: list[list[list[Any]]], removed: set[int]
) -> None:
    """Removing and adding tables, and counting only the pairs of the new ones, equals starting from scratch."""
    old = numbered([made(f"old{i}", table) for i, table in enumerate(before)])
    gone = [entry for i, entry in enumerate(old) if i in removed]
    new = numbered([made(f"new{i}", table) for i, table in enumerate(added)], first=100)
    with duckdb.connect() as one, duckdb.connect() as other:
        changed, scratch = EvidenceStore(one), EvidenceStore(other)
        changed.create()
        scratch.create()
        changed.add_tables(old)
        changed.update_overlaps()
        changed.remove_columns([first + i for table, first in gone for i in range(len(table.columns))])
        changed.add_tables(new)
        changed.update_overlaps([first + i for table, first in new for i in range(len(table.columns))])
        scratch.add_tables([entry for entry in old if entry not in gone] + new)
        scratch.update_overlaps()
        assert kept(changed) == kept(scratch)


def test_a_transaction_of_the_caller_takes_everything_back(store: EvidenceStore) -> None:
    """The store commits nothing itself."""
    store.add_tables(numbered([made("a", [[1, 2]])]))
    before = kept(store)
    store.connection.execute("BEGIN")
    store.add_tables([(made("b", [[1, 2]]), 1)])
    store.update_overlaps()
    store.remove_columns([0])
    store.connection.execute("ROLLBACK")
    assert kept(store) == before


def test_columns_load_in_the_order_asked_for(store: EvidenceStore) -> None:
    """Arrays and matrices follow the given ids, which need not be all, nor without gaps."""
    tables = [made("a", [[1, 2, 3], ["x", "y", "z"]]), made("b", [["y", "z", "w"]])]
    store.add_tables([(tables[0], 10), (tables[1], 50)])
    store.update_overlaps()
    evidence = store.load([50, 11])
    assert evidence.ids == ["shop.b.c0", "shop.a.c1"]
    assert evidence.intersections.toarray().tolist() == [[0, 2], [2, 0]]
    assert len(store.load([])) == 0
    with pytest.raises(KeyError, match="column 12 "):
        store.load([50, 12])


def test_degenerate_tables_are_kept(store: EvidenceStore) -> None:
    """Empty tables, columns of nulls alone, constants and tables without columns have profiles and no overlaps."""
    frames = {
        "shop.empty": pd.DataFrame({"a": pd.Series([], dtype="int64")}),
        "shop.nulls": pd.DataFrame({"a": [None, None]}),
        "shop.constant": pd.DataFrame({"a": [7, 7]}),
        "shop.nothing": pd.DataFrame(index=[1, 2]),
    }
    assert store.add_tables(numbered(list(Catalog.from_frames(frames)))) == []
    store.update_overlaps()
    evidence = store.load()
    assert evidence.table_names == ("shop.empty", "shop.nulls", "shop.constant")
    assert evidence.rows.tolist() == [0, 2, 2]
    assert evidence.nulls.tolist() == [0, 2, 0]
    assert evidence.uniqueness.tolist() == [0.5, 0.0, 0.5]
    assert overlaps(store) == []


def test_text_with_any_character_is_a_value(store: EvidenceStore) -> None:
    """Quotes, newlines, zero bytes and letters of all scripts are told apart and found again."""
    values = ["'; DROP TABLE profiles; --", 'a "b"', "a\nb", "a\x00b", "a\x00c", "名前", "%s", "\\"]
    store.add_tables(numbered([made("a", [values]), made("b", [values[::-1]])]))
    store.update_overlaps()
    assert overlaps(store) == [(0, 1, len(values))]


@pytest.mark.parametrize("ignored", [set(), {"case"}, {"zeros"}, {"case", "zeros"}])
def test_differences_are_ignored_where_asked(ignored: set[str]) -> None:
    """Case and leading zeros each by itself."""
    with duckdb.connect() as connection:
        store = EvidenceStore(connection, ignore_case="case" in ignored, ignore_zeros="zeros" in ignored)
        store.create()
        store.add_tables(numbered([made("a", [["007", "AB", "00"]]), made("b", [["7", "ab", "0"]])]))
        store.update_overlaps()
        assert sum(common for *_, common in overlaps(store)) == ("case" in ignored) + 2 * ("zeros" in ignored)


def test_undeclared_types_are_told_by_content(store: EvidenceStore) -> None:
    """Numbers, times and texts without a declared type get the family of their values."""
    contents = {"n": ["1", "2.5", "-3"], "t": ["2020-01-02", "2020-01-03 10:00:00", "10:30"], "x": ["a", "1", "b"]}
    table = Table("shop", "raw", tuple(map(Column, contents)), source=Given(list(contents.values())))
    store.add_tables([(table, 0)])
    assert store.connection.execute("SELECT family FROM profiles ORDER BY column_id").fetchall() == [
        ("number",), ("time",), ("text",),
    ]  # fmt: skip


def test_profiles_tell_what_a_column_holds(store: EvidenceStore) -> None:
    """Range, shares, lengths and samples are those of the values."""
    store.add_tables(numbered([made("a", [[3, 10, None, 2.5, "x"]])]))
    found = store.connection.execute(
        "SELECT lowest, highest, numeric_share, integer_share, mean_length, minimum, maximum, samples FROM profiles"
    ).fetchone()
    assert found is not None
    assert found[:7] == (2.5, 10.0, 0.75, 0.5, 1.75, "10", "x")
    assert set(found[7]) == {"3", "10", "2.5", "x"}


def test_the_memory_limit_is_set() -> None:
    """The parameter reaches DuckDB."""
    with duckdb.connect() as connection:
        EvidenceStore(connection, memory_limit="200MiB")
        assert connection.execute("SELECT current_setting('memory_limit')").fetchone() == ("200.0 MiB",)


class Odd:
    """A source of something that is no list of arrays of one length, or of an error."""

    def __init__(self, batch: Any) -> None:
        self.batch = batch

    def batches(self, size: int) -> Iterator[Any]:
        if isinstance(self.batch, Exception):
            raise self.batch
        yield self.batch

    def fingerprint(self) -> str:
        return ""


@pytest.mark.parametrize(
    ("batch", "cause"),
    [
        (KeyError("gone"), "KeyError: 'gone'"),
        ([None, None], "TypeError: "),
        ([[1], [2]], "AttributeError: "),
        ([pa.array([1]), pa.array([1, 2])], "the columns of a batch differ in length"),
    ],
)
def test_an_odd_source_fails_its_table_alone(store: EvidenceStore, batch: Any, cause: str) -> None:
    """Whatever a source raises or gives, the other tables are kept, and its cause names the error."""
    odd = Table("shop", "odd", (Column("a"), Column("b")), source=Odd(batch))
    [(table_id, told)] = store.add_tables(numbered([made("x", [[1]]), odd, made("y", [[1]])]))
    assert table_id == "shop.odd"
    assert told.startswith(cause)
    assert store.load().table_names == ("shop.x", "shop.y")
