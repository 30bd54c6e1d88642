"""What a language model is to this package: messages in, text out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

__all__ = ["LanguageModel", "Message", "Usage", "model_name"]

Message = Mapping[str, str]
"""``{"role": "system" | "user" | "assistant", "content": text}``."""


@runtime_checkable
class LanguageModel(Protocol):
    """Anything with a `complete`: a server's client, a local model, a function of a test in a class.

    Two more attributes are used where they exist: ``name`` (str), by which results say who was asked, and
    ``forget(messages)``, which is called when an answer made no sense and shall not be kept.
    """

    def complete(self, messages: Sequence[Message]) -> str:
        """The answer to a conversation.

        Raises
        ------
        LanguageModelError
            When there is none. Any other exception counts as a failure too.
        """


@dataclass(frozen=True)
class Usage:
    """What a model was asked and what its server counted, since the model was made.

    Attributes
    ----------
    requests : int
        Requests sent, repeated ones included.
    answers : int
        Answers that came from the server.
    cached : int
        Answers that came from the cache, without a request.
    prompt_tokens, completion_tokens : int
        As the server counts them; a server that does not say adds nothing.
    """

    requests: int = 0
    answers: int = 0
    cached: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


def model_name(model: object) -> str:
    """By what name results speak of a model: its ``name``, else that of its class."""
    name = getattr(model, "name", None)
    return name if isinstance(name, str) and name else type(model).__name__
