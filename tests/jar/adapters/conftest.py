"""An index that its path alone opens, and the pages of the adapters, run as they stand."""

from __future__ import annotations

import doctest
from collections.abc import Callable
from pathlib import Path

import pytest

from jar import Catalog, Index

PAGES = Path(__file__).parents[3] / "docs" / "adapters"


@pytest.fixture(scope="session")
def lake_file(lake: Catalog, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index file of the sample lake, with the embedder that it names."""
    pytest.importorskip("wordllama", reason='static vectors are not installed: pip install "jar-rerank[static]"')
    path = tmp_path_factory.mktemp("lake") / "lake.jar"
    Index.build(lake, path=path, embedder="static", progress=False)
    return path


@pytest.fixture
def run_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Runs the Python examples of a page in an empty folder, and sees that they print what stands there."""
    pytest.importorskip("wordllama", reason='the pages use static vectors: pip install "jar-rerank[static]"')
    monkeypatch.chdir(tmp_path)

    def run(name: str) -> None:
        flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
        result = doctest.testfile(str(PAGES / name), module_relative=False, optionflags=flags)
        assert result.attempted > 0
        assert result.failed == 0

    return run
