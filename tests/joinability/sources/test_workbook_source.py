"""Excel workbooks: a sheet is a table, and what cannot be read is named."""

from __future__ import annotations

import datetime
import importlib.util
import os
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from joinability import Catalog, EvidenceStore, SourceError
from joinability.sources.formats import FORMATS

Add = Callable[[Catalog], list[tuple[str, str]]]
Sheets = dict[str, list[list[Any]]]


def write(path: Path, sheets: Sheets, *, hidden: tuple[str, ...] = ()) -> Path:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
        if title in hidden:
            sheet.sheet_state = "hidden"
    path.parent.mkdir(parents=True, exist_ok=True)
    book.save(path)
    return path


def values(catalog: Catalog, table_id: str) -> list[list[Any]]:
    source = catalog[table_id].source
    assert source is not None
    batches = list(source.batches(2))
    return [[value for batch in batches for value in batch[place].to_pylist()] for place in range(len(batches[0]))]


def test_a_sheet_is_a_table_and_a_workbook_a_database(tmp_path: Path, add: Add) -> None:
    """Hidden sheets are tables, charts and empty sheets are none; names may hold any signs that Excel allows."""
    sheets: Sheets = {"Ord.ers & 'x'": [["a"], [1]], "naïve 表": [["b"], ["x"]], "none": [], "names": [["c", "d"]]}
    path = write(tmp_path / "shop.xlsx", sheets, hidden=("naïve 表",))
    book = openpyxl.load_workbook(path)
    book.create_chartsheet("chart")
    book.save(path)
    catalog = Catalog.from_files(path)
    assert {table.id: table.column_names for table in catalog} == {
        "shop.Ord.ers & 'x'": ["a"], "shop.naïve 表": ["b"], "shop.names": ["c", "d"],
    }  # fmt: skip
    assert catalog.failures == ()
    assert add(catalog) == []


def test_the_first_row_with_content_holds_the_names(tmp_path: Path) -> None:
    """Empty rows and columns are left out, wherever they are; a column without a name gets one."""
    rows = [[], [None, "id", None, " id ", None, 2024], [None, 1, None, 2, "x", 3], [], [None, 4, None, None, None, 5]]
    catalog = Catalog.from_files(write(tmp_path / "b.xlsx", {"s": rows}))
    assert catalog["b.s"].column_names == ["id", "id_2", "column_3", "2024"]
    assert values(catalog, "b.s") == [[1, 4], [2, None], ["x", None], [3, 5]]


def test_values_are_those_of_other_sources(tmp_path: Path) -> None:
    """Whole numbers are integers, dates with a time somewhere are times, text stays text, errors are missing."""
    day, time = datetime.date(2024, 1, 2), datetime.datetime(2024, 1, 2, 3, 4, 5)
    rows = [
        ["n", "f", "yes", "day", "time", "text", "error", "mixed"],
        [1, 1.5, True, day, day, "007", "#N/A", 1],
        [2**40, 2, False, day, time, "x ", "#N/A", "a"],
    ]
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for number in (2, 3):
        book.active.cell(number, 7).data_type = "e"
    book.save(tmp_path / "b.xlsx")
    catalog = Catalog.from_files(tmp_path / "b.xlsx")
    types = [column.type for column in catalog["b.Sheet"].columns]
    assert types == ["BIGINT", "DOUBLE", "BOOLEAN", "DATE", "TIMESTAMP", "VARCHAR", "", "VARCHAR"]
    assert values(catalog, "b.Sheet") == [
        [1, 2**40], [1.5, 2.0], [True, False], [day, day], [datetime.datetime(2024, 1, 2), time], ["007", "x "],
        [None, None], ["1", "a"],
    ]  # fmt: skip


def test_values_join_with_those_of_csv(tmp_path: Path, add: Add, store: EvidenceStore) -> None:
    """Numbers and dates of a workbook have the text that they have in CSV."""
    days = [datetime.date(2024, 1, 1) + datetime.timedelta(number) for number in range(50)]
    write(tmp_path / "lake/b.xlsx", {"s": [["n", "x", "day"], *([i, i / 8, day] for i, day in enumerate(days))]})
    lines = [f"{number},{number / 8},{day}" for number, day in enumerate(days)]
    (tmp_path / "lake/t.csv").write_text("n,x,day\n" + "\n".join(lines))
    assert add(Catalog.from_files(tmp_path / "lake")) == []
    common = store.load().intersections.toarray()
    assert [common[place, place + 3] for place in range(3)] == [50, 50, 50]


def test_formulas_have_their_last_result(tmp_path: Path) -> None:
    """A formula that Excel has calculated is read as its value."""
    path = write(tmp_path / "b.xlsx", {"s": [["n", "double"], [21, "=A2*2"]]})
    with zipfile.ZipFile(path) as book:
        parts = {name: book.read(name) for name in book.namelist()}
    sheet = "xl/worksheets/sheet1.xml"
    parts[sheet] = (
        parts[sheet]
        .replace(b"<f>A2*2</f><v />", b"<f>A2*2</f><v>42</v>")
        .replace(b"<f>A2*2</f><v></v>", b"<f>A2*2</f><v>42</v>")
    )
    with zipfile.ZipFile(path, "w") as book:
        for name, content in parts.items():
            book.writestr(name, content)
    assert values(Catalog.from_files(path), "b.s") == [[21], [42]]


def test_workbooks_stand_beside_other_files(tmp_path: Path) -> None:
    """A workbook is named like a folder; where it shares the name with one, or with another workbook, it keeps its
    suffix."""
    lake = tmp_path / "lake"
    for name in ("lake.xlsx", "sub/book.xlsx", "other/book.xlsx", "sub.xlsx"):
        write(lake / name, {"s": [["a"], [1]]})
    for name in ("t.csv", "sub/t.csv"):
        (lake / name).write_text("a\n1\n")
    ids = ["lake.t", "lake.xlsx.s", "other/book.s", "sub.t", "sub.xlsx.s", "sub/book.s"]
    assert sorted(table.id for table in Catalog.from_files(lake)) == ids
    assert [table.id for table in Catalog.from_files(lake / "sub/book.xlsx")] == ["book.s"]


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (b"", "the file is empty"),
        (b"garbage" * 100, "is it an .xlsx file"),
        (bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600), "a password protects it"),
    ],
)
def test_what_is_no_workbook_is_a_failure(tmp_path: Path, content: bytes, cause: str) -> None:
    """Other files are read, and the cause is told."""
    (tmp_path / "t.csv").write_text("a\n1\n")
    (tmp_path / "b.xlsx").write_bytes(content)
    catalog = Catalog.from_files(tmp_path)
    assert [table.name for table in catalog] == ["t"]
    [(source, reason)] = catalog.failures
    assert (source, cause in reason) == (str(tmp_path / "b.xlsx"), True)
    with pytest.raises(SourceError, match=r"b\.xlsx"):
        Catalog.from_files(tmp_path / "b.xlsx")


def test_a_damaged_sheet_is_a_failure_beside_the_others(tmp_path: Path) -> None:
    """It is named by its id."""
    path = write(tmp_path / "b.xlsx", {"good": [["a"], [1]], "bad": [["a"], [1]]})
    with zipfile.ZipFile(path) as book:
        parts = {name: book.read(name) for name in book.namelist()}
    with zipfile.ZipFile(path, "w") as book:
        for name, content in parts.items():
            book.writestr(name, content[:-150] if name.endswith("sheet2.xml") else content)
    catalog = Catalog.from_files(path)
    assert [table.id for table in catalog] == ["b.good"]
    assert [source for source, _ in catalog.failures] == ["b.bad"]


def test_a_workbook_that_is_cut_later_fails_when_it_is_read(tmp_path: Path, add: Add) -> None:
    """Its tables are failures by their ids; the fingerprint has changed."""
    path = write(tmp_path / "b.xlsx", {"s": [["a"], [1]]})
    catalog = Catalog.from_files(path)
    before = catalog["b.s"].fingerprint()
    path.write_bytes(path.read_bytes()[:500])
    assert catalog["b.s"].fingerprint() != before
    assert [source for source, _ in add(catalog)] == ["b.s"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems allow no such names")
def test_the_name_of_a_workbook_may_be_of_any_bytes(tmp_path: Path) -> None:
    """Bytes of no encoding are shown as escapes."""
    write(tmp_path / "b.xlsx", {"s": [["a"], [1]]}).rename(tmp_path / os.fsdecode(b"b\xff.xlsx"))
    assert [table.id for table in Catalog.from_files(tmp_path)] == ["b\\udcff.s"]


def test_a_missing_reader_is_named_with_what_installs_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every format that needs a package says so; the other files of the folder are read."""
    monkeypatch.setattr("joinability.sources.formats.find_spec", lambda _: None)
    path = write(tmp_path / "b.xlsx", {"s": [["a"], [1]]})
    with pytest.raises(SourceError, match=r"missing; install it: pip install 'jar-rerank\[xlsx\]'"):
        Catalog.from_files(path)
    (tmp_path / "t.csv").write_text("a\n1\n")
    assert [table.name for table in Catalog.from_files(tmp_path)] == ["t"]


def test_readers_are_where_the_registry_says() -> None:
    """Each row names a module of the folder, and no suffix stands twice."""
    for row in FORMATS:
        assert importlib.util.find_spec(f"joinability.sources.{row.reader.partition('.')[0]}") is not None
    known = [suffix for row in FORMATS for suffix in row.suffixes]
    assert len(known) == len(set(known))


def test_titles_locks_and_empty_workbooks_are_no_tables(tmp_path: Path) -> None:
    """A title above the names is skipped, Excel's lock file is passed over, a workbook without content is a failure."""
    titled = [["Report of 2021", None, None], [], ["id", "name", "city"], [1, "Ann", "Bonn"], [2, "Bo", None]]
    write(tmp_path / "shop.xlsx", {"titled": titled})
    write(tmp_path / "blank.xlsx", {"Sheet2": []})
    (tmp_path / "~$shop.xlsx").write_bytes(b"lock")
    catalog = Catalog.from_files(tmp_path)
    assert {table.id: table.column_names for table in catalog} == {"shop.titled": ["id", "name", "city"]}
    assert [cause for _, cause in catalog.failures] == ["no sheet has content"]
