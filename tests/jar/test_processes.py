"""Indexes and re-rankers in other processes: pickled by path, forked, spawned, and while the file is written anew."""

from __future__ import annotations

import copy
import multiprocessing
import os
import pickle
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pandas as pd
import pytest

from jar import Catalog, Foreign, Index, JarError, Reranker
from jar.sample import QUESTIONS
from tests.jar.conftest import toy_embedder

TEXT = QUESTIONS[0].text
EXPECTED = set(QUESTIONS[0].tables)
STARTS = [start for start in ("fork", "spawn") if start in multiprocessing.get_all_start_methods()]


@pytest.fixture
def saved(lake_index: Index, tmp_path: Path) -> Index:
    """The index of the sample lake in a file of its own."""
    lake_index.save(tmp_path / "lake.jar")
    return Index.load(tmp_path / "lake.jar", embedder=toy_embedder)


def tables_of(reranker: Reranker) -> set[str]:
    return set(reranker.rank(TEXT, 4).tables)


def write_again(path: Path, times: int) -> None:
    """Index another set of tables into a file, and the first one again, a few times."""
    for size in [3, 4] * times:
        columns = {"id": range(size), "name": list("abcd")[:size]}
        frames = {f"shop.t{i}": pd.DataFrame(columns) for i in range(size)}
        Index.build(Catalog.from_frames(frames), path=path, embedder=toy_embedder, progress=False)


def test_a_pickle_holds_the_path_and_the_settings(saved: Index) -> None:
    """It is small, and what is made of it answers alike."""
    reranker = Reranker(saved, database=0.3, foreign=Foreign("skip"), expand=2, retriever=retrieve)
    written = pickle.dumps(reranker)
    assert len(written) < 4_000
    other = pickle.loads(written)
    assert (other.database, other.foreign, other.expand) == (0.3, Foreign("skip"), 2)
    assert other.index.path == saved.path
    assert other.rank(TEXT, 4).tables == reranker.rank(TEXT, 4).tables


def retrieve(question: str, count: int, *, exclude: object = ()) -> list[tuple[str, float]]:
    return [(table, 1.0) for table in EXPECTED]


def test_a_relative_path_is_that_of_who_wrote_it(saved: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader may work in another folder."""
    monkeypatch.chdir(saved.path.parent)
    written = pickle.dumps(Index.load("lake.jar", embedder=toy_embedder))
    monkeypatch.chdir("/")
    assert pickle.loads(written).path == saved.path


def test_a_pickle_without_its_file_says_which(saved: Index) -> None:
    """And how to make one."""
    written = pickle.dumps(Reranker(saved))
    saved.path.unlink()
    with pytest.raises(FileNotFoundError, match=r"there is no index at .*lake\.jar; make one"):
        pickle.loads(written)


def test_an_index_without_a_file_of_its_own_is_not_pickled(lake_index: Index) -> None:
    """Its temporary file ends with this process; copies in this process are the same index."""
    with pytest.raises(JarError, match=r'index.save\("shop.jar"\)'):
        pickle.dumps(Reranker(lake_index))
    assert copy.deepcopy(lake_index) is lake_index
    assert copy.copy(lake_index) is lake_index
    assert tables_of(copy.deepcopy(Reranker(lake_index))) == EXPECTED


@pytest.mark.parametrize("start", STARTS)
def test_a_reranker_goes_to_other_processes(saved: Index, start: str) -> None:
    """Several at once, before and after it has answered here."""
    reranker = Reranker(saved)
    assert tables_of(reranker) == EXPECTED
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(start)) as pool:
        assert list(pool.map(tables_of, [reranker] * 4)) == [EXPECTED] * 4
    assert tables_of(reranker) == EXPECTED


@pytest.mark.skipif("fork" not in STARTS, reason="this platform does not fork")
def test_a_forked_child_answers_with_what_it_inherits(lake_index: Index) -> None:
    """Without a pickle: the index in its temporary file, and arrays that are loaded already."""
    reranker = Reranker(lake_index)
    assert tables_of(reranker) == EXPECTED
    child = multiprocessing.get_context("fork").Process(target=check_in_child, args=(reranker,))
    child.start()
    child.join(120)
    assert child.exitcode == 0
    assert tables_of(reranker) == EXPECTED


def check_in_child(reranker: Reranker) -> None:
    again = Reranker(Index.load(reranker.index.path, embedder=toy_embedder))
    os._exit(0 if tables_of(reranker) == tables_of(again) == EXPECTED else 1)


def test_answers_go_on_while_another_process_writes_the_file(saved: Index) -> None:
    """An open index stays what it was; who opens the file meanwhile sees the old one or a whole new one."""
    reranker = Reranker(saved)
    writer = multiprocessing.get_context("spawn").Process(target=write_again, args=(saved.path, 2))
    writer.start()
    seen: set[int] = set()
    while writer.is_alive():
        assert tables_of(reranker) == EXPECTED
        seen.add(len(Index.load(saved.path, embedder=toy_embedder)))
    writer.join()
    assert writer.exitcode == 0
    assert len(Index.load(saved.path)) == 4
    assert seen <= {len(saved), 3, 4}
    assert tables_of(reranker) == EXPECTED
