"""What a rewriter is: from a question and a list of tables to what is still to be searched for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from jar.errors import QueryError

__all__ = ["Asked", "Rewrite", "Rewriter", "rewrite_all"]

Asked = tuple[str, tuple[str, ...]]
"""A question, and the signatures ``database.table(column, column)`` of the tables of a list, in its order."""


@dataclass(frozen=True)
class Rewrite:
    """What a list of tables leaves open of a question.

    Attributes
    ----------
    texts : tuple of str
        What the next hop searches for, each text by itself: a table is as near as to the nearest of them.
    stop : bool
        Whether no table is missing. Without any text it is True in effect.
    note : str
        What was not as asked, in words; it becomes a note of the selection.
    """

    texts: tuple[str, ...] = ()
    stop: bool = False
    note: str = ""

    def __post_init__(self) -> None:
        """Check the texts.

        Raises
        ------
        QueryError
            When they are no list of texts.
        """
        if not isinstance(self.texts, Sequence) or not all(isinstance(text, str) for text in self.texts):
            raise QueryError(f"texts are a list of texts, not {self.texts!r}")
        if isinstance(self.texts, str):
            raise QueryError(f"texts are a list of texts, not one: give [{self.texts!r}]")

    @property
    def stops(self) -> bool:
        """Whether the list is complete, as there is nothing left to search for."""
        return self.stop or not self.texts


class Rewriter(Protocol):
    """Says which tables a list still lacks.

    One that does better with many lists at once may have a method ``many(asked)``, from pairs of a question and
    signatures to as many rewrites.
    """

    def __call__(self, question: str, signatures: Sequence[str]) -> Rewrite:
        """What is missing beside the tables of these signatures, ``database.table(column, column)`` each."""


def rewrite_all(rewriter: Rewriter, asked: Sequence[Asked]) -> list[Rewrite]:
    """The rewrites of many lists, all at once where the rewriter has a ``many``.

    Raises
    ------
    QueryError
        When it answers anything but one `Rewrite` for each.
    """
    many = getattr(rewriter, "many", None)
    if callable(many):
        answers = list(many(asked)) if asked else []
    else:
        answers = [rewriter(question, signatures) for question, signatures in asked]
    if len(answers) != len(asked) or not all(isinstance(answer, Rewrite) for answer in answers):
        raise QueryError("a rewriter returns one jar.multihop.Rewrite(texts, stop) for each list that it is given")
    return answers
