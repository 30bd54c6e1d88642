"""From a question to sub-queries, without a language model.

What a question asks for stands in its content words: "Which *female clients* own *credit cards* and also have
*loans*?" Each run of words between stop words is a chunk, and the chunks choose tables about as well as the
sub-queries that a language model writes (the benchmarks compare the two). A caller with something better passes its
own: any `Decomposer`, or the sub-queries themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Protocol

from jar.text.stop_words import StopWords, language_words, read_stop_words

__all__ = ["MAXIMUM", "Decomposer", "Decomposition", "chunker", "decompose", "phrase_spans"]

MAXIMUM = 12
"""Most sub-queries of one question; later chunks of a longer one are left out."""


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


def _either(words: Sequence[str]) -> str:
    """A pattern of any of some words, which is that of the longest one that stands there."""
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True))) or r"(?!)"


@lru_cache(1)
def _capitals() -> str:
    """The letters in upper case of the scripts that have it, which are Latin, Greek, Cyrillic and some more."""
    return "".join(letter for letter in map(chr, range(0x2000)) if letter.isupper())


_TIMES = (
    r"(?:this|last|next|past|previous|current|coming)\s+"
    r"(?:(?:\d+|two|three|four|five|six|seven|ten|twelve|few|fiscal|financial|calendar|business)\s+)?"
    r"(?:day|week|weekend|month|quarter|year|decade|night|morning|spring|summer|autumn|fall|winter)s?\b(?!['’-]\w)"
)
"""Times as they are told from today, which no column is called by."""


@lru_cache(maxsize=16)
def _tokens(stop_words: frozenset[str]) -> re.Pattern[str]:
    """The parts of a question by their kinds: quoted, elided, name, time, stop, number, word, mark."""
    stop = _either([word for word in stop_words if not word.endswith("'")])
    elided = _either([word[:-1] for word in stop_words if word.endswith("'")])
    capitalised = rf"(?!(?i:{stop})\b)[{_capitals()}]\w*(?:[-’']\w+)*"
    return re.compile(
        r"""(?<!\w)(?P<quoted>"[^"]+"|“[^”]+”|`[^`]+`|(?:'[^']+'|‘[^’]+’)(?!\w))"""
        rf"|(?P<elided>\b(?i:{elided})['’](?=\w))"
        rf"|(?P<name>{capitalised}(?:\s+(?:(?:of|the|de)\s+)*{capitalised})+)"
        rf"|(?P<time>\b(?i:{_TIMES}))"
        rf"|(?P<stop>\b(?i:{stop})(?:n?['’](?:s|t|d|m|re|ll|ve))?(?!\w|[-./'’]\w))"
        r"|(?P<number>\b\d[\d.,:%]*(?!\w))"
        r"|(?P<word>\w+(?:[-./'’]\w+)*)"
        r"|(?P<mark>\S)"
    )


def decompose(question: str, stop_words: frozenset[str] | None = None) -> list[str]:
    """Content chunks of a question, in their order.

    A chunk is a longest run of words without a stop word (those of the question's language, if none are given), a lone
    number, a time told from today ("last month") or a mark between them. Quoted strings and capitalised names of
    several words ("Bank of America") are chunks of their own, kept whole.

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
    return [question[start:end] for start, end in phrase_spans(question, stop_words)]


@lru_cache(maxsize=64)
def phrase_spans(question: str, stop_words: frozenset[str] | None = None) -> tuple[tuple[int, int], ...]:
    """Where the chunks of a question start and end in it; of those that stand several times, the first.

    Examples
    --------
    >>> phrase_spans("Which clients have loans?")
    ((6, 13), (19, 24))
    """
    spans: dict[str, tuple[int, int]] = {}
    for start, end in _chunks(question, language_words(question) if stop_words is None else stop_words):
        spans.setdefault(question[start:end].casefold(), (start, end))
    if spans:
        return tuple(spans.values())[:MAXIMUM]
    whole = question.strip()
    first = len(question) - len(question.lstrip())
    return ((first, first + len(whole)),) if whole else ()


def chunker(stop_words: str | Iterable[str] | StopWords) -> Callable[[str], list[str]]:
    """`decompose` with other stop words: a language such as "de" (`jar.text.stop_words.LANGUAGES`), or words.

    Examples
    --------
    >>> chunker("de")("Welche Kunden in Brünn haben einen Kredit?")
    ['Kunden', 'Brünn', 'Kredit']
    """
    words = (stop_words if isinstance(stop_words, StopWords) else read_stop_words(stop_words)).words
    return decompose if words is None else partial(decompose, stop_words=words)


def _chunks(question: str, stop_words: frozenset[str]) -> Iterator[tuple[int, int]]:
    run: list[re.Match[str]] = []
    for token in _tokens(stop_words).finditer(question):
        if token.lastgroup == "word":
            run.append(token)
            continue
        if run:
            yield run[0].start(), run[-1].end()
            run = []
        if token.lastgroup == "name":
            yield token.span()
        elif token.lastgroup == "quoted" and (inside := token.group()[1:-1]).strip():
            start = token.start() + 1 + len(inside) - len(inside.lstrip())
            yield start, start + len(inside.strip())
    if run:
        yield run[0].start(), run[-1].end()
