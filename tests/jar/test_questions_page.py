"""The pages on prompts, on examples and on users' questions show what happens."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize(("page", "examples"), [("questions.md", 30), ("prompts.md", 8), ("examples.md", 4)])
def test_the_examples_print_what_the_page_shows(
    page: str, examples: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every Python example of the page runs and prints the output beside it."""
    monkeypatch.chdir(tmp_path)
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    result = doctest.testfile(str(DOCS / page), module_relative=False, optionflags=flags)
    assert result.attempted >= examples
    assert result.failed == 0
