"""How sure a mean over questions is: bootstrap intervals, paired tests, and their correction for many comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.stats import bootstrap, permutation_test

FloatArray = npt.NDArray[np.float64]

SEED = 0
LEVEL = 0.95
RESAMPLES = 9_999
BATCH = 500
"""So many resamples at a time, which bounds the memory."""


def mean_interval(values: FloatArray) -> tuple[float, float]:
    """Percentile bootstrap interval of the mean (level 0.95, 9,999 resamples of the questions, seeded)."""
    if np.ptp(values) == 0:
        return float(values[0]), float(values[0])
    interval = bootstrap(
        (values,),
        np.mean,
        n_resamples=RESAMPLES,
        batch=BATCH,
        confidence_level=LEVEL,
        method="percentile",
        rng=SEED,
    ).confidence_interval
    return float(interval.low), float(interval.high)


def paired_p(differences: FloatArray) -> float:
    """Two-sided p of Fisher's randomisation test: how often random signs give as great a mean difference.

    The signs of differences of zero change nothing, so those are left out. All signs are tried where there are fewer
    than 9,999 ways, else so many are drawn, and the least p is 2 / 10,000, twice that of one side. Smucker, Allan and
    Carterette, "A Comparison of Statistical Significance Tests for Information Retrieval Evaluation", CIKM 2007.
    """
    nonzero = differences[differences != 0]
    if not nonzero.size:
        return 1.0
    test = permutation_test(
        (nonzero if nonzero.size > 1 else np.append(nonzero, 0.0),),  # scipy wants two, and a zero changes nothing
        np.sum,
        permutation_type="samples",
        vectorized=True,
        n_resamples=RESAMPLES,
        batch=BATCH,
        rng=SEED,
    )
    return float(test.pvalue)


def holm(values: Sequence[float]) -> list[float]:
    """p values corrected for as many comparisons as there are, by Holm's step-down rule, in their own order."""
    p = np.asarray(values, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    corrected = np.empty_like(p)
    corrected[order] = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return [float(value) for value in corrected.clip(max=1.0)]


@dataclass(frozen=True, kw_only=True)
class PairedTest:
    """Two systems on the same questions.

    Attributes
    ----------
    won, lost : int
        Questions.
    difference, low, high : float
        The mean difference with its 95 % bootstrap interval, in the unit of the values.
    p, p_holm : float
        Of the randomisation test, and corrected for all tests of a table.
    """

    won: int
    lost: int
    difference: float
    low: float
    high: float
    p: float
    p_holm: float


def paired_tests(differences: Sequence[FloatArray]) -> list[PairedTest]:
    """The tests of one table, corrected for as many as there are."""
    p = [paired_p(values) for values in differences]
    return [
        PairedTest(
            won=int((values > 0).sum()),
            lost=int((values < 0).sum()),
            difference=float(values.mean()),
            low=low,
            high=high,
            p=one,
            p_holm=corrected,
        )
        for values, one, corrected in zip(differences, p, holm(p), strict=True)
        for low, high in [mean_interval(values)]
    ]
