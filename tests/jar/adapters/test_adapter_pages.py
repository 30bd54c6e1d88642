"""The pages of the adapters show what happens with the framework that is installed."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

PAGES = Path(__file__).parents[3] / "docs" / "adapters"
FRAMEWORKS = {  # what each page imports; the adapter of sentence-transformers needs nothing
    "langchain": "langchain_classic",
    "llama_index": "llama_index.core",
    "mcp": "mcp.server.mcpserver",
    "haystack": "haystack",
    "lancedb": "lancedb",
    "pyterrier": "pyterrier",
    "vanna": "vanna",
    "rerankers": "rerankers",
    "sentence_transformers": "jar",
}


def test_every_page_has_its_framework() -> None:
    """A page whose examples nobody runs goes stale."""
    assert {page.stem for page in PAGES.glob("*.md")} == set(FRAMEWORKS)


@pytest.mark.parametrize("name", sorted(FRAMEWORKS))
def test_the_examples_print_what_the_page_shows(name: str, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each runs where `shop.jar` lies."""
    pytest.importorskip(FRAMEWORKS[name], reason=f"the framework of jar.adapters.{name} is not installed")
    monkeypatch.chdir(shop)
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    result = doctest.testfile(str(PAGES / f"{name}.md"), module_relative=False, optionflags=flags)
    assert result.attempted > 3
    assert result.failed == 0
