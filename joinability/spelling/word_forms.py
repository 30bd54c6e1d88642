"""Forms of English words that the list of common words does not have."""

from __future__ import annotations

import math
from functools import lru_cache

from joinability.spelling.common_words import word_ranks

ENDINGS = ("ed", "er", "ers", "ing", "ings")
"""What makes another word of a word, or of one in "e" without that."""
SHORTEST, KNOWN = 4, 20_000
"""Letters of such a word, at least, and its rank, at most."""
LEAST = 6
"""Letters from which a word may have a beginning such as "re"."""


def is_derived(word: str) -> bool:
    """Whether a common word and an ending, or a beginning, make a word.

    Examples
    --------
    >>> [is_derived(word) for word in ("tester", "unlinked", "retest", "onboarder", "cstmrs")]
    [True, True, True, False, False]
    """
    bare = word.removeprefix("un").removeprefix("re") if len(word) >= LEAST else word
    roots = [bare, *(bare.removesuffix(ending) for ending in ENDINGS if bare.endswith(ending))]
    return any(is_common(form) for root in roots if len(root) >= SHORTEST for form in (root, f"{root}e"))


@lru_cache(maxsize=1 << 12)
def is_act(words: tuple[str, ...]) -> bool:
    """Whether words are one word for what is done.

    Examples
    --------
    >>> [is_act(words) for words in (("created",), ("approve",), ("certificate",), ("author",), ("time", "zone"))]
    [True, True, False, False, False]
    """
    word = words[-1]
    has_participle = word.endswith("ed") or is_common(f"{word.removesuffix('e')}ed")
    return len(words) == 1 and has_participle and not word.endswith("or")


def is_common(word: str) -> bool:
    """Whether a word is among the frequent ones of English.

    Examples
    --------
    >>> is_common("loan"), is_common("xqz")
    (True, False)
    """
    return word_ranks().get(word, math.inf) < KNOWN
