"""Proves that the page on CRUSH tells the truth: its example runs."""

from __future__ import annotations

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "crush.md"


def test_the_example_prints_what_the_page_shows() -> None:
    """The Python of the page runs as a doctest."""
    attempted = doctest.testfile(str(PAGE), module_relative=False)
    assert attempted.failed == 0
    assert attempted.attempted >= 5
