"""From paths of any kind and URLs of databases to one catalog, as the command line takes them."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from jar.errors import IndexFormatError, QueryError
from jar.index.file import check_is_index
from joinability import Catalog, CatalogError, SourceError
from joinability.credentials import without_credentials
from joinability.ddl.dialect_names import checked_dialect
from joinability.ddl.script_folders import databases_in, several_databases, shared_schemas
from joinability.engines import is_url
from joinability.lines import told_once
from joinability.paths import FilesBelow, files_below, full_path, path_list, shown, shown_source
from joinability.schema import ForeignKey, Table, in_warehouses
from joinability.sources.ddl import NO_TABLE, script_tables
from joinability.sources.files import CONSTRUCTOR, EMPTY, skipped_kind
from joinability.sources.formats import format_of, suffixes
from joinability.sources.remote import is_remote_file, shown_address
from joinability.sources.text_file import text_of

NAME = re.compile(r"[^/\\:?@#\0-\x1f]+")
"""What a source may be called: no text with which a path of several parts or an address begins."""


@dataclass(frozen=True)
class Asked:
    """A source as a user names it: its path, address or URL, and the name of its database, if one is given."""

    source: str | Path
    name: str | None = None

    @classmethod
    def of(cls, given: str | Path) -> Asked:
        """A source, or `name=source`; a path that exists under the whole text is that path."""
        name, sign, source = str(given).partition("=")
        if isinstance(given, Path) or not (sign and source and NAME.fullmatch(name)) or Path(given).exists():
            return cls(given)
        return cls(source, name)

    @property
    def is_address(self) -> bool:
        """Whether it is a file behind an address."""
        return is_remote_file(str(self.source))

    @property
    def is_database(self) -> bool:
        """Whether it is a database by its URL."""
        return isinstance(self.source, str) and is_url(self.source) and not self.is_address

    @property
    def path(self) -> Path:
        """Its whole path."""
        return full_path(self.source)

    @property
    def shown(self) -> str:
        """The source for a message, without secrets."""
        if self.is_address:
            return shown_address(str(self.source))
        return without_credentials(str(self.source)) if self.is_database else shown(self.source)

    def called(self, file: Path) -> str:
        """The name of a database in a file of the source: the given one, or that of the file, or its path below."""
        if not self.path.is_dir():
            return self.name or file.stem
        return Path(self.name or "", file.relative_to(self.path).with_suffix("")).as_posix()

    def called_in(self, folder: Path) -> str:
        """The name of the database whose scripts are in a folder: its path below the source, or that of the source."""
        below = Path(self.name or "", folder.relative_to(self.path)).as_posix()
        return self.path.name if below == "." else below


@dataclass
class Gathered:
    """The tables of several sources."""

    catalog: Catalog = field(default_factory=lambda: Catalog(()))
    origins: dict[str, Asked] = field(default_factory=dict)

    def add(self, asked: Asked, found: Catalog) -> None:
        """Add what is found in a source.

        Raises
        ------
        QueryError
            When another source has a table of the same id.
        """
        for table in found:
            other = self.origins.setdefault(table.id, asked)
            if other != asked:
                raise QueryError(
                    f"{other.shown} and {asked.shown} both have a table {table.id}: name their databases, "
                    f"first={other.shown} second={asked.shown}"
                )
        self.catalog += found


def open_sources(
    paths: Iterable[str | Path],
    *,
    dialect: str | None = None,
    schemas: Sequence[str] = (),
    before: Mapping[str, str] | None = None,
) -> Catalog:
    """One catalog of files of any known format, folders of them, and databases behind URLs.

    A text with `://` in it, or one that begins as DuckDB's URLs do, is a URL (see `Catalog.from_database`). A SQLite or
    DDL file gives its database its name; where two have the same name, their path below the given folder. A text
    `name=source`, where no such path exists, names the database of the source, and of a folder all that is below it
    (`name/below`). Tables that DDL declares and another source holds are there once (see `Catalog.with_declared`). What
    cannot be read is in the catalog's failures, as long as anything can; files of folders that hold no table are in
    `skipped`.

    Parameters
    ----------
    dialect : str, optional
        The SQL dialect of DDL files (`joinability.ddl.dialect_names`); by default the one that each looks like.
    schemas : sequence of str
        Those of databases behind URLs; by default each one's default schema.
    before : mapping, optional
        The databases of the scripts in an index that is refreshed, by their paths (`databases_of_scripts`). Scripts of
        one folder that were one database stay one, and a script that is empty now is a failure.

    Raises
    ------
    FileNotFoundError
        When a path does not exist.
    CatalogError
        When the dialect is unknown.
    QueryError
        When a path holds nothing of a known format, no table can be read at all, two sources have a table of one id, or
        schemas are given and no URL of a database.
    """
    asked, dialect = list(dict.fromkeys(map(Asked.of, path_list(paths)))), checked_dialect(dialect) if dialect else None
    if schemas and not any(one.is_database for one in asked):
        raise QueryError("schemas are those of databases behind URLs, as postgresql://...; of a file all are read")
    files = list({(one.path, one.name): one for one in asked if not (one.is_address or one.is_database)}.values())
    gathered = Gathered()
    _add_remote(gathered, asked, schemas)
    databases: dict[tuple[Path, str | None], Asked] = {}
    scripts: dict[tuple[Path, str | None], Asked] = {}
    for one in files:
        constructors = _add_files(gathered, one)
        databases |= {(file, one.name): one for file, name in constructors.items() if name == "from_sqlite"}
        scripts |= {(file, one.name): one for file, name in constructors.items() if name == "from_ddl"}
    for file, name, one in _unique_names(databases):
        gathered.add(one, _attempt_file(file, partial(Catalog.from_sqlite, {name: file})))
    declared = _declared(scripts, dialect, before or {})
    catalog = gathered.catalog.with_declared(declared.catalog)
    if not len(catalog):
        unnamed = "the database" if any(one.is_database for one in asked) else "the files"
        raise _nothing_read(catalog, ", ".join(shown(one.path) for one in files) or unnamed)
    return catalog


def _nothing_read(catalog: Catalog, sources: str) -> QueryError:
    """The error that there are no tables, with what could not be read, else with what was skipped."""
    causes = [f"{source}: {cause}" for source, cause in catalog.failures] or told_once(catalog.skipped)
    told = "; ".join(cause.removeprefix(f"{sources}: ") for cause in causes)
    return QueryError(f"nothing to index in {sources}: {told or 'there are no tables'}")


def _instead(path: Path) -> str:
    """What to do with a path that holds no table: an index is asked."""
    try:
        check_is_index(path)
    except (OSError, IndexFormatError):
        return f"expected files that end in {suffixes()}"
    return f"it is an index, which is asked: jar rank {shown(path)} QUESTION"


def _add_remote(gathered: Gathered, asked: Iterable[Asked], schemas: Sequence[str]) -> None:
    """Add what databases and addresses among the sources hold."""
    for one in (one for one in asked if one.is_database):
        read = partial(Catalog.from_database, one.source, database=one.name, schemas=schemas or None)
        gathered.add(one, _attempt("database", read))
    for one in (one for one in asked if one.is_address):
        gathered.add(one, _attempt("address", partial(_from_files, one)))


def _add_files(gathered: Gathered, one: Asked) -> dict[Path, str]:
    """Add the tables of a source that `Catalog.from_files` reads, and what is skipped; returns what reads each file."""
    found, unlisted, again = _files(one)
    constructors: dict[Path, str] = {file: row.constructor for file in found if (row := format_of(file))}
    if "from_files" in constructors.values():
        gathered.add(one, _attempt(one.path, partial(_from_files, one)))
        again = [entry for entry in again if _is_read(entry[0])]
    elif not constructors and not unlisted:
        cause = f"holds nothing that can be indexed: {_instead(one.path)}"
        gathered.add(one, Catalog((), [(shown(one.path), cause)]))
    else:
        others = [(shown(file), skipped_kind(file)) for file in found if format_of(file) is None]
        gathered.add(one, Catalog((), unlisted, others))
    gathered.add(one, Catalog((), (), again))
    return constructors


def _is_read(path: str) -> bool:
    """Whether a file that `Catalog.from_files` skips is read by another constructor."""
    format_ = format_of(path)
    return format_ is not None and format_.constructor != CONSTRUCTOR


def _from_files(asked: Asked) -> Catalog:
    """The tables of a source; files that another constructor reads are not skipped."""
    source = asked.source if asked.is_address else asked.path
    found = Catalog.from_files([source] if asked.name is None else {asked.name: source})
    skipped = [entry for entry in found.skipped if not _is_read(entry[0])]
    return Catalog(found.tables, found.failures, skipped, found.notes)


def _files(asked: Asked) -> FilesBelow:
    """The file, or those of a folder, and the (path, cause) of folders in it that cannot be listed, and of links."""
    path = asked.path
    if not path.exists():
        named = "" if asked.name is None else f", which is to be called {asked.name}"
        raise FileNotFoundError(f"there is no file or folder {shown_source(path)}{named}")
    if not path.is_dir():
        return FilesBelow([path], [], [])
    found = files_below(path)
    return found._replace(files=[file for file in found.files if file.is_file()])


def _unique_names(files: dict[tuple[Path, str | None], Asked]) -> Iterator[tuple[Path, str, Asked]]:
    """Each file with the name of its database: the given one, its own, or its path where another file has the same."""
    stems = Counter(file.stem for file, name in files if name is None)
    for (file, name), asked in files.items():
        yield file, shown(file.stem if name is None and stems[file.stem] == 1 else asked.called(file)), asked


def _named_scripts(
    files: Mapping[tuple[Path, str | None], Asked], before: Mapping[str, str]
) -> Iterator[tuple[list[Path], str, Asked]]:
    """Scripts of one database, with its name; several below a folder are called after the folder that has them all."""
    below: dict[Asked, list[Path]] = {}
    for (file, _), one in files.items():
        if one.path.is_dir():
            below.setdefault(one, []).append(file)
    parted = []
    for one, found in below.items():
        known = _as_before(one, found, before)
        parted += [(group, one) for group in databases_in({script: _seen(script) for script in found}, known)]
    gone = {(script, one.name) for scripts, one in parted for script in scripts}
    for file, name, one in _unique_names({key: one for key, one in files.items() if key not in gone}):
        yield [file], name, one
    taken: Counter[str] = Counter()
    for scripts, one in parted:
        name = one.called_in(Path(os.path.commonpath([script.parent for script in scripts])))
        taken[name] += 1
        yield scripts, shown(name if taken[name] == 1 else one.called(scripts[0])), one


def _as_before(one: Asked, scripts: Iterable[Path], before: Mapping[str, str]) -> list[list[Path]]:
    """The scripts that an index has under the name of a folder above them, those of one name together."""
    known: dict[str, list[Path]] = {}
    for script in scripts:
        folders = [folder for folder in script.parents if folder.is_relative_to(one.path)]
        if (name := before.get(shown(script))) in [shown(one.called_in(folder)) for folder in folders]:
            known.setdefault(str(name), []).append(script)
    return list(known.values())


def _seen(script: Path) -> str:
    """The text of a script, whether or not it can be read in full."""
    try:
        return text_of(script)
    except SourceError:
        return script.read_bytes().decode("latin-1")
    except OSError:
        return ""


def _read_scripts(
    files: Sequence[Path], database: str, dialect: str | None, before: Mapping[str, str], *, is_named: bool
) -> Catalog:
    """The tables of scripts; behind a name that the user gives to their database follow those of the schemas in it.

    Tables and failures of statements name the file, so that a refresh keeps what it had of it.
    """
    texts: dict[str, str] = {}
    unread: list[tuple[str, str]] = []
    for file in files:
        try:
            texts[shown(file)] = text_of(file)
            if shown(file) in before and not texts[shown(file)].strip():
                raise SourceError(shown(file), EMPTY)
        except (SourceError, OSError) as error:
            if len(files) == 1:
                raise
            unread.append((shown(file), error.cause if isinstance(error, SourceError) else str(error)))
    tables, failures, notes = script_tables(texts, dialect, database)
    if is_named:
        behind = f"{database}."  # keys to such tables follow in `_with_keys_in_full`
        tables = [one if one.database == database else replace(one, database=behind + one.database) for one in tables]
    return Catalog(tables, [*unread, *failures], (), notes)


def _declared(
    files: dict[tuple[Path, str | None], Asked], dialect: str | None, before: Mapping[str, str]
) -> Gathered:
    """The tables of DDL files."""
    declared = Gathered()
    catalogs: list[Catalog] = []
    named: list[tuple[str, Catalog]] = []
    unnamed: dict[str, tuple[Path, Catalog]] = {}
    for scripts, name, one in _named_scripts(files, before):
        file = scripts[0] if len(scripts) == 1 else scripts[0].parent
        reading = partial(_read_scripts, scripts, name, dialect, before, is_named=one.name is not None)
        read = _attempt_file(file, reading)
        declared.add(one, read)
        catalogs.append(read)
        if one.name is None:
            unnamed[name] = file, read
        else:
            named.append((one.name, read))
    found = declared.catalog
    parts = [{table.database for table in catalog} for catalog in catalogs]
    parts += [{table.database for own, read in named if own == name for table in read} for name, _ in named]
    tables = in_warehouses(_with_keys_in_full(found, named), parts)
    given = {one.path for one in files.values()}
    notes = [*dict.fromkeys(found.notes), *shared_schemas(unnamed), *several_databases(unnamed, given)]
    declared.catalog = Catalog(tables, found.failures, found.skipped, notes)
    return declared


def _with_keys_in_full(tables: Iterable[Table], named: Sequence[tuple[str, Catalog]]) -> list[Table]:
    """The tables, those behind a name that the user gives with their keys to others behind it: `crm.client` is what
    one file calls a table that another one creates."""
    in_full: dict[tuple[int | str, str], list[str]] = {}
    held: dict[str, tuple[int, str]] = {}
    for place, (name, catalog) in enumerate(named):
        for table in catalog:
            held[table.id] = place, name
            for within in held[table.id]:
                short = f"{table.database.rpartition('.')[2]}.{table.name}"
                in_full.setdefault((within, short), []).append(table.id)

    def key_of(table: Table, key: ForeignKey) -> ForeignKey:
        for within in held.get(table.id, ()):
            meant = in_full.get((within, key.target), [])
            if len(meant) == 1:
                return replace(key, target=meant[0])
        return key

    return [replace(table, foreign_keys=tuple(key_of(table, key) for key in table.foreign_keys)) for table in tables]


def _attempt_file(file: Path, read: Callable[[], Catalog]) -> Catalog:
    """What `_attempt` gives for a file, which is skipped where it has no tables, with what it has else (views)."""
    found = _attempt(file, read)
    if len(found) or found.failures:
        return found
    told = "; ".join(note for note in found.notes if not note.endswith(NO_TABLE))
    return Catalog((), (), [(shown(file), f"it holds no tables ({told})" if told else "it holds no tables")])


def _attempt(path: Path | str, read: Callable[[], Catalog]) -> Catalog:
    """What `read` returns, or an empty catalog that says why not."""
    try:
        return read()
    except SourceError as error:
        return Catalog((), [(error.source, error.cause)])
    except (CatalogError, OSError, UnicodeError) as error:
        return Catalog((), [(shown(path), str(error))])
