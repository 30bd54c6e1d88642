"""Types that the first rows of a file tell, and later rows correct."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jar import Catalog, Index
from joinability.sources.json_lines import HEAD_ROWS

ROWS = 9000


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_later_rows_correct_the_types_of_the_first(kind: str, tmp_path: Path) -> None:
    """Numbers become text or numbers with fractions, dates text; words for missing values change nothing."""
    rows = HEAD_ROWS if kind == "jsonl" else ROWS
    first = [{"no": n, "code": n, "price": n, "day": "2024-01-01", "left": n} for n in range(rows)]
    entries = [*first, {"no": 1, "code": "A1", "price": 2.5, "day": "soon", "left": "N/A"}]
    path = tmp_path / f"part.{kind}"
    lines = [json.dumps(entry) for entry in entries]
    if kind == "csv":
        lines = [",".join(entries[0]), *(",".join(map(str, entry.values())) for entry in entries)]
    path.write_text("\n".join(lines), encoding="utf-8")
    catalog = Catalog.from_files(path)
    types = {"no": "BIGINT", "code": "BIGINT", "price": "BIGINT", "left": "BIGINT"}
    assert {column.name: column.type for column in catalog.tables[0].columns if column.name != "day"} == types
    index = Index.build(catalog, embedder="static", progress=False)
    told = {column.name: (column.type, column.family) for column in index.contents.tables[0].columns}
    assert told == {
        "no": ("BIGINT", "number"),
        "code": ("VARCHAR", "text"),
        "price": ("DOUBLE", "number"),
        "day": ("VARCHAR", "text"),
        "left": ("BIGINT", "number"),
    }


def test_what_is_declared_stays(tmp_path: Path) -> None:
    """A script says what a column is, whatever its rows hold."""
    (tmp_path / "part.csv").write_text("code\n" + "7\n" * ROWS + "A1\n", encoding="utf-8")
    declared = Catalog.from_ddl("CREATE TABLE part (code BIGINT)", database=tmp_path.name)
    index = Index.build(Catalog.from_files(tmp_path).with_declared(declared), embedder="static", progress=False)
    assert [column.type for table in index.contents.tables for column in table.columns] == ["BIGINT"]


@pytest.mark.parametrize(("later", "note"), [(0, False), (1, True)])
def test_a_long_file_tells_which_objects_name_its_columns(later: int, note: bool, tmp_path: Path) -> None:
    """What the first objects lack is a column where a later one of them has it."""
    objects = [{"order_id": n} for n in range(HEAD_ROWS - 1)] + [{"order_id": 0, "voucher": "V1"}] * (1 + later)
    for name, text in (("a.jsonl", "\n".join(map(json.dumps, objects))), ("b.json", json.dumps(objects))):
        (tmp_path / name).write_text(text, encoding="utf-8")
    catalog = Catalog.from_files(tmp_path)
    assert [table.column_names for table in catalog] == [["order_id", "voucher"]] * 2
    assert len(catalog.notes) == (1 if note else 0)
    assert all(f"its first {HEAD_ROWS:,} objects" in told for told in catalog.notes)
