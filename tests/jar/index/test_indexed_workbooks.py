"""Excel workbooks by `jar index`: given by themselves, and in a folder beside other files."""

from __future__ import annotations

import gzip
from pathlib import Path

import openpyxl
import pytest
from click.testing import CliRunner, Result

from jar import Index
from jar.cli.main import main


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workbook with a sheet of accounts beside a CSV file of clients."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "accounts"
    for row in (["account_id", "client_id"], *([100 + number, number] for number in range(20))):
        sheet.append(row)
    (tmp_path / "lake").mkdir()
    book.save(tmp_path / "lake" / "bank.xlsx")
    clients = "client_id,name\n" + "".join(f"{number},client {number}\n" for number in range(20))
    (tmp_path / "lake" / "clients.csv.gz").write_bytes(gzip.compress(clients.encode()))
    return tmp_path / "lake"


def test_a_workbook_is_indexed_and_refreshed(folder: Path) -> None:
    """Its sheets are tables, which are read again only after the file has changed."""
    index = folder.parent / "bank.jar"
    for tables in ("1 table (1 read, 0 unchanged", "1 table (0 read, 1 unchanged"):
        result = run("index", folder / "bank.xlsx", "-o", index, "--embedder", "static")
        assert result.exit_code == 0, result.output
        assert tables in result.stderr
    assert list(Index.load(index).tables()["id"]) == ["bank.accounts"]


def test_a_sheet_joins_with_a_file_beside_it(folder: Path) -> None:
    """The numbers of the workbook are the texts of the CSV file."""
    index = folder.parent / "lake.jar"
    assert run("index", folder, "-o", index, "--embedder", "static").exit_code == 0
    joins = run("joins", index, "--format", "csv")
    assert "bank.accounts.client_id" in joins.stdout.splitlines()[1]
    assert "lake.clients.client_id" in joins.stdout.splitlines()[1]


def test_a_damaged_workbook_costs_no_other_file(folder: Path) -> None:
    """It is named with its cause, and the exit status says that something was left out."""
    (folder / "bank.xlsx").write_bytes(b"PK no workbook")
    result = run("index", folder, "-o", folder.parent / "lake.jar", "--embedder", "static")
    assert result.exit_code == 1
    assert ": 1 table (" in result.stderr
    assert "bank.xlsx: " in result.stderr


def test_help_and_errors_list_the_suffixes(folder: Path) -> None:
    """Both come from the registry of formats."""
    (folder / "notes.txt").write_text("no table")
    for result in (run("index", "--help"), run("index", folder / "notes.txt", "-o", folder.parent / "a.jar")):
        assert ".sqlite3, .tsv, .xlsx" in " ".join(result.output.split())
