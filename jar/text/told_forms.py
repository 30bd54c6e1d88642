"""Short forms that descriptions explain: a table ``plt`` that is told to hold pilots, ``pc_id`` of port calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from jar.text.stop_words import STOP_WORDS
from joinability.names import GENERIC, abbreviates
from joinability.spelling.common_words import VOWELS, skeleton, word_ranks
from joinability.spelling.vocabulary import SHORT, TWO_LETTERS, plain_words, singular

TOLD = 12
"""Words of a description that explain a name: those that follow tell of details."""
LONGEST_ACRONYM, SHORTEST_WORD = 5, 3
"""Letters of an acronym, and of each word of which it is one."""
CHANCE = 2
"""Letters of initials that stand beside each other by chance, as those of "gate transactions" where `gt` is a gate."""
KNOWN = 20_000
"""Rank up to which a word of English with vowels stands for itself, unless it is on the list of short forms."""


def told_forms(described: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """What parts of names stand for, by the descriptions of these names.

    A part that is no common word is short for words beside each other in a description of which it has the initials,
    stop words not counted, else for the first word there that it abbreviates. Two letters are rather the consonants of
    a word. The reading that most descriptions give counts, and none where what a part is always short for stands
    there.

    Parameters
    ----------
    described : pairs of str
        A name, and what its owner says of it.

    Examples
    --------
    >>> told_forms([("mar_plt", "Pilots"), ("pc_id", "number of the port call"), ("bl", "Bills of lading")])
    {'plt': ('pilot',), 'pc': ('port', 'call'), 'bl': ('bills', 'lading')}
    """
    readings: dict[str, Counter[tuple[str, ...]]] = {}
    for name, description in described:
        words = [word for word in plain_words(description) if word.isalpha() and word not in STOP_WORDS][:TOLD]
        for part in dict.fromkeys(plain_words(name)):
            if _may_be_short(part) and (meant := _meant(part, words)):
                readings.setdefault(part, Counter())[meant] += 1
    return {part: counted.most_common(1)[0][0] for part, counted in readings.items()}


def _may_be_short(part: str) -> bool:
    """Whether a part of a name may be short for something else than what it says."""
    if len(part) < 2 or not part.isalpha() or part in GENERIC or part in TWO_LETTERS:
        return False
    return VOWELS.isdisjoint(part[1:]) or part in SHORT or word_ranks().get(part, KNOWN) >= KNOWN


def _meant(part: str, words: Sequence[str]) -> tuple[str, ...]:
    """The words of a description that a part is short for; none where there are none, or it stands there itself."""
    if part in words or part in map(singular, words) or not set(SHORT.get(part, ())).isdisjoint(words):
        return ()
    forms = [form for word in words for form in dict.fromkeys((singular(word), word)) if form in word_ranks()]
    whole = next((form for form in forms if len(form) > len(part) and skeleton(form) == part), None)
    if (whole is None or len(part) > CHANCE) and (initials := _begun_by(part, words)):
        return initials
    found = whole or next((form for form in forms if abbreviates(part, form)), None)
    return () if found is None else (found,)


def _begun_by(part: str, words: Sequence[str]) -> tuple[str, ...]:
    """The first words beside each other that begin with the letters of a part; none where there are none."""
    if len(part) <= LONGEST_ACRONYM:
        for start in range(len(words) - len(part) + 1):
            run = words[start : start + len(part)]
            if "".join(word[0] for word in run) == part and min(map(len, run)) >= SHORTEST_WORD:
                return tuple(run)
    return ()
