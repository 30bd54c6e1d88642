"""`LlmDecomposer`: sub-queries by a language model, and without it where it does not answer."""

from __future__ import annotations

from collections.abc import Sequence

from jar.language.asking import ask
from jar.language.model import Message, model_name
from jar.language.parsing import parse_subqueries
from jar.language.prompted import PromptedModel
from jar.language.prompts import Example, decomposition_messages
from jar.text.decomposition import Decomposition, decompose

__all__ = ["LlmDecomposer"]


class LlmDecomposer(PromptedModel[str, Decomposition]):
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

    def _conversation(self, question: str, tables: str, examples: Sequence[Example]) -> list[Message]:
        return decomposition_messages(question, tables, examples)

    def _without_model(self, question: str) -> list[str]:
        return decompose(question)
