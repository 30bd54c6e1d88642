"""The page on joinability: its example runs, and it names what there is."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from joinability import SCORES
from joinability.store.store import sql

PAGE = (Path(__file__).parents[2] / "docs" / "joinability.md").read_text("utf-8")


def test_the_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """On a file and a folder it prints the join between them."""
    monkeypatch.chdir(tmp_path)
    with closing(sqlite3.connect("shop.sqlite")) as connection:
        connection.executescript("CREATE TABLE client (id TEXT); INSERT INTO client VALUES ('a'), ('b'), ('c')")
    Path("lake").mkdir()
    Path("lake/orders.csv").write_text("client_id,day\na,1\na,2\nb,1\n")
    [example] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(compile(example, "docs/joinability.md", "exec"), {})
    assert re.search(r"shop\.client\.id +lake\.orders\.client_id", capsys.readouterr().out)


def test_scores_tables_and_profiles_are_described() -> None:
    """Every score and every table of the store has its place on the page."""
    for name in [*SCORES, *re.findall(r"EXISTS (\w+)", sql("schema"))]:
        assert f"`{name}`" in PAGE
