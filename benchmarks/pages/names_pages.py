"""The tables of the pages on joins by name and on names in words."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from benchmarks.pages.grids import Grid
from benchmarks.pages.markdown import between

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = {"joins-by-name.md": ("kinds", "within", "joins", "shares"), "names.md": ("words",)}
"""The tables of each page: how often each kind of name is right, references within a table, the joins from .5, what a
score means; the words that are read."""


def marks(part: str) -> tuple[str, str]:
    """The lines between which a table stands."""
    return f"<!-- {part}: written by `python -m benchmarks joins names` -->", f"<!-- /{part} -->"


def write_named_tables(grids: Mapping[str, Grid], docs: Path = DOCS) -> None:
    """Bring the tables on both pages up to date.

    Parameters
    ----------
    grids : mapping of str to Grid
        One for each table of `PAGES`.

    Raises
    ------
    MissingMarksError
        When a page lacks the marks of one; nothing is written then.
    """
    texts = {docs / page: (docs / page).read_text("utf-8") for page in PAGES}
    for page, parts in PAGES.items():
        for part in parts:
            texts[docs / page] = between(texts[docs / page], marks(part), grids[part].markdown())
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
