"""Columns that tell sorts of something, and keys of tables that list sorts, by their names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from joinability.attributes import cached_property
from joinability.by_name.key_words import (
    Words,
    about,
    singular_words,
    sorts_something,
    sorts_something_else,
    tells_a_sort,
)
from joinability.names import sorts

if TYPE_CHECKING:
    from joinability.arrays import Flags, Indices


@dataclass(frozen=True, eq=False)
class SortNames:
    """What the names of C columns tell sorts of.

    Attributes
    ----------
    labels : C names of columns
    titles : C tuples of words
        Of the name of the table of each column.
    """

    labels: Sequence[str]
    titles: Sequence[Words]

    def differ(self, left: Indices, right: Indices) -> Flags:
        """Whether the left column of each pair tells sorts of one thing, and the right one is the key of those of
        another.

        Parameters
        ----------
        left, right : arrays of int
            That broadcast to one shape.
        """
        differ = np.asarray(self._tells[left] & self._lists[right])
        left, right = np.broadcast_arrays(left, right)
        for at in zip(*np.nonzero(differ), strict=True):
            child, parent = int(left[at]), int(right[at])
            differ[at] = sorts_something_else(
                self._words[self.labels[child]],
                self.titles[child],
                self._words[self.labels[parent]],
                self.titles[parent],
            )
        return differ

    @cached_property
    def _words(self) -> dict[str, Words]:
        """The words of the names that have one for sorts, by themselves or run together with one for a key."""
        labels = list(set(self.labels))
        named = zip(labels, singular_words(labels), strict=True)
        return {label: words for label, words in named if any(map(sorts, (*words, *about(words))))}

    @cached_property
    def _tells(self) -> Flags:
        telling = {label for label, words in self._words.items() if tells_a_sort(words)}
        return np.array([label in telling for label in self.labels], dtype=np.bool_)

    @cached_property
    def _lists(self) -> Flags:
        named = zip(self.labels, self.titles, strict=True)
        return np.array([sorts_something(self._words.get(label, ()), title) for label, title in named], dtype=np.bool_)
