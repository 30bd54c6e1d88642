"""From paths of any kind and URLs of databases to one catalog, as the command line takes them."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from jar.errors import QueryError
from joinability import Catalog, CatalogError, SourceError
from joinability.engines import is_url
from joinability.paths import files_below, shown_source
from joinability.sources.formats import format_of, suffixes


def open_sources(paths: Iterable[str | Path], *, dialect: str = "sqlite") -> Catalog:
    """One catalog of files of any known format, folders of them, and databases behind URLs.

    A text with `://` in it, or one that begins as DuckDB's URLs do, is a URL (see `Catalog.from_database`). A SQLite or
    DDL file gives its database its name; where two have the same name, their path below the given folder. What cannot
    be read is in the catalog's failures, as long as anything can.

    Parameters
    ----------
    dialect : str
        The SQL dialect of DDL files, by its name in sqlglot.

    Raises
    ------
    FileNotFoundError
        When a path does not exist.
    QueryError
        When a path holds nothing of a known format, or no table can be read at all.
    """
    asked = list(dict.fromkeys(paths))
    urls = [url for url in asked if isinstance(url, str) and is_url(url)]
    given = list(dict.fromkeys(Path(path).absolute() for path in asked if path not in urls))
    databases: dict[Path, str] = {}
    schemas: dict[Path, str] = {}
    catalog = Catalog(())
    for url in urls:
        catalog += _attempt("database", partial(Catalog.from_database, url))
    for path in given:
        files, unlisted = _files(path)
        constructors = {file: row.constructor for file in files if (row := format_of(file))}
        databases |= {file: _below(file, path) for file, name in constructors.items() if name == "from_sqlite"}
        schemas |= {file: _below(file, path) for file, name in constructors.items() if name == "from_ddl"}
        if "from_files" in constructors.values():
            catalog += _attempt(path, partial(Catalog.from_files, [path]))
        elif unlisted:
            catalog += Catalog((), unlisted)
        elif not constructors:
            raise QueryError(f"{path} holds nothing that can be indexed: expected files that end in {suffixes()}")
    for file, name in _unique_names(databases).items():
        catalog += _attempt(file, partial(Catalog.from_sqlite, {name: file}))
    for file, name in _unique_names(schemas).items():
        catalog += _attempt(file, partial(_read_ddl, file, name, dialect))
    if not len(catalog):
        causes = "; ".join(f"{source}: {cause}" for source, cause in catalog.failures) or "they hold no tables"
        shown = ", ".join(map(str, given)) or "the database"
        raise QueryError(f"nothing to index in {shown}: {causes}")
    return catalog


def read_descriptions(path: str | Path) -> dict[str, str]:
    """Descriptions by the names "db.table" and "db.table.column": the two fields of each line of a CSV file.

    Raises
    ------
    QueryError
        When a line has not two fields, or the file is no text.
    """
    descriptions: dict[str, str] = {}
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            for line, fields in enumerate(csv.reader(file, strict=True), start=1):
                if fields and len(fields) != 2:
                    raise QueryError(
                        f"{path}, line {line}: expected a name and its description, found {len(fields)} fields; "
                        f'quote a description that has commas: shop.orders.cu_no,"customer, by number"'
                    )
                if fields:
                    descriptions[fields[0].strip()] = fields[1].strip()
    except (csv.Error, UnicodeDecodeError) as error:
        raise QueryError(f"{path} is no CSV file of names and descriptions: {error}") from error
    return descriptions


def _files(path: Path) -> tuple[list[Path], list[tuple[str, str]]]:
    """The file, or those of a folder, and the (path, cause) of folders in it that cannot be listed."""
    if not path.exists():
        raise FileNotFoundError(f"there is no file or folder {shown_source(path)}")
    if not path.is_dir():
        return [path], []
    files, unlisted = files_below(path)
    return [file for file in files if file.is_file()], unlisted


def _below(file: Path, path: Path) -> str:
    return file.relative_to(path).with_suffix("").as_posix() if path.is_dir() else file.stem


def _unique_names(files: dict[Path, str]) -> dict[Path, str]:
    """The name of each file, or its path below the given folder where another file has the same name."""
    stems = Counter(file.stem for file in files)
    return {file: file.stem if stems[file.stem] == 1 else below for file, below in files.items()}


def _read_ddl(file: Path, database: str, dialect: str) -> Catalog:
    return Catalog.from_ddl(file.read_text(encoding="utf-8"), dialect=dialect, database=database)


def _attempt(path: Path | str, read: Callable[[], Catalog]) -> Catalog:
    """What `read` returns, or an empty catalog that says why not."""
    try:
        return read()
    except SourceError as error:
        return Catalog((), [(error.source, error.cause)])
    except (CatalogError, OSError, UnicodeError) as error:
        return Catalog((), [(str(path), str(error))])
