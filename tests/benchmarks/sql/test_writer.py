"""What the model is asked, what is read of its answer, and which answers are kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchmarks.sql.writer import NoAnswerError, SqlWriter, WrittenSql
from jar.language import OpenAiModel
from tests.jar.language.chat_server import Behaviour, ChatServer, refuses, says

Ask = Callable[..., SqlWriter]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    """A server that knows one query."""
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with ChatServer(says("SELECT 1", usage=(70, 4))) as running:
        yield running


def writer(server: ChatServer, path: Path, *script: Behaviour, name: str = "toy") -> SqlWriter:
    """One that asks the server, which follows another script if one is given."""
    server.script = list(script) or server.script
    model = OpenAiModel(name, base_url=server.url, timeout=5.0, deadline=10.0, attempts=1, cache=False)
    return SqlWriter(model, path)


@pytest.mark.parametrize(
    "answer",
    [
        "SELECT a FROM t",
        "SELECT a FROM t;\nThis query reads t.",
        "```sql\nSELECT a FROM t;\n```",
        "Here it is:\n```\nSELECT a FROM t\n```\nSELECT b is wrong.",
        "Sure! SELECT a FROM t; SELECT b FROM t",
        "<think>SELECT b?</think>SELECT a FROM t",
        "```sql\nSELECT a FROM t",
    ],
)
def test_the_query_is_read_from_the_answer(answer: str) -> None:
    """Fences, thoughts, words around it and further statements go."""
    assert WrittenSql(answer).sql == "SELECT a FROM t"


def test_a_query_may_begin_with_a_common_table_expression() -> None:
    """WITH is kept, in any case."""
    assert WrittenSql("with x as (select 1) select * from x;").sql == "with x as (select 1) select * from x"


def test_the_model_sees_the_context_and_the_question(server: ChatServer, tmp_path: Path) -> None:
    """The context comes first, so that servers can keep what questions over the same tables share."""
    writer(server, tmp_path / "answers.jsonl").write("CREATE TABLE t (a);\n", "How many a?")
    body = server.requests[0]["body"]
    assert body["messages"][1]["content"] == "CREATE TABLE t (a);\n\nQuestion: How many a?"
    assert body["temperature"] == 0


def test_equal_prompts_cost_one_request(server: ChatServer, tmp_path: Path) -> None:
    """In a run and in the next one, with the tokens that the server counted; another model is asked anew."""
    path = tmp_path / "kept" / "answers.jsonl"
    first = writer(server, path)
    answers = [first.write("context", "question") for _ in range(2)]
    answers.append(writer(server, path).write("context", "question"))
    assert len(server.requests) == 1
    assert len(set(answers)) == 1
    assert (answers[0].sql, answers[0].prompt_tokens, answers[0].completion_tokens) == ("SELECT 1", 70, 4)
    writer(server, path).write("context", "another question")
    writer(server, path, name="other").write("context", "question")
    assert len(server.requests) == 3


def test_a_cut_file_loses_one_answer(server: ChatServer, tmp_path: Path) -> None:
    """After a run that was stopped while it wrote, the answers before and the ones that follow are read."""
    path = tmp_path / "answers.jsonl"
    for question in ("first", "second"):
        writer(server, path).write("context", question)
    path.write_text(path.read_text()[:-20])
    for question in ("first", "second", "third"):
        writer(server, path).write("context", question)
    assert len(server.requests) == 4
    for question in ("first", "second", "third"):
        writer(server, path).write("context", question)
    assert len(server.requests) == 4


def test_an_answer_that_was_cut_off_is_kept_as_a_failure(server: ChatServer, tmp_path: Path) -> None:
    """It would be cut off again."""
    path = tmp_path / "answers.jsonl"
    asked = writer(server, path, says("SELECT a, b, c", finish="length"))
    assert "cut off" in asked.write("context", "question").failure
    assert "cut off" in writer(server, path).write("context", "question").failure
    assert len(server.requests) == 1


def test_a_server_without_an_answer_stops_the_run(server: ChatServer, tmp_path: Path) -> None:
    """Nothing is kept of it, so that the next run asks again."""
    path = tmp_path / "answers.jsonl"
    with pytest.raises(NoAnswerError, match=r"status 500.*goes on from there"):
        writer(server, path, refuses(500)).write("context", "question")
    assert writer(server, path, says("SELECT 2")).write("context", "question").sql == "SELECT 2"
