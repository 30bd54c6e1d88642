"""Rewriters of the study: what hops reach without any rewriting, and with one that knows the answer."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from jar.errors import QueryError
from jar.multihop.rewriting import Rewrite


class ConcatenationRewriter:
    """Appends the tables of a list to the question and removes nothing: the paper's ablation without rewriting.

    It never stops.
    """

    def __call__(self, question: str, signatures: Sequence[str]) -> Rewrite:
        """The question and the signatures, as one text."""
        return Rewrite((" ".join((question, *signatures)),))

    def __repr__(self) -> str:
        return "ConcatenationRewriter()"


class OracleRewriter:
    """Knows the tables that answer each question, and so bounds what any rewriter can gain.

    Parameters
    ----------
    gold : mapping
        Question to the signatures of its tables, as the index has them.
    """

    def __init__(self, gold: Mapping[str, Collection[str]]) -> None:
        self.gold = gold

    def __call__(self, question: str, signatures: Sequence[str]) -> Rewrite:
        """The signatures that are missing, each a text to search for.

        Raises
        ------
        QueryError
            When it does not know the question.
        """
        if question not in self.gold:
            raise QueryError(f"the oracle does not know the question {question!r}: give its tables in gold")
        missing = tuple(signature for signature in self.gold[question] if signature not in signatures)
        return Rewrite(missing, not missing)

    def __repr__(self) -> str:
        return f"OracleRewriter({len(self.gold)} questions)"
