"""The page on plugging in shows what happens."""

from __future__ import annotations

import doctest
from pathlib import Path

from jar.tables.first_stage import EXPAND

PAGE = Path(__file__).parents[2] / "docs" / "plug-in.md"


def test_the_examples_print_what_the_page_shows() -> None:
    """Every Python example of the page runs and prints the output beside it."""
    result = doctest.testfile(
        str(PAGE), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    )
    assert result.attempted > 15
    assert result.failed == 0


def test_the_page_says_how_many_neighbours_come() -> None:
    """As many as the package has by default."""
    assert f"up to {EXPAND} tables that join the candidates" in PAGE.read_text(encoding="utf-8")
