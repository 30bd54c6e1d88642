"""Databases as rows with their keys: the schemas of joins/, Spider's databases, and damaged copies of either."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmarks.data.layout import MissingDataError
from benchmarks.data.noise import MISSING, Database, Key, Noise, Rows
from joinability import Catalog, Column, ForeignKey, Table
from joinability.cells import column_array

FOLDER = "joins"
BATCH = 100_000


@dataclass(frozen=True)
class RowSchema:
    """A database with its rows and the references in it.

    Attributes
    ----------
    name : str
    rows : mapping of tables to columns to lists of values
    keys : tuple of (child table, child column, parent table, parent column)
    aside : tuple of the same
        Pairs that count neither for nor against a score: parts of composite keys, and siblings of one key.
    types : mapping of (table, column) to str
        Declared types, where there are any.
    primary_keys : mapping of tables to tuples of columns
    """

    name: str
    rows: Database
    keys: tuple[Key, ...]
    aside: tuple[Key, ...] = ()
    types: dict[tuple[str, str], str] = field(default_factory=dict)
    primary_keys: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def damaged(self, noise: Noise, seed: int) -> RowSchema:
        """A copy with noise. Keys of tables without rows are left out. Columns with words for missing values are
        declared as text: no other type would let them in."""
        rows = {table: columns for table, columns in self.rows.items() if columns}
        keys = [key for key in self.keys if key[0] in rows and key[2] in rows]
        new, renamed = noise.applied(rows, [*keys, *self.aside], seed)
        named = {(table, old): fresh for table in rows for old, fresh in zip(rows[table], new[table], strict=True)}
        return RowSchema(
            self.name,
            new,
            tuple(renamed[: len(keys)]),
            tuple(renamed[len(keys) :]),
            {
                (at[0], named[at]): "TEXT" if noise.missing and _has_words(new[at[0]][named[at]]) else type_
                for at, type_ in self.types.items()
                if at in named
            },
            {table: tuple(named[table, column] for column in self.primary_keys.get(table, ())) for table in rows},
        )

    def tables(self) -> Iterator[Table]:
        """The tables with their keys, each reference by itself."""
        for name, rows in self.rows.items():
            columns = tuple(Column(column, self.types.get((name, column), "")) for column in rows)
            own = [key for key in self.keys if key[0] == name]
            keys = tuple(ForeignKey((column,), f"{self.name}.{parent}", (to,)) for _, column, parent, to in own)
            yield Table(self.name, name, columns, self.primary_keys.get(name, ()), keys, source=RowSource(rows))


def _has_words(values: Iterable[Any]) -> bool:
    return any(isinstance(value, str) and value in MISSING for value in values)


@dataclass(frozen=True)
class RowSource:
    """Rows in memory as the source of a table."""

    rows: Rows

    def batches(self, size: int) -> Iterator[list[Any]]:
        """All rows at once."""
        yield [column_array(values) for values in self.rows.values()]

    def fingerprint(self) -> str:
        """Rows in memory have none."""
        return ""


def catalog_of(schemas: Iterable[RowSchema], known: Callable[[Table], Table] = lambda table: table) -> Catalog:
    """The tables of some schemas, each as much of it as is known."""
    return Catalog(known(table) for schema in schemas for table in schema.tables())


def read_join_schemas(root: Path) -> list[RowSchema]:
    """The schemas of joins/ in the data folder: a folder each with gzipped CSV files and ``keys.json``.

    Raises
    ------
    MissingDataError
        When there is none.
    """
    folders = sorted(path.parent for path in (root / FOLDER).glob("*/keys.json"))
    if not folders:
        raise MissingDataError(f"{root / FOLDER} has no folder with keys.json")
    return [_read_folder(folder) for folder in folders]


def _read_folder(folder: Path) -> RowSchema:
    stored = json.loads((folder / "keys.json").read_text(encoding="utf-8"))
    rows = {path.name.removesuffix(".csv.gz"): _read_csv(path) for path in sorted(folder.glob("*.csv.gz"))}
    keys, aside = (tuple((a, b, c, d) for a, b, c, d in stored[name]) for name in ("keys", "composite"))
    return RowSchema(folder.name, rows, keys, aside)


def _read_csv(path: Path) -> Rows:
    """The columns of a file; empty cells are missing values."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        names, *lines = csv.reader(file)
    columns = list(zip(*lines, strict=True)) or [()] * len(names)
    return {name: [value or None for value in values] for name, values in zip(names, columns, strict=True)}


def row_schemas(catalog: Catalog) -> list[RowSchema]:
    """The databases of a catalog, by name, with their rows in memory and their declared keys."""
    found: dict[str, RowSchema] = {}
    for name in sorted({table.database for table in catalog}):
        found[name] = RowSchema(name, {}, ())
    for table in catalog:
        schema = found[table.database]
        schema.rows[table.name] = _rows(table)
        schema.types.update({(table.name, column.name): column.type for column in table.columns})
        schema.primary_keys[table.name] = table.primary_key
    ids = {table.id.casefold(): table for table in catalog}
    for table in catalog:
        schema = found[table.database]
        found[table.database] = replace(schema, keys=tuple(dict.fromkeys((*schema.keys, *_keys(table, ids)))))
    return list(found.values())


def _rows(table: Table) -> Rows:
    rows: Rows = {name: [] for name in table.column_names}
    for batch in table.source.batches(BATCH) if table.source is not None else ():
        for name, values in zip(table.column_names, batch, strict=True):
            rows[name] += values.to_pylist()
    return rows


def _keys(table: Table, parents: dict[str, Table]) -> Iterator[Key]:
    """The declared references of a table to columns that are there, by their names as they are spelled there."""
    own = {name.casefold(): name for name in table.column_names}
    for key in table.foreign_keys:
        parent = parents.get(key.target.casefold())
        theirs = {} if parent is None else {name.casefold(): name for name in parent.column_names}
        for column, to in zip(key.columns, key.target_columns, strict=True):
            if parent is not None and column.casefold() in own and to.casefold() in theirs:
                yield table.name, own[column.casefold()], parent.name, theirs[to.casefold()]
