"""Is the score a probability? Of the pairs that score about p, a share of p should be keys."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from benchmarks.joins.key_ranking import Scored
from jar.fitting.reliability import calibration_error, probability_bins

EDGES = (0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
BINS = (0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 1.0)
"""Limits of the scores where databases are too few for `EDGES`."""


def calibration(scored: Iterable[Scored], edges: tuple[float, ...] = EDGES) -> dict[str, Any]:
    """The reliability table of a score, ready for JSON, and its expected calibration error.

    Returns
    -------
    dict
        `error`, from 0 to 1, and `bins`: limits, pairs, the mean score, and the share of declared keys; none is empty.
    """
    databases = list(scored)
    score = np.concatenate([database.score for database in databases])
    declared = np.concatenate([database.declared for database in databases])
    bins = probability_bins(score, declared, edges)
    rows = [
        {"low": row.low, "high": row.high, "pairs": row.pairs, "score": row.probability, "declared": row.needed}
        for row in bins
    ]
    return {"error": calibration_error(bins), "bins": rows}
