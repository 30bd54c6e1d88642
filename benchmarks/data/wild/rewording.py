"""Questions in words of their own: as users ask who do not know what tables and columns are called."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection
from dataclasses import replace

from benchmarks.data.dataset_form import Dataset
from joinability import Catalog
from joinability.names import name_words
from joinability.spelling.vocabulary import singular

REWORDED = 0.7
"""Share of the words of names that are replaced where a question has them."""
_WORD = re.compile(r"[A-Za-z]+")
_KEPT = re.compile(r"""(?<!\w)(?P<quote>["'])[^"']*(?P=quote)(?!\w)|(?<!^)\b[A-Z]\w*""")
"""What may be a value: quoted texts, and words with a capital letter that do not begin the question."""


def reword_questions(dataset: Dataset, other_words: Callable[[str], Collection[str]]) -> Dataset:
    """A data set whose questions have other words for most words that the names of their database have.

    All questions on a database that are reworded have the same other word for one. What may be a value stays, and so
    does a word for which there is no other.

    Parameters
    ----------
    other_words : callable
        From a word in the singular to others that mean the same or something wider.
    """
    named = _words_of_names(dataset.catalog)
    questions = tuple(
        replace(question, text=reworded(question.text, question.database, named[question.database], other_words))
        for question in dataset.questions
    )
    return replace(dataset, name=f"{dataset.name}-reworded", questions=questions)


def reworded(text: str, database: str, named: Collection[str], other_words: Callable[[str], Collection[str]]) -> str:
    """A question in which most of some words are replaced, see `reword_questions`."""
    kept = [match.span() for match in _KEPT.finditer(text)]

    def other(match: re.Match[str]) -> str:
        word = singular(match[0].lower())
        if word not in named or any(start <= match.start() < end for start, end in kept):
            return match[0]
        draw = int(hashlib.md5(f"{database} {word}".encode(), usedforsecurity=False).hexdigest(), 16)
        choices = sorted(other_words(word))
        if not choices or draw % 1000 >= 1000 * REWORDED:
            return match[0]
        chosen = choices[draw % len(choices)]
        return chosen if match[0].lower() == word else _plural(chosen)

    return _WORD.sub(other, text)


def _words_of_names(catalog: Catalog) -> dict[str, set[str]]:
    """The words of the names of tables and columns of each database, in the singular."""
    words: dict[str, set[str]] = {}
    for table in catalog:
        names = [table.name, *table.column_names]
        words.setdefault(table.database, set()).update(singular(word) for name in names for word in name_words(name))
    return words


def _plural(word: str) -> str:
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("s", "x", "ch", "sh")) else f"{word}s"
