"""The runs of words of a question by which it may name a value, as values are compared: folded.

Folded words are without accents, case and plural.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

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
        Whether they begin in quotes.
    is_marked : bool
        Whether the first word looks like a name by itself: it is quoted, has a digit, or has a letter in upper case and
        does not begin a sentence.
    is_name : bool
        Whether they are quoted, or the last word looks like a name as well, and no comma or bracket is between.
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
    is_quoted: bool
    is_marked: bool


def folded_words(text: str) -> list[str]:
    """The words of a text without accents, case and plural.

    Examples
    --------
    >>> folded_words("Études_Sociales (2)")
    ['etude', 'sociale', '2']
    """
    return [_fold(word) for word in _WORD.findall(text)]


def word_runs(question: str, longest: int) -> list[Run]:
    """Quoted strings in whole, then all runs of up to so many words, longer ones first.

    Examples
    --------
    >>> [(run.text, run.is_name) for run in word_runs("Who works at Meridian Pharma?", 2) if run.is_marked]
    [('Meridian Pharma', True), ('Meridian', True), ('Pharma', True)]
    """
    words = _marked_words(question)
    count = len(words)
    spans = _quoted_spans(question, words)
    spans += [(first, first + size) for size in range(min(longest, count), 0, -1) for first in range(count - size + 1)]
    return [_run(question, words, first, end) for first, end in spans]


def _run(question: str, words: list[_Word], first: int, end: int) -> Run:
    inside = words[first:end]
    text = question[inside[0].start : inside[-1].end]
    is_name = inside[0].is_quoted or (inside[0].is_marked and inside[-1].is_marked and not _BREAK.search(text))
    folded = [word.folded for word in inside]
    return Run(folded, first, end, text, inside[0].is_quoted, inside[0].is_marked, is_name)


def _marked_words(question: str) -> list[_Word]:
    quoted = [match.span() for match in _QUOTED.finditer(question)]
    words = []
    for match in _WORD.finditer(question):
        text, start = match.group(), match.start()
        inside = any(low < start < high for low, high in quoted)
        begins = _SENTENCE_BEFORE.search(question, max(0, start - NEAR), start) is not None
        named = not text.islower() and not (begins and text.istitle())
        words.append(_Word(_fold(text), start, match.end(), inside, inside or named or any(map(str.isdigit, text))))
    return words


def _quoted_spans(question: str, words: list[_Word]) -> list[tuple[int, int]]:
    """First word and the one after the last of each quoted string."""
    spans = []
    for match in _QUOTED.finditer(question):
        inside = [place for place, word in enumerate(words) if match.start() < word.start < match.end()]
        if inside:
            spans.append((inside[0], inside[-1] + 1))
    return spans


def _fold(word: str) -> str:
    folded = word.casefold()
    if not folded.isascii():
        plain = (letter for letter in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(letter))
        folded = "".join(plain).casefold()
    return folded[:-1] if len(folded) > 3 and folded.endswith("s") and not folded.endswith("ss") else folded
