"""A model behind a real server: good answers are used and kept, bad ones end in a reason, in bounded time."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from chat_server import (
    Behaviour,
    ChatServer,
    Handler,
    completion,
    drips,
    drops,
    hangs_up,
    refuses,
    says,
    sends,
    stays_silent,
)

from jar.language import LanguageModel, LanguageModelError, OpenAiModel, Usage
from jar.language.openai_model import PARAMETERS

Ask = Callable[..., tuple[OpenAiModel, ChatServer]]

HELLO = [{"role": "user", "content": "hello"}]


def test_the_answer_of_the_server_comes_back(ask: Ask) -> None:
    """One request, to the path of the protocol, with model, messages and parameters; its text and tokens come back."""
    model, server = ask(says("good day", usage=(12, 3)))
    assert isinstance(model, LanguageModel)
    assert model.complete(HELLO) == "good day"
    assert model.usage == Usage(requests=1, answers=1, prompt_tokens=12, completion_tokens=3)
    (request,) = server.requests
    assert request["path"] == "/v1/chat/completions"
    assert request["body"] == {"model": "toy", "messages": HELLO, **PARAMETERS}


def test_parameters_of_the_caller_are_sent_and_none_takes_one_out(ask: Ask) -> None:
    """Any field that the server knows can be set; the default's can be removed."""
    model, server = ask(
        says("good day"), parameters={"temperature": None, "chat_template_kwargs": {"enable_thinking": False}}
    )
    model.complete(HELLO)
    body = server.requests[0]["body"]
    assert "temperature" not in body
    assert body["chat_template_kwargs"] == {"enable_thinking": False}
    assert body["max_tokens"] == PARAMETERS["max_tokens"]


def test_text_in_parts_is_put_together(ask: Ask) -> None:
    """Some servers send a list of parts in place of a text."""
    model, _ = ask(says([{"type": "text", "text": "good "}, {"type": "text", "text": "day"}]))
    assert model.complete(HELLO) == "good day"


def test_the_second_call_is_answered_from_the_disk(ask: Ask, tmp_path: Path) -> None:
    """The server sees one request; another model object with the same folder finds the answer too."""
    model, server = ask(says("good day"))
    assert model.complete(HELLO) == model.complete(HELLO)
    other = OpenAiModel("toy", base_url=server.url, cache=tmp_path / "answers")
    assert other.complete(HELLO) == "good day"
    assert len(server.requests) == 1
    assert model.usage.cached == other.usage.cached == 1
    assert other.usage.requests == 0


@pytest.mark.parametrize("difference", [{"parameters": {"seed": 1}}, {"model": "other"}, {"messages": []}])
def test_what_is_asked_otherwise_is_asked_again(ask: Ask, tmp_path: Path, difference: dict) -> None:
    """Another model, other parameters or other messages are another answer."""
    model, server = ask(says("good day"))
    model.complete(HELLO)
    other = OpenAiModel(
        difference.get("model", "toy"),
        base_url=server.url,
        cache=tmp_path / "answers",
        parameters=difference.get("parameters"),
    )
    other.complete([*HELLO, *HELLO] if "messages" in difference else HELLO)
    assert len(server.requests) == 2


def test_what_is_forgotten_is_asked_again(ask: Ask) -> None:
    """An answer that made no sense does not stay."""
    model, server = ask(says("gibberish"), says("good day"))
    model.complete(HELLO)
    model.forget(HELLO)
    assert model.complete(HELLO) == "good day"
    assert len(server.requests) == 2


def test_without_a_cache_each_call_is_a_request(ask: Ask) -> None:
    """`cache=False` keeps nothing."""
    model, server = ask(says("good day"), cache=False)
    model.complete(HELLO)
    model.complete(HELLO)
    assert len(server.requests) == 2
    model.forget(HELLO)


FAULTS: dict[str, tuple[Behaviour, str, int]] = {
    # what the server does, what the error says, how many requests two attempts at most come to
    "silent": (stays_silent, "timeout", 2),
    "drips its headers": (drips(b"X-More: 1\r\n", b"HTTP/1.1 200 OK\r\n"), "timeout", 1),
    "drips its body": (drips(b" ", b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"), "timeout", 1),
    "drips a refusal": (drips(b" ", b"HTTP/1.1 500 Oh\r\nContent-Length: 100000\r\n\r\n"), "timeout", 1),
    "hangs up": (hangs_up, "no connection", 2),
    "drops in the middle": (drops, "no connection", 2),
    "too many requests": (refuses(429, "slow down", Retry_After="0"), "status 429: slow down", 2),
    "come back in an hour": (refuses(429, "slow down", Retry_After="3600"), "status 429: slow down", 1),
    "no credit left": (refuses(429, "pay", "insufficient_quota"), "status 429: pay", 2),
    "internal error": (refuses(500, "oh"), "status 500: oh", 2),
    "no such model": (refuses(404, "no toy here"), "status 404: no toy here", 1),
    "error page": (sends(b"<h1>Bad gateway</h1>" * 99_999, 502), "status 502: <h1>Bad gateway</h1>", 2),
    "error of no form": (sends(b'[{"error": 1}]', 400), "status 400", 1),
    "cut JSON": (sends(completion("good day")[:-9]), "no whole JSON", 1),
    "no JSON": (sends(b"<html>Welcome</html>"), "no whole JSON", 1),
    "no UTF-8": (sends(b'{"choices": "\xff\xfe"}'), "no whole JSON", 1),
    "deep JSON": (sends(b"[" * 100_000), "no whole JSON", 1),
    "another schema": (sends(b'{"answer": "good day"}'), "no chat completion", 1),
    "a list": (sends(b"[1, 2]"), "no chat completion", 1),
    "no choices": (sends(b'{"choices": []}'), "no chat completion", 1),
    "strange choices": (sends(b'{"choices": ["x"]}'), "no chat completion", 1),
    "null": (says(None), "empty", 1),
    "blank": (says(" \n"), "empty", 1),
    "cut at its tokens": (says("I think that", finish="length"), "cut off", 1),
    "a megabyte": (says("x" * 1_000_000), "more than 262,144 bytes", 1),
    "a megabyte in tiny tokens": (sends(b" " * 1_000_000), "more than 262,144 bytes", 1),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_ends_in_a_reason_after_a_bounded_number_of_requests(ask: Ask, fault: str) -> None:
    """No fault raises anything but `LanguageModelError`, asks more often than it may, or is kept as an answer."""
    behaviour, reason, requests = FAULTS[fault]
    quick = {"timeout": 0.3, "deadline": 1.5} if reason == "timeout" else {}
    model, server = ask(behaviour, attempts=2, **quick)
    with pytest.raises(LanguageModelError, match=reason) as caught:
        model.complete(HELLO)
    assert model.usage.requests == requests
    assert len(server.requests) == requests or reason == "timeout"  # then the server may not have seen them all
    assert len(str(caught.value)) < 300
    assert caught.value.__cause__ is caught.value.__context__ is None
    server.script[:] = [says("good day")]
    model.timeout = model.deadline = 20.0
    assert model.complete(HELLO) == "good day"


def test_nobody_listens() -> None:
    """A refused connection is repeated, then told."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    model = OpenAiModel("toy", base_url=f"http://127.0.0.1:{port}/v1", attempts=2)
    with pytest.raises(LanguageModelError, match=r"no connection .*asked 2 times"):
        model.complete(HELLO)


@pytest.mark.parametrize("fault", ["silent", "hangs up", "drops in the middle", "too many requests"])
def test_a_fault_that_passes_is_forgotten(ask: Ask, fault: str) -> None:
    """The second attempt's answer counts."""
    model, server = ask(FAULTS[fault][0], says("good day"), timeout=2.0)
    assert model.complete(HELLO) == "good day"
    assert len(server.requests) == 2
    assert model.usage.answers == 1


def test_a_server_that_fails_on_and_on_is_left_alone(ask: Ask) -> None:
    """After three calls without an answer no request is made for a while, so that many questions wait once."""
    model, server = ask(refuses(404), cache=False)
    reasons = []
    for _ in range(10):
        with pytest.raises(LanguageModelError) as caught:
            model.complete(HELLO)
        reasons.append(str(caught.value))
    assert len(server.requests) == 3
    assert all("not asked" in reason for reason in reasons[3:])


def test_unusable_answers_are_no_reason_to_leave_a_server_alone(ask: Ask) -> None:
    """A server that answers, if nonsense, is asked about the next question."""
    model, server = ask(says(""), cache=False)
    for _ in range(5):
        with pytest.raises(LanguageModelError, match="empty"):
            model.complete(HELLO)
    assert len(server.requests) == 5


def test_no_more_requests_at_once_than_allowed(ask: Ask) -> None:
    """Eight threads and a limit of two: two are served together, never three."""
    pairs = threading.Barrier(2, timeout=20)

    def meets_another(handler: Handler) -> None:
        pairs.wait()
        handler.send(completion("good day"))

    model, server = ask(meets_another, concurrency=2, timeout=30.0, deadline=60.0, cache=False)
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda _: model.complete(HELLO), range(8))) == ["good day"] * 8
    assert len(server.requests) == 8
    assert server.most_busy == 2


def test_waiting_for_others_ends_at_the_deadline(ask: Ask) -> None:
    """Who finds all places taken does not wait for ever."""
    model, server = ask(stays_silent, concurrency=1, timeout=20.0, deadline=20.0)

    def waits() -> None:
        with suppress(LanguageModelError):
            model.complete(HELLO)

    first = threading.Thread(target=waits, daemon=True)
    first.start()
    while not server.requests:
        time.sleep(0.01)
    model.deadline = 0.1
    with pytest.raises(LanguageModelError, match="1 other requests"):
        model.complete(HELLO)
    server.stopping.set()
    first.join(20)


def test_it_works_beside_an_event_loop(ask: Ask) -> None:
    """A notebook has one of its own."""
    import asyncio

    model, _ = ask(says("good day"), cache=False)

    async def inside() -> str:
        return model.complete(HELLO)

    assert asyncio.run(inside()) == "good day"


def test_a_forked_child_asks_on_connections_of_its_own(ask: Ask) -> None:
    """The child has no thread of its parent; it is answered, and its end leaves the parent's connection alone."""
    import multiprocessing

    if "fork" not in multiprocessing.get_all_start_methods():
        pytest.skip("this system does not fork")
    model, server = ask(says("good day"), cache=False, attempts=1, timeout=40.0, deadline=50.0)  # of a large process
    assert model.complete(HELLO) == "good day"

    def work() -> None:
        assert model.complete(HELLO) == "good day"

    child = multiprocessing.get_context("fork").Process(target=work)
    child.start()
    child.join(60)
    assert child.exitcode == 0
    assert model.complete(HELLO) == "good day"
    assert len(server.requests) == 3


def test_settings_come_from_the_environment(serve: Callable[..., ChatServer], monkeypatch: pytest.MonkeyPatch) -> None:
    """Model, address and key may be the environment's; the key goes into its header."""
    server = serve(says("good day"))
    monkeypatch.setenv("OPENAI_BASE_URL", server.url + "/")
    monkeypatch.setenv("OPENAI_MODEL", "toy")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-environment")
    assert OpenAiModel(cache=False).complete(HELLO) == "good day"
    assert OpenAiModel(cache=False, api_key="").complete(HELLO) == "good day"
    sent = [request["headers"]["authorization"] for request in server.requests]
    assert sent == ["Bearer sk-of-the-environment", "Bearer none"]
    assert server.requests[0]["body"]["model"] == "toy"


def test_openai_itself_is_asked_only_by_who_has_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without an address and without a key nothing is guessed."""
    with pytest.raises(LanguageModelError, match="OPENAI_BASE_URL"):
        OpenAiModel("toy")
    with pytest.raises(LanguageModelError, match="no server"):
        OpenAiModel("toy", base_url="")
    assert OpenAiModel("toy", api_key="sk-1234").base_url == "https://api.openai.com/v1"


@pytest.mark.parametrize(
    ("options", "fact"),
    [
        ({"model": " "}, "OPENAI_MODEL"),
        ({"model": None}, "OPENAI_MODEL"),
        ({"timeout": 0}, "timeout is 0"),
        ({"deadline": float("nan")}, "deadline is nan"),
        ({"attempts": 0}, "attempts is 0"),
        ({"attempts": 1.5}, "attempts is 1.5"),
        ({"concurrency": 0}, "concurrency is 0"),
        ({"limit": True}, "limit is True"),
        ({"parameters": {"stream": True}}, "stream"),
        ({"base_url": "localhost:8000/v1"}, "no http or https"),
    ],
)
def test_settings_that_cannot_be_used_are_said_at_once(options: dict, fact: str) -> None:
    """A wrong number, a missing name or address is an error when the model is made, not at the first question."""
    with pytest.raises(LanguageModelError, match=fact):
        OpenAiModel(**({"model": "toy", "base_url": "http://127.0.0.1:1/v1"} | options))


def test_a_missing_package_is_said_with_its_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without `openai` the error names the extra."""
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(LanguageModelError, match=r"jar-rerank\[llm\]"):
        OpenAiModel("toy", base_url="http://127.0.0.1:1/v1")


def test_the_client_is_imported_when_a_server_is_asked() -> None:
    """Importing `jar.language` and making a model load no client."""
    code = (
        "import sys, jar.language as language\n"
        "language.OpenAiModel('toy', base_url='http://127.0.0.1:1/v1')\n"
        "print([name for name in ('openai', 'httpx', 'httpx2', 'pydantic') if name in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(shown.stdout) == []
