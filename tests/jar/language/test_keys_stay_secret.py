"""A key is sent in its header and is found nowhere else, whatever goes wrong."""

from __future__ import annotations

import copy
import io
import json
import logging
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from chat_server import Behaviour, ChatServer, Handler, completion, drops, hangs_up, says, sends
from click.testing import CliRunner

from jar import Index, Reranker
from jar.cli.main import main
from jar.language import LanguageModelError, LlmDecomposer, OpenAiModel
from jar.language.credentials import Secret, check_base_url
from jar.sample import QUESTIONS

Ask = Callable[..., tuple[OpenAiModel, ChatServer]]

KEY = "sk-very-secret-0123456789"
QUESTION = QUESTIONS[0].text


def repeats_key(status: int, content: bool = False) -> Behaviour:
    """A server that repeats what it was sent: in its answer's text or its refusal."""

    def behaviour(handler: Handler) -> None:
        heard = handler.headers["Authorization"]
        body = completion(f'["client:gender", "{heard}"]') if content else heard.encode() * 20
        handler.send(body, status)

    return behaviour


SERVERS = {
    "answers": says('["client:gender"]'),
    "answers with the key": repeats_key(200, content=True),
    "apologises with the key": lambda handler: handler.send(completion(handler.headers["Authorization"] + ". Sorry!")),
    "refuses the key": repeats_key(401),
    "fails with the key": repeats_key(500),
    "sends the key as a page": repeats_key(200),
    "drops": drops,
    "hangs up": hangs_up,
    "cuts": sends(b"{"),
}


@pytest.mark.parametrize("server", SERVERS)
def test_the_key_is_only_in_its_header(
    ask: Ask,
    lake_index: Index,
    server: str,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    """Logs of all packages at the finest level, output, warnings, results, errors with their variables, files."""
    caplog.set_level(logging.DEBUG)
    model, listener = ask(SERVERS[server], api_key=KEY, attempts=1)
    reranker = Reranker(lake_index, decomposer=LlmDecomposer(model))
    seen: list[str] = []
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        result = reranker.rank(QUESTION, k=4)
        seen += [repr(result), str(result), result.explain(), json.dumps(result.to_dict())]
        seen += [repr(reranker.decomposer), repr(model), str(vars(model)), repr(vars(model._exchange))]
        try:
            seen.append(model.complete([{"role": "user", "content": "another"}]))
        except LanguageModelError as error:
            told = traceback.TracebackException.from_exception(error, capture_locals=True)
            seen += [repr(error), *told.format(), *traceback.format_exception(error)]
    seen += [str(warning.message) for warning in warned]
    seen += [record.getMessage() + repr(record.args) + repr(vars(record)) for record in caplog.records]
    seen += list(capfd.readouterr())
    files = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()] + [lake_index.path.read_bytes()]
    assert {request["headers"]["authorization"] for request in listener.requests} == {f"Bearer {KEY}"}
    assert any("127.0.0.1" in text for text in seen)
    assert not [text for text in seen if KEY in text]
    assert not [file for file in files if KEY.encode() in file]


def test_the_key_is_in_no_output_of_the_command_line(
    serve: Callable[..., ChatServer], lake_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The environment's key reaches the server and neither output, whatever the format."""
    listener = serve(repeats_key(401))
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    for more in ([], ["--json"], ["--sql"], ["--show-prompt"]):
        arguments = ["rank", str(lake_file), QUESTION, "--llm", "toy", "--llm-url", listener.url, *more]
        result = CliRunner().invoke(main, arguments)
        assert result.exit_code == 0, result.output
        assert KEY not in result.stdout + result.stderr
    assert {request["headers"]["authorization"] for request in listener.requests} == {f"Bearer {KEY}"}
    wrong = ["rank", str(lake_file), QUESTION, "--llm", "toy", "--llm-url", f"http://user:{KEY}@localhost/v1"]
    refused = CliRunner().invoke(main, wrong)
    assert refused.exit_code == 2
    assert "holds a user" in refused.stderr
    assert KEY not in refused.stdout + refused.stderr


def test_a_secret_shows_itself_to_nobody() -> None:
    """Printing, formatting, copying to a file and comparing give nothing away."""
    secret = Secret(f" {KEY}\n")
    assert secret.reveal() == KEY
    shown = [repr(secret), str(secret), f"{secret}", f"{secret!r:>40}", repr([secret]), repr(vars(Holder(secret)))]
    assert not [text for text in shown if KEY in text]
    assert secret != KEY
    assert not Secret("")
    assert repr(Secret("")) == "Secret()"
    for write in (copy.copy, copy.deepcopy, lambda it: it.__reduce_ex__(4)):
        with pytest.raises(TypeError, match="not written to files"):
            write(secret)
    with pytest.raises(TypeError):
        json.dump(secret, io.StringIO())


class Holder:
    def __init__(self, secret: Secret) -> None:
        self.secret = secret


def test_masking_finds_the_key_wherever_it_stands() -> None:
    """All of it goes; a key too short to be one, which would spoil any text, is left."""
    assert Secret(KEY).mask(f"Bearer {KEY}, {KEY}") == "Bearer ***, ***"
    assert Secret("").mask("text") == "text"
    assert Secret("e").mask("text") == "text"


@pytest.mark.parametrize("key", ["sk-with blank", "sk-with\nbreak", "sk-ünïcode", "sk-\x00"])
def test_a_key_that_no_header_can_carry_is_refused_without_showing_it(key: str) -> None:
    """The message tells the fault and not the key."""
    with pytest.raises(LanguageModelError, match="not ASCII") as caught:
        OpenAiModel("toy", base_url="http://127.0.0.1:1/v1", api_key=key)
    assert "sk-" not in str(caught.value)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("http://localhost:8000/v1/", "http://localhost:8000/v1"),
        (" https://models.example/v1 ", "https://models.example/v1"),
        ("https://models.example", "https://models.example"),
        ("http://[::1]:8000/v1", "http://[::1]:8000/v1"),
        ("HTTP://LOCALHOST:1/V1", "http://localhost:1/V1"),
    ],
)
def test_addresses_of_servers(given: str, kept: str) -> None:
    """Blanks and the last slash go."""
    assert check_base_url(given) == kept


@pytest.mark.parametrize(
    "given",
    [
        f"https://user:{KEY}@models.example/v1",
        f"https://{KEY}@models.example/v1",
        f"https://models.example/v1?key={KEY}",
        f"https://models.example/v1#{KEY}",
        f"models.example/{KEY}",
        f"ftp://models.example/{KEY}",
        f"http://models.example:{KEY}/v1",
        f"http://[{KEY}/v1",
        f"file:///{KEY}",
        KEY,
        "",
    ],
)
def test_an_address_that_holds_a_key_is_refused_without_showing_it(given: str) -> None:
    """Addresses are printed and logged, so they must hold no key."""
    with pytest.raises(LanguageModelError, match="address") as caught:
        check_base_url(given)
    assert KEY not in str(caught.value)
    assert KEY not in "".join(traceback.format_exception(caught.value))
