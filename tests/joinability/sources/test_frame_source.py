"""Data frames of three libraries."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from joinability import Catalog, EvidenceStore, JoinEvidence, SourceError

Add = Callable[[Catalog], list[tuple[str, str]]]
EvidenceOf = Callable[[Catalog], JoinEvidence]

DATA = {
    "number": [1, 2, None],
    "text": ["x", None, "z"],
    "day": [datetime.date(2020, 1, 2), None, datetime.date(2020, 1, 3)],
    "flag": [True, False, None],
    "real": [0.5, 2.0, None],
}


class Foreign:
    """A frame of a library that only speaks the Arrow C stream interface."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return pa.table(DATA).__arrow_c_stream__(requested_schema)


@pytest.fixture
def frames() -> dict[str, Any]:
    """The same rows in every library."""
    return {
        "s.pandas": pd.DataFrame(DATA),
        "s.pandas_arrow": pa.table(DATA).to_pandas(types_mapper=pd.ArrowDtype),
        "s.polars": pl.DataFrame(DATA),
        "s.lazy": pl.LazyFrame(DATA),
        "s.arrow": pa.table(DATA),
        "s.batch": pa.RecordBatch.from_pydict(DATA),
        "s.foreign": Foreign(),
    }


def test_all_libraries_give_the_same_evidence(evidence_of: EvidenceOf, frames: dict[str, Any]) -> None:
    """Rows, nulls and distinct values agree, and each column has all its values in common with its copies."""
    catalog = Catalog.from_frames(frames)
    evidence = evidence_of(catalog)
    width = len(DATA)
    assert all(table.column_names == list(DATA) for table in catalog)
    assert evidence.rows.tolist() == [3] * width * len(frames)
    assert evidence.nulls.tolist() == [1] * width * len(frames)
    for start in range(width, len(evidence), width):
        common = evidence.intersections.toarray()[:width, start : start + width]
        assert common.diagonal().tolist() == [2] * width


def test_types_are_named_in_sql(frames: dict[str, Any]) -> None:
    """Every library's types have SQL names, and hence families."""
    for table in Catalog.from_frames({name: frames[name] for name in ("s.polars", "s.arrow", "s.foreign")}):
        assert [column.type for column in table.columns] == ["BIGINT", "VARCHAR", "DATE", "BOOLEAN", "DOUBLE"]
        assert [column.family for column in table.columns] == ["number", "text", "time", "boolean", "number"]


def test_ids_without_a_dot_belong_to_main() -> None:
    """The database of a bare name is "main"; otherwise it is what stands before the last dot."""
    frame = pd.DataFrame({"a": [1]})
    catalog = Catalog.from_frames({"orders": frame, "shop.orders": frame, "a.b.c": frame})
    assert [(table.database, table.name) for table in catalog] == [
        ("main", "orders"), ("shop", "orders"), ("a.b", "c"),
    ]  # fmt: skip


def test_column_names_are_made_unique() -> None:
    """Names that repeat, are empty, are no text, or are tuples, become distinct texts."""
    frame = pd.DataFrame([[1, 2, 3, 4, 5]], columns=["a", "a", "", 7, None])
    assert Catalog.from_frames({"x": frame})["main.x"].column_names == ["a", "a_2", "column_3", "7", "column_5"]
    nested = pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", "b"), ("a", "c")]))
    assert Catalog.from_frames({"x": nested})["main.x"].column_names == ["a b", "a c"]
    arrow = pa.table([[1], [2]], names=["a", "a"])
    assert Catalog.from_frames({"x": arrow})["main.x"].column_names == ["a", "a_2"]


def test_columns_of_objects_are_read(evidence_of: EvidenceOf) -> None:
    """A pandas column may hold anything."""
    frame = pd.DataFrame({"v": [1, "x", 2.5, None, b"a", np.int64(3), [1], pd.NaT]})
    evidence = evidence_of(Catalog.from_frames({"x": frame}))
    assert evidence.distinct.tolist() == [6]
    assert evidence.nulls.tolist() == [2]


def test_text_that_is_not_unicode_fails_alone(add: Add, store: EvidenceStore) -> None:
    """An Arrow column with invalid UTF-8 is a failure of its table, not of the chunk that it shares."""
    broken = pa.Array.from_buffers(pa.string(), 1, pa.array([b"\xff"]).buffers())
    failures = add(Catalog.from_frames({"a": pa.table({"x": ["y"]}), "b": pa.table({"x": broken})}))
    assert [source for source, _ in failures] == ["main.b"]
    assert "UTF8" in failures[0][1]
    assert store.load().table_names == ("main.a",)


def test_a_frame_that_breaks_fails_alone(add: Add) -> None:
    """Whatever foreign code raises while it is read becomes the cause of a failure."""

    class Broken:
        column_names = ("x",)
        schema = (pa.field("x", pa.int64()),)

        def __len__(self) -> int:
            return 3

        def slice(self, start: int, size: int) -> Any:
            raise RuntimeError("no rows today")

    catalog = Catalog.from_frames({"a": pd.DataFrame({"x": [1]}), "b": Broken()})
    assert add(catalog) == [("main.b", "RuntimeError: no rows today")]


def test_the_fingerprint_is_that_of_the_contents(frames: dict[str, Any]) -> None:
    """Equal frames have equal fingerprints; one changed value, or a null, changes it."""

    def fingerprint(frame: Any) -> str:
        return Catalog.from_frames({"x": frame})["main.x"].fingerprint()

    frame = pd.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"]})
    assert fingerprint(frame) == fingerprint(frame.copy())
    changed = [frame.assign(a=[1.0, 3.0]), frame.assign(a=[1.0, None]), frame.assign(b=["x", ""]), frame.iloc[::-1]]
    assert len({fingerprint(other) for other in [frame, *changed]}) == 5
    assert all(fingerprint(other) == fingerprint(other) for other in frames.values())


def test_text_that_utf_8_can_not_hold_is_read(add: Add, store: EvidenceStore) -> None:
    """Halves of surrogate pairs become question marks, in values and in names."""
    frame = pd.DataFrame({"a": pd.Series(["\ud800", "a"], dtype=object), "b": pd.Series(["\ud800x", 1], dtype=object)})
    frame.columns = pd.Index(["a", "\ud800"], dtype=object)
    catalog = Catalog.from_frames({"t": frame})
    assert catalog["main.t"].column_names == ["a", "?"]
    assert add(catalog) == []
    assert store.load().distinct.tolist() == [2, 2]


def test_what_is_no_frame_is_a_failure() -> None:
    """A series, an array, or an id that names no table fails alone; with nothing else, it is an error."""

    class Moody:
        @property
        def columns(self) -> list[str]:
            raise OSError("not now")

    good = pd.DataFrame({"a": [1]})
    odd = {
        "series": good["a"], "polars": pl.Series([1]), "array": pa.array([1]), "numpy": np.zeros(3), "moody": Moody(),
        "": good, ".": good, "s.": good, "t\ud800": good,
    }  # fmt: skip
    catalog = Catalog.from_frames({"good": good, **odd})
    assert [table.id for table in catalog] == ["main.good"]
    causes = dict(catalog.failures)
    assert causes.keys() == odd.keys()
    assert causes["series"] == "Series is not a pandas, polars or pyarrow frame"
    assert causes["moody"] == "OSError: not now"
    assert causes["s."] == "a table needs a database and a name, got 's' and ''"
    for table_id, frame in odd.items():
        with pytest.raises(SourceError):
            Catalog.from_frames({table_id: frame})


def test_named_levels_of_an_index_are_columns() -> None:
    """A key that became the index of a frame of pandas is one; a level without a name numbers rows."""
    client = pd.DataFrame({"client_id": [7, 8], "name": ["Ann", "Bob"]}).set_index("client_id")
    levels = pd.MultiIndex.from_tuples([(7, 0), (8, 1)], names=["client_id", None])
    loan = pd.DataFrame({"amount": [1.5, 2.5]}, index=levels)
    catalog = Catalog.from_frames({"s.client": client, "s.loan": loan, "s.plain": loan.reset_index(drop=True)})
    names = {table.name: table.column_names for table in catalog}
    assert names == {"client": ["client_id", "name"], "loan": ["client_id", "amount"], "plain": ["amount"]}
    assert catalog["s.client"].sample()["client_id"] == ("7", "8")


def test_names_that_occur_twice_are_told() -> None:
    """Who writes SQL from the frame has to know what its column is called."""
    catalog = Catalog.from_frames({"s.a": pd.DataFrame([[1, 2]], columns=["x", "x"]), "s.b": pd.DataFrame({"x": [1]})})
    assert catalog.notes == ("s.a: a further column 'x' is called 'x_2'",)


def test_sparse_columns_are_those_that_they_stand_for(evidence_of: EvidenceOf) -> None:
    """Numbers stay numbers, with the values that are left out."""
    numbers = [0, 0, 7, 0, 8]
    dense, sparse = pd.DataFrame({"x": numbers}), pd.DataFrame({"x": pd.arrays.SparseArray(numbers)})
    catalog = Catalog.from_frames({"s.a": dense, "s.b": sparse})
    assert [column.type for _, column in catalog.columns] == ["BIGINT", "BIGINT"]
    evidence = evidence_of(catalog)
    assert evidence.values.tolist() == [3, 3]
    assert evidence.integer_share.tolist() == [1.0, 1.0]
