"""The page on columns says with which constants it searches."""

from __future__ import annotations

from pathlib import Path

from jar.columns.search import SHARP

PAGE = Path(__file__).parents[2] / "docs" / "columns.md"



def test_the_sharpness_of_the_page_is_that_of_the_search() -> None:
    """The page tells the objective of "crush" by its numbers."""
    assert f"sharpness {SHARP.sharpness:g}" in PAGE.read_text(encoding="utf-8")
    assert SHARP.gamma == 0
