"""`LlmRewriter`: the missing tables as a language model writes them, and without it where it does not answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from jar.imagined.markup import plain_text, without_thoughts
from jar.language.asking import ask, ask_all
from jar.language.model import LanguageModel, Message, model_name
from jar.language.prompts import RewriteExample, rewrite_messages
from jar.multihop.rewriting import Asked, Rewrite, Rewriter
from joinability.cells import valid_text

READ = 20_000
"""Characters of an answer that are looked at."""
MOST = 8
"""Tables of one answer that are searched for."""

_SIGNATURE = re.compile(r"(?P<name>[^\W\d][\w.$ -]{0,120})\((?P<columns>[^()\n]{1,1000})\)")
_NOTHING = re.compile(r"\bnone\b|\bno (?:\w+ ){0,2}tables?\b|\bnothing\b", re.IGNORECASE)


class LlmRewriter:
    """Asks a language model which tables a list lacks, with examples over the sample lake.

    What is sent is the question and the signatures of the tables of the list: names of tables and columns, never a
    value; `messages` shows it. A model that fails, is late or answers nonsense is replaced, for that list, by
    `fallback`, and a note says so.

    Parameters
    ----------
    model : LanguageModel
    fallback : Rewriter
        Such as `ResidualRewriter(index)`.
    examples : callable, optional
        ``question -> cases`` that the model is shown in place of those over the sample lake, such as
        `jar.examples.Demonstrations(...).rewrites`.
    """

    def __init__(
        self,
        model: LanguageModel,
        fallback: Rewriter,
        *,
        examples: Callable[[str], Sequence[RewriteExample]] | None = None,
    ) -> None:
        self.model = model
        self.fallback = fallback
        self.examples = examples

    def messages(self, question: str, signatures: Sequence[str]) -> list[Message]:
        """What the model is sent, to the letter."""
        return rewrite_messages(question, signatures, self.examples(question) if self.examples else ())

    def __call__(self, question: str, signatures: Sequence[str]) -> Rewrite:
        """The signatures of the missing tables, each a text to search for."""
        answers, reason = ask(self.model, self.messages(question, signatures), read_rewrite)
        if answers:
            return answers[0]
        name = model_name(self.model)
        instead = self.fallback(question, signatures)
        note = f"the language model {name!r} named no missing tables ({reason}); the rewriter without a model did"
        return Rewrite(instead.texts, instead.stop, note)

    def many(self, asked: Sequence[Asked]) -> list[Rewrite]:
        """The rewrites of many lists, as many asked at once as the model allows; equal ones are asked for once."""
        distinct = list(dict.fromkeys(asked))
        answers = ask_all(self.model, lambda one: self(*one), distinct)
        known = dict(zip(distinct, answers, strict=True))
        return [known[one] for one in asked]

    def __repr__(self) -> str:
        return f"LlmRewriter({self.model!r})"


def read_rewrite(answer: str) -> list[Rewrite]:
    """What an answer says is missing: one rewrite, or none where it makes no sense.

    Examples
    --------
    >>> read_rewrite("1. `bank.loan(loan_id, amount)`")
    [Rewrite(texts=('bank.loan(loan_id, amount)',), stop=False, note='')]
    >>> read_rewrite("None."), read_rewrite("Bad gateway")
    ([Rewrite(texts=(), stop=True, note='')], [])
    """
    text = plain_text(valid_text(without_thoughts(answer)[:READ]))
    named = (f"{match['name'].strip()}({' '.join(match['columns'].split())})" for match in _SIGNATURE.finditer(text))
    texts = tuple(dict.fromkeys(named))[:MOST]
    if texts:
        return [Rewrite(texts)]
    return [Rewrite(stop=True)] if _NOTHING.search(text) else []
