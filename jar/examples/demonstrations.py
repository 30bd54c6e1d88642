"""`Demonstrations`: the cases of all prompts, made of the examples that fit a question."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jar.examples.example import FoundExample
from jar.language.prompts import Example as Case
from jar.language.prompts import RewriteExample
from jar.text.decomposition import MAXIMUM
from joinability.spelling.vocabulary import plain_words

__all__ = ["Demonstrations"]

CASES = 4
"""Cases of a prompt; as many as those over the sample lake, whose place they take."""


class Demonstrations:
    """What a language model is shown of a store: a function from a question to the cases of its prompt.

    A case has the words of a question, the names of the tables and columns that its SQL uses, and no value unless the
    retriever shows these. ``LlmDecomposer(model, examples=shown)`` takes sub-queries of it,
    ``SchemaHallucinator(model, examples=shown)`` schemas, ``LlmRewriter(model, fallback, examples=shown.rewrites)``
    found and missing tables. Where no example can be shown, the prompts keep their own cases.

    Parameters
    ----------
    retriever : callable
        ``(question, k) -> examples``, such as `StructureExamples(store)`.
    count : int
        Cases of a prompt.
    """

    def __init__(self, retriever: Callable[[str, int], Sequence[FoundExample]], *, count: int = CASES) -> None:
        self.retriever, self.count = retriever, count

    def __call__(self, question: str) -> list[Case]:
        """Cases with sub-queries and an imagined schema."""
        return [
            Case(found.question, _subqueries(found), tuple(_signature(*entry) for entry in found.used))
            for found in self.retriever(question, self.count)
            if found.used
        ]

    def rewrites(self, question: str) -> list[RewriteExample]:
        """Cases of a search in several hops: the first table of a query is found, the others are missing."""
        cases = []
        for found in self.retriever(question, self.count):
            database = f"{found.database}." if found.database else ""
            signatures = [database + _signature(*entry) for entry in found.used]
            if signatures:
                cases.append(RewriteExample(found.question, (signatures[0],), tuple(signatures[1:])))
        return cases


def _subqueries(found: FoundExample) -> tuple[str, ...]:
    """A sub-query for each column that the SQL uses, in words, and one for a table without any."""
    parts = [f"{_words(table)}:{_words(name)}" for table, columns in found.used for name in columns or ("",)]
    return tuple(dict.fromkeys(part.removesuffix(":") for part in parts))[:MAXIMUM]


def _signature(table: str, columns: Sequence[str]) -> str:
    return f"{table}({', '.join(columns)})"


def _words(name: str) -> str:
    return " ".join(plain_words(name)) or name
