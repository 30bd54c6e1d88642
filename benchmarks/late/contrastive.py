"""The contrastive loss of late interaction (InfoNCE over frozen token vectors), and its gradient by hand.

For a question with tokens x_1 .. x_t and a document with tokens y_1 .. y_l (vectors of an encoder that stays as it is):

    q_i = A'x_i / |A'x_i|,  d_j = B'y_j / |B'y_j|,  a = softmax(x_i . u over the question's tokens)
    S(q, d) = sum_i a_i max_j q_i . d_j
    loss = - mean over questions of sum_d p_d log softmax(S(q, d) / temperature over the question's rivals)

p is uniform over the documents that the question needs. The maximum has the gradient of the token that reaches it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

Floats = npt.NDArray[np.floating]
Ints = npt.NDArray[np.int64]


class Maps(NamedTuple):
    """What is fitted: A and B, (d, k), and u, (d,)."""

    question: Floats
    document: Floats
    weight: Floats


class Texts(NamedTuple):
    """Tokens (T, d) of n texts, one behind the other; those of text i are ``first[i]`` to ``first[i + 1] - 1``.

    Every text has some.
    """

    tokens: Floats
    first: Ints


class Goals(NamedTuple):
    """Documents that are compared with each other, and those that are needed: two arrays (questions, documents).

    Each row of `needed` sums to 1 (or to 0: such a question teaches nothing), and is 0 outside of `rivals`.
    """

    rivals: npt.NDArray[np.bool_]
    needed: Floats


@dataclass(frozen=True)
class Contrast:
    """How the loss is computed.

    Attributes
    ----------
    temperature : float
    negligible : float
        Derivatives by a score that are smaller than this share of the greatest possible are taken for 0.
    """

    temperature: float = 0.05
    negligible: float = 0.0

    def __call__(self, maps: Maps, questions: Texts, documents: Texts, goals: list[Goals]) -> tuple[float, Maps]:
        """The sum of the losses of several goals, and its gradient."""
        asked, norms = _projected(questions.tokens, maps.question)
        projected, told_norms = _projected(documents.tokens, maps.document)
        similar = asked @ projected.T
        best = np.maximum.reduceat(similar, documents.first[:-1], axis=1)
        shares = token_shares(questions, maps.weight)
        scores = np.add.reduceat(shares[:, None] * best, questions.first[:-1], axis=0)
        loss, slopes = 0.0, np.zeros_like(scores)
        for goal in goals:
            part, slope = self._contrast(scores, goal)
            loss, slopes = loss + part, slopes + slope
        owner = np.repeat(np.arange(len(questions.first) - 1), np.diff(questions.first))
        by_best = shares[:, None] * slopes[owner]
        by_best[np.abs(slopes[owner]) < self.negligible / (self.temperature * len(scores))] = 0
        chosen = _at_best(similar, best, by_best, documents.first)
        by_share = (slopes[owner] * best).sum(axis=1)
        mean = np.add.reduceat(shares * by_share, questions.first[:-1])[owner]
        return loss, Maps(
            questions.tokens.T @ _through_norm(chosen @ projected, asked, norms),
            documents.tokens.T @ _through_norm(chosen.T @ asked, projected, told_norms),
            questions.tokens.T @ (shares * (by_share - mean)),
        )

    def _contrast(self, scores: Floats, goal: Goals) -> tuple[float, Floats]:
        """The loss of one goal, and its derivatives by the scores."""
        logits = np.where(goal.rivals, scores / self.temperature, -np.inf)
        logits = logits - logits.max(axis=1, keepdims=True)
        odds = np.exp(logits)
        total = odds.sum(axis=1, keepdims=True)
        taught = goal.needed.sum(axis=1, keepdims=True) > 0
        logs = np.where(goal.needed > 0, logits - np.log(total), 0.0)
        loss = -(goal.needed * logs).sum() / len(scores)
        slopes: Floats = np.where(taught, odds / total - goal.needed, 0.0) / (self.temperature * len(scores))
        return float(loss), slopes.astype(scores.dtype)


def token_shares(questions: Texts, weight: Floats) -> Floats:
    """a: what each token of the questions counts, shape (T,); those of a question sum to 1."""
    logits = questions.tokens @ weight
    lengths = np.diff(questions.first)
    odds = np.exp(logits - np.repeat(np.maximum.reduceat(logits, questions.first[:-1]), lengths))
    shares: Floats = odds / np.repeat(np.add.reduceat(odds, questions.first[:-1]), lengths)
    return shares


def _projected(tokens: Floats, by: Floats) -> tuple[Floats, Floats]:
    """Unit vectors of mapped tokens, and the norms that they had."""
    mapped = tokens @ by
    norms = np.maximum(np.linalg.norm(mapped, axis=1, keepdims=True), 1e-12)
    return mapped / norms, norms


def _through_norm(slopes: Floats, unit: Floats, norms: Floats) -> Floats:
    """Derivatives by vectors, from those by the same vectors of norm 1."""
    through: Floats = (slopes - (slopes * unit).sum(axis=1, keepdims=True) * unit) / norms
    return through


def _at_best(similar: Floats, best: Floats, slopes: Floats, first: Ints) -> csr_array:
    """Derivatives by the similarity of each pair of tokens, sparse: by the maxima, at the first that reaches each."""
    rows, documents = np.nonzero(slopes)
    lengths = np.diff(first)[documents]
    starts = np.cumsum(lengths) - lengths
    tokens = np.repeat(first[documents] - starts, lengths) + np.arange(lengths.sum())
    pair = np.repeat(np.arange(len(rows)), lengths)
    reached = similar[rows[pair], tokens] == best[rows, documents][pair]
    _, earliest = np.unique(pair[reached], return_index=True)
    return csr_array((slopes[rows, documents], (rows, tokens[reached][earliest])), shape=similar.shape)
