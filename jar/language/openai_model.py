"""`OpenAiModel`: any server that speaks OpenAI's protocol, from a laptop's own to a cloud's."""

from __future__ import annotations

import importlib.util
import math
import os
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from jar.errors import LanguageModelError
from jar.language.cache import FOLDER, AnswerCache, answer_key
from jar.language.credentials import Secret, check_base_url
from jar.language.exchange import Exchange, Failure, Reply
from jar.language.model import Message, Usage
from jar.user_cache import user_cache

__all__ = ["INSTALL", "OpenAiModel"]

INSTALL = 'pip install "jar-rerank[llm]"'

OPENAI = "https://api.openai.com/v1"

PARAMETERS: Mapping[str, Any] = {"temperature": 0, "max_tokens": 4096}
"""Sent with every request: the likeliest answer, and room for models that think aloud first."""

LIMIT = 256 * 1024
"""Bytes of an answer, its JSON included; the answers that are asked for have a few hundred."""

FAILURES = 3
"""Calls in a row without an answer, after which a server is left alone for `REST` seconds."""

REST = 30.0


class OpenAiModel:
    """A language model behind an OpenAI-compatible server (vLLM, llama.cpp, Ollama, LM Studio, OpenAI, ...).

    Needs the package ``openai``. Calls may come from many threads at once. Only the messages, the model's name and the
    parameters are sent, and the key, in its header; the key is in no text that this object shows, writes or raises.

    Parameters
    ----------
    model : str, optional
        Name of the model as the server knows it; by default ``OPENAI_MODEL``.
    base_url : str, optional
        Address of the server with its path, such as "http://localhost:8000/v1"; by default ``OPENAI_BASE_URL``, or
        OpenAI's own where there is a key.
    api_key : str, optional
        By default ``OPENAI_API_KEY``; "" sends none, as a local server needs none.
    parameters : mapping, optional
        Further fields of the request, over `PARAMETERS`; None takes one out, as in ``{"temperature": None}`` for
        models that refuse it.
    timeout, deadline : float
        Seconds without a byte after which a request is given up, and seconds for one call of `complete` with all its
        requests and waits.
    attempts : int
        Requests at most of one call. The client repeats refusals that may pass (status 408, 409, 429, 5xx), timeouts
        and broken connections after a wait that doubles, or that the server asks for.
    concurrency : int
        Requests under way at once.
    cache : bool or path
        Where answers are kept: the user's cache folder (True), nowhere (False), or a folder.
    limit : int
        Bytes of an answer at most.

    Attributes
    ----------
    name : str
        The model's name.

    Raises
    ------
    LanguageModelError
        When the package, a model or a server is missing, or a number cannot be used.
    """

    def __init__(
        self,
        model: str | None = None,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        parameters: Mapping[str, Any] | None = None,
        timeout: float = 30.0,
        deadline: float = 60.0,
        attempts: int = 3,
        concurrency: int = 4,
        cache: bool | str | Path = True,
        limit: int = LIMIT,
    ) -> None:
        if importlib.util.find_spec("openai") is None:
            raise LanguageModelError(f"a language model's server is reached by the package openai: {INSTALL}")
        key = Secret(os.environ.get("OPENAI_API_KEY", "") if api_key is None else api_key)
        self.name = _model(model)
        self.base_url = _address(base_url, key)
        self.parameters = _parameters(parameters)
        self.attempts = _whole(attempts, "attempts")
        self.timeout = _seconds(timeout, "timeout")
        self.deadline = _seconds(deadline, "deadline")
        self.concurrency = _whole(concurrency, "concurrency")
        self._exchange = Exchange(self.base_url, key, _whole(limit, "limit"))
        self._cache = _cache(cache)
        self._slots = threading.BoundedSemaphore(self.concurrency)
        self._failures = 0
        self._rests_until = -math.inf
        self._usage = Usage()
        self._lock = threading.Lock()

    def complete(self, messages: Sequence[Message]) -> str:
        """The model's answer, from the cache or the server.

        Raises
        ------
        LanguageModelError
            When there is none in time; the message says why, and what was tried.
        """
        key = self._key(messages)
        kept = None if self._cache is None else self._cache.get(key)
        if kept is not None:
            self._count(cached=1)
            return kept
        outcome = self._ask(messages)
        if isinstance(outcome, Failure):
            raise LanguageModelError(outcome.reason)
        if self._cache is not None:
            self._cache.put(key, outcome.text)
        return outcome.text

    def forget(self, messages: Sequence[Message]) -> None:
        """Drop the kept answer to these messages, because it made no sense."""
        if self._cache is not None:
            self._cache.forget(self._key(messages))

    @property
    def usage(self) -> Usage:
        """Requests, answers and tokens since the model was made."""
        return self._usage

    def __repr__(self) -> str:
        return f"OpenAiModel({self.name!r}, base_url={self.base_url!r})"

    def _ask(self, messages: Sequence[Message]) -> Reply | Failure:
        """Ask the server, unless it rests or all places are taken until the deadline."""
        import openai  # noqa: F401 - its first import takes seconds, which are not the server's

        started = time.monotonic()
        rest = self._rests_until - started
        if rest > 0:
            return Failure(f"not asked: calls failed in a row, the next one is made in {rest:.0f} s")
        if not self._slots.acquire(timeout=self.deadline):
            return Failure(f"timeout: {self.concurrency} other requests were under way all the time")
        try:
            left = max(self.deadline - (time.monotonic() - started), 0.001)
            outcome, requests = self._exchange.ask(
                self.name,
                messages,
                self.parameters,
                attempts=self.attempts,
                timeout=self.timeout,
                deadline=left,
            )
        finally:
            self._slots.release()
        self._record(outcome, requests)
        times = f" (asked {requests} times)" if requests > 1 else ""
        return outcome if isinstance(outcome, Reply) else replace(outcome, reason=outcome.reason + times)

    def _record(self, outcome: Reply | Failure, requests: int) -> None:
        """Count a call; after several in a row without an answer the server is left alone for a while."""
        if isinstance(outcome, Reply):
            tokens = {"prompt_tokens": outcome.prompt_tokens, "completion_tokens": outcome.completion_tokens}
            self._count(requests=requests, answers=1, **tokens)
        else:
            self._count(requests=requests)
        with self._lock:
            self._failures = 0 if isinstance(outcome, Reply) or outcome.answered else self._failures + 1
            self._rests_until = time.monotonic() + REST if self._failures >= FAILURES else -math.inf

    def _count(self, **more: int) -> None:
        with self._lock:
            self._usage = replace(self._usage, **{name: getattr(self._usage, name) + n for name, n in more.items()})

    def _key(self, messages: Sequence[Message]) -> str:
        return answer_key((self.base_url, self.name), self.parameters, messages)


def _model(model: str | None) -> str:
    name = os.environ.get("OPENAI_MODEL", "") if model is None else model
    if not isinstance(name, str) or not name.strip():
        raise LanguageModelError("name the language model, as its server knows it, or set OPENAI_MODEL")
    return name.strip()


def _address(base_url: str | None, key: Secret) -> str:
    address = os.environ.get("OPENAI_BASE_URL", "").strip() if base_url is None else base_url
    if not address and base_url is None and key:
        address = OPENAI
    if not address:
        raise LanguageModelError(
            'no server: give base_url= or set OPENAI_BASE_URL, such as "http://localhost:8000/v1"; '
            "or set OPENAI_API_KEY for OpenAI's own"
        )
    return check_base_url(address)


def _parameters(given: Mapping[str, Any] | None) -> dict[str, Any]:
    merged = {**PARAMETERS, **(given or {})}
    taken = sorted({"model", "messages", "stream"} & merged.keys())
    if taken:
        raise LanguageModelError(f"parameters= holds {', '.join(taken)}, which the request itself sets: leave it out")
    return {name: value for name, value in merged.items() if value is not None}


def _whole(number: int, name: str) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise LanguageModelError(f"{name} is {number!r}: give a whole number from 1")
    return number


def _seconds(seconds: float, name: str) -> float:
    if not isinstance(seconds, (int, float)) or not math.isfinite(seconds) or seconds <= 0:
        raise LanguageModelError(f"{name} is {seconds!r}: give a number of seconds above 0")
    return seconds


def _cache(cache: bool | str | Path) -> AnswerCache | None:
    if cache is False:
        return None
    folder = user_cache(FOLDER) if cache is True else Path(cache)
    return None if folder is None else AnswerCache(folder)
