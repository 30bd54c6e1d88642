"""Estimates from bottom-k sketches: of each column the values of least hash.

A sketch is a uniform sample without replacement whose members are chosen by their hash alone, so that the samples of
two columns are coordinated: up to the lesser of their greatest hashes, the threshold, both are known completely.
Broder (1997), On the resemblance and containment of documents; Beyer, Haas, Reinwald, Sismanis and Gemulla (2007), On
synopses for distinct-value estimation under multiset operations; Cohen and Kaplan (2007), Summarizing data using
bottom-k sketches.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from joinability.arrays import Array

MOST_ERROR = 0.5
"""The greatest standard error that a share can have: that of one of which nothing is known."""


@dataclass(frozen=True)
class SketchEstimates:
    """Estimates for p pairs of columns with value sets A and B, each with its standard error, as (p,) arrays.

    Attributes
    ----------
    intersection, intersection_error : arrays of float
        |A n B|.
    jaccard, jaccard_error : arrays of float
        |A n B| / |A u B|.
    containment_left, containment_left_error : arrays of float
        |A n B| / |A|.
    containment_right, containment_right_error : arrays of float
        |A n B| / |B|.
    """

    intersection: Array
    intersection_error: Array
    jaccard: Array
    jaccard_error: Array
    containment_left: Array
    containment_left_error: Array
    containment_right: Array
    containment_right_error: Array


def estimate(
    common: ArrayLike, left_kept: ArrayLike, right_kept: ArrayLike, left_size: ArrayLike, right_size: ArrayLike
) -> SketchEstimates:
    """Estimate the overlap of pairs of columns from what is known of them up to their thresholds.

    With x values in common among the a of A and the b of B below the threshold, the union below it has u = a + b - x,
    and is a sample of u of the |A u B| values. So

        J = x / u                       se(J) = sqrt(J (1 - J) / u * (1 - (a + b) / (|A| + |B|)))                  (1)
        C_A = x / a                     se(C_A) = sqrt(C_A (1 - C_A) / a * (1 - a / |A|))                          (2)

    proportions of samples without replacement, with the correction for finite populations. The sizes |A| and |B| are
    known, which gives three estimates of the intersection; the one with the least error is taken:

        I = J / (1 + J) * (|A| + |B|)   se(I) = se(J) / (1 + J)^2 * (|A| + |B|)                                    (3)
        I = C_A * |A|                   se(I) = se(C_A) * |A|            and the same with B                       (4)

    (3) is |A n B| = J |A u B|, its error to first order. A proportion of 0 or 1 takes the error of the nearest one that
    is half a value away, so that no small sample has an error of 0.

    Parameters
    ----------
    common, left_kept, right_kept : arrays of int
        x, a and b.
    left_size, right_size : arrays of int
        |A| and |B|.

    Returns
    -------
    SketchEstimates
        Exact, with errors of 0, where a = |A| and b = |B|.
    """
    x, a, b, n, m = (np.asarray(v, dtype=np.float64) for v in (common, left_kept, right_kept, left_size, right_size))
    jaccard, jaccard_error = _proportion(x, a + b - x, 1 - _share(a + b, n + m))
    left, left_error = _proportion(x, a, 1 - _share(a, n))
    right, right_error = _proportion(x, b, 1 - _share(b, m))
    sizes = np.stack([jaccard / (1 + jaccard) * (n + m), left * n, right * m])
    errors = np.stack([jaccard_error / (1 + jaccard) ** 2 * (n + m), left_error * n, right_error * m])
    best = np.argmin(errors, axis=0)[None]
    intersection = np.minimum(np.take_along_axis(sizes, best, axis=0)[0], np.minimum(n, m))
    return SketchEstimates(
        intersection,
        np.take_along_axis(errors, best, axis=0)[0],
        jaccard,
        jaccard_error,
        left,
        left_error,
        right,
        right_error,
    )


def sampled_error(
    common: ArrayLike, left_kept: ArrayLike, right_kept: ArrayLike, left_size: ArrayLike, right_size: ArrayLike
) -> Array:
    """Standard error of the number of values that two independent samples, drawn without replacement, have in common.

    Of A and B, s and t values are sampled. With C = |A n B| / |A| and q = t / |B|, the sample of A has about s C values
    of B, and each of them is in the sample of B with the chance q, so that C is about x / (s q), and

        Var(x) = q^2 s C (1 - C) (1 - s / |A|) + s C q (1 - q) (1 - s C / |B|)                                     (5)

    the variance of the first draw and that of the second. C is kept half a value away from 0 and 1, as in `estimate`.

    Parameters
    ----------
    common, left_kept, right_kept : arrays of int
        x, s and t.
    left_size, right_size : arrays of int
        |A| and |B|.
    """
    x, s, t, n, m = (np.asarray(v, dtype=np.float64) for v in (common, left_kept, right_kept, left_size, right_size))
    chance = np.minimum(_share(t, m), 1)
    half = 0.5 / np.maximum(s * chance, 1)
    contained = np.clip(_share(x, s * chance), half, 1 - half)
    first = chance**2 * s * contained * (1 - contained) * np.maximum(1 - _share(s, n), 0)
    second = s * contained * chance * (1 - chance) * np.maximum(1 - _share(s * contained, m), 0)
    return np.asarray(np.sqrt(first + second))


def share_error(part: ArrayLike, sample: ArrayLike, size: ArrayLike) -> Array:
    """Standard error of `part / sample`, the share of a sample of so many among `size`: (2); 1/2 without a sample."""
    x, a, n = (np.asarray(v, dtype=np.float64) for v in (part, sample, size))
    return _proportion(x, a, 1 - _share(a, n))[1]


def _proportion(part: Array, whole: Array, unseen: Array) -> tuple[Array, Array]:
    """A proportion of a sample and its standard error, (1) and (2)."""
    share = _share(part, whole)
    half = 0.5 / np.maximum(whole, 1)
    spread = np.clip(share, half, 1 - half)
    return share, np.sqrt(spread * (1 - spread) / np.maximum(whole, 1) * np.maximum(unseen, 0))


def _share(part: Array, whole: Any) -> Array:
    return np.asarray(np.divide(part, whole, out=np.zeros_like(part), where=np.asarray(whole) > 0))
