"""Rows of word pieces and of pairs whose sums are nearest to the teacher's vectors: ridge regression.

With X (n, V) the shares of the pieces and of pairs of them in each of n texts, T (n, d) the teacher's vectors, S how
much each text counts and E_0 (V, d) the teacher's vector of each piece alone, zeros for pairs:

    E = argmin sum_i S_i |T_i - X_i E|^2 + sum_v penalty_v |E_v - E_0v|^2

so that a piece that few texts have stays near its own vector. Conjugate gradients, preconditioned by the diagonal,
solve the normal equations for all dimensions at once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from jar.distilled.distilled_words import pairs

Floats = npt.NDArray[np.float32]
Pieces = Sequence[Sequence[int]]


def piece_weights(texts: Pieces, count: int, smooth: float) -> Floats:
    """What each piece weighs in a text, (0, 1]: ``a / (a + p)`` with its share p of all pieces (Arora et al. 2017)."""
    seen = np.bincount(np.concatenate([np.asarray(text, dtype=np.int64) for text in texts]), minlength=count)
    return (smooth / (smooth + seen / seen.sum())).astype(np.float32)


def shares(texts: Pieces, weights: Floats, buckets: int) -> csr_array:
    """Of each text what its pieces and pairs weigh, shape (n, V + buckets); those of its pieces sum to 1.

    No text may be without pieces.
    """
    lengths = np.array([len(text) for text in texts])
    pieces = np.concatenate([np.asarray(text, dtype=np.int64) for text in texts])
    owners = np.repeat(np.arange(len(texts)), lengths)
    totals = np.bincount(owners, weights[pieces], len(texts))
    places, pair_weights = pairs(pieces, lengths, weights, buckets)
    rows = np.concatenate([owners, np.repeat(np.arange(len(texts)), lengths - 1)])
    columns = np.concatenate([pieces, len(weights) + places])
    values = (np.concatenate([weights[pieces], pair_weights]) / totals[rows]).astype(np.float32)
    matrix = csr_array((values, (rows, columns)), shape=(len(texts), len(weights) + buckets))
    matrix.sum_duplicates()
    return matrix


def fit_rows(matrix: csr_array, goals: Floats, counts: Floats, start: Floats, penalty: Floats, rounds: int) -> Floats:
    """E, shape (V, d), after so many rounds from E_0.

    Parameters
    ----------
    matrix : sparse array (n, V)
    goals : array (n, d)
    counts : array (n,)
        How much each text counts.
    start : array (V, d)
    penalty : array (V,)
        In units of the sum of the squares of a text's shares, on average.
    rounds : int
    """
    turned = csr_array(matrix.T)
    weigh = counts[:, None]
    squares = matrix.power(2)
    lam = (penalty * squares.sum() / matrix.shape[0]).astype(np.float32)[:, None]
    diagonal = 1 / (csr_array(squares.T) @ weigh + lam)
    residual = turned @ (weigh * (goals - matrix @ start))
    step = np.zeros_like(start)
    conditioned = diagonal * residual
    direction = conditioned.copy()
    size = (residual * conditioned).sum(axis=0)
    for _ in range(rounds):
        applied = turned @ (weigh * (matrix @ direction)) + lam * direction
        length = size / np.maximum((direction * applied).sum(axis=0), np.float32(1e-20))
        step += length * direction
        residual -= length * applied
        conditioned = diagonal * residual
        grown = (residual * conditioned).sum(axis=0)
        direction = conditioned + grown / np.maximum(size, np.float32(1e-20)) * direction
        size = grown
    return np.asarray(start + step, dtype=np.float32)
