"""The command from the questions to the page, with a model that knows two queries."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner, Result

from benchmarks.__main__ import main
from benchmarks.data.datasets import load_dataset
from benchmarks.data.layout import MissingDataError
from benchmarks.sql import sql_command
from benchmarks.sql.sql_page import MARKS, verdict
from benchmarks.sql.sql_study import (
    AskedAnswer,
    GoldQueryError,
    SqlStudy,
    by_system,
    compare,
    database_files,
    drawn,
    rotated,
    run_gold,
    system_figures,
)
from benchmarks.sql.writer import NoAnswerError
from tests.jar.language.chat_server import ChatServer, Handler, completion, refuses

RIGHT = "SELECT name FROM client"
SYSTEMS = "dense,jar,gold"


def answers_if_shown(handler: Handler) -> None:
    """The right query of the simple questions; of the others a query over a table that is not there."""
    question = handler.body["messages"][1]["content"]
    text = RIGHT if question.endswith("Who is a client?") else "SELECT name FROM nowhere"
    handler.send(completion(text, usage=(len(question), 5)))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    """A server of that model; the questions are those of a small data set."""
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sql_command, "DATASET", "spider")
    with ChatServer(answers_if_shown) as running:
        yield running


def invoke(data: Path, output: Path, server: ChatServer, *more: str) -> Result:
    """``python -m benchmarks sql`` over the small data set."""
    common = ["--data", str(data), "--output", str(output), "--embedder", "distilled", "--systems", SYSTEMS]
    return CliRunner().invoke(main, ["sql", *common, "--model", "toy", "--base-url", server.url, *more])


def test_a_run_measures_resumes_and_writes_its_page(public_layout: Path, tmp_path: Path, server: ChatServer) -> None:
    """Half of the questions are right over the gold tables; a second run asks nothing; the page has the tables."""
    page = tmp_path / "sql.md"
    page.write_text(f"# Title\n\n{MARKS[0]}\n{MARKS[1]}\n\nEnd\n")
    first = invoke(public_layout, tmp_path / "out", server)
    assert first.exit_code == 0, first.output
    told = json.loads((tmp_path / "out" / "sql.json").read_text())
    gold = next(one for one in told["figures"] if one["system"] == "gold")
    assert (told["questions"], gold["accuracy"], gold["errors"], gold["complete"]) == (8, 50, 50, 100)
    frame = pd.read_csv(tmp_path / "out" / "sql.csv")
    assert sorted(frame["system"].unique()) == sorted(SYSTEMS.split(","))
    assert len(frame) == 24
    assert frame["error"].dropna().str.contains("no such table").all()
    asked = len(server.requests)
    assert asked <= 24
    again = invoke(public_layout, tmp_path / "out", server, "--page", str(page))
    assert again.exit_code == 0
    assert len(server.requests) == asked
    text = page.read_text()
    assert "8 of 8 questions drawn at random, K = 3, toy" in text
    assert text.endswith("\n\nEnd\n")
    assert "| `gold` | 50.0 |" in text
    assert "| `gold` | `jar` |" in text


def test_a_stopped_run_keeps_what_was_answered(public_layout: Path, tmp_path: Path, server: ChatServer) -> None:
    """Where the server fails in between, the next run asks only for the rest."""
    invoke(public_layout, tmp_path / "whole", server)
    needed = len(server.requests)
    server.requests.clear()
    server.script = [answers_if_shown, answers_if_shown, refuses(400)]
    failed = invoke(public_layout, tmp_path / "out", server)
    assert isinstance(failed.exception, NoAnswerError)
    assert len(server.requests) == 3
    server.script = [answers_if_shown]
    assert invoke(public_layout, tmp_path / "out", server).exit_code == 0
    assert len(server.requests) == needed + 1


def test_a_smaller_draw_is_the_start_of_a_larger_one(public_layout: Path) -> None:
    """So that a run with a larger limit goes on where a smaller one ended."""
    whole = load_dataset("spider", public_layout)
    ids = [question.id for question in drawn(whole, None).questions]
    assert sorted(ids) == sorted(question.id for question in whole.questions)
    assert ids != sorted(ids)
    assert [question.id for question in drawn(whole, 3).questions] == ids[:3]


def test_time_ends_a_run_between_questions(public_layout: Path, tmp_path: Path, server: ChatServer) -> None:
    """Every system has answered the same questions, and no fewer than one."""
    result = invoke(public_layout, tmp_path, server, "--minutes", "0.0000001")
    assert result.exit_code == 0, result.output
    assert json.loads((tmp_path / "sql.json").read_text())["questions"] == 1


def test_a_gold_query_that_fails_stops_the_run(public_layout: Path) -> None:
    """Every answer would be counted as wrong; the message names the question and the file."""
    question = load_dataset("spider", public_layout).questions[0]
    files = {question.database: public_layout / "spider" / "database" / "bank" / "bank.sqlite"}
    assert run_gold(question, files).columns == 1
    with pytest.raises(GoldQueryError, match=r"question 0 .*bank\.sqlite: .*no such table: lost"):
        run_gold(replace(question, sql="SELECT * FROM lost"), files)


def test_databases_without_rows_are_refused(public_layout: Path, tmp_path: Path) -> None:
    """Before a model is asked."""
    dataset = load_dataset("spider", public_layout)
    assert sorted(database_files(dataset, public_layout)) == ["bank", "club", "gym", "shop"]
    with pytest.raises(MissingDataError, match="rows of bank, club, gym, shop are not in"):
        database_files(dataset, tmp_path)


def test_systems_take_turns_to_be_first() -> None:
    """All are asked each time."""
    assert [rotated(["a", "b", "c"], by) for by in range(4)] == [
        ["a", "b", "c"],
        ["b", "c", "a"],
        ["c", "a", "b"],
        ["a", "b", "c"],
    ]


def answer(system: str, place: int, correct: bool, complete: bool = True) -> AskedAnswer:
    """An answer to the question of a number."""
    return AskedAnswer(str(place), system, 3, complete, correct, "", "SELECT 1", 100, 10, 1.0)


def test_figures_and_tests_are_those_of_the_answers() -> None:
    """30 questions, of which "jar" wins 20 and loses 2: p by the binomial law of the signs, 2 P(X <= 2) of 22."""
    won = [True] * 20 + [False] * 2 + [True] * 8
    lost = [False] * 20 + [True] * 2 + [True] * 8
    told = by_system(
        one
        for place in range(30)
        for one in (answer("jar", place, won[place]), answer("dense", place, lost[place], place >= 15))
    )
    figures = system_figures("dense", told["dense"])
    assert figures.accuracy == pytest.approx(100 * 10 / 30)
    assert figures.low < figures.accuracy < figures.high
    assert figures.complete == 50
    assert figures.when_complete == pytest.approx(100 * 10 / 15)
    (compared,) = compare(told)
    assert (compared.system, compared.baseline, compared.won, compared.lost) == ("jar", "dense", 20, 2)
    assert compared.difference == pytest.approx(60)
    exact = 2 * sum((1, 22, 231)) / 2**22
    assert compared.p == pytest.approx(exact, abs=1e-3)
    assert compared.p_holm == compared.p
    study = SqlStudy("small", 30, 30, 3, "toy", 0, (figures,), (compared,))
    assert verdict(study).startswith("- Gained: `jar` against `dense` +60.0 points")


def test_equal_answers_are_no_gain() -> None:
    """Without a difference p is 1, and the page says that nothing is decided."""
    told = by_system(answer(system, place, place % 2 == 0) for place in range(8) for system in ("jar", "dense"))
    (compared,) = compare(told)
    assert (compared.won, compared.lost, compared.p) == (0, 0, 1.0)
    assert np.isclose(compared.difference, 0)
    figures = tuple(system_figures(*one) for one in told.items())
    assert "Not decided" in verdict(SqlStudy("small", 8, 8, 3, "toy", 0, figures, (compared,)))
