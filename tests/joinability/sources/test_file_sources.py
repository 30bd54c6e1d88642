"""Folders of CSV, TSV, Parquet and JSON lines."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import sys
import uuid
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from joinability import Catalog, CatalogError, EvidenceStore, SourceError
from joinability.sources.formats import format_of
from joinability.sources.json_lines import HEAD_ROWS

Add = Callable[[Catalog], list[tuple[str, str]]]


def write(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def texts(catalog: Catalog, table_id: str) -> list[list[str | None]]:
    source = catalog[table_id].source
    assert source is not None
    batches = list(source.batches(1000))
    return [[value for batch in batches for value in batch[place].to_pylist()] for place in range(len(batches[0]))]


def test_a_folder_is_searched_to_its_depths(tmp_path: Path) -> None:
    """Each folder is a database, each file a table; other files and hidden ones are left out."""
    lake = tmp_path / "lake"
    for name in ("orders.csv", "sub/items.tsv", "sub/deep er/x.jsonl", ".hidden/a.csv", "sub/.b.csv", "notes.txt"):
        write(lake / name, '{"a": 1}' if name.endswith("jsonl") else "a\tb\n1\t2\n")
    (lake / "sub").mkdir(exist_ok=True)
    parquet.write_table(pa.table({"a": [1]}), lake / "sub" / "p.parquet")
    assert sorted(table.id for table in Catalog.from_files(lake)) == [
        "lake.orders", "sub.items", "sub.p", "sub/deep er.x",
    ]  # fmt: skip
    assert [table.id for table in Catalog.from_files([lake / "orders.csv", str(lake / "sub/p.parquet")])] == [
        "lake.orders", "sub.p",
    ]  # fmt: skip


def test_files_of_one_name_keep_their_suffixes(tmp_path: Path) -> None:
    """Where two files of a folder differ in their suffix alone, both stay."""
    write(tmp_path / "lake/a.csv", "x\n1\n")
    write(tmp_path / "lake/a.jsonl", '{"x": 1}\n')
    write(tmp_path / "lake/b.csv", "x\n1\n")
    assert [table.name for table in Catalog.from_files(tmp_path / "lake")] == ["a.csv", "a.jsonl", "b"]


@pytest.mark.parametrize(
    ("content", "names", "rows"),
    [
        ("a,b\n1,x\n2,y\n", ["a", "b"], [["1", "2"], ["x", "y"]]),
        ("a;b\n1,5;x\n", ["a", "b"], [["1,5"], ["x"]]),
        ("a|b\r\n007|\r\n", ["a", "b"], [["007"], [None]]),
        ('a,"b ""c""\nd"\n"x,\ny",""\n', ["a", 'b "c"\nd'], [["x,\ny"], [""]]),
        ("a,a,,a\n1,2,3,4\n", ["a", "a_2", "column_3", "a_3"], [["1"], ["2"], ["3"], ["4"]]),
        ("\ufeffa,b\n1,2\n", ["a", "b"], [["1"], ["2"]]),
        ("a\n1", ["a"], [["1"]]),
        ("a,b\ncafé,1\n".encode("latin-1"), ["a", "b"], [["café"], ["1"]]),
        ("名前,b\n値,1\n", ["名前", "b"], [["値"], ["1"]]),
        ("\n\na,b\n1,2\n", ["a", "b"], [["1"], ["2"]]),
        ("\ufeff\r\n\r\na,b\r\n1,2\r\n", ["a", "b"], [["1"], ["2"]]),
        ('"a,b,c";d\n1;2\n', ["a,b,c", "d"], [["1"], ["2"]]),
        ("sep=;\r\na,x;b\r\n1;2,5\r\n", ["a,x", "b"], [["1"], ["2,5"]]),
        ("\ufeffSEP=|\n\na|b\n1|2\n", ["a", "b"], [["1"], ["2"]]),
        ("sep=\t\na\tb\n1\t2\n", ["a", "b"], [["1"], ["2"]]),
        ("sep,b\n1,2\n", ["sep", "b"], [["1"], ["2"]]),
        ("a, b ,c\n1, x,2\n", ["a", "b", "c"], [["1"], [" x"], ["2"]]),
    ],
)
def test_dialects_of_csv(tmp_path: Path, content: str | bytes, names: list[str], rows: list[list[str | None]]) -> None:
    """Delimiters, quotes, line ends, marks, encodings and repeated names are understood; values stay as written."""
    write(tmp_path / "lake/t.csv", content)
    catalog = Catalog.from_files(tmp_path / "lake")
    assert catalog["lake.t"].column_names == names
    assert texts(catalog, "lake.t") == rows


def test_compressed_text_is_read(tmp_path: Path) -> None:
    """CSV and JSON lines may be compressed with gzip."""
    write(tmp_path / "lake/a.csv.gz", gzip.compress(b"x,y\n1,2\n"))
    write(tmp_path / "lake/b.jsonl.gz", gzip.compress(b'{"x": 1}\n'))
    catalog = Catalog.from_files(tmp_path / "lake")
    assert texts(catalog, "lake.a") == [["1"], ["2"]]
    assert texts(catalog, "lake.b") == [[1]]


def test_types_are_inferred_but_not_imposed(tmp_path: Path, add: Add, store: EvidenceStore) -> None:
    """A column that looks like numbers at first is shown as such, and read as text all the same."""
    rows = "".join(f"{number},{number}\n" for number in range(30_000))
    write(tmp_path / "lake/t.csv", "n,m\n" + rows + "x,007\n")
    catalog = Catalog.from_files(tmp_path / "lake")
    assert [column.type for column in catalog["lake.t"].columns] == ["BIGINT", "BIGINT"]
    assert add(catalog) == []
    assert store.load().distinct.tolist() == [30_001, 30_001]


def test_files_without_rows_are_tables(tmp_path: Path, add: Add) -> None:
    """A file with names alone has no rows; one that is empty, or has no name, is a failure and says so."""
    write(tmp_path / "lake/names.csv", "a,b\n")
    empty = {"empty.csv": "", "lines.csv": "\n\r\n", "blanks.csv": "  ;\n\n", "empty.jsonl": "\n", "empty.parquet": ""}
    for name, content in empty.items():
        write(tmp_path / "lake" / name, content)
    parquet.write_table(pa.table({"a": pa.array([], pa.int64())}), tmp_path / "lake/p.parquet")
    catalog = Catalog.from_files(tmp_path / "lake")
    assert {table.name: table.column_names for table in catalog} == {"names": ["a", "b"], "p": ["a"]}
    causes = {Path(source).name: cause for source, cause in catalog.failures}
    assert causes.keys() == empty.keys()
    assert causes["empty.csv"].startswith("the file is empty")
    assert all("no line of names" in causes[name] for name in ("lines.csv", "blanks.csv"))
    assert add(catalog) == []


def test_columns_of_one_name_are_told(tmp_path: Path) -> None:
    """The second gets a name that the file does not have."""
    write(tmp_path / "lake/t.csv", "id,name,name\n1,a,b\n2,c,d\n")
    catalog = Catalog.from_files(tmp_path / "lake")
    assert catalog["lake.t"].column_names == ["id", "name", "name_2"]
    assert catalog.skipped == ()
    assert catalog.notes == (f"{tmp_path / 'lake/t.csv'}: a further column 'name' is called 'name_2'",)


def test_json_lines_are_objects(tmp_path: Path) -> None:
    """Columns are the names of the first objects, absent ones missing values, arrays JSON text."""
    lines = [{"a": 1, "b": {"y": [1, {"z": 2}], "x": None}}, {"c": "x", "a": None}, {"a": 3.5}]
    write(tmp_path / "lake/t.jsonl", "\n\n".join(map(json.dumps, lines)))
    catalog = Catalog.from_files(tmp_path / "lake")
    assert catalog["lake.t"].column_names == ["a", "b_y", "b_x", "c"]
    arrays = ['[1, {"z": 2}]', None, None]
    assert texts(catalog, "lake.t") == [[1, None, 3.5], arrays, [None, None, None], [None, "x", None]]


def test_members_of_nested_objects_are_columns(tmp_path: Path) -> None:
    """Four deep, and with a number where a name is taken; an object among texts, and the keys of a map, are not."""
    deep = {"b": {"c": {"d": {"e": {"f": 1}}}}}
    lines = [
        {"buyer": {"id": 7}, "buyer_id": 8, "mixed": {"x": 1}, "map": {f"k{i}": i for i in range(51)}, "a": deep},
        {"buyer": None, "mixed": "text", "map": {}},
        {"buyer": {"id": 9, "name": "n"}, "a": {}},
    ]
    write(tmp_path / "lake/t.jsonl", "\n".join(map(json.dumps, lines)))
    catalog = Catalog.from_files(tmp_path / "lake")
    names = ["buyer_id", "buyer_name", "buyer_id_2", "mixed", "map", "a_b_c_d_e"]
    assert catalog["lake.t"].column_names == names
    found = dict(zip(names, texts(catalog, "lake.t"), strict=True))
    assert (found["buyer_id"], found["buyer_name"]) == ([7, None, 9], [None, None, "n"])
    assert (found["buyer_id_2"], found["mixed"]) == ([8, None, None], ['{"x": 1}', "text", None])
    assert found["a_b_c_d_e"] == ['{"f": 1}', None, None]


def test_parquet_is_read_in_batches(tmp_path: Path, add: Add, store: EvidenceStore) -> None:
    """No batch is larger than asked for, and types are those that the file declares."""
    parquet.write_table(pa.table({"n": range(2500), "x": ["a"] * 2500}), write(tmp_path / "lake/p.parquet", b""))
    catalog = Catalog.from_files(tmp_path / "lake")
    source = catalog["lake.p"].source
    assert source is not None
    assert [len(batch[0]) for batch in source.batches(1000)] == [1000, 1000, 500]
    assert [column.type for column in catalog["lake.p"].columns] == ["BIGINT", "VARCHAR"]
    assert add(catalog) == []
    assert store.load().distinct.tolist() == [2500, 1]


@pytest.mark.parametrize("place", [3, 200_000])
def test_a_bad_row_of_csv_is_a_failure(tmp_path: Path, add: Add, store: EvidenceStore, place: int) -> None:
    """A row with a value too many fails its table, near the beginning or far down; the other files are kept."""
    write(tmp_path / "lake/bad.csv", "a,b\n" + "1,x\n" * place + "1,x,y\n" + "1,x\n" * 10)
    write(tmp_path / "lake/good.csv", "a,b\n1,x\n")
    catalog = Catalog.from_files(tmp_path / "lake")
    failures = add(catalog)
    assert [source for source, _ in failures] == ["lake.bad"]
    assert failures[0][1].startswith("a row has 3 values, but the first row names 2 ('a', 'b'): 1,x,y (")
    assert store.load().table_names == ("lake.good",)


def test_a_bad_line_of_json_is_a_failure(tmp_path: Path, add: Add) -> None:
    """The cause names the line before it, at the beginning or further down."""
    write(tmp_path / "lake/early.jsonl", '{"a": 1}\n{"a": \n')
    write(tmp_path / "lake/late.jsonl", '{"a": 1}\n' * (HEAD_ROWS + 500) + "[1]\n")
    write(tmp_path / "lake/good.jsonl", '{"a": 1}\n')
    catalog = Catalog.from_files(tmp_path / "lake")
    assert len(catalog.failures) == 1
    assert "after line 1 " in catalog.failures[0][1]
    [(source, cause)] = add(catalog)
    assert source == "lake.late"
    assert f"line {HEAD_ROWS + 501} holds no object" in cause


def test_files_that_can_not_be_opened_are_failures(tmp_path: Path) -> None:
    """A broken link, a file of another format, and a folder of the wrong name are told from tables."""
    lake = tmp_path / "lake"
    write(lake / "good.csv", "a\n1\n")
    (lake / "link.csv").symlink_to(tmp_path / "nowhere.csv")
    write(lake / "false.parquet", "no parquet")
    (lake / "folder.csv").mkdir()
    catalog = Catalog.from_files(lake)
    assert [table.id for table in catalog] == ["lake.good"]
    assert {Path(source).name: cause for source, cause in catalog.failures}.keys() == {"link.csv", "false.parquet"}
    for path in (tmp_path / "missing.csv", write(tmp_path / "notes.txt", "a")):
        with pytest.raises(SourceError, match=r"no such file|not one of"):
            Catalog.from_files(path)
    for suffix, constructor in ((".sqlite", "from_sqlite"), (".sql", "from_ddl")):
        with pytest.raises(SourceError, match=f"read by Catalog.{constructor}"):
            Catalog.from_files(write(tmp_path / f"other{suffix}", "a"))


def test_files_that_go_away_are_failures(tmp_path: Path, add: Add) -> None:
    """A file that is deleted, or cut, after the catalog was made fails its table alone."""
    for name in ("gone.csv", "stays.csv"):
        write(tmp_path / "lake" / name, "a\n1\n")
    for name in ("gone", "cut"):
        parquet.write_table(pa.table({"a": range(100)}), tmp_path / f"lake/{name}.parquet")
    catalog = Catalog.from_files(tmp_path / "lake")
    (tmp_path / "lake/gone.csv").unlink()
    (tmp_path / "lake/gone.parquet").unlink()
    (tmp_path / "lake/cut.parquet").write_bytes((tmp_path / "lake/cut.parquet").read_bytes()[:100])
    assert {source for source, _ in add(catalog)} == {"lake.gone.csv", "lake.gone.parquet", "lake.cut"}


def test_the_fingerprint_follows_the_file(tmp_path: Path) -> None:
    """It changes when the file does, even to nothing."""
    path = write(tmp_path / "lake/t.csv", "a\n1\n")
    table = Catalog.from_files(path)["lake.t"]
    first = table.fingerprint()
    assert Catalog.from_files(tmp_path / "lake")["lake.t"].fingerprint() == first
    write(path, "a\n1\n2\n")
    second = table.fingerprint()
    path.unlink()
    assert len({first, second, table.fingerprint()}) == 3


def test_json_may_hold_halves_of_surrogates(tmp_path: Path, add: Add, store: EvidenceStore) -> None:
    """Text that UTF-8 can not hold is read with question marks, in values and in names, which stay distinct."""
    lines = ['{"v": "\\udfff", "\\ud800": 1, "\\ud801": 2, "": 3}', '{"v": "b"}']
    write(tmp_path / "lake/t.jsonl", "\n".join(lines))
    catalog = Catalog.from_files(tmp_path / "lake")
    assert catalog["lake.t"].column_names == ["v", "?", "?_2", "column_4"]
    assert texts(catalog, "lake.t") == [["?", "b"], [1, None], [2, None], [3, None]]
    assert add(catalog) == []
    assert store.load().distinct.tolist() == [2, 1, 1, 1]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems allow no such names")
def test_names_of_files_may_be_of_any_bytes(tmp_path: Path, add: Add, store: EvidenceStore) -> None:
    """Bytes of no encoding are shown as escapes, in folders and files; such files are read, or are failures."""
    lake = tmp_path / "lake"
    folder = lake / os.fsdecode(b"d\xff")
    for name in (b"a\xff.csv", b"a\xfe.csv", b"b\xff.jsonl"):
        write(folder / os.fsdecode(name), '{"x": 1}\n')
    write(lake / os.fsdecode(b"z\xff.csv.gz"), gzip.compress(b"x\n1\n"))
    write(lake / os.fsdecode(b"no\xff.parquet"), b"none")
    parquet.write_table(pa.table({"x": [1]}), lake / "p.parquet")
    (lake / "p.parquet").rename(lake / os.fsdecode(b"p\xff.parquet"))
    catalog = Catalog.from_files(lake)
    assert sorted(table.id for table in catalog) == [
        "d\\udcff.a\\udcfe", "d\\udcff.a\\udcff", "d\\udcff.b\\udcff", "lake.p\\udcff", "lake.z\\udcff",
    ]  # fmt: skip
    assert [source.encode("ascii") for source, _ in catalog.failures] == [f"{lake}/no\\udcff.parquet".encode()]
    assert add(catalog) == []
    assert len(store.load().table_names) == 5


@pytest.mark.parametrize(
    ("name", "format_name"),
    [
        ("a.csv", "CSV"), ("A.TSV.GZ", "TSV"), ("a.b.jsonl.gz", "JSON lines"), ("a.ndjson", "JSON lines"),
        ("a.parquet", "Parquet"), ("a.parquet.gz", None), ("a.gz", None), ("csv", None), ("a.csv.zip", None),
    ],
)  # fmt: skip
def test_a_file_has_the_format_of_its_suffix(name: str, format_name: str | None) -> None:
    """It says which files of a folder are read, and by which reader."""
    for path in (name, Path("lake") / name):
        row = format_of(path)
        assert (row and row.name) == format_name


@pytest.mark.parametrize(
    "content", ["a,b\n1,2\n".encode("utf-16-le"), b"a\0b,c\n1,2\n3,4\n"], ids=["no mark", "nul"]
)
def test_csv_that_is_no_utf_8_is_told_the_remedy(tmp_path: Path, content: bytes) -> None:
    """UTF-16 without its mark, and a NUL byte among the names, fail before a row can be lost."""
    with pytest.raises(SourceError, match="save it as UTF-8"):
        Catalog.from_files(write(tmp_path / "lake/t.csv", content))


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("rows", [3, 60_000])
def test_utf_16_with_its_mark_is_read(tmp_path: Path, encoding: str, rows: int) -> None:
    """CSV, TSV and JSON lines, compressed or not, however long: letters of two bytes and of four come whole."""
    mark = "\ufeff".encode(encoding)
    write(tmp_path / "lake/t.csv", mark + ("名,b\n" + "é,𝄞\n" * rows).encode(encoding))
    write(tmp_path / "lake/u.tsv.gz", gzip.compress(mark + ("a\tb\n" + "é\t𝄞\n" * rows).encode(encoding)))
    write(tmp_path / "lake/v.jsonl", mark + ('{"a": "é", "b": "𝄞"}\n' * rows).encode(encoding))
    catalog = Catalog.from_files(tmp_path / "lake")
    assert catalog["lake.t"].column_names == ["名", "b"]
    for name in ("t", "u", "v"):
        assert texts(catalog, f"lake.{name}") == [["é"] * rows, ["𝄞"] * rows]


def test_utf_16_that_is_cut_within_a_letter_loses_no_row(tmp_path: Path) -> None:
    """What is left of the letter is shown as unreadable."""
    write(tmp_path / "lake/t.csv", "a\n1\nx".encode("utf-16")[:-1])
    assert texts(Catalog.from_files(tmp_path / "lake"), "lake.t") == [["1", "\ufffd"]]


@pytest.mark.parametrize(
    ("content", "names", "rows"),
    [
        ("a,b\n1,2,\n3,,\n", ["a", "b"], [["1", "3"], ["2", None]]),
        ("a,b,\n1,2,\n3,4,\n", ["a", "b"], [["1", "3"], ["2", "4"]]),
        ("a,b,\n1,2\n3,4\n", ["a", "b"], [["1", "3"], ["2", "4"]]),
        ('a;b;;\r\n007;x;;""\r\n', ["a", "b"], [["007"], ["x"]]),
        ("a,\n1,\n", ["a"], [["1"]]),
        ("a,b,\n1,2,\n3,4,x\n", ["a", "b", "column_3"], [["1", "3"], ["2", "4"], [None, "x"]]),
        ("a,,\n1,2,\n", ["a", "column_2"], [["1"], ["2"]]),
        ("a,b,\n", ["a", "b", "column_3"], [[], [], []]),
    ],
)
def test_empty_fields_at_the_end_of_all_rows_are_no_columns(
    tmp_path: Path, content: str, names: list[str], rows: list[list[str | None]]
) -> None:
    """Whether the line of names has them or not; one row with a value there, below a name or none, makes a column."""
    write(tmp_path / "lake/t.csv", content)
    catalog = Catalog.from_files(tmp_path / "lake")
    assert catalog["lake.t"].column_names == names
    assert len(catalog["lake.t"].columns) == len(names)
    batches = list(catalog["lake.t"].source.batches(1000))  # type: ignore[union-attr]
    assert [[value for batch in batches for value in batch[at].to_pylist()] for at in range(len(names))] == rows


def test_a_value_at_the_end_of_a_late_row_is_not_lost(tmp_path: Path, add: Add) -> None:
    """Behind the beginning of a long file: it is a column where the first row has a field for it, else a failure."""
    rows = "1,2,\n" * 30_000
    write(tmp_path / "lake/named.csv", f"a,b,\n{rows}1,2,x\n")
    write(tmp_path / "lake/empty.csv", f"a,b,\n{rows}")
    write(tmp_path / "lake/none.csv", f"a,b\n{rows}1,2,x\n")
    catalog = Catalog.from_files(tmp_path / "lake")
    assert {table.name: table.column_names[2:] for table in catalog} == {"named": ["column_3"], "empty": [], "none": []}
    assert texts(catalog, "lake.named")[2] == [None] * 30_000 + ["x"]
    [(source, cause)] = add(catalog)
    assert source == "lake.none"
    assert cause.startswith("a row has a value behind that of 'b', the last name")


@pytest.mark.parametrize(
    ("content", "names", "first"),
    [
        ("Report of May\nid,name\n1,x\n2,y\n", ["id", "name"], ["1", "x"]),
        ('"Report, of May"\r\n\r\nid;amount\r\n1;2,5\r\n2;3\r\n', ["id", "amount"], ["1", "2,5"]),
        ("# made by x, y and z\n#\nname,city\nA,x\nB,y\n", ["name", "city"], ["A", "x"]),
        ("Report of May\n\nmail,opted in\na@b,yes\nc@d,no\n", ["mail", "opted in"], ["a@b", "yes"]),
        ("Report\r\rname,city\rA,x\rB,y\r", ["name", "city"], ["A", "x"]),
        ("Report\n2024\nname,day,\nA,2024-05-01,\nB,,\n", ["name", "day"], ["A", "2024-05-01"]),
        ("Report\n" + "id,name\n" + "1,x\n" * 30_000, ["id", "name"], ["1", "x"]),
    ],
)
def test_lines_above_the_names_are_passed_over_with_a_note(
    tmp_path: Path, content: str, names: list[str], first: list[str]
) -> None:
    """A title or comments above rows that begin with names, as the numbers below these, or an empty line, show."""
    path = write(tmp_path / "lake/t.csv", content)
    catalog = Catalog.from_files(path)
    assert catalog["lake.t"].column_names == names
    assert [column[0] for column in texts(catalog, "lake.t")] == first
    [note] = catalog.notes
    assert note.startswith(f"{path}: what stands above the names of the columns is passed over: '")


@pytest.mark.parametrize(
    "content",
    [
        "name\nSmith, John\nDoe, Jane\nRoe, Jim\n",
        "amount\n1,5\n2,7\n3,1\n",
        "city\nParis, 75001\nLyon, 69001\nLille, 59000\n",
        "Report\nid,\n1,x\n2,y\n",
        "Report\nid,id\n1,2\n2,3\n",
    ],
)
def test_one_value_above_rows_of_several_may_be_the_name_of_the_only_column(tmp_path: Path, content: str) -> None:
    """Where a first row of names cannot be told from values without quotes, nothing is guessed."""
    with pytest.raises(SourceError, match=r"its first line has one value, '\w+', and the rows below have 2: take away"):
        Catalog.from_files(write(tmp_path / "lake/t.csv", content))


def test_a_row_without_end_is_told_from_arrow(tmp_path: Path, add: Add) -> None:
    """A quote that is never closed is named as such, in words of CSV."""
    write(tmp_path / "lake/t.csv", b'a,"b\n' + b"1,2\n" * 2000)
    [(source, cause)] = add(Catalog.from_files(tmp_path / "lake"))
    assert source == "lake.t"
    assert cause.startswith("a quoted value is never closed, or a row is longer than 4 MB (")


@pytest.mark.parametrize(
    "content",
    ['a,b\n1,"x\n2,y\n3,z\n', 'a,b\n1,x\n2,"y', 'a\n1\n"', '"a,b\n1,2\n', 'a;b\n"1;2\n', 'a,b\n1,"x""\n2,y\n'],
)
@pytest.mark.parametrize("suffix", ["csv", "csv.gz"])
def test_a_quote_that_is_never_closed_is_a_failure(tmp_path: Path, add: Add, content: str, suffix: str) -> None:
    """The rows behind it are not taken for a value without a word."""
    raw = content.encode()
    write(tmp_path / f"lake/t.{suffix}", gzip.compress(raw) if suffix == "csv.gz" else raw)
    [(source, cause)] = add(Catalog.from_files(tmp_path / "lake"))
    assert source == "lake.t"
    assert cause.startswith(("a quoted value is never closed", "a row has "))
    assert "close" in cause


@pytest.mark.parametrize("end", ["", "\n", "\r\n", "\n\n"])
@pytest.mark.parametrize("last", ['"",""', '"x","y\n"', '"x","""y"""', "5\",'", ","])
def test_the_last_row_is_read_whatever_ends_it(tmp_path: Path, last: str, end: str) -> None:
    """Empty text, quotes, line ends within quotes, missing values: the end of the file adds no row and takes none."""
    write(tmp_path / "lake/t.csv", f"a,b\n1,2\n{last}{end}")
    rows = texts(Catalog.from_files(tmp_path / "lake"), "lake.t")
    expected = [value or None for value in next(csv.reader(io.StringIO(last, newline="")))]
    assert [[value or None for value in column] for column in rows] == [["1", expected[0]], ["2", expected[1]]]


def test_uuids_of_parquet_join_with_those_of_text(tmp_path: Path, add: Add, store: EvidenceStore) -> None:
    """A column of the type UUID has the text that other files and databases have for it."""
    ids = [uuid.UUID(int=number * 7919) for number in range(50)]
    stored = pa.array([one.bytes for one in ids], pa.binary(16))
    table = pa.table({"id": pa.ExtensionArray.from_storage(pa.uuid(), stored)})
    parquet.write_table(table, write(tmp_path / "lake/typed.parquet", b""))
    write(tmp_path / "lake/text.csv", "id\n" + "\n".join(map(str, ids)))
    catalog = Catalog.from_files(tmp_path / "lake")
    assert catalog["lake.typed"].columns[0].type == "UUID"
    assert add(catalog) == []
    store.update_overlaps()
    assert store.load().intersections.toarray().tolist() == [[0, 50], [50, 0]]


@pytest.mark.parametrize("lines", ["", "\n" * 200_000])
def test_wide_tables_have_all_their_columns(tmp_path: Path, lines: str) -> None:
    """A first line is read to its end, however long, and wherever it stands."""
    names = [f"measurement_{number}" for number in range(9000)]
    write(tmp_path / "lake/t.csv", lines + ",".join(names) + "\n" + ",".join(["1"] * 9000) + "\n")
    catalog = Catalog.from_files(tmp_path / "lake")
    assert catalog["lake.t"].column_names == names
    assert {column.type for column in catalog["lake.t"].columns} == {"BIGINT"}
    assert texts(catalog, "lake.t") == [["1"]] * 9000


def test_a_name_without_end_is_a_failure(tmp_path: Path) -> None:
    """What no name can be is told, and stops no other file."""
    write(tmp_path / "lake/long.csv", "a" * 200_000 + "\n1\n")
    write(tmp_path / "lake/good.csv", "a\n1\n")
    catalog = Catalog.from_files(tmp_path / "lake")
    assert [table.name for table in catalog] == ["good"]
    assert "names can not be read: field larger" in catalog.failures[0][1]


def test_names_do_not_depend_on_where_the_beginning_ends(tmp_path: Path) -> None:
    """A letter of several bytes may lie across the end of what is read for the names."""
    for shift in range(3):
        path = write(tmp_path / f"lake/t{shift}.csv", "名前,b" + "x" * shift + "\n" + "値,1\n" * 20_000)
        [table] = Catalog.from_files(path)
        assert table.column_names[0] == "名前"


def test_a_stated_delimiter_wins_and_one_that_no_parser_takes_is_none(tmp_path: Path) -> None:
    """What the file says goes before its suffix; a byte that is no ASCII states nothing, and costs no other file."""
    write(tmp_path / "lake/tabs.tsv", "sep=;\na;b\n1;2\n")
    write(tmp_path / "lake/odd.csv", b"sep=\xa7\na\xa7b\n1\xa72\n")
    write(tmp_path / "lake/good.csv", "a,b\n1,2\n")
    catalog = Catalog.from_files(tmp_path / "lake")
    assert catalog["lake.tabs"].column_names == ["a", "b"]
    assert catalog["lake.good"].column_names == ["a", "b"]


def test_empty_lines_before_the_names_are_passed_over_as_they_come(tmp_path: Path) -> None:
    """However many there are, and a stated delimiter behind them counts."""
    write(tmp_path / "lake/t.csv", b"\n" * (3 << 20) + b"sep=|\na|b,c\n1|2\n")
    assert Catalog.from_files(tmp_path / "lake")["lake.t"].column_names == ["a", "b,c"]


def test_a_mapping_names_the_databases_of_paths(tmp_path: Path) -> None:
    """Two folders of one name, each with a folder of one name inside; a list of them says how to name them."""
    for part in ("p1", "p2"):
        write(tmp_path / part / "data/t.csv", "a\n1\n")
        write(tmp_path / part / "data/sub/u.csv", "a\n1\n")
    folders = {"first": tmp_path / "p1/data", "second": str(tmp_path / "p2/data")}
    assert [table.id for table in Catalog.from_files(folders)] == ["first.t", "first/sub.u", "second.t", "second/sub.u"]
    assert [table.id for table in Catalog.from_files({"x": tmp_path / "p1/data/t.csv"})] == ["x.t"]
    with pytest.raises(CatalogError, match=r"two tables have the id .* \{'name': path\} in Python"):
        Catalog.from_files(list(folders.values()))


def test_titles_as_a_workbook_exports_them_are_passed_over(tmp_path: Path) -> None:
    """Lines with one value and as many cells as all others; a column without values is none."""
    path = write(tmp_path / "lake/t.csv", "Report of sales,,\n,,\nid,x,y\n1,a,3\n2,b,4\n")
    catalog = Catalog.from_files(path)
    assert catalog["lake.t"].column_names == ["id", "x", "y"]
    assert texts(catalog, "lake.t") == [["1", "2"], ["a", "b"], ["3", "4"]]
    [note] = catalog.notes
    assert note == f"{path}: what stands above the names of the columns is passed over: 'Report of sales'"
    plain = write(tmp_path / "lake/u.csv", "id,,\n1,,\n2,a,\n")
    assert Catalog.from_files(plain)["lake.u"].column_names[0] == "id"


def test_a_file_is_the_same_wherever_it_is_named_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "lake/t.csv", "id\n1\n")
    (tmp_path / "beside").mkdir()
    monkeypatch.chdir(tmp_path / "beside")
    one, other = (Catalog.from_files(path)["lake.t"].fingerprint() for path in ("../lake/t.csv", tmp_path / "lake"))
    assert one == other


def test_a_first_line_that_may_be_a_row_is_told(tmp_path: Path) -> None:
    """It is taken for names nonetheless."""
    catalog = Catalog.from_files(write(tmp_path / "lake/t.csv", "1001,Smith,Lyon\n1002,Jones,Rome\n"))
    assert catalog["lake.t"].column_names == ["1001", "Smith", "Lyon"]
    [note] = catalog.notes
    assert "if it is a row" in note
    [note] = Catalog.from_files(write(tmp_path / "lake/one.csv", "7\n8\n9\n")).notes
    assert "if it is a row" in note
    years = Catalog.from_files(write(tmp_path / "lake/u.csv", "name,2023,2024\na,1,2\n"))
    assert years.notes == ()


def test_a_link_to_a_file_of_the_folder_is_no_second_table(tmp_path: Path) -> None:
    """Nor are two links to one file elsewhere; a link to a file that is not read otherwise is a table."""
    lake, other = tmp_path / "lake", tmp_path / "other.csv"
    lake.mkdir()
    for file in (lake / "orders.csv", other):
        file.write_text("id,name\n1,a\n")
    (lake / "a_link.csv").symlink_to("orders.csv")
    (lake / "one.csv").symlink_to(other)
    (lake / "two.csv").symlink_to(other)
    catalog = Catalog.from_files(lake)
    assert [table.id for table in catalog] == ["lake.one", "lake.orders"]
    assert catalog.skipped == (
        (str(lake / "a_link.csv"), f"a link to {lake / 'orders.csv'}, which is taken once"),
        (str(lake / "two.csv"), f"a link to {lake / 'one.csv'}, which is taken once"),
    )
    assert [table.id for table in Catalog.from_files([lake / "a_link.csv"])] == ["lake.a_link"]


def test_a_link_to_a_folder_is_told(tmp_path: Path) -> None:
    """It may lead anywhere, and back."""
    lake, other = tmp_path / "lake", tmp_path / "other"
    for folder in (lake, other):
        folder.mkdir()
        (folder / f"{folder.name}.csv").write_text("id,name\n1,a\n")
    (lake / "linked").symlink_to(other)
    catalog = Catalog.from_files(lake)
    assert [table.id for table in catalog] == ["lake.lake"]
    cause = "a link to a folder, which is not followed: name that folder, too"
    assert catalog.skipped == ((str(lake / "linked"), cause),)


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz"])
def test_a_long_first_row_tells_types(tmp_path: Path, suffix: str) -> None:
    """A text of megabytes in it, which is longer than the beginning by which a file is usually known."""
    text = 'id,text,paid\n1,"' + "x" * 5_000_000 + '",2.5\n7,y,1.5\n'
    path = tmp_path / f"huge{suffix}"
    path.write_bytes(gzip.compress(text.encode()) if suffix.endswith("gz") else text.encode())
    (table,) = Catalog.from_files(path)
    assert [column.type for column in table.columns] == ["BIGINT", "VARCHAR", "DOUBLE"]
    assert table.source is not None
    rows = sum(len(batch[0]) for batch in table.source.batches(10))
    assert rows == 2


@pytest.mark.parametrize("name", ["", "Unnamed: 0"])
@pytest.mark.parametrize("suffix", ["csv", "tsv", "xlsx"])
def test_what_numbers_the_rows_of_a_frame_is_no_column(tmp_path: Path, name: str, suffix: str) -> None:
    """As pandas writes an index without a name; what has one stays, and so do labels without a name."""
    frame = pd.DataFrame({"id": [7, 8, 9], "city": ["York", "Hull", "Bath"], "size": [2, 3, 1]})
    written = frame.rename_axis(name or None)
    named = frame.set_index("city")
    labelled = frame.set_index("city").rename_axis(None)
    for stem, one in (("plain", written), ("named", named), ("labelled", labelled)):
        if suffix == "xlsx":
            one.to_excel(tmp_path / f"{stem}.xlsx", sheet_name="rows")
        else:
            one.to_csv(tmp_path / f"{stem}.{suffix}", sep="\t" if suffix == "tsv" else ",")
    catalog = Catalog.from_files(tmp_path)
    columns = {table.id.split(".")[-2 if suffix == "xlsx" else -1]: table.column_names for table in catalog}
    assert columns == {
        "plain": ["id", "city", "size"],
        "named": ["city", "id", "size"],
        "labelled": ["column_1", "id", "size"],
    }
    told = [note for note in catalog.notes if "numbers its rows in front, as pandas writes it, is left out" in note]
    assert len(told) == 1
    assert "plain" in told[0]
    plain = next(table for table in catalog if "plain" in table.id)
    assert plain.source is not None
    assert [str(value) for first, *_ in plain.source.batches(2) for value in first] == ["7", "8", "9"]


def test_numbers_in_front_that_are_more_than_the_rows(tmp_path: Path) -> None:
    """Ids without a name, a file without names, and the only column stay; two numberings in front are left out."""
    (tmp_path / "ids.csv").write_text(",a\n7,x\n3,y\n", encoding="utf-8")
    (tmp_path / "alone.csv").write_text("Unnamed: 0\n0\n1\n2\n", encoding="utf-8")
    (tmp_path / "twice.csv").write_text("Unnamed: 0.1,Unnamed: 0,a,b\n0,0,x,1\n1,1,y,2\n", encoding="utf-8")
    (tmp_path / "open.csv").write_text(",a,\n0,x,1\n1,y,2\n", encoding="utf-8")
    columns = {table.name: table.column_names for table in Catalog.from_files(tmp_path)}
    assert columns == {"ids": ["column_1", "a"], "alone": ["Unnamed: 0"], "twice": ["a", "b"],
                       "open": ["column_1", "a", "column_3"]}  # fmt: skip


def test_the_labels_of_picked_rows_are_no_column_of_a_parquet_file(tmp_path: Path) -> None:
    """Whole numbers without a name; labels of another kind, and names of the user, stay."""
    frame = pd.DataFrame({"id": [7, 8, 9, 5], "city": ["York", "Hull", "Bath", "Ely"]})
    frame.iloc[[0, 1, 3]].to_parquet(tmp_path / "picked.parquet")
    frame.set_index(frame["city"].rename(None)).to_parquet(tmp_path / "labelled.parquet")
    frame.to_parquet(tmp_path / "whole.parquet")
    catalog = Catalog.from_files(tmp_path)
    assert {table.name: table.column_names for table in catalog} == {
        "picked": ["id", "city"],
        "labelled": ["id", "city", "__index_level_0__"],
        "whole": ["id", "city"],
    }
    picked = next(table for table in catalog if table.name == "picked")
    assert picked.source is not None
    assert [[column.to_pylist() for column in batch] for batch in picked.source.batches(9)] == [
        [[7, 8, 5], ["York", "Hull", "Ely"]]
    ]
    assert [note for note in catalog.notes if "picked" in note and "is left out" in note]
