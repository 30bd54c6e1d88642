"""Columns that tell of rows, not of what they hold: when one was made or changed, and by whom."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from joinability.names import name_words
from joinability.spelling.common_words import ABBREVIATIONS

MADE = frozenset(
    "create created creation delete deleted insert inserted modified modification modify update updated".split()
)
"""What is done to a row."""
HOW = frozenset("at by date datetime day dttm id last on record row stamp sys system time timestamp ts user".split())
"""What else such a name says."""
ASKED = MADE | frozenset("change changed date last late latest new newest recent recently since time when who".split())
"""Words of those who ask for such columns."""


@lru_cache(maxsize=1 << 16)
def is_bookkeeping(column: str) -> bool:
    """Whether the name of a column tells when a row was made or changed, or by whom, and nothing else.

    Examples
    --------
    >>> [is_bookkeeping(name) for name in ("created_at", "UPD_USR", "lastModifiedDate", "crt_dt")]
    [True, True, True, True]
    >>> [is_bookkeeping(name) for name in ("user_id", "creation_site", "modified_quote", "date")]
    [False, False, False, False]
    """
    words = [ABBREVIATIONS.get(word, word) for word in name_words(column)]
    return not MADE.isdisjoint(words) and set(words) <= MADE | HOW


def asks_for_bookkeeping(words: Iterable[str]) -> bool:
    """Whether words of a question may mean such a column."""
    return not ASKED.isdisjoint(words)
