"""The page on columns shows what happens, and says with which constants."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from jar.columns.search import SHARP

PAGE = Path(__file__).parents[2] / "docs" / "columns.md"


def test_the_example_prints_what_the_page_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every Python example of the page runs and prints the output beside it."""
    monkeypatch.chdir(tmp_path)
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    result = doctest.testfile(str(PAGE), module_relative=False, optionflags=flags)
    assert result.attempted > 5
    assert result.failed == 0


def test_the_sharpness_of_the_page_is_that_of_the_search() -> None:
    """The page tells the objective of "crush" by its numbers."""
    assert f"sharpness {SHARP.sharpness:g}" in PAGE.read_text(encoding="utf-8")
    assert SHARP.gamma == 0
