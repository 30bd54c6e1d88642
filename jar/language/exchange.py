"""One question to a server that speaks OpenAI's protocol, and what came back: an answer, or why there is none.

The official client sends the request and repeats it where that may help. No exception leaves this module, since the
client's own carry the request and its headers; what leaves is a `Failure` in words.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Coroutine, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass
from typing import Any

from jar.language.credentials import Secret
from jar.language.model import Message

__all__ = ["Exchange", "Failure", "Reply", "read_reply"]

ERROR_CHARACTERS = 200
"""Characters of a refusal's text that are repeated."""

NO_KEY = "none"
"""Sent where there is no key, because the client insists on one; a server without keys does not look at it."""

LONGEST_WAIT = 10
"""Seconds at most that a server may ask to wait (``Retry-After``); one that asks for more is not asked again."""

GRACE = 0.25
"""Seconds after the deadline in which a request may still be cancelled in an orderly way."""


@dataclass(frozen=True)
class Reply:
    """An answer, and the tokens that the server counted."""

    text: str
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True)
class Failure:
    """Why there is no answer, in words without any key, and whether the server did answer, only unusably."""

    reason: str
    answered: bool = False


class Exchange:
    """Requests to one server.

    Parameters
    ----------
    base_url : str
    key : Secret
    limit : int
        Bytes of an answer at most.
    """

    def __init__(self, base_url: str, key: Secret, limit: int) -> None:
        self.base_url = base_url
        self.key = key
        self.limit = limit

    def ask(
        self,
        model: str,
        messages: Sequence[Message],
        parameters: Mapping[str, Any],
        *,
        attempts: int,
        timeout: float,
        deadline: float,
    ) -> tuple[Reply | Failure, int]:
        """Ask once, with as many requests as it takes.

        Parameters
        ----------
        attempts : int
            Requests at most.
        timeout : float
            Seconds without a byte after which a request is given up and repeated.
        deadline : float
            Seconds after which everything is over, whatever the server does.

        Returns
        -------
        (outcome, requests)
            The answer, or why there is none; and how many requests were sent.
        """
        import openai

        sent: list[None] = []

        async def count(request: object) -> None:
            sent.append(None)

        hooks: dict[str, list[Any]] = {"request": [count], "response": [_refuse_long_wait]}

        async def send() -> bytes:
            client = openai.AsyncOpenAI(
                base_url=self.base_url,
                api_key=self.key.reveal() or NO_KEY,
                max_retries=attempts - 1,
                timeout=timeout,
                http_client=openai.DefaultAsyncHttpxClient(event_hooks=hooks),
            )
            completions: Any = client.chat.completions.with_raw_response
            asked = [dict(message) for message in messages]
            async with client:
                response = await completions.create(model=model, messages=asked, extra_body=dict(parameters))
            return bytes(response.content)

        try:
            data = _run_within(send(), deadline)
        except TimeoutError:
            return Failure(f"timeout: no whole answer in {deadline:.3g} s"), len(sent)
        except Exception as error:  # the client's, and those of the transport below it, which it does not wrap
            return self._failure(error, timeout), len(sent)
        if len(data) > self.limit:
            return Failure(f"the answer has more than {self.limit:,} bytes", answered=True), len(sent)
        return read_reply(data, self.key), len(sent)

    def _failure(self, error: Exception, timeout: float) -> Failure:
        import openai

        if isinstance(error, openai.APIStatusError):
            return Failure(f"status {error.status_code}{self._refusal(error.body)}")
        if isinstance(error, openai.APITimeoutError):
            return Failure(f"timeout: no answer in {timeout:.3g} s")
        # Words of the transport may quote the request; the kind of the error says enough.
        return Failure(f"no connection ({type(error.__cause__ or error).__name__})")

    def _refusal(self, body: object) -> str:
        """What a server says when it refuses: ``{"message": ...}`` as OpenAI has it, or any text."""
        said = body.get("message", body.get("detail", body.get("error"))) if isinstance(body, dict) else body
        # Masked before it is cut, lest half a key remain.
        text = self.key.mask(said) if isinstance(said, str) else ""
        line = " ".join("".join(character if character.isprintable() else " " for character in text).split())
        return f": {line[:ERROR_CHARACTERS]}" if line else ""


async def _refuse_long_wait(response: Any) -> None:
    """Tell the client not to ask again where the server wants a long wait; it would wait for up to two minutes."""
    wait = response.headers.get("retry-after", "")
    if wait.isdigit() and int(wait) > LONGEST_WAIT:
        response.headers["x-should-retry"] = "false"


def _run_within(coroutine: Coroutine[Any, Any, bytes], seconds: float) -> bytes:
    """Run a coroutine in a thread of its own and wait for its result, but no longer than so many seconds.

    The client's timeouts count from one piece of an answer to the next, so a server that sends a byte now and then
    never meets one. A thread of its own works inside notebooks, which have an event loop, and after a fork.

    Raises
    ------
    TimeoutError
        When there is no result in time.
    """
    result: Future[bytes] = Future()

    def work() -> None:
        try:
            result.set_result(asyncio.run(asyncio.wait_for(coroutine, seconds)))
        except BaseException as error:
            result.set_exception(error)

    threading.Thread(target=work, name="jar-language", daemon=True).start()
    try:
        return result.result(seconds + GRACE)
    except (asyncio.TimeoutError, FutureTimeoutError):  # other classes than TimeoutError before Python 3.11
        raise TimeoutError from None


def read_reply(data: bytes, key: Secret) -> Reply | Failure:
    """The text and the token counts of a chat completion, or what is wrong with it.

    Parameters
    ----------
    data : bytes
        Body of a response with a status of success.
    key : Secret
        Masked in the text, where a server repeats it.
    """
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return Failure("the answer is no whole JSON document")
    try:
        choice = document["choices"][0]
        content = choice["message"]["content"]
    except (KeyError, IndexError, TypeError):
        return Failure("the answer is no chat completion: it has no choices[0].message.content", answered=True)
    if isinstance(content, list):  # some servers send the text in parts
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "".join(part for part in parts if isinstance(part, str))
    if choice.get("finish_reason") == "length":
        return Failure("the answer was cut off at its limit of tokens: raise it in parameters=", answered=True)
    if not isinstance(content, str) or not content.strip():
        return Failure("the answer is empty", answered=True)
    usage = document.get("usage")
    return Reply(key.mask(content), _count(usage, "prompt_tokens"), _count(usage, "completion_tokens"))


def _count(usage: object, name: str) -> int:
    count = usage.get(name) if isinstance(usage, dict) else None
    return count if isinstance(count, int) and not isinstance(count, bool) and count > 0 else 0
