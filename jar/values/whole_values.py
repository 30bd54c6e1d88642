"""Values that a question names, kept whole in its phrases: "Summit Down Jacket", "read only"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from jar.text.decomposition import MAXIMUM
from jar.text.stop_words import STOP_WORDS
from jar.values.known_values import Mention

IN_FULL = ("itself", "beginning")
"""Ways to name a value by words that stand in it one after the other."""

Span = tuple[int, int]
_WORD = re.compile(r"(?!(?<=\w['’])s\b)\w+(?:[-./'’]\w+)*")


def with_whole_values(question: str, spans: Sequence[Span], mentions: Iterable[Mention]) -> tuple[Span, ...]:
    """The phrases of a question, where values are phrases of their own: those that stop words cut, and those that stand
    among other words and are marked as names.

    Parameters
    ----------
    spans : pairs (start, end) of characters
        The phrases in their order, as `jar.text.decomposition.phrase_spans` has them.
    mentions : values that the question names

    Examples
    --------
    >>> import numpy as np
    >>> question, jacket = "Who bought a Summit Down Jacket?", Mention("Summit Down Jacket", np.array([3]))
    >>> spans = with_whole_values(question, [(4, 10), (13, 19), (25, 31)], [jacket])
    >>> [question[start:end] for start, end in spans]
    ['bought', 'Summit Down Jacket']
    >>> question = "Which tenants in York owe rent?"
    >>> spans = with_whole_values(question, [(6, 13), (17, 30)], [Mention("York", np.array([5]))])
    >>> [question[start:end] for start, end in spans]
    ['tenants', 'York', 'owe rent']
    """
    kept = list(spans)
    for start, end, is_name in _spans_of(question, mentions):
        cut = [span for span in kept if span[0] < end and start < span[1]]
        within = any(low <= start and end <= high for low, high in cut)
        if cut and (start, end) not in cut and (is_name or not within):
            rest = [_stripped(question, low, min(high, start)) for low, high in cut if low < start]
            rest += [_stripped(question, max(low, end), high) for low, high in cut if high > end]
            kept = [*(span for span in kept if span not in cut), (start, end), *(span for span in rest if span)]
    return tuple(sorted(kept))[:MAXIMUM]


def _spans_of(question: str, mentions: Iterable[Mention]) -> Iterator[tuple[int, int, bool]]:
    """Where values of several words, or that are marked as names, stand in a question as they are written there, and
    whether they are marked so."""
    for mention in mentions:
        is_name = mention.weight >= 1.0
        if mention.named_by in IN_FULL and (is_name or len(mention.text.split()) > 1):
            found = re.search(rf"(?<!\w){re.escape(mention.text)}(?!\w)", question, re.IGNORECASE)
            if found is not None:
                yield *found.span(), is_name


def _stripped(question: str, start: int, end: int) -> Span | None:
    """A part of a question from its first word that is no stop word to its last; None where there is none."""
    words = _WORD.finditer(question, start, end)
    told = [match.span() for match in words if match.group().casefold() not in STOP_WORDS]
    return (told[0][0], told[-1][1]) if told else None
