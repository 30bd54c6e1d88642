"""`PromptedModel`: a language model that is asked about questions, and whatever stands in for it where it fails."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from jar.language.asking import ask_all
from jar.language.model import LanguageModel, Message
from jar.language.prompts import Example

__all__ = ["PromptedModel"]

Part = TypeVar("Part")
Answer = TypeVar("Answer")


class PromptedModel(ABC, Generic[Part, Answer]):
    """Asks a language model about one question at a time.

    What is sent is the question and nothing else, unless `context` adds to it; `messages` shows it.

    Parameters
    ----------
    model : LanguageModel
    context : callable, optional
        ``question -> text`` of what the model may know of the tables; see `SchemaContext`.
    fallback : callable, optional
        ``question -> parts`` where the model gives none; by default the one that needs no model.
    examples : callable, optional
        ``question -> cases`` that the model is shown in place of those over the sample lake, such as
        `jar.examples.Demonstrations`.
    """

    def __init__(
        self,
        model: LanguageModel,
        *,
        context: Callable[[str], str] | None = None,
        fallback: Callable[[str], Sequence[Part]] | None = None,
        examples: Callable[[str], Sequence[Example]] | None = None,
    ) -> None:
        self.model = model
        self.context = context
        self.fallback = fallback or self._without_model
        self.examples = examples

    def messages(self, question: str) -> list[Message]:
        """What the model is sent for a question, to the letter."""
        examples = self.examples(question) if self.examples else ()
        return self._conversation(question, self.context(question) if self.context else "", examples)

    @abstractmethod
    def __call__(self, question: str) -> Answer:
        """The answer to one question."""

    def many(self, questions: Sequence[str]) -> list[Answer]:
        """The answers to several questions, as many asked at once as the model allows (its ``concurrency``)."""
        return ask_all(self.model, self, questions)

    @abstractmethod
    def _conversation(self, question: str, tables: str, examples: Sequence[Example]) -> list[Message]:
        """The messages for a question, what the model may know of the tables, and the examples that it is shown."""

    @abstractmethod
    def _without_model(self, question: str) -> Sequence[Part]:
        """What a question gives without a model."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.model!r})"
