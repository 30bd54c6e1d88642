"""The page on retrieval in several hops says the defaults."""

from __future__ import annotations

import inspect
from pathlib import Path

from jar.multihop import MultiHopRetriever
from jar.multihop.forms import FIRST_HOP, FORMS, LEAST, PROPOSED

PAGE = Path(__file__).parents[3] / "docs" / "multihop.md"



def test_the_page_says_the_defaults() -> None:
    """Numbers stand on the page as they stand in the code."""
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    defaults = {name: parameter.default for name, parameter in inspect.signature(MultiHopRetriever).parameters.items()}
    assert f"(B = {defaults['beams']})" in page
    assert f"(H = {defaults['hops']})" in page
    assert f'`form="{defaults["form"]}"` (default)' in page
    assert all(f'`form="{name}"`' in page for name in FORMS)
    assert f"its {PROPOSED}B nearest" in page
    assert f"first hop's {FIRST_HOP} nearest" in page
    assert f"below {LEAST:f}" in page
