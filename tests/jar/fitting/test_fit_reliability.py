"""Whether the probabilities of a fit are right, as its report tells it."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from jar import Index, Reranker
from jar.errors import JarError, QueryError
from jar.fitting.reliability import EDGES, Reliability, ReliabilityBin, reliability_bins
from jar.fitting.stored_fit import store_fit, stored_fit, stored_reliability
from tests.jar.conftest import toy_embedder
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


def test_an_index_keeps_the_reliability_of_its_fit(shop: Index) -> None:
    """Opened again it has the same bins, and draws the same picture; not fitted, or by an older version, it says so."""
    with pytest.raises(QueryError, match=r"not fitted .* fit it first"):
        stored_reliability(shop.contents)
    log, gold = map(list, zip(*questions(ASKED), strict=True))
    report = Reranker(shop).fit(log, [[table] for table in gold], progress=False)
    opened = Index.load(shop.path, embedder=toy_embedder)
    assert stored_reliability(opened.contents) == (report.reliability, report.questions)
    fit = stored_fit(opened.contents)
    assert fit is not None
    older = {name: value for name, value in fit.card.items() if name != "reliability"}
    store_fit(opened, replace(fit, card=older))
    with pytest.raises(QueryError, match="before its bins were kept: fit it again"):
        stored_reliability(opened.contents)
    assert Reranker(opened).rank(log[0], 1).fitted
    store_fit(opened, replace(fit, card=older | {"reliability": {"before": [[1, 2]]}}))
    with pytest.raises(JarError, match=r"damaged .* fit again"):
        stored_reliability(opened.contents)


def test_the_picture_of_an_index_is_that_of_its_report(shop: Index) -> None:
    """The same curves, errors and number of questions."""
    pyplot = pytest.importorskip("matplotlib.pyplot", reason="needs matplotlib: pip install matplotlib")
    from jar.pictures import plot_reliability

    log, gold = map(list, zip(*questions(ASKED), strict=True))
    report = Reranker(shop).fit(log, [[table] for table in gold], progress=False)
    axes = [plot_reliability(fit, ax=pyplot.Figure().subplots()) for fit in (report, Index.load(shop.path))]
    curves = [[line.get_xydata().tolist() for line in ax.lines] for ax in axes]
    assert curves[0] == curves[1]
    assert len(curves[0]) == 3
    texts = [[ax.get_title(loc="left"), *(text.get_text() for text in ax.get_legend().get_texts())] for ax in axes]
    assert texts[0] == texts[1]
    with pytest.raises(QueryError, match="not of a Reranker"):
        plot_reliability(Reranker(shop))
