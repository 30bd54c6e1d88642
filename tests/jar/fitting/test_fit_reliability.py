"""Whether the probabilities of a fit are right, as its report tells it."""

from __future__ import annotations

import json

import numpy as np
import pytest

from jar import Index, Reranker
from jar.fitting.reliability import EDGES, Reliability, ReliabilityBin, reliability_bins
from tests.jar.fitting.fitting_shop import ASKED, questions


def test_candidates_are_counted_in_the_bin_of_their_probability() -> None:
    """By hand: log-odds 0 are .5, log(9) is .9; bins begin with their lower limit, the last one has 1."""
    odds = np.array([0.0, 0.0, 0.0, np.log(9) + 1e-9, 800.0, -800.0])
    needed = np.array([1.0, 0.0, 0.0, 1.0, 1.0, 0.0])
    assert reliability_bins(odds, needed) == (
        ReliabilityBin(0.0, 0.02, 1, 0.0, 0.0),
        ReliabilityBin(0.5, 0.6, 3, 0.5, pytest.approx(1 / 3)),
        ReliabilityBin(0.9, 0.95, 1, pytest.approx(0.9), 1.0),
        ReliabilityBin(0.95, 1.0, 1, 1.0, 1.0),
    )
    assert EDGES[0] == 0.0
    assert EDGES[-1] == 1.0


def test_the_error_is_the_mean_distance_from_the_promise() -> None:
    """(3 * |.5 - 1/3| + 1 * |.9 - 1|) / 4 = .15; nothing promised, nothing wrong."""
    bins = (ReliabilityBin(0.5, 0.6, 3, 0.5, 1 / 3), ReliabilityBin(0.9, 0.95, 1, 0.9, 1.0))
    told = Reliability((), bins)
    assert (told.error_before, told.error_after) == (0.0, pytest.approx(0.15))


def test_draws_of_what_is_promised_have_no_error() -> None:
    """100,000 candidates that are needed as often as their probabilities say."""
    generator = np.random.default_rng(3)
    odds = generator.normal(-1.0, 2.0, 100_000)
    needed = (generator.random(100_000) < 1 / (1 + np.exp(-odds))).astype(float)
    assert Reliability((), reliability_bins(odds, needed)).error_after < 0.01
    assert Reliability((), reliability_bins(odds + 2, needed)).error_after > 0.1


def test_a_report_tells_the_reliability_on_unseen_questions(shop: Index) -> None:
    """All candidates of all questions count, before as after; where names mislead, the fit is nearer to the truth."""
    log, gold = map(list, zip(*questions(ASKED), strict=True))
    report = Reranker(shop).fit(log, [[table] for table in gold], progress=False)
    told = report.reliability
    assert told is not None
    pairs = [sum(row.pairs for row in bins) for bins in (told.before, told.after)]
    assert pairs[0] == pairs[1] >= len(log)
    needed = [sum(row.pairs * row.needed for row in bins) for bins in (told.before, told.after)]
    assert needed == [pytest.approx(len(log))] * 2
    assert told.error_after < told.error_before
    assert json.loads(json.dumps(report.to_dict()))["reliability"]["after"][0]["pairs"] == told.after[0].pairs
