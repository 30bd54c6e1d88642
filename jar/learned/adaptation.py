"""What logged questions teach of the tables of an index: log-odds beside those of the relevance model.

    A_qt = b_t + sum over the words w of question q of u_wt / sqrt(number of words)                     (1)

b_t says how often table t is asked for, u_wt with which words. Words are kept as hashes, questions not at all.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from jar.arrays import Array
from jar.errors import JarError
from jar.text.lexical import content_words
from jar.values.known_values import value_hash
from joinability.attributes import cached_property
from joinability.spelling.vocabulary import singular

VERSION = 1
"""Of the form in which it is stored."""
TELLING = 0.5
"""Log-odds from which a term of (1) is a reason."""

Hashes = npt.NDArray[np.uint64]
HalfArray = npt.NDArray[np.float16]


class Adapted(NamedTuple):
    """What an adaptation adds to the log-odds of n candidates, shape (n,), and what it says for each, in words."""

    log_odds: Array
    reasons: Sequence[tuple[str, ...]]
    summary: str


@dataclass(frozen=True, eq=False)
class Adaptation:
    """The terms of (1), by the ids of tables and the hashes of words.

    Attributes
    ----------
    tables : tuple of str
        The T tables that were candidates of logged questions; the first A are those that some question needs.
    often : array (T,)
        b_t; of a table that was no candidate it is 0.
    words : array (W,) of uint64
        Hashes, in ascending order.
    weights : array (W, A)
        u_wt; of a table that no question needs it is 0.
    card : mapping
        What it is fitted to and what that gave: numbers and a date.
    """

    tables: tuple[str, ...]
    often: Array
    words: Hashes
    weights: HalfArray
    card: Mapping[str, Any] = field(default_factory=dict)

    def adapted(self, words: Hashes, tables: Sequence[str]) -> Adapted:
        """What it adds to tables, by their ids, for a question, by its `hashed_words`."""
        nowhere = len(self.tables)
        places = np.array([self._place.get(table, nowhere) for table in tables], dtype=np.int64)
        often, by_words = np.append(self.often, 0.0)[places], self.by_words(words)[places]
        reasons = [_reasons(*terms) for terms in zip(often.tolist(), by_words.tolist(), strict=True)]
        return Adapted(often + by_words, reasons, self.summary)

    def by_words(self, words: Hashes) -> Array:
        """What the words of a question add to each table, and to one that is not known, shape (T + 1,)."""
        sums = np.zeros(len(self.tables) + 1)
        if len(words):
            known = self.weights[np.isin(self.words, words)]
            sums[: known.shape[1]] = known.sum(axis=0, dtype=np.float64) / np.sqrt(len(words))
        return sums

    @property
    def needed(self) -> tuple[str, ...]:
        """The tables that some logged question needs."""
        return self.tables[: self.weights.shape[1]]

    @property
    def summary(self) -> str:
        """What it is fitted to, in words; "" where its card does not say so."""
        return str(self.card.get("summary", ""))

    @cached_property
    def _place(self) -> Mapping[str, int]:
        return {table: place for place, table in enumerate(self.tables)}

    def to_text(self) -> str:
        """The adaptation as JSON; arrays of words and their weights as bytes in base 64."""
        words, weights = (base64.b64encode(array.tobytes()).decode() for array in (self.words, self.weights))
        often = dict(zip(self.tables, self.often.tolist(), strict=True))
        shape = list(self.weights.shape)
        return json.dumps(
            {"version": VERSION, "card": self.card, "often": often, "shape": shape, "words": words, "weights": weights}
        )

    @classmethod
    def from_text(cls, text: str) -> Adaptation:
        """The adaptation that `to_text` tells.

        Raises
        ------
        JarError
            When it is of another version, or damaged.
        """
        try:
            data = json.loads(text)
            if data["version"] != VERSION:
                raise JarError(f"a fit of version {data['version']!r}, not {VERSION}")
            words = np.frombuffer(base64.b64decode(data["words"]), dtype="<u8")
            weights = np.frombuffer(base64.b64decode(data["weights"]), dtype="<f2").reshape(data["shape"])
            often = np.array(list(data["often"].values()), dtype=np.float64)
            if not (np.isfinite(often).all() and np.isfinite(weights).all() and len(words) == len(weights)):
                raise ValueError("a number is not finite, or missing")
            return cls(tuple(data["often"]), often, words, weights, data["card"])
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise JarError(f"a damaged fit ({error})") from error


@lru_cache(maxsize=8)
def read_adaptation(text: str) -> Adaptation:
    """The adaptation that a text tells; read once.

    Raises
    ------
    JarError
        When it is of another version, or damaged.
    """
    return Adaptation.from_text(text)


def hashed_words(question: str, stop_words: Collection[str]) -> Hashes:
    """The different words of a question in their singular, but for stop words and numbers, as 64-bit hashes."""
    words = {singular(word) for word in content_words(question, stop_words) if not word.isnumeric()}
    return np.array(sorted(value_hash([word]) for word in words), dtype="<u8")


def _reasons(often: float, by_words: float) -> tuple[str, ...]:
    odds_of = {"logged questions with such words need it": by_words, "logged questions often need it": often}
    return tuple(reason for reason, odds in odds_of.items() if odds >= TELLING)
