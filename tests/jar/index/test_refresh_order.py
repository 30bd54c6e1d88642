"""A refreshed index is the one that a single run would have made: the same order, the same sides of each join."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from jar import Catalog, Index, Reranker
from jar.sample import sample_frames
from tests.jar.conftest import toy_embedder

QUESTIONS = ["Which female clients own credit cards and also have loans?", "loans", "district of an account"]


def built(frames: dict[str, pd.DataFrame], path: Path) -> Index:
    return Index.build(Catalog.from_frames(frames), path=path, embedder=toy_embedder, progress=False)


def test_a_refreshed_index_is_a_fresh_one(tmp_path: Path) -> None:
    """After tables changed, came in the middle and went: tables, joins, graph and rankings are equal."""
    before = {name: pd.DataFrame(frame) for name, frame in sample_frames(rows=60).items()}
    names = list(before)
    started = {name: before[name] for name in names if name != names[5]}
    built(started, tmp_path / "a.jar")
    after = dict(before)
    del after[names[8]]
    for name in (names[0], names[3], names[-1]):
        after[name] = before[name].iloc[: len(before[name]) // 2]
    refreshed, fresh = built(after, tmp_path / "a.jar"), built(after, tmp_path / "b.jar")
    assert list(refreshed.tables()["id"]) == list(after)
    pd.testing.assert_frame_equal(refreshed.tables(), fresh.tables())
    pd.testing.assert_frame_equal(refreshed.joins(), fresh.joins())
    assert refreshed.join_graph().to_json() == fresh.join_graph().to_json()
    assert np.array_equal(refreshed.contents.table_vectors, fresh.contents.table_vectors)
    for question in QUESTIONS:
        one, other = (Reranker(index).rank(question, 4) for index in (refreshed, fresh))
        assert (one.tables, one.scores, one.joins) == (other.tables, other.scores, other.joins)


def test_another_order_alone_is_taken(tmp_path: Path) -> None:
    """Though nothing is to be read: which of two equals comes first follows the catalog."""
    frames = {name: pd.DataFrame(frame) for name, frame in sample_frames(rows=20).items()}
    built(frames, tmp_path / "a.jar")
    turned = built(dict(reversed(frames.items())), tmp_path / "a.jar")
    assert list(turned.tables()["id"]) == list(frames)[::-1]
    assert turned.changes is not None
    assert turned.changes.kept == len(frames)


def test_tables_that_cannot_be_read_come_last(tmp_path: Path) -> None:
    """They keep their order, and the others that of the catalog."""
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.csv").write_text(f"{name}_id\n1\n2\n")
    files = [tmp_path / f"{name}.csv" for name in ("a", "b", "c")]
    for _ in range(2):
        index = Index.build(Catalog.from_files(files), path=tmp_path / "i.jar", embedder=toy_embedder, progress=False)
        files[0].write_text("")
    assert [id_.rpartition(".")[2] for id_ in index.tables()["id"]] == ["b", "c", "a"]
    assert [column.name for table in index.contents.tables for column in table.columns] == ["b_id", "c_id", "a_id"]
