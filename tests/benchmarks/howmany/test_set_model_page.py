"""The page on the set model tells the weights that the package has."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.howmany.set_fitting import PATH
from benchmarks.howmany.set_model_page import PAGE, WEIGHTS, weights_text, write_weights


def test_the_page_has_the_weights_of_the_package(tmp_path: Path) -> None:
    """A fit that writes the model writes the page, too."""
    document, page = json.loads(PATH.read_text("utf-8")), tmp_path / "page.md"
    assert weights_text(document) in PAGE.read_text("utf-8")
    page.write_text(f"before\n{WEIGHTS[0]}\nold\n{WEIGHTS[1]}\nbehind\n", "utf-8")
    write_weights(document, page)
    assert page.read_text("utf-8") == f"before\n{WEIGHTS[0]}\n{weights_text(document)}\n{WEIGHTS[1]}\nbehind\n"
