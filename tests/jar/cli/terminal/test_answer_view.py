"""Answers in a terminal: bars and trees, within the width, with colours only where there are some."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
import termios
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from jar import Index, Reranker
from jar.cli.main import main
from jar.cli.terminal.answer_view import answer_lines
from jar.cli.terminal.explanation_view import explanation_lines
from jar.cli.terminal.screen import Screen, Span
from jar.layout.names_shown import cells
from jar.sample import write_sample_lake
from tests.jar.pictures.made_answers import made_selection

QUESTION = "Which female clients of the bank own credit cards and also have loans?"
ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


def shown(selection: object, screen: Screen) -> str:
    return screen.text(answer_lines(selection.plan(), screen))  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of the bank of the sample lake."""
    folder = tmp_path_factory.mktemp("terminal")
    write_sample_lake(folder / "lake")
    made = ("index", folder / "lake" / "bank", "-o", folder / "bank.jar", "--embedder", "static")
    assert CliRunner().invoke(main, list(map(str, made))).exit_code == 0
    return folder / "bank.jar"


def test_joins_are_a_tree_and_scores_are_bars() -> None:
    """Every table once with a bar of its terms, and once in the trees, below the table that it joins."""
    text = shown(made_selection(6), Screen())
    lines = text.splitlines()
    tree = lines[lines.index("  joins") + 1 :]
    assert tree[:6] == [
        "     bank.table_0",
        "     ├─ bank.table_1     key_1  (0.50)",
        "     │  ├─ bank.table_3  key_3  (0.25)",
        "     │  └─ bank.table_4  key_4  (1.00)",
        "     └─ bank.table_2     key_2  (0.33)",
        "        └─ bank.table_5  key_5  (0.50)",
    ]
    parts = made_selection(6).contributions
    most = max(part.total for part in parts)
    for number, part in enumerate(parts):
        (line,) = [line for line in lines if line.startswith(f"  {number + 1}. ")]
        drawn = [line.count(sign) for sign in "█▓▒░"]
        assert drawn == pytest.approx([20 * term / most for term in part.terms], abs=1.01)
    assert "     █ relevance  ▓ sub-query matches  ▒ sub-query coverage  ░ joins" in lines


@pytest.mark.parametrize("count", [1, 3, 30])
@pytest.mark.parametrize("width", [30, 40, 60, 80, 120, 200])
@pytest.mark.parametrize("name", ["bank.table", "the_warehouse_of_everything.with_a_name_" * 2, "倉庫.顧客表" * 5])
def test_no_line_is_wider_than_the_terminal(count: int, width: int, name: str) -> None:
    """Names are shortened in the middle, reasons at the end; the question and what is proved wrap by themselves."""
    selection = made_selection(count, prefix=name)
    plan = selection.plan()
    whole = {*plan.question.splitlines(), *(f"  {line}" for line in plan.closing), "  note: a note"}
    whole |= {line for line in shown(selection, Screen()).splitlines() if line.startswith("  note: no column chosen")}
    for screen in (Screen(width), Screen(width, blocks=False), Screen(width, colours=True)):
        for line in shown(selection, screen).splitlines():
            bare = ESCAPES.sub("", line)
            assert cells(bare) <= width or bare in whole, bare


def test_nothing_is_shortened_where_there_is_no_terminal() -> None:
    """Files and pipes get every name in full, and no escape."""
    name = "the_warehouse_of_everything.with_a_name_without_end_" * 3
    text = shown(made_selection(3, prefix=name), Screen())
    for number in range(3):
        assert text.count(f"{name}_{number}") >= 2
    assert "\x1b" not in text


def test_signs_that_the_encoding_lacks_have_stand_ins() -> None:
    """The same lines in ASCII."""
    text = shown(made_selection(6), Screen(60, blocks=False))
    assert text.isascii()
    assert "|- bank.table_1" in text
    assert "#" in text


def test_colours_change_nothing_but_colours() -> None:
    """Without the escapes the text is the same; names cannot bring escapes of their own."""
    selection = made_selection(4, prefix="a\x1b[31mred\x07\n")
    coloured, plain = shown(selection, Screen(100, colours=True)), shown(selection, Screen(100))
    assert coloured != plain
    assert [line.rstrip() for line in ESCAPES.sub("", coloured).split("\n")] == plain.split("\n")
    assert r"\x1b[31mred\x07\n" in plain


def test_an_explanation_fits_the_terminal_and_loses_no_word(lake_index: Index) -> None:
    """Its lines are broken between words; what `explain()` says is all there."""
    selection = Reranker(lake_index).rank(QUESTION, k=4)
    text = Screen(60).text(explanation_lines(selection, Screen(60)))
    assert all(cells(line) <= 60 for line in text.splitlines() if line != QUESTION)
    told = Screen().text(explanation_lines(selection, Screen()))
    assert told.endswith(selection.explain().split("\n", 2)[2])
    assert text.split()[-20:] == selection.explain().split()[-20:]


def test_an_answer_of_columns_and_an_empty_one_are_shown(lake_index: Index) -> None:
    """One bar from 0 to 1 by the score of a table; without tables only the question and what is proved."""
    columns = Reranker(lake_index, objective="crush").columns("Which female clients have loans?", budget=4)
    lines = shown(columns, Screen()).splitlines()
    (first,) = [line for line in lines if line.startswith("  1. ")]
    assert first.count("█") == round(20 * columns.scores[0])
    assert not [line for line in lines if "relevance" in line]
    nothing = dict.fromkeys(("tables", "scores", "contributions", "joins", "coverage"), ())
    empty = replace(made_selection(1), **nothing, status="infeasible")
    assert "no such set of tables exists" in shown(empty, Screen(80))


def run_in_terminal(arguments: list[str], columns: int, **environment: str) -> str:
    """What `jar` writes on a terminal of so many columns."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (40, columns)) if sys.version_info >= (3, 11) else None
    env = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "COLUMNS", "TERM"}}
    env |= {"TERM": "xterm", "COLUMNS": str(columns), "PYTHONUTF8": "1", **environment}
    with subprocess.Popen([sys.executable, "-m", "jar", *arguments], stdout=theirs, stderr=theirs, env=env) as process:
        os.close(theirs)
        told = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            told += part
    os.close(ours)
    assert process.returncode == 0, told
    return told.decode().replace("\r\n", "\n")


def test_colours_come_on_a_terminal_and_go_with_no_color(bank: Path) -> None:
    """Not into a pipe, not with NO_COLOR, not on a dumb terminal, never into --json; the terminal's width is heeded."""
    asked = ["rank", str(bank), QUESTION, "-k", "4"]
    coloured = run_in_terminal(asked, 64)
    assert "\x1b[" in coloured
    lines = ESCAPES.sub("", coloured).splitlines()
    assert all(cells(line) <= 64 for line in lines if line != QUESTION)
    for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert "\x1b" not in run_in_terminal(asked, 64, **environment)
    on_terminal = json.loads(run_in_terminal([*asked, "--json"], 64))
    piped = json.loads(CliRunner().invoke(main, [*asked, "--json"]).stdout)
    for timed in ("seconds", "timings"):
        del on_terminal[timed], piped[timed]
    assert on_terminal == piped


def test_json_has_what_it_had(bank: Path) -> None:
    """Its fields are those of `to_dict`, and the terms of a contribution the three that make up the score."""
    document = json.loads(CliRunner().invoke(main, ["rank", str(bank), QUESTION, "--json"]).stdout)
    assert set(document["contributions"][0]) == {"coarse", "coverage", "join", "rank", "required"}
    assert "left_out" not in document


def test_a_span_without_style_is_as_it_is() -> None:
    """Blanks have no colour either."""
    assert Screen(80, colours=True).text([(Span("a"), Span("  ", "red"), Span("b", "red"))]) == "a  \x1b[31mb\x1b[0m"
