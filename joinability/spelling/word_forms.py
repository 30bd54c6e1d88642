"""What letters are: forms of common words, what is done, codes, and short for words."""

from __future__ import annotations

import math
from functools import lru_cache

from joinability.spelling.common_words import VOWELS, skeleton, stands_in, word_ranks

DERIVING = ("able", "ables", "ed", "er", "ers", "ing", "ings")
"""Endings that make another word of a word, or of one in "e" without that."""
SHORTEST_ROOT, COMMON_RANK = 4, 20_000
"""Letters of such a word, at least, and its rank, at most."""
SHORTEST_ACT = 3
"""Letters of an act without its ending, at least."""
MADE = ("ment", "ation", "al", "ance")
"""Endings that make a thing of any act; "ion" does of collect and allocate, "y" of deliver."""
IRREGULAR = {"bought": "purchase", "paid": "payment", "sold": "sale", "spent": "expense"}
"""What is made by acts that are told otherwise."""
LEAST = 6
"""Letters from which a word may have a beginning such as "re", or "ion" at its end: a state is no station."""
LEAST_VOWELS = 0.2
"""Share of vowels below which letters say nothing of a language."""


def is_derived(word: str) -> bool:
    """Whether a common word and an ending, or a beginning, make a word.

    Examples
    --------
    >>> [is_derived(word) for word in ("tester", "unlinked", "retest", "taggable", "onboarder", "cstmrs")]
    [True, True, True, True, False, False]
    """
    bare = word.removeprefix("un").removeprefix("re") if len(word) >= LEAST else word
    roots = [bare, *(bare.removesuffix(ending) for ending in DERIVING if bare.endswith(ending))]
    long = [root for root in roots if len(root) >= SHORTEST_ROOT]
    doubled = [root[:-1] for root in long if root[-1] == root[-2] != "t"]  # "taggable"; in "posttable" stands a table
    return any(map(is_common, [*long, *(f"{root}e" for root in long), *doubled]))


@lru_cache(maxsize=1 << 12)
def is_act(words: tuple[str, ...]) -> bool:
    """Whether words are one word for what is done.

    Examples
    --------
    >>> [is_act(words) for words in (("created",), ("approve",), ("certificate",), ("author",), ("time", "zone"))]
    [True, True, False, False, False]
    """
    word = " ".join(words)
    has_participle = word.endswith("ed") or is_common(f"{word.removesuffix('e')}ed")
    return len(words) == 1 and has_participle and not word.endswith("or")


@lru_cache(maxsize=1 << 14)
def made_by_act(word: str) -> tuple[str, ...]:
    """The words for what an act that is told in the past, or as going on, makes, and for the act.

    Examples
    --------
    >>> made_by_act("ordered"), made_by_act("shipping"), made_by_act("sold"), made_by_act("bed")
    (('order',), ('ship', 'shipment'), ('sale',), ())
    """
    if word in IRREGULAR:
        return (IRREGULAR[word],)
    ending = next((ending for ending in ("ed", "ing") if word.endswith(ending)), "")
    root = word.removesuffix(ending)
    if not ending or len(root) < SHORTEST_ACT:
        return ()
    if root.endswith("i"):
        root = f"{root[:-1]}y"
    silent = f"{root}e"
    if is_common(silent) or (silent in word_ranks() and root not in word_ranks()):
        root = silent
    elif root not in word_ranks() and root[-1] == root[-2]:
        root = root[:-1]
    acts = [root] if root in word_ranks() else []
    things = [f"{act.removesuffix('e') if end[0] in VOWELS else act}{end}" for act in acts for end in MADE]
    things += [f"{act.removesuffix('e')}ion" for act in acts if act.endswith(("ct", "ate")) and len(act) >= LEAST]
    things += [f"{act}y" for act in acts if act.endswith("er")]
    return tuple(dict.fromkeys([*acts, *(thing for thing in things if thing in word_ranks())]))


def is_common(word: str) -> bool:
    """Whether a word is among the frequent ones of English.

    Examples
    --------
    >>> is_common("loan"), is_common("xqz")
    (True, False)
    """
    return word_ranks().get(word, math.inf) < COMMON_RANK


def is_code(letters: str) -> bool:
    """Whether letters are contracted rather than a word of any language, by their vowels.

    Examples
    --------
    >>> is_code("vehdtl"), is_code("standort")
    (True, False)
    """
    return sum(letter in VOWELS for letter in letters) < LEAST_VOWELS * len(letters)


def stands_for(short: str, long: str) -> bool:
    """Whether a part of three letters or more is a word cut off, or contracted to letters that are no vowels.

    Examples
    --------
    >>> [stands_for(*pair) for pair in (("cust", "customer"), ("mngr", "manager"), ("id", "idea"))]
    [True, True, False]
    """
    if not 2 < len(short) < len(long) or short[0] != long[0]:
        return False
    if long.startswith(short) or skeleton(long) == short:
        return True
    return len(short) > 3 and VOWELS.isdisjoint(short[1:]) and stands_in(short, long)
