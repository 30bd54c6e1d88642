"""The README, the committed page and the committed data show the same figures.

All three are written by `python -m benchmarks report --readme README.md` from one run; a figure that was typed or that
an old run left behind fails here.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from benchmarks.pages.readme_table import DATA, MARKS, README_ROWS, readme_table

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "benchmarks.md"


@pytest.fixture(scope="module")
def figures() -> dict[str, Any]:
    """The committed data."""
    found: dict[str, Any] = json.loads((PAGE.parent / DATA).read_text(encoding="utf-8"))
    return found


def test_the_readme_shows_the_figures_of_the_report(figures: dict[str, Any]) -> None:
    """Between its marks the README has the table that the data make, to the last digit."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert text.partition(MARKS[0])[2].partition(MARKS[1])[0].strip() == readme_table(figures)


def test_another_figure_would_be_seen(figures: dict[str, Any]) -> None:
    """A tenth of a point more in any row of the README is another table."""
    table = readme_table(figures)
    for _, system in README_ROWS:
        other = json.loads(json.dumps(figures))
        other["tasks"]["tables"]["bird"]["systems"][system]["F1@2"] += 0.1
        assert readme_table(other) != table


def test_the_page_shows_the_figures_of_the_data(figures: dict[str, Any]) -> None:
    """Each row of each first table of a section has the metrics of its system, and every system has a row."""
    sections = re.split(r"^## (\w+):.*$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    pages = dict(zip(map(str.casefold, sections[1::2]), sections[2::2], strict=True))
    assert set(figures["tasks"]) <= set(pages)
    for task, datasets in figures["tasks"].items():
        for dataset, own in datasets.items():
            part = pages[task].partition(f"\n### {dataset}, {own['questions']:,} questions\n")[2]
            header, rows = first_table(part)
            assert set(rows) == set(own["systems"])
            for system, cells in rows.items():
                metrics = own["systems"][system]
                assert cells == [f"{metrics[name]:.1f}" for name in header], (task, dataset, system)


def first_table(text: str) -> tuple[list[str], dict[str, list[str]]]:
    """The first Markdown table of a text: names of its columns but the first, and cells of each row of a system."""
    lines = text[text.index("| system |") :].split("\n\n")[0].splitlines()
    header, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)
    return header[1:], {row[0].strip("`"): row[1:] for row in rows[1:] if row[0].startswith("`")}


def test_the_page_and_the_data_name_one_run(figures: dict[str, Any]) -> None:
    """Commit, command and day of the page are those of the data, and all questions were asked."""
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert f"`{figures['command']}`" in text
    assert f"measured at commit {figures['commit']} on {figures['date']}" in text
    assert all(own["limit"] is None for datasets in figures["tasks"].values() for own in datasets.values())
