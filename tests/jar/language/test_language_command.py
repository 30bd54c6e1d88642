"""`jar rank --llm`: sub-queries by a model, what is sent shown before it is sent, errors in one line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from chat_server import ChatServer, refuses, says
from click.testing import CliRunner, Result

from jar.cli.main import main
from jar.cli.options import CONTEXTS
from jar.language.context import DETAILS
from jar.sample import QUESTIONS

QUESTION = QUESTIONS[0].text
GOOD = '["client:gender", "card:type", "loan"]'

Serve = Callable[..., ChatServer]


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_the_model_writes_the_sub_queries(serve: Serve, lake_file: Path) -> None:
    """`--llm` and `--llm-url` name model and server; a second run is answered from the disk."""
    server = serve(says(GOOD))
    for _ in range(2):
        result = run("rank", lake_file, QUESTION, "-k", 4, "--llm", "toy", "--llm-url", server.url, "--json")
        assert result.exit_code == 0, result.stderr
        document = json.loads(result.stdout)
        assert document["subqueries"] == json.loads(GOOD)
        assert document["decomposition"] == "llm:toy"
    assert len(server.requests) == 1
    explained = run("explain", lake_file, QUESTION, "-k", 4, "--llm", "toy", "--llm-url", server.url)
    assert "sub-queries (llm:toy)" in explained.stdout


def test_the_environment_names_model_and_server(serve: Serve, lake_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--llm` alone asks the server of the environment, `--llm-url` alone its model."""
    server = serve(says(GOOD))
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    assert json.loads(run("rank", lake_file, QUESTION, "--llm", "toy", "--json").stdout)["decomposition"] == "llm:toy"
    monkeypatch.setenv("OPENAI_MODEL", "other")
    by_url = run("rank", lake_file, QUESTION, "--llm-url", server.url, "--json")
    assert json.loads(by_url.stdout)["decomposition"] == "llm:other"
    assert json.loads(run("rank", lake_file, QUESTION, "--json").stdout)["decomposition"] == "default"


def test_a_failing_server_is_a_note(serve: Serve, lake_file: Path) -> None:
    """The tables come, with the reason, and the exit status is that of success."""
    server = serve(refuses(401, "who are you?"))
    result = run("rank", lake_file, QUESTION, "-k", 4, "--llm", "toy", "--llm-url", server.url)
    assert result.exit_code == 0
    assert "note: the language model 'toy' gave no sub-queries (status 401: who are you?)" in result.stdout
    assert "  4. " in result.stdout


@pytest.mark.parametrize("context", CONTEXTS)
def test_what_would_be_sent_is_shown_and_not_sent(serve: Serve, lake_file: Path, context: str) -> None:
    """`--show-prompt` prints the messages, the question last, and these are what a call without it sends."""
    server = serve(says(GOOD))
    options = ("rank", lake_file, QUESTION, "--llm", "toy", "--llm-url", server.url, "--llm-context", context)
    shown = run(*options, "--show-prompt", "--json")
    assert server.requests == []
    messages = json.loads(shown.stdout)
    assert messages[-1] == {"role": "user", "content": QUESTION}
    assert ("bank.client" in messages[0]["content"]) == (context != "none")
    assert ("birth_date" in messages[0]["content"]) == (context == "columns")
    assert run(*options).exit_code == 0
    assert server.requests[0]["body"]["messages"] == messages
    text = run(*options, "--show-prompt").stdout
    assert text.rstrip().endswith(f"--- user ---\n{QUESTION}")


def test_the_prompt_is_shown_without_a_model(lake_file: Path) -> None:
    """Who wonders what would leave the machine needs no server to see it."""
    assert QUESTION in run("rank", lake_file, QUESTION, "--show-prompt").stdout


def test_every_detail_of_a_context_is_a_choice() -> None:
    """The choices are those of `SchemaContext`, and none."""
    assert ("none", *DETAILS) == CONTEXTS


@pytest.mark.parametrize(
    ("options", "fact"),
    [
        (["--llm", "toy"], "OPENAI_BASE_URL"),
        (["--llm-url", "http://localhost:1/v1"], "OPENAI_MODEL"),
        (["--llm", "toy", "--llm-url", "localhost:1"], "no http or https address"),
        (["--llm", "toy", "--llm-context", "rows"], "'rows' is not one of"),
        (["--llm-context", "tables"], "name the model by --llm, too"),
    ],
)
def test_a_model_that_cannot_be_set_up_is_bad_input(lake_file: Path, options: list[str], fact: str) -> None:
    """One line on standard error, exit status 2, no stack trace."""
    result = run("rank", lake_file, QUESTION, *options)
    assert result.exit_code == 2
    assert fact in result.stderr
    assert "Traceback" not in result.stderr
