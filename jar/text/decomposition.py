"""From a question to sub-queries, without a language model.

What a question asks for stands in its content words: "Which *female clients* own *credit cards* and also have
*loans*?" Each run of words between stop words is a chunk, and the chunks choose tables about as well as the
sub-queries that a language model writes (the benchmarks compare the two). A caller with something better passes its
own: any `Decomposer`, or the sub-queries themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Protocol

__all__ = ["MAXIMUM", "STOP_WORDS", "Decomposer", "Decomposition", "decompose"]

MAXIMUM = 12
"""Most sub-queries of one question; later chunks of a longer one are left out."""

STOP_WORDS = frozenset(
    """
    a an the this that these those it its it they them their he him his she her hers we us our you your i me my
    who whom whose which what when where why how there here
    and or nor but if then than as so not no neither either both
    of in on at by to from with without within for about into onto over under between among through during
    before after above below up down out off per via against across along toward towards upon
    is are was were be been being am do does did done doing have has had having own owns owned owning
    can could will would shall should may might must
    all any each every some such other another others same only also too very just ever never again please
    more most less least well few fewer many much one ones together
    show list give find get return tell display compute calculate determine identify provide
    number total average mean sum maximum minimum max min times count
    highest lowest largest smallest greatest biggest fewest top first last greater larger smaller higher lower equal
    ascending descending alphabetical ordered sort sorted exactly
    different distinct unique corresponding respective respectively
    """.split()
)
"""Words that say nothing of which table is meant, in lower case: function words, verbs that ask for an answer ("show",
"list"), and words of arithmetic and arrangement ("average", "ascending"), which say what to do with the rows."""

_STOP = "|".join(sorted(STOP_WORDS, key=len, reverse=True))
_CAPITALISED = rf"(?!(?i:{_STOP})\b)[^\W\d_a-z]\w*(?:[-’']\w+)*"
_TOKEN = re.compile(
    r"""(?<!\w)(?P<quoted>"[^"]+"|“[^”]+”|`[^`]+`|(?:'[^']+'|‘[^’]+’)(?!\w))"""
    rf"|(?P<name>{_CAPITALISED}(?:\s+(?:(?:of|the|de)\s+)*{_CAPITALISED})+)"
    rf"|(?P<stop>\b(?i:{_STOP})(?:n?['’](?:s|t|d|m|re|ll|ve))?(?!\w|[-./'’]\w))"
    r"|(?P<number>\b\d[\d.,:%]*(?!\w))"
    r"|(?P<word>\w+(?:[-./'’]\w+)*)"
    r"|(?P<mark>\S)"
)


class Decomposer(Protocol):
    """Anything that turns a question into sub-queries: a function, a rule, a language model."""

    def __call__(self, question: str) -> list[str]:
        """Sub-queries of a question, each a short text such as "client:gender" or "loans"."""


class Decomposition(list[str]):
    """Sub-queries that say who wrote them; a decomposer may return them in place of a plain list.

    Parameters
    ----------
    subqueries : list of str
    source : str
        "default" (this module), "caller", "llm:NAME", or what else the decomposer is; shown as it is.
    note : str
        What was not as asked, in words; empty where all was.
    """

    def __init__(self, subqueries: Sequence[str], source: str, note: str = "") -> None:
        super().__init__(subqueries)
        self.source = source
        self.note = note


def decompose(question: str) -> list[str]:
    """Content chunks of a question, in their order.

    A chunk is a longest run of words without a stop word, a lone number or a mark between them. Quoted strings and
    capitalised names of several words ("Bank of America") are chunks of their own, kept whole.

    Returns
    -------
    list of str
        At most `MAXIMUM` chunks, each as it stands in the question (a quoted string without its quotes), without
        regard to case no two alike. A question that has none, such as "How many are there?", is its own only
        sub-query; an empty one has no sub-query.

    Examples
    --------
    >>> decompose("Which female clients of the Bank of Moravia own credit cards and also have loans?")
    ['female clients', 'Bank of Moravia', 'credit cards', 'loans']
    """
    chunks: dict[str, str] = {}
    for chunk in _chunks(question):
        chunks.setdefault(chunk.casefold(), chunk)
    whole = question.strip()
    return list(chunks.values())[:MAXIMUM] or ([whole] if whole else [])


def _chunks(question: str) -> Iterator[str]:
    run: list[re.Match[str]] = []
    for token in _TOKEN.finditer(question):
        if token.lastgroup == "word":
            run.append(token)
            continue
        if run:
            yield question[run[0].start() : run[-1].end()]
            run = []
        if token.lastgroup == "name":
            yield token.group()
        elif token.lastgroup == "quoted" and (inside := token.group()[1:-1].strip()):
            yield inside
    if run:
        yield question[run[0].start() : run[-1].end()]
