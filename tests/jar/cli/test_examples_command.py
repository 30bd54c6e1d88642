"""``jar examples``: what is printed, where the store is found, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jar import Catalog
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


@pytest.fixture
def ranked(lake: Catalog, shop: Path) -> Path:
    """The same with an embedder that the command line knows."""
    Index.build(lake, embedder="static", progress=False).save(shop)
    return shop


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


@pytest.mark.parametrize("command", [("rank", "-k", "2"), ("columns", "--budget", "3")])
def test_examples_in_a_prompt(command: tuple[str, ...], ranked: Path, tmp_path: Path) -> None:
    """`--sql --examples` ends with earlier questions and their SQL without values; left-out rows are told."""
    store = tmp_path / "shop.examples.jsonl"
    name, *options = command
    result = CliRunner().invoke(
        main, [name, str(ranked), "How many loans?", *options, "--sql", "--examples", str(store)]
    )
    assert result.exit_code == 0, result.stderr
    tail = result.stdout.partition("-- examples\n")[2]
    assert tail.startswith("-- How many singers are there?\n-- SELECT COUNT(*) FROM singer\n")
    assert "country = ?" in tail
    assert "France" not in result.output
    assert "row 3" in result.stderr


def test_examples_need_sql_and_a_file(ranked: Path, tmp_path: Path) -> None:
    """Without `--sql` they have nowhere to go, and a missing file stops the command before it ranks."""
    without = CliRunner().invoke(
        main, ["rank", str(ranked), "One?", "--examples", str(tmp_path / "shop.examples.jsonl")]
    )
    assert without.exit_code == 2
    assert "--examples says how SQL is written: give --sql, too" in without.stderr
    missing = CliRunner().invoke(main, ["rank", str(ranked), "One?", "--sql", "--examples", str(tmp_path / "none.csv")])
    assert missing.exit_code == 2
    assert "none.csv" in missing.stderr


def test_questions_from_standard_input_share_the_examples(ranked: Path, tmp_path: Path) -> None:
    """Each answer has its own, and the store is read once."""
    arguments = ["rank", str(ranked), "-", "-k", "1", "--sql", "--examples", str(tmp_path / "shop.examples.jsonl")]
    result = CliRunner().invoke(main, arguments, input="How many loans?\nWhich clients are from Berlin?\n")
    assert result.exit_code == 0, result.stderr
    firsts = [part.splitlines()[1] for part in result.stdout.split("-- examples\n")[1:]]
    assert firsts == ["-- SELECT COUNT(*) FROM singer", "-- SELECT name FROM singer WHERE country = ?"]
    assert result.stderr.count("row 3") == 1


def test_what_is_refused(shop: Path, tmp_path: Path) -> None:
    """No store, one that is none, an unknown database: each with what to do."""
    assert "no example" in examples(shop, "One?", "--database", "z").stderr
    assert examples(shop, "One?", "--store", tmp_path / "missing.csv").exit_code == 2
    (tmp_path / "shop.examples.jsonl").unlink()
    result = examples(shop, "One?")
    assert result.exit_code == 2
    assert "--store" in result.stderr
    assert "shop.examples.csv" in result.stderr
