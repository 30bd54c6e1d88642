"""What is remembered of joins between questions does not grow without end."""

from __future__ import annotations

import pytest

from jar import Index, Reranker
from jar.index import known_joins
from jar.sample import QUESTIONS
from tests.jar.conftest import toy_embedder


def test_the_evidence_on_joins_is_forgotten_in_time(lake_index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers stay the same, and no more is kept than the bound, or what the last answer needs."""
    free, bounded = (Reranker(Index.load(lake_index.path, embedder=toy_embedder)) for _ in range(2))
    expected = [free.rank(question.text, 5).joins for question in QUESTIONS]
    assert len(free.index.contents.joins._described) > 3
    monkeypatch.setattr(known_joins, "MOST_DESCRIBED", 3)
    for question, joins in [*zip(QUESTIONS, expected, strict=True)] * 2:
        assert bounded.rank(question.text, 5).joins == joins
        assert len(bounded.index.contents.joins._described) <= max(3, len(joins))
