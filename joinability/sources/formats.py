"""The registry of file formats: one row for each, from which readers, messages and help texts are made.

A new format is a module of this folder with a reader, and a row of `FORMATS`.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from joinability.errors import SourceError
from joinability.paths import shown


@dataclass(frozen=True)
class FileFormat:
    """A format of files that hold tables.

    Attributes
    ----------
    name : str
        What help texts call it.
    suffixes : tuple of str
        In lower case.
    reader : str
        Module of this folder and function in it. By what the file `holds`, the function takes and returns

        - "table": ``(path, database, name) -> Table``
        - "database": ``(path, database) -> (tables, failures)``
        - "schema": ``(text, dialect, database) -> (tables, failures, notes)``
    holds : str
    constructor : str
        The method of `Catalog` that reads it.
    is_text : bool
        Whether the file may be compressed with gzip, with .gz after its suffix.
    package, extra : str
        The package that the reader needs beyond the core dependencies, as it is imported, and the extra of this
        project that installs it.
    """

    name: str
    suffixes: tuple[str, ...]
    reader: str
    holds: Literal["table", "database", "schema"] = "table"
    constructor: Literal["from_files", "from_sqlite", "from_ddl"] = "from_files"
    is_text: bool = False
    package: str = ""
    extra: str = ""

    def read(self, source: Any, *names: str) -> Any:
        """Call the reader, which is imported now.

        Raises
        ------
        SourceError
            When the package that it needs is missing, or the file cannot be read.
        """
        if self.package and find_spec(self.package) is None:
            raise SourceError(
                shown(source), f"{self.package} is missing; install it: pip install 'jar-rerank[{self.extra}]'"
            )
        module, _, function = self.reader.partition(".")
        return getattr(import_module(f"joinability.sources.{module}"), function)(source, *names)


FORMATS = (
    FileFormat(
        "SQLite", (".sqlite", ".sqlite3", ".db", ".db3"), "sqlite.sqlite_tables", "database", constructor="from_sqlite"
    ),
    FileFormat("CSV", (".csv",), "delimited.csv_table", is_text=True),
    FileFormat("TSV", (".tsv",), "delimited.tsv_table", is_text=True),
    FileFormat("Parquet", (".parquet",), "parquet.parquet_table"),
    FileFormat("Feather", (".feather", ".arrow"), "feather.feather_table"),
    FileFormat("JSON lines", (".jsonl", ".ndjson"), "json_lines.json_lines_table", is_text=True),
    FileFormat("JSON arrays", (".json",), "json_arrays.json_table", is_text=True),
    FileFormat("DuckDB", (".duckdb", ".ddb"), "databases.duckdb_tables", "database"),
    FileFormat(
        "Excel workbooks", (".xlsx",), "workbooks.workbook_tables", "database", package="python_calamine", extra="xlsx"
    ),
    FileFormat("DDL", (".sql", ".ddl"), "ddl.ddl_tables", "schema", constructor="from_ddl"),
)


def format_of(path: str | os.PathLike[str]) -> FileFormat | None:
    """The format of a file by its suffix, with or without .gz; None where there is none.

    Examples
    --------
    >>> [row and row.name for row in map(format_of, ("lake/Orders.CSV.gz", "a.parquet.gz", "shop.db", "notes"))]
    ['CSV', None, 'SQLite', None]
    """
    suffix = name_without_gz(Path(path)).suffix.lower()
    is_compressed = Path(path).suffix.lower() == ".gz"
    return next((row for row in FORMATS if suffix in row.suffixes and (row.is_text or not is_compressed)), None)


def name_without_gz(path: Path) -> Path:
    """The name of a file without its folder, and without the .gz of a compressed one."""
    return Path(path.stem if path.suffix.lower() == ".gz" else path.name)


def format_names() -> str:
    """Names of the formats, for a help text.

    Examples
    --------
    >>> format_names().split(", ")[:3]
    ['SQLite', 'CSV', 'TSV']
    """
    return ", ".join(row.name for row in FORMATS)


def suffixes(*constructors: str) -> str:
    """The suffixes that constructors of `Catalog` read (all, if none is given), for a message.

    Examples
    --------
    >>> suffixes("from_ddl")
    '.ddl, .sql'
    """
    rows = [row for row in FORMATS if not constructors or row.constructor in constructors]
    return ", ".join(sorted(suffix for row in rows for suffix in row.suffixes))
