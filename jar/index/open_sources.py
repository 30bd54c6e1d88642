"""From paths of any kind and URLs of databases to one catalog, as the command line takes them."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from jar.errors import QueryError
from joinability import Catalog, CatalogError, SourceError
from joinability.engines import is_url
from joinability.paths import files_below, shown, shown_source
from joinability.sources.files import CONSTRUCTOR, skipped_kind
from joinability.sources.formats import format_of, suffixes
from joinability.sources.remote import is_remote_file
from joinability.sources.text_file import text_of

HEADERS = (("name",), ("table",), ("column",), ("table", "column"), ("database", "table", "column"))
"""What a file of descriptions may call the parts of a name in its first line."""


def open_sources(paths: Iterable[str | Path], *, dialect: str | None = None) -> Catalog:
    """One catalog of files of any known format, folders of them, and databases behind URLs.

    A text with `://` in it, or one that begins as DuckDB's URLs do, is a URL (see `Catalog.from_database`). A SQLite or
    DDL file gives its database its name; where two have the same name, their path below the given folder. Tables that
    DDL declares and another source holds are there once (see `Catalog.with_declared`). What cannot
    be read is in the catalog's failures, as long as anything can; files of folders that hold no table are in `skipped`.

    Parameters
    ----------
    dialect : str, optional
        The SQL dialect of DDL files, by its name in sqlglot; by default the one that each file looks like.

    Raises
    ------
    FileNotFoundError
        When a path does not exist.
    QueryError
        When a path holds nothing of a known format, or no table can be read at all.
    """
    asked = list(dict.fromkeys(paths))
    addresses = [str(address) for address in asked if is_remote_file(str(address))]
    urls = [url for url in asked if isinstance(url, str) and is_url(url) and url not in addresses]
    given = list(dict.fromkeys(Path(path).absolute() for path in asked if path not in (*urls, *addresses)))
    databases: dict[Path, str] = {}
    schemas: dict[Path, str] = {}
    catalog = Catalog(())
    for url in urls:
        catalog += _attempt("database", partial(Catalog.from_database, url))
    for address in addresses:
        catalog += _attempt("address", partial(Catalog.from_files, address))
    for path in given:
        files, unlisted = _files(path)
        constructors = {file: row.constructor for file in files if (row := format_of(file))}
        databases |= {file: _below(file, path) for file, name in constructors.items() if name == "from_sqlite"}
        schemas |= {file: _below(file, path) for file, name in constructors.items() if name == "from_ddl"}
        if "from_files" in constructors.values():
            catalog += _attempt(path, partial(Catalog.from_files, [path]))
        elif not constructors and not unlisted:
            raise QueryError(
                f"{shown(path)} holds nothing that can be indexed: expected files that end in {suffixes()}"
            )
        else:
            others = [(shown(file), skipped_kind(file)) for file in files if format_of(file) is None]
            catalog += Catalog((), unlisted, others)
    skipped = [entry for entry in catalog.skipped if not _is_read(entry[0])]
    catalog = Catalog(catalog.tables, catalog.failures, skipped, catalog.notes)
    for file, name in _unique_names(databases).items():
        catalog += _attempt_file(file, partial(Catalog.from_sqlite, {name: file}))
    declared = Catalog(())
    for file, name in _unique_names(schemas).items():
        declared += _attempt_file(file, partial(_read_ddl, file, name, dialect))
    catalog = catalog.with_declared(declared)
    if not len(catalog):
        causes = "; ".join(f"{source}: {cause}" for source, cause in catalog.failures) or "they hold no tables"
        sources = ", ".join(shown(path) for path in given) or ("the database" if urls else "the files")
        raise QueryError(f"nothing to index in {sources}: {causes}")
    return catalog


def read_descriptions(path: str | Path) -> dict[str, str]:
    """Descriptions by the names "db.table" and "db.table.column": the two fields of each line of a CSV file.

    A first line may name the fields (`HEADERS`, then "description"); then a name may have several, such as a table and
    its column, of which those that are empty do not count.

    Raises
    ------
    QueryError
        When a line has not as many fields, or the file is no text.
    """
    descriptions: dict[str, str] = {}
    count, form = 2, "a name and its description"
    try:
        for line, fields in enumerate(csv.reader(io.StringIO(text_of(Path(path)), newline=""), strict=True), start=1):
            parts = [field.strip() for field in fields]
            if not descriptions and _is_header(parts):
                count, form = len(parts), ", ".join(parts)
            elif parts and len(parts) != count:
                raise QueryError(
                    f"{path}, line {line}: expected {form}, found {len(parts)} fields; "
                    f'quote a description that has commas: shop.orders.cu_no,"customer, by number"'
                )
            elif parts:
                descriptions[".".join(filter(None, parts[:-1]))] = parts[-1]
    except SourceError as error:
        raise QueryError(str(error)) from None
    except csv.Error as error:
        raise QueryError(f"{path} is no CSV file of names and descriptions: {error}") from error
    return descriptions


def _is_header(fields: list[str]) -> bool:
    *names, last = [field.casefold() for field in fields] or [""]
    return tuple(names) in HEADERS and last == "description"


def _is_read(path: str) -> bool:
    """Whether a file that `Catalog.from_files` skips is read by another constructor."""
    format_ = format_of(path)
    return format_ is not None and format_.constructor != CONSTRUCTOR


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
    return {file: shown(file.stem if stems[file.stem] == 1 else below) for file, below in files.items()}


def _read_ddl(file: Path, database: str, dialect: str | None) -> Catalog:
    return Catalog.from_ddl(text_of(file), dialect=dialect, database=database)


def _attempt_file(file: Path, read: Callable[[], Catalog]) -> Catalog:
    """What `_attempt` gives for a file, which is skipped where it has nothing."""
    found = _attempt(file, read)
    return found if len(found) or found.failures else Catalog((), (), [(shown(file), "it holds no tables")])


def _attempt(path: Path | str, read: Callable[[], Catalog]) -> Catalog:
    """What `read` returns, or an empty catalog that says why not."""
    try:
        return read()
    except SourceError as error:
        return Catalog((), [(error.source, error.cause)])
    except (CatalogError, OSError, UnicodeError) as error:
        return Catalog((), [(shown(path), str(error))])
