"""Words with accents, as names without them may write them."""

from __future__ import annotations

import unicodedata

_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "ø": "oe", "æ": "ae", "å": "aa"})


def unaccented(word: str) -> str:
    """A word without its accents.

    Examples
    --------
    >>> unaccented("prénom"), unaccented("größe")
    ('prenom', 'große')
    """
    if word.isascii():
        return word
    letters = (letter for letter in unicodedata.normalize("NFKD", word) if not unicodedata.combining(letter))
    return unicodedata.normalize("NFC", "".join(letters))


def spellings(word: str) -> tuple[str, ...]:
    """How names without accents may write a word: without them, or with two letters for one, as in German.

    Examples
    --------
    >>> spellings("prénom"), spellings("kündigung"), spellings("order")
    (('prenom',), ('kundigung', 'kuendigung'), ('order',))
    """
    if word.isascii():
        return (word,)
    return tuple(dict.fromkeys((unaccented(word), unaccented(word.translate(_UMLAUTS)))))
