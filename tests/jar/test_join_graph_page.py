"""The page on the join graph shows what happens."""

from __future__ import annotations

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "join-graph.md"


def test_the_examples_print_what_the_page_shows() -> None:
    """Every Python example of the page runs and prints the output beside it."""
    result = doctest.testfile(
        str(PAGE), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    )
    assert result.attempted > 5
    assert result.failed == 0
