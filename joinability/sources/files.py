"""Files of tables: CSV and TSV, Parquet, JSON lines; each file is a table, each folder a database."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from joinability.credentials import address_without_credentials
from joinability.errors import SourceError
from joinability.schema import Table

SUFFIXES = frozenset({".csv", ".tsv", ".parquet", ".jsonl", ".ndjson"})
"""What is read; text files also compressed, with .gz after it."""


def file_kind(path: str | os.PathLike[str]) -> str | None:
    """The suffix among `SUFFIXES` by which a file is read, in lower case and without .gz; None for any other file.

    Examples
    --------
    >>> file_kind("lake/Orders.CSV.gz"), file_kind("a.parquet"), file_kind("a.parquet.gz"), file_kind("notes.txt")
    ('.csv', '.parquet', None, None)
    """
    suffix = _suffix(Path(path))
    is_compressed = Path(path).suffix.lower() == ".gz"
    return suffix if suffix in SUFFIXES and not (is_compressed and suffix == ".parquet") else None


def file_tables(paths: Iterable[Path]) -> tuple[list[Table], list[tuple[str, str]]]:
    """Tables of files and of all files in folders, and the (path, cause) of those that can not be opened.

    The database is the folder: of a file given by itself the name of its folder, of a file in a given folder the path
    from that folder, or the folder's own name. The table is the file's name up to its suffix; where two files of a
    database share it, they keep their suffixes.
    """
    found: list[tuple[str, Path]] = []
    tables: list[Table] = []
    failures: list[tuple[str, str]] = []
    for path in paths:
        listed, unlisted = _listed(path.absolute())
        found += listed
        failures += unlisted
    stems = Counter((database, _stem(file)) for database, file in found)
    for database, file in found:
        name = _stem(file) if stems[database, _stem(file)] == 1 else file.name
        try:
            tables.append(_table(file, database, shown(name)))
        except SourceError as error:
            failures.append((shown_source(file), error.cause))
    return tables, failures


def file_state(path: Path) -> str:
    """Path, size and time of change of a file."""
    try:
        state = path.stat()
    except OSError:  # a file that has gone is a state of its own; whoever reads it will say so
        return f"{path}:absent"
    return f"{path}:{state.st_size}:{state.st_mtime_ns}"


def shown(path: Path | str) -> str:
    r"""A path as text that can be printed and kept: bytes of no encoding as escapes, such as "\\udcff"."""
    return str(path).encode("utf-8", "backslashreplace").decode("utf-8")


def shown_source(path: Path) -> str:
    """The path of a source as text; where nothing is, it may be an address of a database, shown without credentials."""
    return shown(path) if path.exists() else address_without_credentials(shown(path))


def files_below(folder: Path) -> tuple[list[Path], list[tuple[str, str]]]:
    """The files of a folder to its depths, but for hidden ones; (path, cause) of folders that can not be listed."""
    files: list[Path] = []
    failed: list[OSError] = []
    for here, folders, names in os.walk(folder, onerror=failed.append):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        files += [Path(here, name) for name in sorted(names) if not name.startswith(".")]
    return files, [(shown(str(error.filename)), error.strerror or str(error)) for error in failed]


def _listed(path: Path) -> tuple[list[tuple[str, Path]], list[tuple[str, str]]]:
    """The files of a path that tables are in, each with its database, and the (path, cause) of unreadable folders."""
    if not path.is_dir():
        return [(shown(path.parent.name or "main"), path)], []
    files, unlisted = files_below(path)
    own = {path: path.name or "main"}
    databases = {file: own.get(file.parent, file.parent.relative_to(path).as_posix()) for file in files}
    return [(shown(database), file) for file, database in databases.items() if file_kind(file)], unlisted


def _suffix(path: Path) -> str:
    return Path(path.stem).suffix.lower() if path.suffix.lower() == ".gz" else path.suffix.lower()


def _stem(path: Path) -> str:
    return Path(path.stem).stem if path.suffix.lower() == ".gz" else path.stem


def _table(path: Path, database: str, name: str) -> Table:
    from joinability.sources.delimited import delimited_table
    from joinability.sources.json_lines import json_lines_table
    from joinability.sources.parquet import parquet_table

    if not path.exists():
        raise SourceError(shown(path), "no such file")
    if not path.is_file():
        raise SourceError(shown(path), "not a regular file")
    suffix = file_kind(path)
    if suffix in (".csv", ".tsv"):
        return delimited_table(path, database, name, "\t" if suffix == ".tsv" else None)
    if suffix == ".parquet":
        return parquet_table(path, database, name)
    if suffix in (".jsonl", ".ndjson"):
        return json_lines_table(path, database, name)
    raise SourceError(shown(path), f"{path.suffix or 'no suffix'}: not one of {', '.join(sorted(SUFFIXES))}")
