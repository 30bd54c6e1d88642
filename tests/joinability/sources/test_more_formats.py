"""JSON arrays, Feather, DuckDB files and files behind addresses; and what of a folder is no table."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from pyarrow import feather, ipc

from joinability import Catalog, EvidenceStore, SourceError
from joinability.sources import json_arrays
from joinability.sources.remote import is_remote_file
from tests.joinability.sources.test_file_sources import texts, write

Add = Callable[[Catalog], list[tuple[str, str]]]
ROWS = [{"id": 1, "tags": ["x", "]"], "note": 'a "quoted", text'}, {"id": 2, "more": {"b": [1, 2]}}, {"id": 12345}]


@pytest.mark.parametrize("chunk", [1, 7, 64, 10_000])
@pytest.mark.parametrize("indent", [None, 2])
def test_an_array_of_objects_is_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int, indent: int | None
) -> None:
    """Wherever the parts that are read at a time end: in a number, a text, between entries or before the bracket."""
    monkeypatch.setattr(json_arrays, "CHUNK", chunk)
    write(tmp_path / "lake/t.json", "\ufeff \n" + json.dumps(ROWS, indent=indent) + "\n")
    (tmp_path / "lake/z.json.gz").write_bytes(gzip.compress(json.dumps(ROWS).encode()))
    catalog = Catalog.from_files(tmp_path / "lake")
    for name in ("lake.t", "lake.z"):
        assert catalog[name].column_names == ["id", "tags", "note", "more_b"]
        assert texts(catalog, name) == [
            [1, 2, 12345], ['["x", "]"]', None, None], ['a "quoted", text', None, None], [None, "[1, 2]", None],
        ]  # fmt: skip


@pytest.mark.parametrize("name", ["t.json.gz", "t.jsonl.gz"])
def test_damaged_compressed_json_is_a_failure(tmp_path: Path, add: Add, name: str) -> None:
    """Wherever its bytes are changed: the other files are tables all the same."""
    rows = [{"id": number, "word": f"word {number * 7919 % 1000}"} for number in range(300)]
    text = json.dumps(rows) if name == "t.json.gz" else "\n".join(map(json.dumps, rows))
    whole = gzip.compress(text.encode())
    (tmp_path / "lake").mkdir()
    (tmp_path / "lake/ok.csv").write_text("x\n1\n")
    failed = 0
    for place in range(10, len(whole) - 20, len(whole) // 12):
        (tmp_path / "lake" / name).write_bytes(whole[:place] + b"\xff" * 12 + whole[place + 12 :])
        catalog = Catalog.from_files(tmp_path / "lake")
        failures = [*catalog.failures, *add(catalog)]
        assert "lake.ok" in catalog
        failed += any(name in str(failure) or "lake.t" in str(failure) for failure in failures)
    assert failed


def test_json_lines_may_be_called_json(tmp_path: Path) -> None:
    """As many programs write them."""
    write(tmp_path / "lake/t.json", '{"a": 1}\n{"a": 2}\n')
    assert texts(Catalog.from_files(tmp_path / "lake"), "lake.t") == [[1, 2]]


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        ('[{"a": 1}, {"a": 2}', "it is not closed, after entry 2"),
        ('[{"a": 1} {"a": 2}]', "a comma or a bracket is missing"),
        ('[{"a": 1}] []', "something follows the array"),
        ('[{"a": 1}, 3]', "entry 2 of the array is no object"),
        ('[{"a": 1}, {"a": ]', "after entry 1"),
        ("[]", "there is no object in it"),
        ("[" * 100_000, "recursion"),
    ],
)
def test_json_that_is_cut_or_mixed_is_a_failure(tmp_path: Path, content: str, cause: str) -> None:
    """The cause says after which entry."""
    write(tmp_path / "lake/t.json", content)
    with pytest.raises(SourceError, match=cause):
        Catalog.from_files(tmp_path / "lake")


def test_json_of_another_form_is_skipped_in_a_folder_and_refused_by_name(tmp_path: Path) -> None:
    """A file of settings beside the tables is no failure; who names it is told what is expected."""
    write(tmp_path / "lake/ok.csv", "id\n1\n")
    for name, content in (("object", '{\n "a": 1}'), ("numbers", "[1, 2]"), ("text", '"x"')):
        path = write(tmp_path / f"lake/{name}.json", content)
        with pytest.raises(SourceError, match=r"array of objects|entry 1 of the array is no object"):
            Catalog.from_files(path)
    catalog = Catalog.from_files(tmp_path / "lake")
    assert catalog.failures == ()
    assert sorted(Path(path).name for path, _ in catalog.skipped) == ["numbers.json", "object.json", "text.json"]


@pytest.mark.parametrize("indent", [None, 2])
def test_the_only_array_of_objects_in_an_object_is_the_table(tmp_path: Path, indent: int | None) -> None:
    """What an export wraps around its rows is passed over, nested values and all, in a file of any length."""
    meta = {"total": 2, "by": [1, "x"], "pages": {"next": [{"a": 1}]}, "none": []}
    write(tmp_path / "lake/t.json", json.dumps({**meta, "rows": ROWS, "end": {}}, indent=indent))
    write(tmp_path / "lake/plain.json", json.dumps(ROWS))
    catalog = Catalog.from_files(tmp_path / "lake")
    assert catalog["lake.t"].columns == catalog["lake.plain"].columns
    one, other = (
        [column.to_pylist() for batch in catalog[f"lake.{name}"].source.batches(1000) for column in batch]  # type: ignore[union-attr]
        for name in ("t", "plain")
    )
    assert one == other


def test_an_object_with_several_arrays_of_objects_is_skipped_with_their_names(tmp_path: Path) -> None:
    """None of them is the table; lines of objects with arrays stay lines."""
    write(tmp_path / "lake/two.json", json.dumps({"orders": ROWS, "items": ROWS}))
    write(tmp_path / "lake/lines.json", '{"id": 1, "items": [{"a": 1}]}\n{"id": 2, "items": []}\n')
    catalog = Catalog.from_files(tmp_path / "lake")
    assert {table.name: table.column_names for table in catalog} == {"lines": ["id", "items"]}
    [(path, cause)] = catalog.skipped
    assert Path(path).name == "two.json"
    assert "several arrays of objects ('orders', 'items')" in cause


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("content", [{"a": 1, "b": {"c": 2}}, {"rows": []}, {"id": 1, "tags": ["x"]}, {}])
def test_line_breaks_make_an_object_no_table(tmp_path: Path, content: object, indent: int | None) -> None:
    """One object without an array of objects is skipped on one line as on several; JSON lines may be one line."""
    write(tmp_path / "lake/ok.csv", "id\n1\n")
    write(tmp_path / "lake/t.json", json.dumps(content, indent=indent))
    write(tmp_path / "lake/row.jsonl", '{"id": 1, "tags": ["x"]}')
    catalog = Catalog.from_files(tmp_path / "lake")
    assert sorted(table.name for table in catalog) == ["ok", "row"]
    [(path, cause)] = catalog.skipped
    assert Path(path).name == "t.json"
    assert "call the file .jsonl" in cause


def test_json_lines_are_told_by_their_first_object(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No more of a long file is read than that object and what follows it."""
    write(tmp_path / "t.json", '{"a": {"b": [1]}}\n' * 1000)
    reads = count(1)
    more = json_arrays._Text._more
    monkeypatch.setattr(json_arrays, "CHUNK", 64)
    monkeypatch.setattr(json_arrays._Text, "_more", lambda text: next(reads) and more(text))
    assert json_arrays._arrays_of_objects(tmp_path / "t.json") is None
    assert next(reads) <= 3
    assert Catalog.from_files(tmp_path / "t.json").tables[0].column_names == ["a_b"]


def test_an_object_that_is_cut_or_mixed_within_its_rows_is_no_table(tmp_path: Path, add: Add) -> None:
    """When it is listed it is skipped; when it changes before it is read, it is a failure."""
    write(tmp_path / "lake/ok.csv", "id\n1\n")
    path = write(tmp_path / "lake/t.json", '{\n"rows": [{"a": 1}]}')
    catalog = Catalog.from_files(tmp_path / "lake")
    write(path, '{\n"rows": [{"a": 1}, {"a"')
    assert [source for source, _ in add(catalog)] == ["lake.t"]
    assert [Path(source).name for source, _ in Catalog.from_files(tmp_path / "lake").skipped] == ["t.json"]


def test_feather_files_and_streams_are_tables(tmp_path: Path, add: Add, store: EvidenceStore) -> None:
    """Compressed or not, with the types that they declare; batches are no larger than asked for."""
    table = pa.table({"n": range(2500), "x": pa.array(["a", "b"] * 1250).dictionary_encode()})
    (tmp_path / "lake").mkdir()
    feather.write_feather(table, tmp_path / "lake/f.feather", compression="lz4")
    with ipc.new_stream(tmp_path / "lake/s.arrow", table.schema) as writer:
        writer.write_table(table)
    catalog = Catalog.from_files(tmp_path / "lake")
    for name in ("lake.f", "lake.s"):
        source = catalog[name].source
        assert source is not None
        assert [column.type for column in catalog[name].columns] == ["BIGINT", "VARCHAR"]
        lengths = [len(batch[0]) for batch in source.batches(1000)]
        assert sum(lengths) == 2500
        assert max(lengths) <= 1000
    assert add(catalog) == []
    assert store.load().distinct.tolist() == [2500, 2, 2500, 2]
    write(tmp_path / "lake/f.feather", (tmp_path / "lake/f.feather").read_bytes()[:400])
    assert [source for source, _ in add(catalog)] == ["lake.f"]


@pytest.mark.parametrize("kind", ["parquet", "feather"])
def test_periods_of_pandas_in_files_are_no_numbers(tmp_path: Path, kind: str) -> None:
    """A process that has not imported pandas reads the same months as one that has."""
    import pandas as pd

    path = tmp_path / f"t.{kind}"
    getattr(pd.DataFrame({"m": pd.period_range("2020-01", periods=2, freq="M")}), f"to_{kind}")(path)
    script = (
        "import sys; from joinability import Catalog; from joinability.cells import cell_arrays\n"
        "(table,) = Catalog.from_files(sys.argv[1]); (column,) = next(iter(table.source.batches(9)))\n"
        "print(table.columns[0].type, cell_arrays(column)[0].to_pylist())"
    )
    done = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True)
    assert done.stdout.split() == ["['2020-01',", "'2020-02']"], done.stderr


def test_a_duckdb_file_in_a_folder_is_a_database(tmp_path: Path, add: Add) -> None:
    """All its schemas are read; its rows join those of files; an index of this package beside the tables is none."""
    lake = tmp_path / "lake"
    write(lake / "orders.csv", "client_id\n1\n2\n")
    with duckdb.connect(str(lake / "shop.duckdb")) as connection:
        connection.execute("CREATE TABLE client (id INTEGER PRIMARY KEY, name VARCHAR)")
        connection.execute("INSERT INTO client VALUES (1, 'a'), (2, 'b')")
        connection.execute("CREATE SCHEMA old; CREATE TABLE old.client (id INTEGER)")
    EvidenceStore(duckdb.connect(str(lake / "index.ddb"))).create()
    write(lake / "broken.duckdb", "no database")
    catalog = Catalog.from_files(lake)
    assert sorted(table.id for table in catalog) == ["lake.orders", "shop.client", "shop.old.client"]
    assert catalog["shop.client"].primary_key == ("id",)
    assert [Path(path).name for path, _ in catalog.failures] == ["broken.duckdb"]
    assert [(Path(path).name, cause) for path, cause in catalog.skipped] == [("index.ddb", "it is an index itself")]
    assert add(catalog) == []


def test_what_a_folder_holds_beside_tables_is_told_once(tmp_path: Path) -> None:
    """By kind, with the first of each; what another constructor reads is told with its name."""
    for name in ("a.csv", "b.zip", "c.zip", "d.xls", "README", "shop.db", "s.sql"):
        write(tmp_path / "lake" / name, "id\n1\n")
    catalog = Catalog.from_files(tmp_path / "lake")
    assert catalog.failures == ()
    told = str(catalog)
    assert f"skipped: {tmp_path}/lake/b.zip, {tmp_path}/lake/c.zip: no table is read of .zip files" in told
    assert f"skipped: {tmp_path}/lake/d.xls: no table is read of .xls files" in told
    assert f"{tmp_path}/lake/README: no table is read of files without a suffix" in told
    assert "SQLite files are read by Catalog.from_sqlite" in told
    assert "DDL files are read by Catalog.from_ddl" in told
    assert (catalog + Catalog(())).skipped == catalog.with_descriptions({}).skipped == catalog.skipped


@pytest.mark.parametrize("kind", ["csv", "parquet", "json", "jsonl"])
def test_a_file_behind_an_address_is_read_by_duckdb(tmp_path: Path, add: Add, kind: str) -> None:
    """The same reader serves all kinds of addresses; `file:` needs no extension. Text keeps its zeros."""
    rows = pa.table({"id": ["007", "1"]})
    with duckdb.connect() as connection:
        connection.register("rows", rows)
        connection.execute(f"COPY rows TO '{tmp_path}/t.{kind}' {'(ARRAY)' if kind == 'json' else ''}")
    catalog = Catalog.from_files([f"file://{tmp_path}/t.{kind}"])
    (table,) = catalog
    assert table.name == "t"
    assert texts(catalog, table.id) == [["007", "1"]]
    assert table.fingerprint() != table.fingerprint()
    assert add(catalog) == []


@pytest.mark.parametrize(
    "address", ["https://me:S3CRET@host/lake/t.csv?sig=S3CRET", "s3://bucket/t.parquet", "gs://b/x.json"]
)
def test_an_address_without_the_extension_says_what_to_install(
    address: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nothing is downloaded unasked, and no secret is told."""
    monkeypatch.setenv("HOME", str(tmp_path))  # where DuckDB looks for its extensions
    with pytest.raises(SourceError, match="INSTALL httpfs") as caught:
        Catalog.from_files(address)
    assert "S3CRET" not in str(caught.value)


def test_addresses_of_files_are_told_from_databases() -> None:
    """By what stands before the slashes."""
    assert [is_remote_file(text) for text in ("S3://b/x.csv", "postgresql://h/x", "a/b.csv", "duckdb:///x.duckdb")] == [
        True, False, False, False,
    ]  # fmt: skip
    with pytest.raises(SourceError, match=r"ends in .csv"):
        Catalog.from_files("file:///etc/hosts")


def test_numbers_with_zeros_before_them_are_no_numbers(tmp_path: Path) -> None:
    """Codes are shown as text, so that nobody compares them with numbers; a zero and shares stay numbers."""
    write(
        tmp_path / "lake/t.csv",
        'zip,amount,share,flag,late,signed,quoted\n01234,10,0.5,0,1,-007,"007"\n99999,0,0,1,2,5,"1"\n1,3,1,0,00,6,"2"\n',
    )
    kinds = {column.name: column.type for column in Catalog.from_files(tmp_path / "lake")["lake.t"].columns}
    assert kinds == {
        "zip": "VARCHAR", "amount": "BIGINT", "share": "DOUBLE", "flag": "BIGINT", "late": "VARCHAR",
        "signed": "VARCHAR", "quoted": "VARCHAR",
    }  # fmt: skip
