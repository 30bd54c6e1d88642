"""From paths of any kind to one catalog, as the command line takes them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from jar.errors import QueryError
from joinability import Catalog

SQLITE_SUFFIXES = frozenset({".sqlite", ".sqlite3", ".db", ".db3"})
FILE_SUFFIXES = frozenset({".csv", ".tsv", ".parquet", ".jsonl", ".ndjson"})
DDL_SUFFIXES = frozenset({".sql", ".ddl"})


def open_sources(paths: Iterable[str | Path]) -> Catalog:
    """One catalog of SQLite files, data files, DDL files, and folders of any of them.

    Raises
    ------
    FileNotFoundError
        When a path does not exist.
    QueryError
        When nothing that can be indexed is found, or a file is of an unknown kind.
    """
    sqlite: list[Path] = []
    catalog = Catalog(())
    for path in map(Path, paths):
        if not path.exists():
            raise FileNotFoundError(f"there is no file or folder {path}")
        found = [file for file in path.rglob("*") if file.is_file()] if path.is_dir() else [path]
        databases = sorted(file for file in found if file.suffix.lower() in SQLITE_SUFFIXES)
        schemas = sorted(file for file in found if file.suffix.lower() in DDL_SUFFIXES)
        data = [file for file in found if file.suffix.lower() in FILE_SUFFIXES]
        if not (databases or schemas or data):
            known = ", ".join(sorted(SQLITE_SUFFIXES | FILE_SUFFIXES | DDL_SUFFIXES))
            raise QueryError(f"{path} holds nothing that can be indexed: expected files that end in {known}")
        sqlite += databases
        for schema in schemas:
            catalog += Catalog.from_ddl(schema.read_text(encoding="utf-8"), database=schema.stem)
        if data:
            catalog += Catalog.from_files(path if path.is_dir() else [path])
    if sqlite:
        catalog += Catalog.from_sqlite(sqlite)
    return catalog
