"""``jar examples``: what is printed, where the store is found, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jar.cli.main import main
from jar.index.index import Index

ROWS = [
    {"question": "How many singers are there?", "sql": "SELECT COUNT(*) FROM singer", "database": "concert"},
    {"question": "Who is from France?", "sql": "SELECT name FROM singer WHERE country = 'France'", "database": "opera"},
    {"question": "Broken", "sql": "SELECT FROM", "database": "concert"},
]


@pytest.fixture
def shop(lake_index: Index, tmp_path: Path) -> Path:
    """An index with a store beside it."""
    lake_index.save(tmp_path / "shop.jar")
    lines = "".join(json.dumps(row) + "\n" for row in ROWS)
    (tmp_path / "shop.examples.jsonl").write_text(lines, encoding="utf-8")
    return tmp_path / "shop.jar"


def examples(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["examples", *map(str, arguments)])


def test_text(shop: Path) -> None:
    """Question and SQL without values, and on standard error the rows that are left out."""
    result = examples(shop, "Clients from Berlin?")
    assert result.exit_code == 0
    assert "SELECT name FROM singer WHERE country = ?" in result.stdout
    assert "France" not in result.stdout
    assert "row 3" in result.stderr
    assert "France" in examples(shop, "Clients from Berlin?", "--values").stdout


@pytest.mark.parametrize("way", ["structure", "skeleton", "lexical"])
def test_json(way: str, shop: Path) -> None:
    """One document with what was found and what was left out."""
    document = json.loads(examples(shop, "How many loans are there?", "--json", "-k", 1, "--by", way).stdout)
    assert [one["sql"] for one in document["examples"]] == [ROWS[0]["sql"]]
    assert [entry["row"] for entry in document["left_out"]] == [3]


def test_a_store_elsewhere(shop: Path, tmp_path: Path) -> None:
    """`--store` wins, and `--database` takes a part of it."""
    path = tmp_path / "log.csv"
    path.write_text("question,query,db_id\nOne?,SELECT 1 FROM a,x\nTwo?,SELECT 2 FROM b,y\n")
    result = examples(shop, "One?", "--store", path, "--database", "y", "--values")
    assert "SELECT 2 FROM b" in result.stdout
    assert "SELECT 1" not in result.stdout


def test_what_is_refused(shop: Path, tmp_path: Path) -> None:
    """No store, one that is none, an unknown database: each with what to do."""
    assert "no example" in examples(shop, "One?", "--database", "z").stderr
    assert examples(shop, "One?", "--store", tmp_path / "missing.csv").exit_code == 2
    (tmp_path / "shop.examples.jsonl").unlink()
    result = examples(shop, "One?")
    assert result.exit_code == 2
    assert "--store" in result.stderr
    assert "shop.examples.csv" in result.stderr
