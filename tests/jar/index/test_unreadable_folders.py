"""Folders that can not be listed are failures: what was read of them before stays, and no other cause is named."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jar import Catalog, Index, QueryError
from jar.index.open_sources import open_sources
from joinability import SourceError
from tests.jar.conftest import toy_embedder

Lock = Callable[[Path], None]


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    """A folder with a table in it, one below, and hidden files of every kind."""
    for name in ("top.csv", "sub/deep/low.csv", ".hidden/a.csv", ".hidden/b.sqlite", ".venv/c.sql"):
        path = tmp_path / "lake" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("id,name\n1,a\n2,b\n")
    return tmp_path / "lake"


@pytest.fixture
def lock(monkeypatch: pytest.MonkeyPatch) -> Lock:
    """Makes a folder one that this user may not list, even where the user is root."""

    def locked(folder: Path) -> None:
        listing = os.scandir

        def refusing(path: Any = ".") -> Any:
            if Path(path) == folder:
                raise PermissionError(13, "Permission denied", str(path))
            return listing(path)

        monkeypatch.setattr(os, "scandir", refusing)

    return locked


def test_a_folder_below_is_a_failure(lake: Path, lock: Lock) -> None:
    """The other files are read, and the folder stands among the failures, whoever lists them, once."""
    lock(lake / "sub")
    for catalog in (Catalog.from_files(lake), open_sources([lake])):
        assert [table.id for table in catalog] == ["lake.top"]
        assert catalog.failures == ((str(lake / "sub"), "Permission denied"),)


def test_a_folder_that_can_not_be_listed_is_not_called_empty(lake: Path, lock: Lock) -> None:
    """The cause is told where there is nothing else."""
    lock(lake)
    with pytest.raises(QueryError, match="Permission denied"):
        open_sources([lake])
    with pytest.raises(SourceError, match="Permission denied"):
        Catalog.from_files(lake)


def test_tables_below_it_stay_in_the_index(lake: Path, lock: Lock, tmp_path: Path) -> None:
    """A refresh that can not see them does not take them for deleted."""
    path = tmp_path / "lake.jar"
    before = Index.build(Catalog.from_files(lake), path=path, embedder=toy_embedder, progress=False)
    lock(lake / "sub")
    after = Index.build(Catalog.from_files(lake), path=path, embedder=toy_embedder, progress=False)
    assert list(after.tables()["id"]) == list(before.tables()["id"]) == ["lake.top", "sub/deep.low"]
    ((source, cause),) = after.failures
    assert (source, cause.partition(";")[0]) == (str(lake / "sub"), "Permission denied")
    assert "stays in the index" in cause


def test_hidden_files_are_left_out(lake: Path) -> None:
    """Those of environments and repositories are no tables, whatever their kind."""
    assert [table.id for table in open_sources([lake])] == ["lake.top", "sub/deep.low"]
    assert open_sources([lake]).failures == ()
