"""`LlmDecomposer`: sub-queries by a language model, and without it where it does not answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jar.language.asking import ask, ask_all
from jar.language.model import LanguageModel, Message, model_name
from jar.language.parsing import parse_subqueries
from jar.language.prompts import Example, decomposition_messages
from jar.text.decomposition import Decomposition, decompose

__all__ = ["LlmDecomposer"]


class LlmDecomposer:
    """Takes questions apart with a language model.

    What is sent is the question and nothing else, unless `context` adds to it; `messages` shows it. A model that
    fails, times out or answers nonsense is replaced, for that question, by `fallback`; the result says so.

    Parameters
    ----------
    model : LanguageModel
    context : callable, optional
        ``question -> text`` of what the model may know of the tables; see `SchemaContext`.
    fallback : callable
        ``question -> sub-queries`` where the model gives none; `jar.text.decomposition.decompose` by default.
    examples : callable, optional
        ``question -> cases`` that the model is shown in place of those over the sample lake, such as
        `jar.examples.Demonstrations`.
    """

    def __init__(
        self,
        model: LanguageModel,
        *,
        context: Callable[[str], str] | None = None,
        fallback: Callable[[str], Sequence[str]] = decompose,
        examples: Callable[[str], Sequence[Example]] | None = None,
    ) -> None:
        self.model = model
        self.context = context
        self.fallback = fallback
        self.examples = examples

    def messages(self, question: str) -> list[Message]:
        """What the model is sent for a question, to the letter."""
        examples = self.examples(question) if self.examples else ()
        return decomposition_messages(question, self.context(question) if self.context else "", examples)

    def __call__(self, question: str) -> Decomposition:
        """Sub-queries of a question, each "concept:attribute" or "concept"; an empty question has none."""
        if not question.strip():
            return Decomposition([], "default")
        name = model_name(self.model)
        subqueries, reason = ask(self.model, self.messages(question), parse_subqueries)
        if subqueries:
            return Decomposition(subqueries, f"llm:{name}")
        return Decomposition(
            self.fallback(question),
            f"default ({name} failed: {reason})",
            note=f"the language model {name!r} gave no sub-queries ({reason}); those without a model are used",
        )

    def many(self, questions: Sequence[str]) -> list[Decomposition]:
        """Sub-queries of several questions, as many asked at once as the model allows (its ``concurrency``)."""
        return ask_all(self.model, self, questions)

    def __repr__(self) -> str:
        return f"LlmDecomposer({self.model!r})"
