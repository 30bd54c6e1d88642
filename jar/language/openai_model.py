"""`OpenAiModel`: any server that speaks OpenAI's protocol, from a laptop's own to a cloud's."""

from __future__ import annotations

import importlib.util
import os
import threading
import time
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from jar.errors import LanguageModelError
from jar.language.cache import AnswerCache, answer_key, default_folder
from jar.language.credentials import Secret, check_base_url
from jar.language.event_loop import run_within
from jar.language.exchange import Exchange, timeout_reason
from jar.language.model import Message, Usage
from jar.language.patience import CircuitBreaker, Failure, Patience, Reply, persist

__all__ = ["INSTALL", "OpenAiModel"]

INSTALL = 'pip install "jar-rerank[llm]"'

OPENAI = "https://api.openai.com/v1"

PARAMETERS: Mapping[str, Any] = {"temperature": 0, "max_tokens": 4096}
"""Sent with every request: the likeliest answer, and room for models that think aloud first."""

LIMIT = 256 * 1024
"""Bytes of an answer, its JSON included; the answers that are asked for have a few hundred."""


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
        Seconds for one request, and for one call of `complete` with all its requests and waits.
    attempts : int
        Requests at most of one call. Refusals that may pass (status 429, 5xx), timeouts and broken connections are
        repeated after a wait that doubles, or that the server asks for.
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
        self.patience = Patience(attempts=attempts, timeout=timeout, deadline=deadline)
        self.concurrency = _whole(concurrency, "concurrency")
        self._exchange = Exchange(self.base_url, key, _whole(limit, "limit"))
        self._cache = _cache(cache)
        self._slots = threading.BoundedSemaphore(self.concurrency)
        self._breaker = CircuitBreaker()
        self._usage = Usage()
        self._lock = threading.Lock()
        weakref.finalize(self, self._exchange.close).atexit = False

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
            times = "" if outcome.attempts < 2 else f" (asked {outcome.attempts} times)"
            raise LanguageModelError(f"{outcome.reason}{times}")
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
        import openai  # noqa: F401 - its first import takes seconds, which are not the server's

        rest = self._breaker.closed_for()
        if rest > 0:
            return Failure(f"not asked: calls failed in a row, the next one is made in {rest:.0f} s", attempts=0)
        started = time.monotonic()
        if not self._slots.acquire(timeout=self.patience.deadline):
            return Failure(f"timeout: {self.concurrency} other requests were under way all the time", attempts=0)
        try:
            left = max(self.patience.deadline - (time.monotonic() - started), 0.001)
            outcome = persist(lambda seconds: self._attempt(messages, seconds), replace(self.patience, deadline=left))
        finally:
            self._slots.release()
        self._breaker.record(isinstance(outcome, Reply) or outcome.answered)
        return outcome

    def _attempt(self, messages: Sequence[Message], seconds: float) -> Reply | Failure:
        request = self._exchange.ask(self.name, messages, self.parameters, seconds)
        try:
            outcome = run_within(request, seconds)
        except TimeoutError:
            outcome = Failure(timeout_reason(seconds), transient=True)
        if isinstance(outcome, Reply):
            self._count(
                requests=1,
                answers=1,
                prompt_tokens=outcome.prompt_tokens,
                completion_tokens=outcome.completion_tokens,
            )
        else:
            self._count(requests=1)
        return outcome

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


def _cache(cache: bool | str | Path) -> AnswerCache | None:
    if cache is False:
        return None
    folder = default_folder() if cache is True else Path(cache)
    return None if folder is None else AnswerCache(folder)
