"""Questions of a log that are one in other words: what a fit learns from the one is no proof of it on the other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
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
    """The questions, groups merged whose questions are one in other words.

    Two that need the same tables are one where |A n B| / |A u B| is `NEAR` at least, A and B their words that count, or
    where other questions between them are.
    """
    by_tables, by_group = defaultdict(list), defaultdict(list)
    for place, question in enumerate(questions):
        by_tables[frozenset(question.tables)].append(place)
        by_group[question.group].append(place)
    pairs = [pair for places in by_group.values() for pair in pairwise(places)]
    for places in by_tables.values():
        words = [frozenset(content_words(questions[place].question)) for place in places]
        pairs += [(places[one], places[other]) for one, other in _near(words)]
    left, right = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    linked = csr_array((np.ones(len(pairs)), (left, right)), shape=(len(questions), len(questions)))
    merged = connected_components(linked, directed=False)[1]
    first = np.unique(merged, return_index=True)[1][merged].tolist()
    return tuple(
        replace(question, group=questions[place].group) for question, place in zip(questions, first, strict=True)
    )


def _near(sets: Sequence[frozenset[str]]) -> Iterator[tuple[int, int]]:
    """The pairs of n sets of words that are near each other."""
    numbers = {word: number for number, word in enumerate(sorted(frozenset().union(*sets)))}
    sizes = np.array([len(words) for words in sets])
    members = np.array([numbers[word] for words in sets for word in words], dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    having = csr_array((np.ones(len(members)), members, starts), shape=(len(sets), max(len(numbers), 1)))
    common = (having @ having.T).tocoo()
    row, column = common.coords
    near = (row < column) & (common.data >= NEAR * (sizes[row] + sizes[column] - common.data))
    return zip(row[near].tolist(), column[near].tolist(), strict=True)
