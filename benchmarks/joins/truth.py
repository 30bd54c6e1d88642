"""Databases whose keys are known to us and not to the score: Spider's and other schemas, as they are and damaged."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.data.corpora import read_corpus
from benchmarks.data.join_schemas import RowSchema, catalog_of, row_schemas
from benchmarks.data.layout import Layout
from benchmarks.data.stored_evidence import evidence_of
from joinability import Catalog, ColumnStatistics, JoinEvidence, Table, TableStatistics

Indices = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

PARTS = ("train", "dev", "other")
"""Databases with training questions, those of the development set, and those with neither."""
SAMPLED_ROWS = 10
"""Rows of each table that are known where only a sample is, as in the data that come with BIRD."""


@dataclass(frozen=True)
class Truth:
    """Evidence on the columns of many databases, their declared keys, and which databases may be learnt from.

    Attributes
    ----------
    evidence : JoinEvidence
        Of which `declared` is the truth.
    databases : tuple of str
        Names, by the numbers in `evidence.database`.
    part : (D,) array of int
        Index into `PARTS`, of each database.
    filled : (C,) array of bool
        Columns of tables with rows.
    aside : set of (int, int)
        Pairs left < right of columns that count neither for nor against a score.
    """

    evidence: JoinEvidence
    databases: tuple[str, ...]
    part: Indices
    filled: Flags
    aside: frozenset[tuple[int, int]] = frozenset()

    @property
    def database(self) -> Indices:
        """Database of each column."""
        return self.evidence.column_database

    def of_part(self, name: str) -> Indices:
        """The databases of a part; of all of them for "all"."""
        return np.flatnonzero(self.part == PARTS.index(name)) if name != "all" else np.arange(len(self.databases))

    def pairs(self, database: int) -> tuple[Indices, Indices]:
        """All pairs left < right of filled columns of different tables of one database, but for those set aside."""
        columns = np.flatnonzero((self.database == database) & self.filled)
        left, right = (columns[side] for side in np.triu_indices(len(columns), 1))
        different = self.evidence.table[left] != self.evidence.table[right]
        if self.aside:
            different &= [pair not in self.aside for pair in zip(left.tolist(), right.tolist(), strict=True)]
        return left[different], right[different]


def _sampled(table: Table) -> Table:
    """The table with the statistics of a scan, and the values of its first rows."""
    if table.source is None:
        return table
    columns: dict[str, ColumnStatistics] = {}
    rows = 0
    for batch in _whole(table):
        rows = len(batch[0]) if batch else 0
        for name, values in zip(table.column_names, batch, strict=True):
            columns[name] = _statistics(values.to_pylist())
    return replace(table, statistics=TableStatistics(rows, columns))


def _whole(table: Table) -> Iterator[list[Any]]:
    assert table.source is not None
    import pyarrow as pa

    batches = list(table.source.batches(100_000))
    if batches:
        yield [pa.concat_arrays([batch[place] for batch in batches]) for place in range(len(table.columns))]


def _statistics(values: list[object]) -> ColumnStatistics:
    known = [value for value in values if value is not None]
    numbers = [value for value in known if isinstance(value, (int, float))]
    distinct = len(set(known))
    return ColumnStatistics(
        null_fraction=1 - len(known) / max(len(values), 1),
        distinct=distinct,
        uniqueness=distinct / max(len(values), 1),
        minimum=min(numbers, default=None),
        maximum=max(numbers, default=None),
        sample_values=tuple(dict.fromkeys(value for value in values[:SAMPLED_ROWS] if value is not None)),
    )


KNOWLEDGE: dict[str, Callable[[Table], Table]] = {
    "values": lambda table: table,
    "samples": _sampled,
    "schema": lambda table: replace(table, source=None),
}
"""What is known of the contents: all values, statistics and ten rows, or nothing."""


def read_truth(root: Path, knowledge: str = "values") -> Truth:
    """Evidence on Spider's databases, as much as `knowledge` says.

    Parameters
    ----------
    root : Path
        The data folder.
    knowledge : str
        A key of `KNOWLEDGE`.

    Raises
    ------
    MissingDataError
        When a file is not there.
    """
    layout = Layout(root, "spider")
    catalog = read_corpus(layout, "original")
    evidence = evidence_of(Catalog(map(KNOWLEDGE[knowledge], catalog)))
    databases = tuple(sorted({table.database for table in catalog}))
    training = training_databases(layout)
    questions = json.loads(layout.require("dev_questions.json", "dev.json").read_text(encoding="utf-8"))
    development = {question["db_id"] for question in questions}
    part = [0 if name in training else 1 if name in development else 2 for name in databases]
    with_rows = {table.id for table in catalog if table.source is not None and any(map(len, _first(table)))}
    filled = np.array([name in with_rows for name in evidence.table_names], dtype=np.bool_)
    return Truth(evidence, databases, np.array(part), filled[evidence.table])


def schema_truth(schemas: Iterable[RowSchema], part: str, knowledge: str = "values") -> Truth:
    """Evidence on databases that are given as rows, all of one part."""
    given = sorted(schemas, key=lambda schema: schema.name)
    evidence = evidence_of(catalog_of(given, KNOWLEDGE[knowledge]))
    number = {name: place for place, name in enumerate(evidence.ids)}
    pairs = {
        tuple(sorted((number[f"{schema.name}.{a}.{b}"], number[f"{schema.name}.{c}.{d}"])))
        for schema in given
        for a, b, c, d in schema.aside
    }
    with_rows = {
        f"{schema.name}.{table}" for schema in given for table, rows in schema.rows.items() if any(rows.values())
    }
    filled = np.array([name in with_rows for name in evidence.table_names], dtype=np.bool_)
    return Truth(
        evidence,
        tuple(schema.name for schema in given),
        np.full(len(given), PARTS.index(part)),
        filled[evidence.table],
        frozenset((left, right) for left, right in pairs),
    )


def training_rows(root: Path) -> list[RowSchema]:
    """Spider's training databases with their rows in memory."""
    layout = Layout(root, "spider")
    return row_schemas(read_corpus(layout, "original", training_databases(layout)))


def training_databases(layout: Layout) -> set[str]:
    """The databases that have training questions."""
    with layout.require("train_questions.csv").open(newline="", encoding="utf-8") as file:
        return {row["database"] for row in csv.DictReader(file)}


def _first(table: Table) -> list[Any]:
    assert table.source is not None
    return next(iter(table.source.batches(1)), [])
