"""Tables of data files and folders, as `Catalog.from_files` reads them: a folder or a workbook is a database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from joinability.errors import SourceError
from joinability.paths import files_below, shown, shown_source
from joinability.schema import Table
from joinability.sources.formats import FileFormat, format_of, name_without_gz, suffixes

CONSTRUCTOR = "from_files"
"""The formats that are read here are those of this constructor of `Catalog`."""


def file_tables(paths: Iterable[Path]) -> tuple[list[Table], list[tuple[str, str]]]:
    """Tables of files and of all files in folders, and the (path, cause) of those that cannot be opened.

    The database is the folder: for a file given by itself the name of its folder, for a file in a given folder the
    path from that folder, or the folder's own name. The table is the file name without its suffix; where two files of
    a database share it, they keep their suffixes.

    A workbook is like a folder of its sheets: its database is the path from the given folder, or the file name,
    without the suffix. It keeps its suffix where a folder or another workbook has the same name.
    """
    files: list[tuple[str, Path]] = []
    tables: list[Table] = []
    failures: list[tuple[str, str]] = []
    for path in paths:
        listed, unlisted = _listed(path.absolute())
        files += listed
        failures += unlisted
    stems = Counter((database, _stem(file)) for database, file in files)
    owners = {(database, file if _is_database(file) else file.parent) for database, file in files}
    databases = Counter(database for database, _ in owners)
    for database, file in files:
        name = _stem(file) if stems[database, _stem(file)] == 1 else file.name
        try:
            format_ = _format_to_read(file)
            if format_.holds == "table":
                tables.append(format_.read(file, database, shown(name)))
            else:
                sheets, unread = format_.read(file, database if databases[database] == 1 else database + file.suffix)
                tables += sheets
                failures += unread
        except SourceError as error:
            failures.append((shown_source(file), error.cause))
    return tables, failures


def is_data_file(path: Path) -> bool:
    """Whether `Catalog.from_files` reads a file, by its suffix."""
    format_ = format_of(path)
    return format_ is not None and format_.constructor == CONSTRUCTOR


def _listed(path: Path) -> tuple[list[tuple[str, Path]], list[tuple[str, str]]]:
    """The data files of a path, each with its database, and the (path, cause) of folders that cannot be listed."""
    if not path.is_dir():
        return [(shown(path.stem if _is_database(path) else path.parent.name or "main"), path)], []
    files, unlisted = files_below(path)
    return [(shown(_database(file, path)), file) for file in files if is_data_file(file)], unlisted


def _is_database(path: Path) -> bool:
    format_ = format_of(path)
    return format_ is not None and format_.holds == "database"


def _database(file: Path, folder: Path) -> str:
    if _is_database(file):
        return file.relative_to(folder).with_suffix("").as_posix()
    return folder.name or "main" if file.parent == folder else file.parent.relative_to(folder).as_posix()


def _stem(path: Path) -> str:
    return name_without_gz(path).stem


def _format_to_read(path: Path) -> FileFormat:
    """The format of a file that is there to be read."""
    if not path.exists():
        raise SourceError(shown(path), "no such file")
    if not path.is_file():
        raise SourceError(shown(path), "not a regular file")
    format_ = format_of(path)
    if format_ is None or format_.constructor != CONSTRUCTOR:
        raise SourceError(shown(path), f"{path.suffix or 'no suffix'}: not one of {suffixes(CONSTRUCTOR)}")
    return format_
