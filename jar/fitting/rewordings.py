"""Questions of a log that are one in other words: what a fit learns from the one is no proof of it on the other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from jar.text.lexical import content_words

if TYPE_CHECKING:
    from jar.fitting.logged import LoggedQuestion

NEAR = 0.6
"""Share of the words of two questions that both have, from which on these are one in other words, if they need the same
tables."""


def with_rewordings(questions: Sequence[LoggedQuestion]) -> tuple[LoggedQuestion, ...]:
    """The questions, those that are one in other words in one group.

    Two that need the same tables are one where |A n B| / |A u B| is `NEAR` at least, A and B their words that count, or
    where other questions between them are.
    """
    asked = defaultdict(list)
    for place, question in enumerate(questions):
        asked[frozenset(question.tables)].append(place)
    group = [question.group for question in questions]
    for places in asked.values():
        words = [frozenset(content_words(questions[place].question)) for place in places]
        for place, first in zip(places, _first_alike(words), strict=True):
            group[place] = questions[places[first]].group
    return tuple(replace(question, group=name) for question, name in zip(questions, group, strict=True))


def _first_alike(sets: Sequence[frozenset[str]]) -> list[int]:
    """For each of n sets of words the first one that it is near, or to which others between them lead."""
    numbers = {word: number for number, word in enumerate(sorted(frozenset().union(*sets)))}
    sizes = np.array([len(words) for words in sets])
    members = np.array([numbers[word] for words in sets for word in words], dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    having = csr_array((np.ones(len(members)), members, starts), shape=(len(sets), max(len(numbers), 1)))
    common = (having @ having.T).tocoo()
    row, column = common.coords
    near = common.data >= NEAR * (sizes[row] + sizes[column] - common.data)
    linked = csr_array((np.ones(near.sum()), (row[near], column[near])), shape=common.shape)
    of_set = connected_components(linked, directed=False)[1]
    first = np.unique(of_set, return_index=True)[1]
    return [int(first[number]) for number in of_set]
