"""Vectors of texts by tables of word pieces and of pairs of them, distilled from all-MiniLM-L6-v2: sums of rows.

The vector of a text with the pieces p_1 .. p_n is

    sum_i w(p_i) e(p_i) + 1/2 sum_i min(w(p_i), w(p_(i+1))) b(h(p_i, p_(i+1)))

where w is what a piece weighs, e(p) its row, h one of a few thousand buckets, and b(h) the row of a bucket: what pairs
of pieces mean beyond their parts ("first name", "credit card").
"""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from jar.arrays import IntArray, Vectors
from jar.distilled.piece_tokenizer import PieceTokenizer
from jar.errors import EmbedderError

FILE = "pieces.npz"
CARD = "pieces.json"
"""What the file is, beside it."""
PAIR_WEIGHT = 0.5
LEVELS = 7
"""Greatest of the integers that a number is rounded to; the least is its negative."""
CLIPPED = 0.75
"""Share of the greatest number of a row that is `LEVELS`; greater ones are cut off."""


class DistilledWords:
    """The encoder; it may be called by several threads at once.

    Parameters
    ----------
    path : path, optional
        The tables, by default those of the package; `save_tables` writes them.

    Raises
    ------
    EmbedderError
        When the file cannot be read, or holds something else.
    """

    batch = 1024
    """Texts of a call that suit it."""

    def __init__(self, path: Path | None = None) -> None:
        path = path or Path(__file__).with_name(FILE)
        self._pieces = PieceTokenizer()
        try:
            with np.load(path, allow_pickle=False) as tables:
                self._rows, self._scales, self._weights = tables["rows"], tables["scales"], tables["weights"]
        except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
            raise EmbedderError(
                f"the distilled vectors in {path} cannot be read ({type(error).__name__}: {error}); "
                f"install the package again: pip install --force-reinstall --no-deps jar-rerank"
            ) from error
        count = len(self._pieces.pieces)
        self._buckets = len(self._rows) - count
        if self._buckets < 1 or self._weights.shape != (count,) or self._scales.shape != self._rows.shape[:1]:
            raise EmbedderError(f"{path} holds no rows of {count} word pieces and of pairs of them")

    def __call__(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts, shape (n, d), not normalised; zeros for a text without pieces."""
        read = [self._pieces(text) for text in texts]
        lengths = np.array([len(pieces) for pieces in read], dtype=np.int64)
        pieces = np.array([piece for each in read for piece in each], dtype=np.int64)
        vectors = np.zeros((len(read), 2 * self._rows.shape[1]), dtype=np.float32)
        _add_sums(vectors, self._weighed(pieces, self._weights[pieces]), lengths)
        places, weights = pairs(pieces, lengths, self._weights, self._buckets)
        _add_sums(vectors, self._weighed(len(self._weights) + places, weights), np.maximum(lengths - 1, 0))
        return vectors

    def _weighed(self, places: IntArray, weights: Vectors) -> Vectors:
        """Rows times weights, shape (len(places), d)."""
        packed = self._rows[places]
        numbers = np.concatenate([packed & 15, packed >> 4], axis=1).astype(np.float32) - np.float32(LEVELS)
        weighed: Vectors = numbers * (self._scales[places] * weights)[:, None]
        return weighed


def pairs(pieces: IntArray, lengths: IntArray, weights: Vectors, buckets: int) -> tuple[IntArray, Vectors]:
    """The bucket of each pair of neighbours in texts that stand one behind the other, and what the pair weighs.

    Parameters
    ----------
    pieces : array (sum of lengths,)
    lengths : array (n,)
        Pieces of each text.
    weights : array (V,)
        Of all pieces.
    buckets : int
    """
    owners = np.repeat(np.arange(len(lengths)), lengths)
    first = np.flatnonzero(owners[1:] == owners[:-1])
    left, right = pieces[first], pieces[first + 1]
    mixed = ((left * 1_000_003 + right) * 2_654_435_761 % (1 << 32)) >> 7
    return mixed % buckets, np.float32(PAIR_WEIGHT) * np.minimum(weights[left], weights[right])


def _add_sums(vectors: Vectors, rows: Vectors, lengths: IntArray) -> None:
    """Add to each vector so many of the rows, which stand one behind the other."""
    some = lengths > 0
    if some.any():
        vectors[some] += np.add.reduceat(rows, (np.cumsum(lengths) - lengths)[some], axis=0)


def save_tables(path: Path, rows: npt.NDArray[np.floating[Any]], weights: npt.NDArray[np.floating[Any]]) -> None:
    """Write rows of pieces and of buckets behind them, shape (V + buckets, d), and weights of pieces, (V,).

    Numbers are rounded to 4 bits: 15 steps, and a scale for each row; the halves of a row share bytes.
    """
    scales = np.abs(rows).max(axis=1) * CLIPPED / LEVELS
    steps = np.clip(np.rint(rows / np.where(scales > 0, scales, 1)[:, None]), -LEVELS, LEVELS) + LEVELS
    low, high = np.split(steps.astype(np.uint8), 2, axis=1)
    np.savez(path, rows=low | high << 4, scales=scales.astype(np.float32), weights=weights.astype(np.float32))
