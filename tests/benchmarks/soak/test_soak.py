"""A soak of a few seconds: no error, a row for each kind of request; and what counts as one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.pages.markdown import MissingMarksError
from benchmarks.soak.changing_lake import ChangingLake
from benchmarks.soak.soak_figures import MARKS, Memory, SoakFigures, Times, soak_grids, write_soak_tables
from benchmarks.soak.soak_run import Soak, allocated_megabytes, rank, soak
from jar import Index, Reranker
from jar.sample import sample_frames
from joinability import Catalog
from tests.jar.conftest import toy_embedder


def test_threads_ask_while_the_index_is_refreshed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All kinds of requests are answered, some of the states that the refresh leaves are opened, nothing goes wrong."""
    if not Path("/proc/self/status").exists():
        pytest.skip("this system does not tell the resident memory of a process")
    monkeypatch.setattr("benchmarks.soak.soak_run.COPIES", 1)
    monkeypatch.setattr("benchmarks.soak.soak_run.PAUSE", 0.2)
    monkeypatch.setattr("benchmarks.soak.soak_run.REOPENED", 5)
    figures = soak(0.06, 3, "distilled", print)
    assert figures.errors == []
    assert figures.refreshes > 0
    assert figures.openings >= figures.refreshes + 3
    assert sum(times.number for times in figures.times.values()) > 3
    page = tmp_path / "page.md"
    page.write_text("\n".join(["before", *MARKS, "after"]))
    write_soak_tables(page, figures)
    text = page.read_text()
    assert "0.06 minutes, 3 threads" in text
    assert all(row in text for row in ("| `rank` |", "| growth after the warm-up, MB |", "before", "after"))
    page.write_text("no marks")
    with pytest.raises(MissingMarksError):
        write_soak_tables(page, figures)


def test_another_answer_to_the_same_request_is_an_error(tmp_path: Path) -> None:
    """Of the same state of the index; what goes wrong is kept as its traceback."""
    frames = dict(list(sample_frames(rows=12).items())[:4])
    index = Index.build(Catalog.from_frames(frames), embedder=toy_embedder, progress=False)
    state, reranker = Soak(index.path, "toy"), Reranker(index)
    with state.watched():
        state.compare(reranker, "rank", "loans", rank(reranker, "loans"))
        state.compare(reranker, "rank", "loans", rank(reranker, "loans"))
    assert state.errors == []
    with state.watched():
        state.compare(reranker, "rank", "loans", ("another",))
    assert ["in another way than before" in error for error in state.errors] == [True]


def test_memory_is_judged_after_the_warm_up() -> None:
    """A leak of a megabyte a second has its slope; what the first fifth takes counts for nothing."""
    seconds = np.arange(200.0)
    flat = Memory(seconds, np.where(seconds < 40, 100, 300)).told()
    assert (flat["growth"], flat["peak"]) == (0, 300)
    assert flat["slope"] == pytest.approx(0, abs=1e-6)
    leak = Memory(seconds, 100 + seconds).told()
    assert leak["slope"] == pytest.approx(3600)
    assert leak["growth"] == pytest.approx(144)


def test_what_is_in_use_is_told_apart_from_what_is_resident() -> None:
    """Where the system tells it: free memory between what is in use is resident, and no leak."""
    seconds = np.arange(200.0)
    memory = Memory(seconds, 300 + seconds, (100 + 0 * seconds).tolist())
    assert memory.told()["slope"] == pytest.approx(3600)
    assert memory.told()["allocated_slope"] == pytest.approx(0, abs=1e-6)
    rows = dict(soak_grids(SoakFigures({}, {}, memory, 0, 0, []))[1].rows)
    assert rows["slope of what is in use, MB an hour"] in {"+0.0", "-0.0"}
    assert "allocated_slope" not in Memory(seconds, 300 + seconds).told()


def test_what_python_takes_is_in_use() -> None:
    """A block of 64 MB counts while it is there."""
    before = allocated_megabytes()
    if before is None:
        pytest.skip("this C library does not tell what it has given out")
    block = np.ones(2**23)
    assert 63 < (allocated_megabytes() or 0.0) - before < 66
    del block
    assert (allocated_megabytes() or 0.0) - before < 2


def test_percentiles_of_times_are_those_of_numpy() -> None:
    """To the width of a bin."""
    rng, times = np.random.default_rng(0), Times()
    seconds = rng.lognormal(-4, 1, 5000)
    for one in seconds:
        times.add(float(one))
    for percent in (50, 95, 99):
        expected = 1e3 * np.percentile(seconds, percent)
        assert times.milliseconds(percent) == pytest.approx(expected, rel=0.03)
    assert times.milliseconds(100) == pytest.approx(1e3 * seconds.max())
    assert Times().milliseconds(50) == 0
    row = soak_grids(SoakFigures({}, {"rank": times}, Memory([0, 1], [1, 1]), 0, 0, []))[0].rows[0]
    assert row[:2] == ("`rank`", "5,000")


def test_files_change_and_go_and_come_back(tmp_path: Path) -> None:
    """Each time some are written anew; every other time one is missing."""
    lake = ChangingLake(tmp_path, 1, 0)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.csv")}
    lake.change()
    after = {path: path.read_bytes() for path in tmp_path.rglob("*.csv")}
    assert len(before) == 21
    assert len(after) == 20
    assert any(after[path] != before[path] for path in after)
    lake.change()
    assert len(list(tmp_path.rglob("*.csv"))) == 21
