"""An index file of the sample lake, as an adapter's user has one: its embedder is loaded by name."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from jar import Catalog, Index
from jar.sample import sample_frames, write_sample_lake


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `shop.jar`, an index of the sample lake with static vectors, and `bank.sqlite`, its bank."""
    pytest.importorskip("wordllama", reason='static vectors are not installed: pip install "jar-rerank[static]"')
    folder = tmp_path_factory.mktemp("shop")
    write_sample_lake(str(folder / "lake"))
    Index.build(Catalog.from_files(folder / "lake"), path=folder / "shop.jar", embedder="static", progress=False)
    with closing(sqlite3.connect(folder / "bank.sqlite")) as connection:
        for name, frame in sample_frames().items():
            if name.startswith("bank."):
                frame.to_sql(name.removeprefix("bank."), connection, index=False)
    return folder
