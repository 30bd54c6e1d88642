"""The pages on joins by name and on names in words get the tables of a measurement, and nothing else changes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from benchmarks.pages.grids import Grid
from benchmarks.pages.markdown import MissingMarksError
from benchmarks.pages.names_pages import DOCS, PAGES, marks, write_named_tables

PARTS = [part for parts in PAGES.values() for part in parts]


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """Both pages, where a test may write."""
    for page in PAGES:
        shutil.copy(DOCS / page, tmp_path)
    return tmp_path


def test_each_table_stands_between_its_marks(docs: Path) -> None:
    """What stands around them stays, and a second run changes nothing."""
    grids = {part: Grid("", (part, "share"), [("all", "0.5")]) for part in PARTS}
    before = {page: (docs / page).read_text("utf-8") for page in PAGES}
    write_named_tables(grids, docs)
    for page, parts in PAGES.items():
        text = (docs / page).read_text("utf-8")
        for part in parts:
            start, end = marks(part)
            assert f"{start}\n{grids[part].markdown()}\n{end}" in text
        first, last = (mark.format(parts[place]) for place, mark in ((0, "<!-- {}:"), (-1, "<!-- /{} -->")))
        assert text.partition(first)[0] == before[page].partition(first)[0]
        assert text.partition(last)[2] == before[page].partition(last)[2]
    written = {page: (docs / page).read_text("utf-8") for page in PAGES}
    write_named_tables(grids, docs)
    assert written == {page: (docs / page).read_text("utf-8") for page in PAGES}


def test_without_marks_nothing_is_written(docs: Path) -> None:
    """A page that lost those of one table keeps its text, and so does the other one."""
    (first, *_), last = PAGES, list(PAGES)[-1]
    (docs / last).write_text("no marks")
    before = (docs / first).read_text("utf-8")
    with pytest.raises(MissingMarksError):
        write_named_tables({part: Grid("", ("a",), []) for part in PARTS}, docs)
    assert (docs / first).read_text("utf-8") == before
