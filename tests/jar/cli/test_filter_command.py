"""``jar filter``: what a question may need of a database."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jar.cli.main import main

pytest.importorskip("onnxruntime", reason="token vectors are those of MiniLM, an extra")
pytest.importorskip("tokenizers", reason="token vectors are those of MiniLM, an extra")

QUESTION = "Which library members have loans of books?"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library of the sample lake, indexed with vectors of tokens by the command."""
    folder = tmp_path_factory.mktemp("filtered")
    assert run("sample", folder / "lake").exit_code == 0
    made = folder / "shop.jar"
    made_by = ["-o", made, "--embedder", "minilm", "--token-vectors"]
    assert run("index", folder / "lake" / "library", *made_by).exit_code == 0
    return made


def test_tables_with_their_columns(shop: Path) -> None:
    """A line for each table on standard output, the counts on standard error."""
    result = run("filter", shop, "library", QUESTION, "--recall", 0.9)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines
    assert all(line.startswith("library.") and line.endswith(")") for line in lines)
    assert " tables, " in result.stderr
    document = json.loads(run("filter", shop, "library", QUESTION, "--recall", 1, "--json").stdout)
    assert len(document["tables"]) == document["all_tables"]


def test_bad_input(shop: Path) -> None:
    """An unknown database, a recall that is none, an index or an embedder without vectors of tokens."""
    assert run("filter", shop, "shop", QUESTION).exit_code == 2
    assert run("filter", shop, "library", QUESTION, "--recall", 0).exit_code == 2
    library, plain = shop.parent / "lake" / "library", shop.parent / "plain.jar"
    assert run("index", library, "-o", plain, "--embedder", "static", "--token-vectors").exit_code != 0
    assert run("filter", plain, "library", QUESTION).exit_code != 0
