"""The word pieces of a text, as the tokenizer of BERT without case splits it, in plain Python."""

from __future__ import annotations

import gzip
import re
import unicodedata
from functools import lru_cache
from pathlib import Path

LONGEST_WORD = 100
"""Characters of a word that is read; a longer one is unknown."""
LONGEST = 254
"""Pieces of a text that are read, as by MiniLM; the rest is cut off."""
UNKNOWN = "[UNK]"
REMEMBERED = 1 << 16
"""Words whose pieces are kept."""

_IDEOGRAPHS = (
    *((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F)),
    *((0x2B920, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F)),
)
"""Characters that are words of their own."""
_PLAIN = re.compile(r"[a-z0-9]+|[!-/:-@\[-`{-~]")
_ASCII_CONTROLS = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 127])


class PieceTokenizer:
    """Splits texts into numbers of word pieces; it may be called by several threads at once.

    The pieces are those of `jar.minilm`, in the order of their numbers.
    """

    def __init__(self) -> None:
        self.pieces = tuple(read_pieces())
        self._numbers = {piece: number for number, piece in enumerate(self.pieces)}
        self._unknown = self._numbers[UNKNOWN]
        self._of_word = lru_cache(maxsize=REMEMBERED)(self._split)

    def __call__(self, text: str) -> list[int]:
        """Numbers of a text's pieces, without those that mark its beginning and its end."""
        numbers: list[int] = []
        for word in words_of(text):
            numbers += self._of_word(word)
            if len(numbers) >= LONGEST:
                break
        return numbers[:LONGEST]

    def _split(self, word: str) -> tuple[int, ...]:
        """The longest pieces of a word from left to right; unknown where a part of it has none."""
        if len(word) > LONGEST_WORD:
            return (self._unknown,)
        numbers = []
        start, mark = 0, ""
        while start < len(word):
            for end in range(len(word), start, -1):
                number = self._numbers.get(mark + word[start:end])
                if number is not None:
                    numbers.append(number)
                    break
            else:
                return (self._unknown,)
            start, mark = end, "##"
        return tuple(numbers)


def read_pieces() -> list[str]:
    """The word pieces, in the order of their numbers; those inside a word begin with "##"."""
    packed = Path(__file__).parent.with_name("minilm") / "wordpieces.txt.gz"
    return gzip.decompress(packed.read_bytes()).decode().split("\n")[:-1]


def words_of(text: str) -> list[str]:
    """The words and marks of a text, in lower case and without accents."""
    if text.isascii():
        return _PLAIN.findall(text.translate(_ASCII_CONTROLS).lower())
    text = unicodedata.normalize("NFD", text.translate(_CLEANED))
    text = "".join(sign for sign in text if unicodedata.category(sign) != "Mn")
    # Letter by letter, as the tokenizer does it: Python has another sigma for the end of a word.
    return "".join(map(str.lower, text)).translate(_MARKED).split()


class _Cleaned(dict[int, str]):
    """By the number of a character what stands for it: nothing for controls, blanks for blanks and round ideographs."""

    def __missing__(self, code: int) -> str:
        sign = chr(code)
        if sign in "\t\n\r" or unicodedata.category(sign) in ("Zs", "Zl", "Zp"):
            text = " "
        elif code == 0xFFFD or unicodedata.category(sign) in ("Cc", "Cf", "Co", "Cs"):
            text = ""
        else:
            text = f" {sign} " if any(first <= code <= last for first, last in _IDEOGRAPHS) else sign
        self[code] = text
        return text


class _Marked(dict[int, str]):
    """The same for marks, each of which is a word by itself."""

    def __missing__(self, code: int) -> str:
        sign = chr(code)
        marks = unicodedata.category(sign).startswith("P") or (sign.isascii() and sign.isprintable())
        text = f" {sign} " if marks and not sign.isalnum() and sign != " " else sign
        self[code] = text
        return text


_CLEANED, _MARKED = _Cleaned(), _Marked()
