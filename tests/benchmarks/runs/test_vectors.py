"""The memory of embeddings: same vectors, no text twice, and files that survive a run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.runs import vectors
from benchmarks.runs.vectors import VectorCache
from jar.text.embedding import Embedder


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Texts that reached the model, which gives each its length and its number of blanks."""
    seen: list[str] = []

    def encode(texts: list[str]) -> list[list[float]]:
        seen.extend(texts)
        return [[len(text), text.count(" ") + 1] for text in texts]

    monkeypatch.setattr(vectors, "load_embedder", lambda name: Embedder(name, encode))
    return seen


def test_a_text_is_embedded_once(asked: list[str], tmp_path: Path) -> None:
    """Repeated texts come from memory, in the order they are asked for."""
    cache = VectorCache("model", tmp_path)
    first = cache.encode(["a b", "c", "a b"])
    assert asked == ["a b", "c"]
    assert np.array_equal(first[0], first[2])
    assert np.array_equal(cache.encode(["c"])[0], first[1])
    assert asked == ["a b", "c"]


def test_a_second_run_embeds_nothing(asked: list[str], tmp_path: Path) -> None:
    """What was saved is there for the next cache of the same name, and for no other."""
    cache = VectorCache("some/model", tmp_path)
    before = cache.encode(["x", "yy"])
    cache.save()
    again = VectorCache("some/model", tmp_path)
    assert np.array_equal(again.encode(["yy", "x"]), before[::-1])
    assert asked == ["x", "yy"]
    VectorCache("other", tmp_path).encode(["x"])
    assert asked == ["x", "yy", "x"]


def test_files_that_do_not_match_are_ignored(asked: list[str], tmp_path: Path) -> None:
    """A run that was stopped between the two files costs its embeddings, not wrong ones."""
    cache = VectorCache("model", tmp_path)
    cache.encode(["x", "y"])
    cache.save()
    (tmp_path / "model.json").write_text('["x"]')
    VectorCache("model", tmp_path).encode(["x"])
    assert asked == ["x", "y", "x"]


def test_parts_of_texts_are_remembered_as_parts(asked: list[str], tmp_path: Path) -> None:
    """A part of a text is embedded once, also by the next run, and is not taken for the text of the same words."""
    cache = VectorCache("model", tmp_path)
    parts = cache.embedder.in_text(["a bc", "a bc"], [(0, 1), (2, 4)])
    assert asked == ["a", "bc"]
    cache.save()
    again = VectorCache("model", tmp_path)
    assert np.array_equal(again.embedder.in_text(["a bc"], [(2, 4)])[0], parts[1])
    assert asked == ["a", "bc"]
    again.encode(["bc"])
    assert asked == ["a", "bc", "bc"]
