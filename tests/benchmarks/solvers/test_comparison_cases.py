"""Cases: synthetic ones repeat, those of questions are what the re-ranker solves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.runs.evaluation import Options
from benchmarks.runs.vectors import VectorCache
from benchmarks.solvers import questions
from benchmarks.solvers.questions import KINDS, Corpus
from benchmarks.solvers.synthetic import KINDS as SYNTHETIC_KINDS
from benchmarks.solvers.synthetic import synthetic_cases, synthetic_instance
from formulations import solve


@pytest.fixture
def corpus(public_layout: Path, tmp_path: Path) -> Corpus:
    """Twelve tables in four databases, with the static embedder."""
    pytest.importorskip("wordllama", reason="the static embedder is an extra")
    options = Options(public_layout, tmp_path, embedder="static")
    return Corpus("spider", options, VectorCache("static", tmp_path / "vectors"))


@pytest.mark.parametrize("kind", SYNTHETIC_KINDS)
def test_a_seed_is_an_instance(kind: str) -> None:
    """The same kind, seed and size give the same instance, another seed another one; the graph is what it is called."""
    one, same, other = (synthetic_instance(kind, seed, 60, 5) for seed in (3, 3, 4))
    for name in ("relevance", "coverage", "compatibility"):
        assert np.array_equal(getattr(one, name), getattr(same, name))
        assert not np.array_equal(getattr(one, name), getattr(other, name))
    joins = np.count_nonzero(one.compatibility) / one.n
    assert joins > 40 if kind.startswith("dense") else joins < 8
    assert np.abs(one.relevance).max() <= 1.0


def test_synthetic_kinds_differ() -> None:
    """Kinds take turns, with both ways to connect and both weights of joins."""
    cases = list(synthetic_cases(2, 30, 4))
    assert [case.kind for case in cases] == [*SYNTHETIC_KINDS, *SYNTHETIC_KINDS]
    assert {case.objective.connect for case in cases} == {"require", "prefer"}
    assert {case.objective.join for case in cases} == {1, 10}


@pytest.mark.parametrize("kind", KINDS)
def test_both_ways_to_an_instance_are_one(corpus: Corpus, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reduced from its own columns or cut out of the corpus, an instance has the same numbers and the same best set."""
    for n in (7, 12):
        monkeypatch.setattr(questions, "COLUMN_LEVEL", 100)
        reduced = list(corpus.cases(4, n, (2, 3), kind=kind))
        monkeypatch.setattr(questions, "COLUMN_LEVEL", 0)
        for one, other in zip(reduced, corpus.cases(4, n, (2, 3), kind=kind), strict=True):
            assert one.instance.ids == other.instance.ids
            for name in ("relevance", "coverage", "compatibility"):
                np.testing.assert_allclose(getattr(one.instance, name), getattr(other.instance, name), atol=1e-6)
            assert solve(one.instance, one.objective).items == solve(other.instance, other.objective).items


def test_cases_keep_their_columns_where_asked(corpus: Corpus) -> None:
    """With columns the reduction of the problem is the instance."""
    cases = list(corpus.cases(2, 6, (2, 3, 9), columns=True))
    assert [case.instance.size for case in cases] == [2, 3, 2, 3]
    for case in cases:
        assert case.columns is not None
        again = case.columns.reduce().instance
        assert again.size == case.instance.size
        assert np.array_equal(again.compatibility, case.instance.compatibility)
        assert case.reduction_seconds is not None
