"""Late interaction in arrays is a loop over tokens of the question and tokens of the document."""

from __future__ import annotations

import numpy as np
import pytest

from jar.arrays import units
from jar.late.late_head import LateHead, Side
from jar.late.max_similarity import parts_of, token_maxima
from jar.tokens.token_vectors import rounded

CHANCE = np.random.default_rng(5)


def some_units(count: int, dimension: int = 8) -> np.ndarray:
    """Unit vectors by chance."""
    return units(CHANCE.normal(size=(count, dimension)).astype(np.float32))


def by_loops(question: np.ndarray, weights: np.ndarray, document: np.ndarray) -> float:
    """S(q, d), one pair of tokens after the other."""
    total = 0.0
    for token, weight in zip(question, weights, strict=True):
        best = -np.inf
        for other in document:
            best = max(best, float(sum(a * b for a, b in zip(token, other, strict=True))))
        total += float(weight) * best
    return total


@pytest.mark.parametrize("trial", range(20))
def test_scores_are_those_of_two_loops(trial: int) -> None:
    """For documents of any lengths, mapped by any maps."""
    maps = [CHANCE.normal(size=(8, 5)).astype(np.float32) for _ in range(2)]
    side = Side(*maps, CHANCE.normal(size=8).astype(np.float32))
    question = some_units(int(CHANCE.integers(1, 7)))
    documents = [some_units(int(CHANCE.integers(1, 9))) for _ in range(6)]
    first = np.concatenate([[0], np.cumsum([len(document) for document in documents])])
    best = token_maxima(side.asked(question), side.told(np.concatenate(documents)), first)
    shares = np.exp(question @ side.weight) / np.exp(question @ side.weight).sum()
    asked = [token / np.linalg.norm(token) for token in question @ side.question]
    told = [[token / np.linalg.norm(token) for token in document @ side.document] for document in documents]
    expected = [by_loops(asked, shares, document) for document in told]
    np.testing.assert_allclose(side.shares(question) @ best, expected, atol=1e-5)


def test_neither_order_nor_padding_matters() -> None:
    """The tokens of a document may be shuffled, or repeated, or stand beside tokens of zeros; those of others, too."""
    question, document, other = some_units(4), units(np.abs(some_units(6))), some_units(3)
    question = np.abs(question)
    plain = token_maxima(question, document, np.array([0, 6]))
    shuffled = document[CHANCE.permutation(6)]
    padded = np.vstack([other, shuffled, np.zeros((4, 8), dtype=np.float32), document[:2]])
    np.testing.assert_allclose(token_maxima(question, padded, np.array([0, 3, 15]))[:, 1:], plain, atol=1e-6)


def test_a_document_without_tokens_has_nothing() -> None:
    """Its score is 0, and those of its neighbours stay."""
    question, document = some_units(2), some_units(3)
    best = token_maxima(question, document, np.array([0, 0, 2, 2, 3, 3]))
    assert (best[:, [0, 2, 4]] == 0).all()
    np.testing.assert_array_equal(best[:, 1], (question @ document[:2].T).max(axis=1))
    assert token_maxima(question[:0], document, np.array([0, 3])).shape == (0, 1)
    assert token_maxima(question, document[:0], np.array([0, 0])).tolist() == [[0], [0]]


def test_parts_are_the_tokens_of_texts() -> None:
    """In the order that is asked for, also of texts without tokens."""
    tokens, starts = parts_of(np.array([2, 0, 1]), np.array([0, 2, 2, 5]))
    assert tokens.tolist() == [2, 3, 4, 0, 1]
    assert starts.tolist() == [0, 3, 5, 5]


def test_bytes_keep_directions() -> None:
    """Rounding turns a vector by less than a degree."""
    vectors = some_units(50, 384)
    cosines = (units(rounded(vectors).astype(np.float32)) * vectors).sum(axis=1)
    assert cosines.min() > np.cos(np.radians(1))
    assert (rounded(np.zeros((1, 4), dtype=np.float32)) == 0).all()


def test_an_untrained_head_changes_nothing() -> None:
    """Its maps are the identity, and every token counts alike."""
    vectors = some_units(3)
    side = LateHead.untrained(8).tables
    np.testing.assert_allclose(side.asked(vectors), vectors, atol=1e-6)
    np.testing.assert_allclose(side.shares(vectors), 1 / 3, atol=1e-6)
