"""The page on exploring shows what happens."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from jar.serve.guards import LOCAL

PAGE = Path(__file__).resolve().parents[3] / "docs" / "explore.md"


def test_the_examples_print_what_the_page_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every Python example runs, and the file is written."""
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.attempted > 4
    assert result.failed == 0
    assert (tmp_path / "out.html").stat().st_size < 300_000


def test_the_addresses_are_those_of_the_server() -> None:
    """The table of addresses names every function, and no other."""
    pytest.importorskip("fastapi", reason='needs the extra serve: pip install "jar-rerank[serve]"')
    from jar.serve.application import application

    told = set(re.findall(r"`(/api/\w+)", PAGE.read_text(encoding="utf-8")))
    assert told == set(application("shop.jar").openapi()["paths"])
    assert "localhost" in LOCAL
