"""What the README shows is what happens."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"


def test_the_examples_of_the_readme_print_what_it_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every Python example of the README runs and prints the output beside it."""
    monkeypatch.chdir(tmp_path)
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    result = doctest.testfile(str(README), module_relative=False, optionflags=flags)
    assert result.attempted > 5
    assert result.failed == 0


@pytest.mark.parametrize(
    "page", ["README.md", "CONTRIBUTING.md", *(f"docs/{p.name}" for p in (ROOT / "docs").glob("*.md"))]
)
def test_links_between_pages_lead_somewhere(page: str) -> None:
    """Each relative link of a page names a file that exists."""
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", (ROOT / page).read_text())
    missing = [target for target in targets if not ((ROOT / page).parent / target).exists()]
    assert not missing
