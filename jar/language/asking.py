"""Questions to a language model, and the reason where nothing useful came back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from jar.errors import JarError, LanguageModelError
from jar.language.model import LanguageModel, Message

__all__ = ["ask", "ask_all"]

Asked = TypeVar("Asked")
Part = TypeVar("Part")
Answer = TypeVar("Answer")

EXCERPT = 60
"""Characters of a senseless answer that are shown."""


def ask(
    model: LanguageModel, messages: Sequence[Message], read: Callable[[str], Sequence[Part]]
) -> tuple[Sequence[Part], str]:
    """Complete a conversation and read the answer.

    Parameters
    ----------
    read : callable
        From an answer to what it holds; nothing, or a `JarError`, where it makes no sense.

    Returns
    -------
    (parts, reason)
        What the answer holds, or nothing and why: no exception of a model ends a ranking.
    """
    try:
        answer = model.complete(messages)
    except LanguageModelError as error:
        return (), str(error)
    except Exception as error:  # a model of the caller's may raise anything, and its words may quote a key
        return (), type(error).__name__
    if not isinstance(answer, str):
        return (), f"it returned {type(answer).__name__} and no text"
    try:
        parts = read(answer)
    except JarError:
        parts = ()
    if parts:
        return parts, ""
    _forget(model, messages)
    return (), f"its answer makes no sense: {_excerpt(answer)}"


def ask_all(model: LanguageModel, call: Callable[[Asked], Answer], questions: Sequence[Asked]) -> list[Answer]:
    """Call for each question, as many at once as the model says it takes (``concurrency``, else 1); in their order."""
    workers = min(getattr(model, "concurrency", 1), len(questions))
    if workers < 2:
        return [call(question) for question in questions]
    with ThreadPoolExecutor(workers, thread_name_prefix="jar-language") as pool:
        return list(pool.map(call, questions))


def _forget(model: LanguageModel, messages: Sequence[Message]) -> None:
    forget = getattr(model, "forget", None)
    if callable(forget):
        with suppress(Exception):  # it is asked again at worst
            forget(messages)


def _excerpt(answer: str) -> str:
    line = " ".join("".join(character if character.isprintable() else " " for character in answer[:1000]).split())
    return f'"{line}"' if len(line) <= EXCERPT else f'"{line[:EXCERPT]}..."'
