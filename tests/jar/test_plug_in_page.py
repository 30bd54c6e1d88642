"""The page on plugging in says the defaults."""

from __future__ import annotations

from pathlib import Path

from jar.tables.first_stage import EXPAND

PAGE = Path(__file__).parents[2] / "docs" / "plug-in.md"



def test_the_page_says_how_many_neighbours_come() -> None:
    """As many as the package has by default."""
    assert f"up to {EXPAND} tables that join the candidates" in PAGE.read_text(encoding="utf-8")
