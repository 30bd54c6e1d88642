"""The question: databases without declared references, and the references that their owners declare."""

from __future__ import annotations

import csv
import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.data.layout import Layout

if TYPE_CHECKING:
    import pandas as pd

Column = tuple[str, str]
"""A table and one of its columns."""
Reference = frozenset[Column]
"""Two columns of two tables, one of which refers to the other."""


@dataclass(frozen=True)
class Database:
    """One database as every contestant gets it.

    `path` is a SQLite file with the tables that have rows, their declared types and primary keys, and no foreign keys;
    `folder` has the same tables as Parquet files, for those that read files. `references` is what is declared between
    columns of these tables, in the spelling of the file. A database is held out that has no training questions: the
    weights of this package's score were not fitted on it.
    """

    name: str
    path: Path
    folder: Path
    references: frozenset[Reference]
    rows: int
    columns: int
    is_held_out: bool = True

    @cached_property
    def frames(self) -> dict[str, pd.DataFrame]:
        """The tables as data frames, for those that take them."""
        import pandas as pd

        return {path.stem: pd.read_parquet(path) for path in sorted(self.folder.glob("*.parquet"))}

    @property
    def linked_tables(self) -> frozenset[frozenset[str]]:
        """The pairs of tables that a reference links."""
        return frozenset(frozenset(table for table, _ in reference) for reference in self.references)


def prepare(root: Path, folder: Path, names: list[str] | None = None) -> list[Database]:
    """Copy Spider's databases that declare references between tables with rows into a folder, without foreign keys.

    `root` is the data folder; without names all are copied.

    Raises
    ------
    MissingDataError
        When the files are not there.
    """
    layout = Layout(root, "spider")
    schemas = json.loads(layout.require("union_tables.json", "tables.json").read_text("utf-8"))
    declared = {schema["db_id"]: _declared(schema) for schema in schemas}
    training = _training(layout)
    prepared = []
    for name, path in layout.databases().items():
        if name in declared and (names is None or name in names):
            copied = _copy(name, path, folder / name, declared[name])
            prepared.append(replace(copied, is_held_out=name not in training))
    return [database for database in prepared if database.references]


def _training(layout: Layout) -> set[str]:
    """Names of the databases that have training questions."""
    path = layout.find("train_questions.csv")
    if path is not None:
        with path.open(newline="", encoding="utf-8") as file:
            return {row["database"] for row in csv.DictReader(file)}
    return {str(entry["db_id"]) for entry in json.loads(layout.require("train_spider.json").read_text("utf-8"))}


def _declared(schema: dict[str, Any]) -> set[Reference]:
    """References between columns of different tables, in lower case."""
    tables, columns = schema["table_names_original"], schema["column_names_original"]
    references = set()
    for pair in schema["foreign_keys"]:
        one, other = ((str(tables[columns[at][0]]).lower(), columns[at][1].lower()) for at in pair)
        if one[0] != other[0]:
            references.add(frozenset((one, other)))
    return references


def _copy(name: str, source: Path, folder: Path, declared: set[Reference]) -> Database:
    """Tables with rows, in SQLite and Parquet."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{name}.sqlite"
    target.unlink(missing_ok=True)
    spelled: dict[Column, Column] = {}
    rows = 0
    with closing(sqlite3.connect(target)) as connection:
        connection.execute("ATTACH ? AS source", (str(source),))
        connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
        for table in _tables(connection):
            columns = connection.execute(
                "SELECT name, type, pk FROM pragma_table_xinfo(?, 'source') WHERE hidden <> 1", (table,)
            ).fetchall()
            count = _copy_table(connection, table, columns, folder)
            rows += count
            if count:
                spelled |= {(table.lower(), column.lower()): (table, column) for column, _, _ in columns}
        connection.commit()
    references = frozenset(
        frozenset(spelled[column] for column in reference) for reference in declared if reference <= spelled.keys()
    )
    return Database(name, target, folder, references, rows, len(spelled))


def _tables(connection: sqlite3.Connection) -> list[str]:
    rows = connection.execute(
        "SELECT name FROM source.sqlite_master WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' ORDER BY rowid"
    )
    return [str(row[0]) for row in rows]


def _copy_table(connection: sqlite3.Connection, table: str, columns: list[tuple[str, str, int]], folder: Path) -> int:
    """Copy a table unless it is empty; returns its number of rows."""
    listed = ", ".join(quoted(column) for column, _, _ in columns)
    records = connection.execute(f"SELECT {listed} FROM source.{quoted(table)}").fetchall()
    if records:
        key = [column for column, _, place in sorted(columns, key=lambda entry: entry[2]) if place]
        lines = [f"{quoted(column)} {type_}" for column, type_, _ in columns]
        lines += [f"PRIMARY KEY ({', '.join(map(quoted, key))})"] if key else []
        connection.execute(f"CREATE TABLE main.{quoted(table)} ({', '.join(lines)})")
        places = ", ".join("?" for _ in columns)
        connection.executemany(f"INSERT INTO main.{quoted(table)} VALUES ({places})", records)
        _write_parquet([column for column, _, _ in columns], records, folder / f"{table}.parquet")
    return len(records)


def _write_parquet(columns: list[str], records: list[tuple[object, ...]], path: Path) -> None:
    """A Parquet file, in which columns of mixed types are text."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from joinability.cells import column_array

    arrays = [column_array(values) for values in zip(*records, strict=True)]
    pq.write_table(pa.table(dict(zip(columns, arrays, strict=True))), path)


def quoted(name: str) -> str:
    """A name as SQL takes it."""
    return '"' + name.replace('"', '""') + '"'
