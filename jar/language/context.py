"""What a language model may be told of the tables, where its user asks for that: names, never a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jar.errors import LanguageModelError
from jar.tables.relevance import retrieve, text_cosines

if TYPE_CHECKING:
    from jar.index.index import Index

__all__ = ["DETAILS", "SchemaContext"]

DETAILS = ("tables", "columns")

LIMIT = 12_000
"""Characters of a context at most; tables beyond are left out."""


class SchemaContext:
    """Names of the tables that are nearest to a question.

    Parameters
    ----------
    index : Index
    detail : "tables" or "columns"
        Table names alone, or with the names of their columns.
    count : int
        How many tables.

    Raises
    ------
    LanguageModelError
        When the detail is another word.
    """

    def __init__(self, index: Index, detail: str = "columns", *, count: int = 20) -> None:
        if detail not in DETAILS:
            raise LanguageModelError(f"detail is {detail!r}: choose one of {', '.join(DETAILS)}")
        self.index = index
        self.detail = detail
        self.count = count

    def __call__(self, question: str) -> str:
        """A line for each table, nearest first: ``name`` or ``name(column, column)``, whole lines up to `LIMIT`."""
        contents = self.index.contents
        vector = self.index.embedder([question])[0]
        lines: list[str] = []
        left = LIMIT
        for position in retrieve(text_cosines(contents, vector), self.count):
            table = contents.tables[position]
            columns = ", ".join(column.name for column in table.columns)
            # A line is a table: a name with a line break in it must not look like two.
            line = " ".join((f"{table.id}({columns})" if self.detail == "columns" else table.id).split())
            left -= len(line) + 1
            if left < 0:
                break
            lines.append(line)
        return "\n".join(lines)
