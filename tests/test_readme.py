"""The README is two screens, and its links and those of all pages lead somewhere."""

from __future__ import annotations

import re

import pytest

from tests.docs.pages import NAMES, ROOT, slugs


def test_the_readme_is_two_screens() -> None:
    """What does not fit is on a page of docs/."""
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 130


@pytest.mark.parametrize("name", NAMES)
def test_links_between_pages_lead_somewhere(name: str) -> None:
    """Each relative link of a page names a file that exists, and a heading of that page where it names one."""
    page = ROOT / name
    missing = []
    for target, heading in re.findall(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)", page.read_text(encoding="utf-8")):
        linked = (page.parent / target) if target else page
        if not linked.exists() or (heading and heading not in slugs(linked.read_text(encoding="utf-8"))):
            missing.append(f"{target}#{heading}")
    assert missing == []
