"""Texts that no database has: words, definitions, and questions and schemas whose words were drawn.

They teach the tokens that training databases do not use. What they mean matters little: the teacher reads them as they
are, and the vectors learn what it makes of their words.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence

from benchmarks.data.wild.wordnet import WordNet
from benchmarks.distil.schema_lessons import Lesson
from jar.text.decomposition import decompose
from joinability.spelling.common_words import word_ranks

COUNTS: Mapping[str, int] = {
    "word": 24_000,
    "phrase": 20_000,
    "definition": 36_000,
    "sentence": 14_000,
    "drawn column": 36_000,
    "drawn question": 14_000,
    "drawn table": 6_000,
}
"""Texts of each kind."""
FLAT = 500
"""Words up to about this rank are drawn equally often, others by the inverse of their rank."""
REPLACED = 0.6
"""Share of the chunks of a question that others replace, and of the columns of a table."""
LONGEST_DEFINITION = 24
"""Words of a definition that are read."""


class Draws:
    """Random texts of words, phrases and the parts of training texts; the same ones for the same seed."""

    def __init__(self, lessons: Sequence[Lesson], wordnet: WordNet, seed: int) -> None:
        self._random = random.Random(seed)
        self._wordnet = wordnet
        self._words = list(word_ranks())
        self._weights = _cumulated([1 / (rank + FLAT) for rank in range(len(self._words))])
        self._columns = [lesson.text for lesson in lessons if lesson.kind == "column"]
        self._questions = [lesson.text for lesson in lessons if lesson.kind == "question"]

    def lessons(self, counts: Mapping[str, int] = COUNTS) -> list[Lesson]:
        """Texts of each kind, without those that stand twice."""
        kinds: dict[str, Callable[[int], Iterator[str]]] = {
            "word": lambda count: iter(self._words[:count]),
            "phrase": lambda count: iter(self._some(self._wordnet.phrases, count)),
            "definition": self._definitions,
            "sentence": lambda count: iter(self._some(self._wordnet.sentences, count)),
            "drawn column": lambda count: (self._column() for _ in range(count)),
            "drawn question": lambda count: (self._question() for _ in range(count)),
            "drawn table": lambda count: (self._table() for _ in range(count)),
        }
        drawn = (Lesson(text, kind) for kind, count in counts.items() for text in kinds[kind](count))
        return list({lesson.text: lesson for lesson in drawn}.values())

    def _some(self, texts: Sequence[str], count: int) -> list[str]:
        return self._random.sample(texts, min(count, len(texts)))

    def _definitions(self, count: int) -> Iterator[str]:
        for text in self._some(self._wordnet.definitions, count):
            yield " ".join(text.split()[:LONGEST_DEFINITION])

    def _word(self) -> str:
        return self._random.choices(self._words, cum_weights=self._weights)[0]

    def _phrase(self) -> str:
        """A phrase as a schema or a question may have it."""
        kind = self._random.random()
        if kind < 0.35:
            return self._random.choice(self._wordnet.phrases)
        if kind < 0.6:
            return self._word()
        if kind < 0.75:
            return f"{self._word()} {self._word()}"
        return self._random.choice(self._columns)

    def _column(self) -> str:
        """Words of a table and of a column, and now and then of a database before them."""
        last = self._random.choice(self._columns).split()
        column = self._phrase() if self._random.random() < REPLACED else " ".join(last[-self._random.randint(1, 3) :])
        database = f"{self._phrase()} " if self._random.random() < 0.25 else ""
        return f"{database}{self._phrase()} {column}"

    def _question(self) -> str:
        question = self._random.choice(self._questions)
        for chunk in decompose(question):
            if self._random.random() < REPLACED:
                question = question.replace(chunk, self._phrase(), 1)
        return question

    def _table(self) -> str:
        style = self._random.choice([_snake, _camel, _title_snake, _plain])
        columns = []
        for _ in range(self._random.randint(2, 12)):
            known = " ".join(self._random.choice(self._columns).split()[-self._random.randint(1, 3) :])
            columns.append(style(self._phrase() if self._random.random() < REPLACED else known))
        return f"{_snake(self._phrase())}.{style(self._phrase())}({', '.join(columns)})"


def _cumulated(weights: Sequence[float]) -> list[float]:
    total, cumulated = 0.0, []
    for weight in weights:
        total += weight
        cumulated.append(total)
    return cumulated


def _snake(text: str) -> str:
    return "_".join(text.split())


def _title_snake(text: str) -> str:
    return "_".join(word.capitalize() for word in text.split())


def _camel(text: str) -> str:
    first, *others = text.split() or [""]
    return first + "".join(word.capitalize() for word in others)


def _plain(text: str) -> str:
    return text
