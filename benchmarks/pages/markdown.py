"""Pages in Markdown: what all of them share, and the parts that other commands add to the page of the benchmarks."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from benchmarks.data.refusal import RefusalError
from benchmarks.pages.grids import Grid


class MissingMarksError(RefusalError, ValueError):
    """A page without the marks that its table stands between."""


class Picture(NamedTuple):
    """A drawn plot: what it shows, and its file."""

    caption: str
    path: Path


@dataclass(frozen=True)
class Part:
    """A part of a page: its tables and plots, and the run that made them."""

    title: str
    grids: Sequence[Grid]
    pictures: Sequence[Picture]
    command: str
    commit: str
    date: str
    seconds: float | None = None


def image(picture: Picture, page: Path) -> str:
    """A picture with a path that is relative to the page."""
    return f"![{picture.caption}]({os.path.relpath(picture.path, page.parent).replace(os.sep, '/')})\n"


def between(text: str, marks: tuple[str, str], part: str) -> str:
    """The text of a page with another part between its two marks.

    Raises
    ------
    MissingMarksError
        When the page has no such marks.
    """
    start, end = marks
    before, opened, rest = text.partition(start)
    _, closed, after = rest.partition(end)
    if not (opened and closed):
        raise MissingMarksError(f"the page has no {start} ... {end}: put these marks around its table")
    return f"{before}{start}\n{part}\n{end}{after}"


def write_page(path: Path, parts: Sequence[str]) -> None:
    """Write the parts of a page, in a folder that is made where it is not there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(parts).rstrip() + "\n", encoding="utf-8")
