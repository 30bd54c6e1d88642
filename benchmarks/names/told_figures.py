"""Which references an index tells of databases in modules of several ages, with their rows and by their DDL alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from benchmarks.data.join_schemas import RowSchema
from benchmarks.data.wild.companies import AGES, company_schemas, company_tables
from benchmarks.names.named_truth import NamedTruth
from benchmarks.pages.grids import Grid
from benchmarks.pages.markdown import between
from jar import Catalog, Index
from joinability import Table

LIKELY = 0.5
"""Score from which a join is told."""
MARKS = "<!-- told: written by `python -m benchmarks joins told` -->", "<!-- /told -->"
PAGE = Path(__file__).resolve().parents[2] / "docs" / "join-graph.md"


class Told(NamedTuple):
    """How many references there are, how many pairs of columns an index joins, and how many of these are references,
    or refer to one key on both sides.

    A join of two columns that refer to one key is neither right nor wrong.
    """

    references: int
    pairs: int
    right: int
    alike: int

    @property
    def precision(self) -> float:
        """The share of right pairs among those that are right or wrong."""
        return self.right / max(self.pairs - self.alike, 1)

    @property
    def recall(self) -> float:
        """The share of references that are told."""
        return self.right / self.references


def told(tables: tuple[Table, ...], schema: RowSchema) -> Told:
    """What an index of some tables tells of the references of their database."""
    index = Index.build(Catalog(tables), embedder="static", progress=False)
    names = {table.id: table.name for table in tables}
    pairs = {
        frozenset((f"{names[edge.left_table]}.{left}", f"{names[edge.right_table]}.{right}"))
        for edge in index.join_graph(min_score=LIKELY).edges
        for left, right in edge.conditions
    }
    truth = NamedTruth.told(tables, [(f"{child}.{column}", f"{to}.{key}") for child, column, to, key in schema.keys])
    references = {frozenset(reference) for reference in truth.references | truth.within}
    alike = {pair for pair in pairs - references if truth.is_right(pair)}
    return Told(len(references), len(pairs), len(pairs & references), len(alike))


def told_grid(report: Callable[[str], None] = lambda message: None) -> Grid:
    """A row for each database and for what is known of it."""
    return Grid("", ("database", "known", "references", "told", "precision", "recall"), list(_rows(report)))


def _rows(report: Callable[[str], None]) -> Iterator[tuple[str, ...]]:
    for held_out in (False, True):
        for schema in company_schemas(held_out=held_out, folder=AGES):
            report(schema.name)
            tables = company_tables(schema.name)
            for known, some in (("rows", tables), ("DDL", tuple(replace(table, source=None) for table in tables))):
                found = told(some, schema)
                figures = f"{found.precision:.3f}", f"{found.recall:.3f}"
                yield schema.name, known, str(found.references), str(found.pairs), *figures


def write_told_table(grid: Grid, path: Path = PAGE) -> None:
    """Bring the table on the page on the join graph up to date."""
    path.write_text(between(path.read_text("utf-8"), MARKS, grid.markdown()), encoding="utf-8")
