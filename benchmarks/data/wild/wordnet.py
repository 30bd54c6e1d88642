"""Words, definitions and sentences of WordNet, from the files of its database (man 5 wndb)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.data.refusal import RefusalError

FILES = ("data.noun", "data.verb", "data.adj", "data.adv")
_MARKER = re.compile(r"\((?:a|p|ip)\)$")
_SENTENCE = re.compile(r'"([^"]+)"')


class WordNetMissingError(RefusalError, OSError):
    """No WordNet in a folder; the message says where it can be had."""


@dataclass(frozen=True)
class WordNet:
    """What is learned from.

    Attributes
    ----------
    phrases : list of str
        Names of things, qualities and acts, of one word or several, each once.
    definitions, sentences : list of str
    """

    phrases: list[str]
    definitions: list[str]
    sentences: list[str]


def check_wordnet(folder: Path, names: Iterable[str]) -> None:
    """Refuse a folder without some files of WordNet.

    Raises
    ------
    WordNetMissingError
    """
    for name in names:
        if not (folder / name).is_file():
            raise WordNetMissingError(
                f"{folder} has no file {name} of WordNet 3.0: install it (on Debian: apt-get install wordnet-base), "
                f"or give its folder by --wordnet"
            )


def read_wordnet(folder: Path) -> WordNet:
    """Read the four files of a WordNet database.

    Raises
    ------
    WordNetMissingError
        When one is not there.
    """
    phrases: dict[str, None] = {}
    definitions: dict[str, None] = {}
    sentences: dict[str, None] = {}
    check_wordnet(folder, FILES)
    for name in FILES:
        for line in (folder / name).read_text(encoding="ascii", errors="replace").splitlines():
            if line[:1].isdigit():
                head, _, gloss = line.partition(" | ")
                fields = head.split()
                for word in fields[4 : 4 + 2 * int(fields[3], 16) : 2]:
                    phrases[_MARKER.sub("", word).replace("_", " ").lower()] = None
                sentences.update(dict.fromkeys(_SENTENCE.findall(gloss)))
                definitions[_SENTENCE.sub("", gloss).rstrip("; ")] = None
    return WordNet(list(phrases), list(definitions), list(sentences))
