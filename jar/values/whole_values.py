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
_WORD = re.compile(r"\w+(?:[-./'’]\w+)*")


def with_whole_values(question: str, spans: Sequence[Span], mentions: Iterable[Mention]) -> tuple[Span, ...]:
    """The phrases of a question, of which none is a part of a value that stop words cut: that is a phrase of its own.

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
    """
    kept = list(spans)
    for start, end in _spans_of(question, mentions):
        cut = [span for span in kept if span[0] < end and start < span[1]]
        if cut and not any(low <= start and end <= high for low, high in cut):
            rest = [_stripped(question, low, min(high, start)) for low, high in cut if low < start]
            rest += [_stripped(question, max(low, end), high) for low, high in cut if high > end]
            kept = [*(span for span in kept if span not in cut), (start, end), *(span for span in rest if span)]
    return tuple(sorted(kept))[:MAXIMUM]


def _spans_of(question: str, mentions: Iterable[Mention]) -> Iterator[Span]:
    """Where values of several words stand in a question as they are written there."""
    for mention in mentions:
        if mention.named_by in IN_FULL and len(mention.text.split()) > 1:
            found = re.search(rf"(?<!\w){re.escape(mention.text)}(?!\w)", question, re.IGNORECASE)
            if found is not None:
                yield found.span()


def _stripped(question: str, start: int, end: int) -> Span | None:
    """A part of a question from its first word that is no stop word to its last; None where there is none."""
    words = _WORD.finditer(question, start, end)
    told = [match.span() for match in words if match.group().casefold() not in STOP_WORDS]
    return (told[0][0], told[-1][1]) if told else None
