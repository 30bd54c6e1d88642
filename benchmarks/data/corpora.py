"""The tables of a data set as a catalog: rows where they are there, else statistics, else the schema alone."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Literal

from benchmarks.data.layout import Layout
from benchmarks.data.samples import read_statistics
from benchmarks.data.schemas import read_schemas
from joinability import Catalog, Column, Table, TableStatistics

Names = Literal["original", "natural"]
"""Whether columns carry the natural names that people wrote for the benchmark, or only what a database has."""


def read_corpus(layout: Layout, names: Names, databases: Collection[str] | None = None) -> Catalog:
    """The tables of some databases, or of all that the schema file describes.

    A table with a SQLite file has its types, keys and rows. Where not every database has its file, none is read:
    overlap that comes from rows here and from samples there could not be compared.

    Raises
    ------
    MissingDataError
        When the schema file is not there.
    """
    listed = [
        table
        for table in read_schemas(layout.require("union_tables.json", "tables.json", "dev_tables.json"))
        if databases is None or table.database in databases
    ]
    files = layout.databases()
    wanted = {table.database for table in listed}
    if wanted <= set(files):
        stored = Catalog.from_sqlite([files[database] for database in sorted(wanted)])
        stored_tables = {table.id.casefold(): table for table in stored}
        tables = [_with_rows(table, stored_tables.get(table.id.casefold())) for table in listed]
    else:
        statistics_path = layout.find("column_statistics.json")
        statistics = (
            read_statistics(statistics_path, layout.find("sample_rows.csv")) if statistics_path is not None else {}
        )
        tables = [_with_statistics(table, statistics.get(table.id.casefold())) for table in listed]
    return Catalog(tables if names == "natural" else map(_without_natural_names, tables))


def _with_rows(table: Table, stored: Table | None) -> Table:
    """The stored table with the natural names of the listed one; SQLite's own tables have no rows of the user."""
    if stored is None:
        return table
    natural = {column.name.casefold(): column.natural_name for column in table.columns}
    columns = (replace(column, natural_name=natural.get(column.name.casefold())) for column in stored.columns)
    return replace(stored, columns=tuple(columns))


def _with_statistics(table: Table, statistics: TableStatistics | None) -> Table:
    if statistics is None:
        return table
    by_name = {name.casefold(): column for name, column in statistics.columns.items()}
    spelled = {name: by_name[name.casefold()] for name in table.column_names if name.casefold() in by_name}
    return replace(table, statistics=TableStatistics(statistics.row_count, spelled))


def _without_natural_names(table: Table) -> Table:
    return replace(table, columns=tuple(Column(c.name, c.type, c.description) for c in table.columns))
