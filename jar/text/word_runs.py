"""The runs of words of a question by which it may name a value, as values are compared: folded.

Folded words are without accents, case and plural.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from jar.text.stop_words import STOP_WORDS

_WORD = re.compile(r"[^\W_]+")
_QUOTED = re.compile(r"""(?<!\w)(?:"([^"]+)"|“([^”]+)”|`([^`]+)`|'([^']+)'(?!\w)|‘([^’]+)’(?!\w))""")
_SENTENCE_BEFORE = re.compile(r"(?:^|[!?]\s|\b[a-z\dß-ÿ]\w*\.\s)[\s¿¡\"'“‘`(\[]*$")
"""What a sentence begins after; "St. Gallen" and "Mrs. Smith" do not begin one."""
NEAR = 40
"""Characters before a word in which the end of a sentence is looked for."""
_BREAK = re.compile(r"[,;:!?()]")


class Run(NamedTuple):
    """Words of a question that stand beside each other.

    Attributes
    ----------
    folded : list of str
        As they are compared.
    first, end : int
        Place of the first one among the words of the question, and that after the last.
    text : str
        As they stand in the question.
    is_quoted : bool
        Whether all of them stand in one pair of quotes.
    is_marked : bool
        Whether the first word looks like a name by itself: it is quoted, has a digit, or has a letter in upper case and
        does not begin a sentence.
    is_name : bool
        Whether they are quoted, or the first and the last word look like names, and no comma or bracket is between. A
        word that begins a sentence does so beside another one.
    """

    folded: list[str]
    first: int
    end: int
    text: str
    is_quoted: bool
    is_marked: bool
    is_name: bool


class _Word(NamedTuple):
    folded: str
    start: int
    end: int
    quote: int | None
    is_marked: bool
    may_begin_name: bool


def folded_words(text: str) -> list[str]:
    """The words of a text without accents, case and plural.

    Examples
    --------
    >>> folded_words("Études_Sociales (2)")
    ['etude', 'sociale', '2']
    >>> folded_words("comedies boxes movies") == folded_words("Comedy Box Movie")
    True
    """
    return [_fold(word) for word in _WORD.findall(unicodedata.normalize("NFC", text))]


def word_runs(question: str, longest: int) -> list[Run]:
    """All runs of up to so many words.

    Examples
    --------
    >>> [(run.text, run.is_name) for run in word_runs("Who works at Meridian Pharma?", 2) if run.is_marked]
    [('Meridian', True), ('Meridian Pharma', True), ('Pharma', True)]
    """
    words = _marked_words(question)
    count = len(words)
    return [
        _run(question, words, first, end)
        for first in range(count)
        for end in range(first + 1, min(first + longest, count) + 1)
    ]


def _run(question: str, words: list[_Word], first: int, end: int) -> Run:
    inside = words[first:end]
    text = question[inside[0].start : inside[-1].end]
    quotes = {word.quote for word in inside}
    is_quoted = len(quotes) == 1 and None not in quotes
    begins = inside[0].is_marked or (inside[0].may_begin_name and len(inside) > 1 and inside[1].is_marked)
    is_name = is_quoted or (begins and inside[-1].is_marked and not _BREAK.search(text))
    return Run([word.folded for word in inside], first, end, text, is_quoted, inside[0].is_marked, is_name)


def _marked_words(question: str) -> list[_Word]:
    quoted = [match.span() for match in _QUOTED.finditer(question)]
    words = []
    for match in _WORD.finditer(question):
        text, start = match.group(), match.start()
        quote = next((place for place, (low, high) in enumerate(quoted) if low < start < high), None)
        begins = text.istitle() and _SENTENCE_BEFORE.search(question, max(0, start - NEAR), start) is not None
        is_marked = quote is not None or (not text.islower() and not begins) or any(map(str.isdigit, text))
        may_begin = begins and text.casefold() not in STOP_WORDS
        words.append(_Word(_fold(text), start, match.end(), quote, is_marked, may_begin))
    return words


@lru_cache(maxsize=1 << 16)
def _fold(word: str) -> str:
    folded = word.casefold()
    if not folded.isascii():
        plain = (letter for letter in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(letter))
        folded = "".join(plain).casefold()
    if len(folded) > 3 and folded.endswith("s") and not folded.endswith("ss"):
        folded = folded[:-1]
    if len(folded) > 3 and folded.endswith("ie"):
        return folded[:-2] + "y"  # stories of "story", and movies of "movie"
    return folded[:-1] if folded.endswith(("sse", "xe", "che", "she", "zze")) else folded  # boxes, and an axe
