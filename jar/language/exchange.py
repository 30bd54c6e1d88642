"""One request to a server that speaks OpenAI's protocol, and what came back: an answer, or why there is none.

The maintained client sends the request. What it returns is not trusted: the answer is read piece by piece up to a
limit, and nothing of a response is taken on faith. No exception leaves this module, since the client's own carry the
request and its headers; what leaves is a `Failure` in words.
"""

from __future__ import annotations

import asyncio
import email.utils
import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

from jar.language.credentials import Secret
from jar.language.event_loop import submit
from jar.language.model import Message
from jar.language.patience import Failure, Reply

__all__ = ["Exchange", "read_reply", "retry_after"]

TRANSIENT = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Statuses after which the same request may succeed."""

ERROR_BYTES = 4096
"""So much of a refusal is read."""

ERROR_CHARACTERS = 200
"""So much of a refusal's text is repeated."""

NO_KEY = "none"
"""Sent where there is no key, because the client insists on one; a server without keys does not look at it."""


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
        self._client: Any = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def ask(
        self, model: str, messages: Sequence[Message], parameters: Mapping[str, Any], seconds: float
    ) -> Reply | Failure:
        """Send one request; of `seconds` only the client's own timeout is set here."""
        try:
            data = await self._send(model, messages, parameters, seconds)
        except Exception as error:  # the client's, and those of the transport below it, which it does not wrap
            return self._failure(error, seconds)
        return read_reply(data, self.key)

    async def _send(
        self, model: str, messages: Sequence[Message], parameters: Mapping[str, Any], seconds: float
    ) -> bytes:
        completions: Any = self._open().chat.completions.with_streaming_response
        request = completions.create(
            model=model,
            messages=[dict(message) for message in messages],
            extra_body=dict(parameters),
            timeout=seconds,
        )
        async with request as response:
            return await _read(response.iter_bytes(), self.limit)

    def _open(self) -> Any:
        """The client, made in the loop that uses it; another process has another loop."""
        import openai

        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            self._loop = loop
            self._client = openai.AsyncOpenAI(
                base_url=self.base_url,
                api_key=self.key.reveal() or NO_KEY,
                max_retries=0,
                http_client=openai.DefaultAsyncHttpxClient(event_hooks={"response": [_stop_at_error]}),
            )
        return self._client

    def close(self) -> None:
        """Close the connections, without waiting for it."""
        client, self._client = self._client, None
        if client is not None and self._loop is not None:
            submit(client.close, self._loop)

    def _failure(self, error: Exception, seconds: float) -> Failure:
        import openai

        for cause in (error, error.__cause__):
            if isinstance(cause, _RefusedError):
                return _refusal(cause, self.key)
            if isinstance(cause, _TooLongError):
                return Failure(f"the answer has more than {self.limit:,} bytes", answered=True)
        if isinstance(error, openai.APITimeoutError):
            return Failure(timeout_reason(seconds), transient=True)
        # Words of the transport may quote the request; the kind of the error says enough.
        kind = type(error.__cause__ or error).__name__
        connected = not isinstance(error, openai.APIConnectionError)
        return Failure(f"{'the connection broke' if connected else 'no connection'} ({kind})", transient=True)


def timeout_reason(seconds: float) -> str:
    """What a failure says when the time is over."""
    return f"timeout: no whole answer in {seconds:.3g} s"


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
        return Failure("the answer is no whole JSON document", transient=True)
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


def retry_after(value: str | None, now: float) -> float | None:
    """Seconds that a ``Retry-After`` header asks for, a number or a date (RFC 9110, 10.2.3); None without sense.

    Parameters
    ----------
    now : float
        Seconds since 1970.
    """
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(value).timestamp() - now
        except (TypeError, ValueError, OverflowError):
            return None
    return max(seconds, 0.0) if seconds == seconds else None  # NaN parses as a number


class _RefusedError(Exception):
    """A response with a status of 400 or more, with as much of its body as is worth reading."""

    def __init__(self, status: int, wait: float | None, body: bytes) -> None:
        super().__init__(status)
        self.status = status
        self.wait = wait
        self.body = body


class _TooLongError(Exception):
    """A body beyond the limit."""


async def _stop_at_error(response: Any) -> None:
    """Read the start of a refusal; the client would read all of it, however long."""
    if response.status_code < 400:
        return
    body = bytearray()
    async for piece in response.aiter_bytes():
        body += piece
        if len(body) >= ERROR_BYTES:
            break
    wait = retry_after(response.headers.get("retry-after"), time.time())
    raise _RefusedError(response.status_code, wait, bytes(body[:ERROR_BYTES]))


async def _read(pieces: Any, limit: int) -> bytes:
    body = bytearray()
    async for piece in pieces:
        body += piece
        if len(body) > limit:
            raise _TooLongError
    return bytes(body)


def _refusal(refused: _RefusedError, key: Secret) -> Failure:
    text, code = _refusal_text(refused.body)
    # Masked before it is cut, lest half a key remain.
    text = "".join(character if character.isprintable() else " " for character in key.mask(text))
    said = " ".join(text.split())[:ERROR_CHARACTERS]
    transient = refused.status in TRANSIENT and code != "insufficient_quota"  # a 429 that no wait mends
    reason = f"status {refused.status}{': ' if said else ''}{said}"
    return Failure(reason, transient, retry_after=refused.wait)


def _refusal_text(body: bytes) -> tuple[str, object]:
    """What a refusal says, and its code: ``{"error": {"message", "code"}}`` as OpenAI has it, or any text."""
    text = body.decode("utf-8", "replace")
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return text, None
    error = document.get("error", document) if isinstance(document, dict) else document
    if isinstance(error, dict):
        message = error.get("message", error.get("detail", ""))
        return (message if isinstance(message, str) else ""), error.get("code")
    return (error if isinstance(error, str) else ""), None


def _count(usage: object, name: str) -> int:
    count = usage.get(name) if isinstance(usage, dict) else None
    return count if isinstance(count, int) and not isinstance(count, bool) and count > 0 else 0
