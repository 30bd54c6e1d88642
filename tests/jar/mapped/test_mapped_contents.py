"""Mapped contents: those that DuckDB reads, of this state of the file alone, and never the cause of an error."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from jar import Catalog, Index, Reranker
from jar.index.file import open_index
from jar.mapped import mapped_contents
from jar.mapped.mapped_contents import ALIGNED, FOLDER, SWITCH, MappedContents
from jar.sample import QUESTIONS, sample_catalog
from tests.jar.conftest import toy_embedder


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of mapped contents, empty."""
    monkeypatch.delenv(SWITCH, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "jar-rerank" / FOLDER


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of two tables that no test may write to."""
    path = tmp_path_factory.mktemp("mapped") / "shop.jar"
    frames = {
        "shop.client": pd.DataFrame({"client_id": range(20), "city": ["Brno", "Ústí"] * 10}),
        "shop.loan": pd.DataFrame({"loan_id": range(30), "client_id": [n % 20 for n in range(30)]}),
    }
    catalog = Catalog.from_frames(frames).with_descriptions({"shop.loan": "what was lent"})
    Index.build(catalog, path=path, embedder=toy_embedder, progress=False)
    return path


@pytest.fixture
def shop(built: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copy(built, tmp_path / "shop.jar"))


def load(path: Path) -> Index:
    """The index as a new process has it."""
    return Index.load(path, embedder=toy_embedder)


def is_mapped(index: Index) -> bool:
    """Whether its contents are mapped, by an array that nobody may write to."""
    return not index.contents.first_column.flags.writeable


def same(one: Any, other: Any) -> bool:
    """Whether two objects hold the same, down to their arrays."""
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    if is_dataclass(one) and type(one) is type(other):
        return all(same(getattr(one, field.name), getattr(other, field.name)) for field in fields(one))
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return bool(one == other)


def test_what_is_mapped_is_what_is_read(tmp_path: Path, cache: Path) -> None:
    """All contents of the sample, and its answers."""
    path = tmp_path / "lake.jar"
    Index.build(sample_catalog(), path=path, embedder="distilled", progress=False)
    read, again = Index.load(path), Index.load(path)
    assert [is_mapped(index) for index in (read, again)] == [False, True]
    assert same(read.contents, again.contents)
    for question in QUESTIONS:
        answers = [Reranker(index).rank(question.text, k=len(question.tables)) for index in (read, again)]
        assert answers[0].to_sql_context() == answers[1].to_sql_context()
    assert again.joins().equals(read.joins())
    assert len(list(cache.iterdir())) == 1


def test_a_change_of_the_file_is_seen(shop: Path, cache: Path) -> None:
    """A pin, a refresh, a file of another in its place, and a change that is not merged yet."""
    load(shop).pin_join("shop.client.city", "shop.loan.loan_id")
    assert len(load(shop).verdicts()) == 1
    assert is_mapped(load(shop))
    assert len(load(shop).verdicts()) == 1
    other = Catalog.from_frames({"shop.other": pd.DataFrame({"a": [1]})})
    Index.build(other, path=shop, embedder=toy_embedder, progress=False)
    assert [table.id for table in load(shop).contents.tables] == ["shop.other"]
    assert is_mapped(load(shop))
    wal = shop.with_name(f"{shop.name}.wal")
    wal.touch()
    assert not is_mapped(load(shop))
    wal.unlink()
    assert is_mapped(load(shop))


def test_what_is_written_while_it_is_read_is_not_mapped(shop: Path, cache: Path) -> None:
    """The contents are of the state before, and the file of the one after."""
    before = MappedContents(shop)
    contents = load(shop).contents
    for file in cache.iterdir():
        file.unlink()
    with open_index(shop, write=True) as connection:
        connection.execute("UPDATE catalog_tables SET description = 'other'")
    before.write(contents)
    assert list(cache.iterdir()) == []


def test_the_code_that_reads_it_counts(shop: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Contents that another version of the package mapped are read anew."""
    load(shop)
    assert is_mapped(load(shop))
    monkeypatch.setattr(mapped_contents, "CODE", b"the code of another version")
    assert not is_mapped(load(shop))
    assert is_mapped(load(shop))
    monkeypatch.setattr(mapped_contents, "CODE", None)
    assert not is_mapped(load(shop))


def test_code_that_is_not_to_be_found_maps_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a program in one file."""
    assert mapped_contents._code() == mapped_contents.CODE
    monkeypatch.setattr(mapped_contents, "PACKAGES", ("formulations",))
    assert mapped_contents._code() not in (mapped_contents.CODE, None)
    monkeypatch.setattr(mapped_contents, "PACKAGES", ("no such package",))
    assert mapped_contents._code() is None


@pytest.mark.parametrize("place", [0, 10, 41, 49, 57, 70, 80, 85, 400, -1000, -100_000])
def test_a_damaged_file_is_not_used(shop: Path, cache: Path, place: int) -> None:
    """A byte changed in head, objects or arrays, or the end cut off; it is written anew."""
    load(shop)
    (file,) = cache.iterdir()
    whole = file.read_bytes()
    for damaged in (
        whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :] if place > -len(whole) else whole + b"\0" * 8,
        whole[:place] if place > -len(whole) else b"",
        whole[:place] + bytes(len(whole[place:])),
    ):
        file.write_bytes(damaged)
        assert not is_mapped(load(shop))
        assert is_mapped(load(shop))
    assert file.read_bytes() == whole
    file.unlink()
    os.mkfifo(file)
    assert not is_mapped(load(shop))


def test_nothing_is_mapped_where_that_is_not_wanted(
    shop: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """By the environment, of a temporary index, of huge contents, and where the folder can not be made."""
    for word in ("off", "OFF", "0", "no", "false"):
        monkeypatch.setenv(SWITCH, word)
        load(shop)
    monkeypatch.setenv(SWITCH, "on")
    assert len(Index.build(sample_catalog(), embedder=toy_embedder, progress=False).contents.tables)
    monkeypatch.setattr(mapped_contents, "LARGEST", 0)
    load(shop)
    assert not cache.exists() or not list(cache.iterdir())
    monkeypatch.undo()
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert not is_mapped(load(shop))


def test_only_the_user_can_read_it(shop: Path, cache: Path) -> None:
    """Rows may be secret; what was mapped of an index that is gone goes with the next one."""
    other = shop.with_name("other.jar")
    load(shop).save(other)
    load(other)
    (mapped_other,) = set(cache.iterdir()) - {MappedContents(shop).file}
    assert mapped_other.stat().st_mode & 0o077 == 0
    other.unlink()
    abandoned, begun = cache / "a.map.1", cache / "b.map.2"
    abandoned.touch()
    begun.touch()
    os.utime(abandoned, (0, 0))
    load(shop).pin_join("shop.client.city", "shop.loan.loan_id")
    load(shop)
    assert set(cache.iterdir()) == {MappedContents(shop).file, begun}


@pytest.mark.parametrize("place", [0, 52, 53, 54, 55])
def test_a_damaged_file_of_another_index_is_in_nobodys_way(shop: Path, cache: Path, place: int) -> None:
    """It is deleted when another index is mapped."""
    other = shop.with_name("other.jar")
    load(shop).save(other)
    load(other)
    damaged = MappedContents(other).file
    assert damaged is not None
    data = bytearray(damaged.read_bytes())
    data[place] ^= 0xFF
    damaged.write_bytes(data)
    load(shop).pin_join("shop.client.city", "shop.loan.loan_id")
    assert not is_mapped(load(shop))
    assert is_mapped(load(shop))
    assert list(cache.iterdir()) == [MappedContents(shop).file]


def test_threads_that_write_together_leave_a_whole_file(shop: Path, cache: Path) -> None:
    """Each writes a file of its own, and what is read at any moment is whole."""
    wanted = load(shop).contents
    mapped = MappedContents(shop)
    with ThreadPoolExecutor(8) as pool:
        writing = [pool.submit(mapped.write, wanted) for _ in range(24)]
        reading = [pool.submit(mapped.read) for _ in range(48)]
        for done in writing:
            done.result()
        assert all(same(done.result(), wanted) for done in reading)
    assert list(cache.iterdir()) == [mapped.file]


def test_what_can_not_be_told_is_not_mapped(shop: Path, cache: Path) -> None:
    MappedContents(shop).write((object(),))
    assert not cache.exists()


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="the system has no owners of files")
def test_what_others_wrote_is_not_used(shop: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may hold anything."""
    load(shop)
    user = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: user + 1)
    assert not is_mapped(load(shop))


def test_a_cold_answer_loads_no_engine(shop: Path, cache: Path) -> None:
    """Neither DuckDB nor Arrow is imported where contents are mapped."""
    Index.build(sample_catalog(), path=shop, embedder="distilled", progress=False)
    code = (
        "import sys; from jar import Index, Reranker; "
        f"Reranker(Index.load({str(shop)!r})).rank('Which clients have loans?', k=2); "
        "print(sorted({'duckdb', 'pyarrow', 'pandas'} & sys.modules.keys()))"
    )
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_arrays_lie_aligned(shop: Path, cache: Path) -> None:
    """So that numpy reads them as fast as its own."""
    load(shop)
    contents = load(shop).contents
    arrays = [contents.first_column, contents.column_vectors.distinct, contents.evidence.uniqueness]
    assert [np.asarray(array).ctypes.data % ALIGNED for array in arrays] == [0, 0, 0]
