"""Tables of text: shown in the terminal and written as Markdown from the same rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from textwrap import fill

from rich.console import Console
from rich.table import Table
from rich.text import Text

from benchmarks.runs.resampling import PairedTest

Row = tuple[str, ...]

PAGE_WIDTH = 120
PAIRED_HEADER = ("questions won / lost", "difference", "95 %", "p", "p (Holm)")


@dataclass(frozen=True)
class Grid:
    """A table: rows are as long as the header, the note is a line below it."""

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

    def show(self, console: Console, title: str = "") -> None:
        """Print the table and its note, under another title where one is given."""
        table = Table(title=Text(title or self.title), title_justify="left")
        for column, head in enumerate(self.header):
            table.add_column(Text(head), justify="left" if self.is_text(column) else "right", no_wrap=True)
        for row in self.rows:
            table.add_row(*map(Text, row))
        console.print(table)
        if self.note:
            console.print(Text(self.note, style="dim"))

    def is_text(self, column: int) -> bool:
        """Whether a column is words: no cell of it starts with a digit, whatever stands before it."""
        return not any(row[column].lstrip("<>+- ")[:1].isdigit() for row in self.rows)


def wrapped(text: str) -> str:
    """A paragraph in lines of the width that the project's pages have."""
    return fill(text, PAGE_WIDTH, break_long_words=False, break_on_hyphens=False)


def paired_cells(test: PairedTest) -> tuple[str, ...]:
    """The cells of a paired test under `PAIRED_HEADER`."""
    return (
        f"{test.won} / {test.lost}",
        f"{test.difference:+.1f}",
        f"{test.low:+.1f} to {test.high:+.1f}",
        f"{test.p:.4f}",
        f"{test.p_holm:.4f}",
    )
