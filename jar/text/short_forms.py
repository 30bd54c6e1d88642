"""Short forms in names that nothing but a question explains: ``AGT`` where it asks for an agent."""

from __future__ import annotations

from collections.abc import Iterable

from joinability.names import abbreviates
from joinability.spelling.common_words import LIKELY, word_ranks

FEWEST, MOST = 3, 6
"""Letters of a short form."""
REMEMBERED = 10_000
"""Words of questions whose short forms are kept."""


class ShortForms:
    """Those parts of names that are no common word of English: each may stand for a word of a question.

    The vocabulary of a database (`joinability.spelling`) reads the short forms that are known, or whose words the
    database has. What it leaves unread, as ``agt`` or ``wrtn``, could be many words, and what it reads may have been
    meant otherwise; a question says which are of interest.

    Parameters
    ----------
    words : iterable of str
        The words in the names of an index, in lower case.

    Examples
    --------
    >>> forms = ShortForms(["agt", "agcy", "car", "wrtn"])
    >>> forms.of("agent"), forms.of("agency"), forms.of("carrier"), forms.of("written")
    (('agt',), ('agcy',), (), ('wrtn',))
    """

    def __init__(self, words: Iterable[str]) -> None:
        ranks = word_ranks()
        self._by_letter: dict[str, list[tuple[str, frozenset[str]]]] = {}
        for word in words:
            if FEWEST <= len(word) <= MOST and word.isalpha() and ranks.get(word, LIKELY) >= LIKELY:
                self._by_letter.setdefault(word[0], []).append((word, frozenset(word)))
        self._known: dict[str, tuple[str, ...]] = {}

    def of(self, word: str) -> tuple[str, ...]:
        """The short forms that may stand for a word in the singular: cut off, contracted, or its consonants."""
        forms = self._known.get(word)
        if forms is None:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            letters = frozenset(word)
            forms = self._known[word] = tuple(
                short for short, has in self._by_letter.get(word[:1], ()) if has <= letters and abbreviates(short, word)
            )
        return forms
