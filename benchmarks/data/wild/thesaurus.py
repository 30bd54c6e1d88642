"""Other words for words, from the files of WordNet's database (man 5 wndb)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from benchmarks.data.wild.wordnet import check_wordnet

KINDS = ("noun", "verb", "adj")
"""Kinds of words, in the order in which a word is looked up."""
WIDER = "@"
"""Sign of a pointer to a wider term."""


@dataclass(frozen=True)
class Thesaurus:
    """Synonyms and wider terms of the first sense of words.

    Attributes
    ----------
    senses : mapping
        From a word to the first sense of its first kind, as (kind, place).
    words : mapping
        From a sense to its words.
    wider : mapping
        From a sense to those of the next wider terms.
    """

    senses: dict[str, tuple[str, str]]
    words: dict[tuple[str, str], tuple[str, ...]]
    wider: dict[tuple[str, str], tuple[tuple[str, str], ...]]

    def other_words(self, word: str) -> tuple[str, ...]:
        """Single words that mean the same, else those of a wider term; none of a word that is not known."""
        sense = self.senses.get(word)
        if sense is None:
            return ()
        same = tuple(one for one in self.words[sense] if one != word)
        return same or tuple(one for wide in self.wider[sense] for one in self.words.get(wide, ()) if one != word)


def read_thesaurus(folder: Path) -> Thesaurus:
    """Read a WordNet database.

    Raises
    ------
    WordNetMissingError
        When a file is not there.
    """
    check_wordnet(folder, [f"{part}.{kind}" for kind in KINDS for part in ("index", "data")])
    senses: dict[str, tuple[str, str]] = {}
    words: dict[tuple[str, str], tuple[str, ...]] = {}
    wider: dict[tuple[str, str], tuple[tuple[str, str], ...]] = {}
    for kind in KINDS:
        for line in _lines(folder / f"index.{kind}"):
            fields = line.split()
            senses.setdefault(fields[0], (kind, fields[-int(fields[2])]))
        for line in _lines(folder / f"data.{kind}"):
            fields = line.partition(" | ")[0].split()
            count = int(fields[3], 16)
            own = [word.lower() for word in fields[4 : 4 + 2 * count : 2]]
            words[kind, fields[0]] = tuple(word for word in own if word.isalpha())
            pointers = fields[5 + 2 * count :]
            wider[kind, fields[0]] = tuple(
                (kind, pointers[place + 1]) for place in range(0, len(pointers) - 3, 4) if pointers[place] == WIDER
            )
    return Thesaurus(senses, words, wider)


def _lines(path: Path) -> list[str]:
    """The lines without the licence in front, which are indented."""
    lines = path.read_text(encoding="ascii", errors="replace").splitlines()
    return [line for line in lines if not line.startswith(" ")]
