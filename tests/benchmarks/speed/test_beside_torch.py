"""Indexing with several embedders in turn, on one small database."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.speed import beside_torch
from benchmarks.speed.beside_torch import MEASURED, NoTorchError, beside_grid, measure_in_turn, weights_folder


def test_embedders_take_turns_and_have_a_row_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each run begins from nothing; every other round begins with the last embedder; the last row has the ratios."""
    told: list[tuple[str, bool]] = []

    def measured(root: str, path: str, embedder: str) -> dict[str, float]:
        told.append((embedder, Path(path).exists()))
        Path(path).touch()
        return {"tables": 3, **dict.fromkeys(MEASURED, 2.0 * len(told) if embedder == "slow" else 2.0)}

    monkeypatch.setattr(beside_torch, "index_afresh", measured)
    found = measure_in_turn("nowhere", tmp_path / "speed", {"one": "quick", "other": "slow"}, rounds=3)
    assert told == [(name, False) for name in ("quick", "slow", "slow", "quick", "quick", "slow")]
    assert found["other"]["seconds"] == 6.0
    rows = beside_grid(found).rows
    assert [row[0] for row in rows] == ["one", "other", "times"]
    assert rows[-1][1:] == ("3.0",) * len(MEASURED)


def test_an_index_is_made_in_a_process_of_its_own(tmp_path: Path) -> None:
    """With the seconds of the embedder apart from the rest, and no file left."""
    (tmp_path / "data" / "bank").mkdir(parents=True)
    with closing(sqlite3.connect(tmp_path / "data" / "bank" / "bank.sqlite")) as connection:
        connection.execute("CREATE TABLE client (id INTEGER PRIMARY KEY, name TEXT)")
    found = measure_in_turn(str(tmp_path / "data"), tmp_path / "speed", {"words": "distilled"}, rounds=1)["words"]
    assert found["tables"] == 1
    assert found["seconds"] == pytest.approx(found["embedding_seconds"] + found["other_seconds"])
    assert found["processor_seconds"] > 0
    assert not list((tmp_path / "speed").iterdir())


def test_without_the_weights_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside_torch, "CARRIERS", ())
    with pytest.raises(NoTorchError, match=r"jar-rerank\[embed,sentence-transformers\]"):
        weights_folder()
