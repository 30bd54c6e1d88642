"""Tables of data files and folders, as `Catalog.from_files` reads them: a folder or a workbook is a database."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from joinability.errors import NoTableError, SourceError
from joinability.lines import told_once
from joinability.paths import files_below, full_path, shown, shown_source
from joinability.schema import Table
from joinability.sources.formats import FileFormat, format_of, name_without_gz, suffixes
from joinability.sources.remote import is_remote_file, remote_table

EMPTY = "the file is empty: write it anew, or take it away"
CONSTRUCTOR = "from_files"
"""The formats that are read here are those of this constructor of `Catalog`."""


PathLike = str | os.PathLike[str]
Failures = list[tuple[str, str]]


class FileTables(NamedTuple):
    """Tables of files; the (path, cause) of what could not be read, and of files in folders that hold no table; and
    what is told of how the others were read."""

    tables: list[Table]
    failures: Failures
    skipped: Failures
    notes: list[str]


def file_tables(paths: Iterable[PathLike] | Mapping[str, PathLike]) -> FileTables:
    """Tables of files and of all files in folders.

    The database is the folder: for a file given by itself the name of its folder, for a file in a given folder the
    path from that folder, or the folder's own name. The table is the file name without its suffix; where two files of
    a database share it, they keep their suffixes.

    A workbook is like a folder of its sheets, and so is a DuckDB file: its database is the path from the given folder,
    or the file name, without the suffix. It keeps its suffix where a folder or another such file has the same name.

    A name that a path is given in a mapping takes the place of the folder or the file, and stands before all that is
    below a folder.
    """
    files: list[tuple[str, Path]] = []
    tables: list[Table] = []
    failures: Failures = []
    skipped: Failures = []
    notes: list[tuple[str, str]] = []
    given: set[Path] = set()
    for called, path in paths.items() if isinstance(paths, Mapping) else ((None, path) for path in paths):
        if isinstance(path, str) and is_remote_file(path):
            try:
                tables.append(remote_table(path, called))
            except SourceError as error:
                failures.append((error.source, error.cause))
            continue
        listed, unlisted, others = _listed(full_path(path), called)
        files += listed
        failures += unlisted
        skipped += others
        given.add(full_path(path))
    stems = Counter((database, _stem(file)) for database, file in files)
    owners = {(database, file if _is_database(file) else file.parent) for database, file in files}
    databases = Counter(database for database, _ in owners)
    for database, file in files:
        name = _stem(file) if stems[database, _stem(file)] == 1 else file.name
        try:
            format_ = _format_to_read(file)
            if format_.holds == "table":
                tables.append(format_.read(file, database, shown(name)))
                if note := getattr(tables[-1].source, "note", ""):
                    notes.append((shown(file), note))
            else:
                sheets, unread = format_.read(file, database if databases[database] == 1 else database + file.suffix)
                tables += sheets
                noted = dict.fromkeys(getattr(sheet.source, "note", "") for sheet in sheets)
                notes += [(shown(file), note) for note in noted if note]
                failures += unread
        except NoTableError as error:
            (failures if file in given else skipped).append((shown_source(file), error.cause))
        except SourceError as error:
            failures.append((shown_source(file), error.cause))
    return FileTables(tables, failures, skipped, told_once(notes))


def skipped_kind(path: Path) -> str:
    """Why a file of a folder is skipped, by its kind.

    Examples
    --------
    >>> skipped_kind(Path("a/photo.png")), skipped_kind(Path("README"))
    ('no table is read of .png files', 'no table is read of files without a suffix')
    """
    format_ = format_of(path)
    if format_ is not None:
        return f"{format_.name} files are read by Catalog.{format_.constructor}"
    kind = shown(path.suffix.lower())
    return f"no table is read of {f'{kind} files' if kind else 'files without a suffix'}"


def is_data_file(path: Path) -> bool:
    """Whether `Catalog.from_files` reads a file, by its suffix."""
    format_ = format_of(path)
    return format_ is not None and format_.constructor == CONSTRUCTOR


def _listed(path: Path, called: str | None) -> tuple[list[tuple[str, Path]], Failures, Failures]:
    """The data files of a path, each with its database, the (path, cause) of folders that cannot be listed, and of the
    other files of a folder."""
    if not path.is_dir():
        return [(shown(called or (path.stem if _is_database(path) else path.parent.name or "main")), path)], [], []
    files, unlisted, again = files_below(path)
    others = [*((shown(file), skipped_kind(file)) for file in files if not is_data_file(file)), *again]
    return [(shown(_database(file, path, called)), file) for file in files if is_data_file(file)], unlisted, others


def _is_database(path: Path) -> bool:
    format_ = format_of(path)
    return format_ is not None and format_.holds == "database"


def _database(file: Path, folder: Path, called: str | None) -> str:
    if not _is_database(file) and file.parent == folder:
        return called or folder.name or "main"
    below = file.with_suffix("") if _is_database(file) else file.parent
    return Path(called or "", below.relative_to(folder)).as_posix()


def _stem(path: Path) -> str:
    return name_without_gz(path).stem


def _format_to_read(path: Path) -> FileFormat:
    """The format of a file that is there to be read."""
    if not path.exists():
        raise SourceError(shown(path), "no such file")
    if not path.is_file():
        raise SourceError(shown(path), "not a regular file")
    format_ = format_of(path)
    if format_ is not None and format_.constructor != CONSTRUCTOR:
        raise SourceError(shown(path), f"{path.suffix} files are read by Catalog.{format_.constructor}")
    if format_ is None:
        raise SourceError(shown(path), f"{path.suffix or 'no suffix'}: not one of {suffixes(CONSTRUCTOR)}")
    if not path.stat().st_size:
        raise SourceError(shown(path), EMPTY)
    return format_
