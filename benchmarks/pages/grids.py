"""Tables of text: printed in the terminal and written as Markdown from the same rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from textwrap import fill
from typing import NamedTuple

from benchmarks.solvers.quantiles import duration
from benchmarks.solvers.summaries import Summary

Row = tuple[str, ...]

PAGE_WIDTH = 120


@dataclass(frozen=True)
class Grid:
    """A table.

    Attributes
    ----------
    title : str
    header : tuple of str
    rows : list of tuples of str
        As long as the header.
    note : str
        A line below it.
    """

    title: str
    header: Row
    rows: Sequence[Row] = field(default_factory=list)
    note: str = ""

    def markdown(self) -> str:
        """The table as Markdown, numbers to the right."""
        aligned = ["---" if self.is_text(column) else "---:" for column in range(len(self.header))]
        lines = [f"| {' | '.join(cells)} |" for cells in (self.header, aligned, *self.rows)]
        title = [f"**{self.title}**", ""] if self.title else []
        return "\n".join([*title, *lines, *(["", wrapped(self.note)] if self.note else [])])

    def is_text(self, column: int) -> bool:
        """Whether a column is words: no cell of it starts with a digit, whatever stands before it."""
        return not any(row[column].lstrip("<>+- ")[:1].isdigit() for row in self.rows)


def wrapped(text: str) -> str:
    """A paragraph in lines of the width that the project's pages have."""
    return fill(text, PAGE_WIDTH, break_long_words=False, break_on_hyphens=False)


def summary_grid(title: str, names: Sequence[str], summaries: Sequence[Summary], note: str = "") -> Grid:
    """A row for each summary; `names` are those of the parts of its group."""
    parts = [part for part in COLUMNS if any(part.cell(summary) for summary in summaries)]
    rows = [(*map(str, summary.group), *(part.cell(summary) for part in parts)) for summary in summaries]
    return Grid(title, (*names, *(part.title for part in parts)), rows, note)


def _times(ratio: float | None) -> str:
    if ratio is None:
        return ""
    return f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.1f}"


def small(number: float | None) -> str:
    """A relative difference with its order of magnitude; empty where there is none."""
    if number is None:
        return ""
    return "0" if number == 0 else "one is infeasible" if math.isinf(number) else f"{number:.0e}"


def share(number: float | None, digits: int = 2) -> str:
    """A share in percent; empty where there is none."""
    if number is None:
        return ""
    return "no set" if math.isinf(number) else f"{100 * number:.{digits}f} %"


class Column(NamedTuple):
    """A column of a summary: its title and its text; a column without any text is left out."""

    title: str
    cell: Callable[[Summary], str]


COLUMNS = (
    Column("solver", lambda summary: summary.solver),
    Column("runs", lambda summary: str(summary.runs)),
    Column("proved", lambda summary: f"{summary.proved}" + (f" ({summary.errors} errors)" if summary.errors else "")),
    Column("median", lambda summary: str(summary.median)),
    Column("p95", lambda summary: str(summary.p95)),
    Column("worst", lambda summary: str(summary.worst)),
    Column("x exact", lambda summary: ("> " if summary.ratio_bound else "") + _times(summary.ratio)),
    Column("CPU", lambda summary: "" if summary.processor is None else duration(summary.processor)),
    Column("x exact, CPU", lambda summary: _times(summary.processor_ratio)),
    Column("largest disagreement", lambda summary: small(summary.disagreement)),
    Column("largest shortfall", lambda summary: share(summary.shortfall)),
)
