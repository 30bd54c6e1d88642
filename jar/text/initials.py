"""Acronyms in the names of tables that a question says in words: ``GR_HDR`` where it asks for goods receipts."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from itertools import pairwise

from jar.text.stop_words import STOP_WORDS
from joinability.spelling.common_words import LIKELY, word_ranks
from joinability.spelling.vocabulary import plain_words

FEWEST, MOST = 2, 6
"""Letters of an acronym."""
NO_ACRONYMS = frozenset(["id", "no", "nr", "dt", "cd", "nm", "ts"])
"""Parts of two letters that say of what kind a column is."""
LINKS = frozenset("of the for and to in on by with".split())
"""Words inside a long form, whose letters an acronym may have or not."""

_WORD = re.compile(r"[^\W\d_]+")


def acronyms(names: Iterable[str]) -> frozenset[str]:
    """The parts of names that may be acronyms: of two letters, or of more and no common word of English.

    Examples
    --------
    >>> sorted(acronyms(["GR_HDR", "order_ln", "MSDS"]))
    ['gr', 'hdr', 'ln', 'msds']
    """
    ranks = word_ranks()
    parts = {part for name in names for part in plain_words(name) if part.isalpha() and FEWEST <= len(part) <= MOST}
    return frozenset(
        part
        for part in parts - NO_ACRONYMS - STOP_WORDS
        if len(part) == FEWEST or ranks.get(part, LIKELY) >= LIKELY
    )


def said_in_words(question: str, known: Collection[str], stop_words: Collection[str] = STOP_WORDS) -> list[str]:
    """Those of some acronyms whose letters begin words beside each other in a question, first and last no stop words.

    Words that all begin with a capital are a name, and stand for nothing else.

    Examples
    --------
    >>> said_in_words("Which goods receipts of Anke Petersen have a bill of materials?", {"gr", "ap", "bom", "bm"})
    ['gr', 'bom', 'bm']
    """
    return [form for form in _forms(question, frozenset(stop_words)) if form in known] if known else []


@lru_cache(maxsize=64)
def _forms(question: str, stop_words: frozenset[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_initials(question, stop_words)))


def _initials(question: str, stop_words: frozenset[str]) -> Iterator[str]:
    words = list(_WORD.finditer(question))
    for place, first in enumerate(words):
        if first.group().lower() in stop_words:
            continue
        whole = short = first.group()[0]
        for before, word in pairwise(words[place : place + 2 * MOST]):
            if question[before.end() : word.start()] not in (" ", "-") or len(short) >= MOST:
                break
            whole += word.group()[0]
            if (lower := word.group().lower()) in stop_words:
                if lower not in LINKS:
                    break
                continue
            short += word.group()[0]
            if not short.isupper():
                yield from dict.fromkeys((whole.lower(), short.lower()))
