"""The catalog: which tables there are, what they declare, and where their rows are. It holds no rows."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from joinability.errors import CatalogError, SourceError
from joinability.lines import lines_text, told_once
from joinability.paths import path_list, shown, shown_source
from joinability.schema import Column, ForeignKey, Table, TableStatistics, with_described_column
from joinability.short_names import meant_ids, nearest_names, nothing_is_called

PathLike = str | os.PathLike[str]
Statistics = Mapping[str, TableStatistics | Mapping[str, object]]
Failure = tuple[str, str]


class Catalog:
    """Tables by id, in order.

    Parameters
    ----------
    tables : iterable of Table
        Their declared keys are resolved against each other: names without regard to case, and a key without target
        columns to the target's primary key. A key to a table that is not in the catalog stays as it was declared.
    failures : iterable of (str, str)
        The id or path of what could not be read, and why.
    skipped : iterable of (str, str)
        The files of folders that were passed over because they hold no table, and why.
    notes : iterable of str
        How sources were read, where that can be done in several ways.

    Raises
    ------
    CatalogError
        When two tables have one id.
    """

    def __init__(
        self,
        tables: Iterable[Table],
        failures: Iterable[Failure] = (),
        skipped: Iterable[Failure] = (),
        notes: Iterable[str] = (),
    ) -> None:
        given = tuple(tables)
        by_id: dict[str, Table] = {}
        for table in given:
            if table.id in by_id:
                raise CatalogError(
                    f"two tables have the id {table.id!r}; give their databases different names: "
                    "{'name': path} in Python, name=path in the shell"
                )
            by_id[table.id] = table
        folded = {table.id.casefold(): table for table in reversed(given)}
        self._tables = {table.id: _with_resolved_keys(table, by_id, folded) for table in given}
        self.failures: tuple[Failure, ...] = tuple(failures)
        self.skipped: tuple[Failure, ...] = tuple(skipped)
        self.described: dict[str, str] | None = None
        """What `with_descriptions` was given, by full names; None where it was not called."""
        self.notes: tuple[str, ...] = tuple(notes)

    @classmethod
    def from_sqlite(
        cls, paths: PathLike | Iterable[PathLike] | Mapping[str, PathLike], *, statistics: Statistics | None = None
    ) -> Catalog:
        """Tables of SQLite files; ids are "<file name without suffix>.<table>".

        Parameters
        ----------
        paths : path, iterable of paths, or mapping
            A mapping gives each file the name of its database.
        statistics : mapping, optional
            Table id to `TableStatistics` (or a mapping of the same form), used in place of a scan.

        Raises
        ------
        SourceError
            When none of the files can be read. As long as one can, the others are in `failures`.
        """
        from joinability.sources.sqlite import sqlite_tables, views_left_out

        named = _named_paths(paths)
        tables: list[Table] = []
        failures: list[Failure] = []
        notes: list[str] = []
        for database, path in named:
            try:
                read, unread = sqlite_tables(path, database)
            except SourceError as error:
                failures.append((shown_source(path), error.cause))
            else:
                tables += read
                failures += unread
                notes += views_left_out(path, database)
        return cls._read(tables, failures, statistics, notes=notes)

    @classmethod
    def from_frames(cls, frames: Mapping[str, Any], *, statistics: Statistics | None = None) -> Catalog:
        """Tables of data frames (pandas, polars, pyarrow) by id; an id without a dot gets the database "main".

        Named levels of an index of pandas are columns.

        Raises
        ------
        SourceError
            When none of the objects is a frame. As long as one is, the others are in `failures`.
        """
        from joinability.sources.frames import frame_table, named_frames

        tables: list[Table] = []
        failures: list[Failure] = []
        for table_id, frame in named_frames(frames):
            try:
                tables.append(frame_table(table_id, frame))
            except SourceError as error:
                failures.append((table_id, error.cause))
        notes = [f"{table.id}: {note}" for table in tables if (note := getattr(table.source, "note", ""))]
        return cls._read(tables, failures, statistics, notes=notes)

    @classmethod
    def from_files(
        cls, paths: PathLike | Iterable[PathLike] | Mapping[str, PathLike], *, statistics: Statistics | None = None
    ) -> Catalog:
        """Tables of files and folders, which are searched to their depths, and of files behind addresses.

        An address is such as ``https://host/orders.csv`` or ``s3://bucket/orders.parquet``; DuckDB reads it with its
        extension, where that is installed.

        Ids are "<folder>.<file name without suffix>"; of a folder below the given one, its path from there. A mapping
        gives each path the name of its database, behind which that path follows. The
        formats are those rows of `joinability.sources.formats.FORMATS` that name this constructor.

        Raises
        ------
        SourceError
            When none of the files can be opened. As long as one can, the others are in `failures`; files of folders
            that hold no table are in `skipped`.
        """
        from joinability.sources.files import file_tables

        found = file_tables(paths if isinstance(paths, Mapping) else path_list(paths))
        return cls._read(found.tables, found.failures, statistics, found.skipped, found.notes)

    @classmethod
    def from_ddl(
        cls, text: str, *, dialect: str | None = None, database: str = "main", statistics: Statistics | None = None
    ) -> Catalog:
        """Tables that a DDL text creates, without rows: types, keys and comments are taken along.

        Parameters
        ----------
        text : str
            Statements; those that say nothing of a schema are passed over.
        dialect : str, optional
            A dialect of sqlglot; by default the one that the text looks like, which `notes` tells.
        database : str
            Database of the tables whose names no schema qualifies.

        Raises
        ------
        SourceError
            When no statement can be read, or the text is a path. As long as one can, the others are in `failures`.
        CatalogError
            When the dialect is unknown.
        """
        from joinability.sources.ddl import ddl_tables

        tables, failures, notes = ddl_tables(text, dialect, database)
        return cls._read(tables, failures, statistics, notes=notes)

    @classmethod
    def from_database(
        cls,
        source: Any,
        *,
        schemas: str | Iterable[str] | None = None,
        database: str | None = None,
        statistics: Statistics | None = None,
    ) -> Catalog:
        """Tables that a database or Spark holds; their rows stay there, only profiles, sketches and counts are fetched.

        Parameters
        ----------
        source : str or connection
            A URL (``postgresql://user:password@host/shop``, ``mysql://...``, ``duckdb:///shop.duckdb``), a SQLAlchemy
            engine or connection, a connection of psycopg, PyMySQL or DuckDB, or a Spark session. It is only read from.
        schemas : str or iterable of str, optional
            Schemas (in MySQL and Spark: databases) to read; the default one of the connection if none is given, and
            `notes` names the others. One that has no tables is among the failures.
        database : str, optional
            What the ids call the database: "<database>.<table>" in its default schema, "<database>.<schema>.<table>"
            in another. Its own name by default.
        statistics : mapping, optional
            Table id to `TableStatistics` (or a mapping of the same form), used in place of a profile.

        Raises
        ------
        SourceError
            When the database cannot be reached, or none of its tables can be read. The message holds no credentials.
        """
        from joinability.engines import engine_of
        from joinability.sources.databases import database_tables, unread_schemas

        chosen = [schemas] if isinstance(schemas, str) else None if schemas is None else list(schemas)
        engine = engine_of(source)
        notes = unread_schemas(engine) if chosen is None else []
        return cls._read(*database_tables(engine, chosen, database), statistics, notes=notes)

    @classmethod
    def _read(
        cls,
        tables: list[Table],
        failures: list[Failure],
        statistics: Statistics | None,
        skipped: Iterable[Failure] = (),
        notes: Iterable[str] = (),
    ) -> Catalog:
        if failures and not tables:
            source, cause = failures[0]
            more = f" (and {len(failures) - 1} more)" if len(failures) > 1 else ""
            raise SourceError(source, cause + more)
        catalog = cls(tables, failures, skipped, notes)
        return catalog.with_statistics(statistics) if statistics else catalog

    def with_statistics(self, statistics: Statistics) -> Catalog:
        """The same catalog, with the statistics that its owner has.

        Raises
        ------
        CatalogError
            When a table or a column of the statistics is not in the catalog, or a value is none of its kind.
        """
        tables = dict(self._tables)
        for table_id, stated in statistics.items():
            table = self[table_id]
            try:
                given = TableStatistics.of(stated)
            except CatalogError as error:
                raise CatalogError(f"statistics for {table_id!r}: {error}") from None
            unknown = sorted(set(given.columns) - set(table.column_names))
            if unknown:
                raise CatalogError(f"statistics for {table_id!r} name a column that it does not have: {unknown[0]!r}")
            tables[table_id] = replace(table, statistics=given)
        return self._replaced(tables.values(), described=self.described)

    def _replaced(self, tables: Iterable[Table], described: dict[str, str] | None) -> Catalog:
        """The same catalog with other versions of its tables."""
        catalog = Catalog(tables, self.failures, self.skipped, self.notes)
        catalog.described = described
        return catalog

    def with_descriptions(self, descriptions: Mapping[str, str]) -> Catalog:
        """The same catalog, with what its owner says of tables "db.table" and of columns "db.table.column".

        Short names do where no other table or column has them. An index keeps what it is given here
        (`Index.build(path=...)`).

        Raises
        ------
        CatalogError
            When a name is neither that of a table nor that of a column; the message has all such names, at most ten.
            When it is the short name of several.
        """
        tables = dict(self._tables)
        owners = {f"{table.id}.{column}": (table.id, column) for table in self for column in table.column_names}
        meant = meant_ids(descriptions, {"table": tables, "column": owners})
        unknown = [name for name in descriptions if name not in meant]
        if unknown:
            raise CatalogError(nothing_is_called(unknown, [*tables, *owners]))
        told = {meant[name]: description for name, description in descriptions.items()}
        for name, description in told.items():
            if name in tables:
                tables[name] = replace(tables[name], description=description)
            else:
                table_id, column = owners[name]
                tables[table_id] = with_described_column(tables[table_id], column, description)
        return self._replaced(tables.values(), described={**(self.described or {}), **told})

    def with_declared(self, declared: Catalog) -> Catalog:
        """Both catalogs as one, where `declared` says of tables with rows what their files do not.

        A database of `declared` (see `from_ddl`) is one of this catalog when most tables of the smaller of the two have
        a twin in the other: a table of the same name that has most of its columns. A twin is there once, with its rows,
        and with the keys, comments and types of `declared` that it lacks; the other tables of `declared` take the name
        of the database. So are the schemas of a warehouse together when most of their tables have a twin there; their
        other tables keep their names. `notes` tells of the twins.
        """
        from joinability.sources.declared_tables import merge_declared

        merged = merge_declared(self.tables, declared.tables)
        notes = (*self.notes, *declared.notes, *merged.told)
        catalog = Catalog(merged.tables, self.failures + declared.failures, self.skipped + declared.skipped, notes)
        return catalog._replaced(catalog.tables, _both(self.described, declared.described))

    @property
    def tables(self) -> tuple[Table, ...]:
        """All tables, in order."""
        return tuple(self._tables.values())

    @property
    def columns(self) -> tuple[tuple[Table, Column], ...]:
        """All columns with their tables, table by table, in order."""
        return tuple((table, column) for table in self for column in table.columns)

    def __getitem__(self, table_id: str) -> Table:
        try:
            return self._tables[table_id]
        except KeyError:
            near = nearest_names(table_id, self._tables)
            hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else f"; it has {len(self)} tables"
            raise CatalogError(f"no table {table_id!r} in the catalog{hint}") from None

    def __contains__(self, table_id: object) -> bool:
        return table_id in self._tables

    def __iter__(self) -> Iterator[Table]:
        return iter(self._tables.values())

    def __len__(self) -> int:
        return len(self._tables)

    def __add__(self, other: Catalog) -> Catalog:
        if not isinstance(other, Catalog):
            return NotImplemented
        told = (self.failures + other.failures, self.skipped + other.skipped, self.notes + other.notes)
        catalog = Catalog(self.tables + other.tables, *told)
        catalog.described = _both(self.described, other.described)
        return catalog

    def __repr__(self) -> str:
        databases = {table.database for table in self}
        return f"<Catalog: {len(databases)} databases, {len(self)} tables, {len(self.columns)} columns>"

    def __str__(self) -> str:
        lines = [repr(self)[1:-1]]
        lines += [f"  {table.id}({', '.join(table.column_names)})" for table in self.tables[:20]]
        if len(self) > 20:
            lines.append(f"  ... and {len(self) - 20} more tables")
        lines += [f"  not read: {source}: {cause}" for source, cause in self.failures]
        lines += [f"  skipped: {told}" for told in told_once(self.skipped)]
        lines += [f"  {note}" for note in self.notes]
        return lines_text(lines)


def _named_paths(paths: PathLike | Iterable[PathLike] | Mapping[str, PathLike]) -> list[tuple[str, Path]]:
    if isinstance(paths, Mapping):
        return [(name, Path(path)) for name, path in paths.items()]
    named: dict[str, Path] = {}
    for path in map(Path, path_list(paths)):
        name = shown(path.stem)
        if name in named:
            raise CatalogError(
                f"{shown_source(named[name])} and {shown_source(path)} would be databases of one name; "
                "name them: from_sqlite({'first': path, 'second': path})"
            )
        named[name] = path
    return list(named.items())


def _with_resolved_keys(table: Table, by_id: Mapping[str, Table], folded: Mapping[str, Table]) -> Table:
    keys = tuple(
        _resolved(key, table, by_id.get(key.target) or folded.get(key.target.casefold())) for key in table.foreign_keys
    )
    return table if keys == table.foreign_keys else replace(table, foreign_keys=keys)


def _resolved(key: ForeignKey, table: Table, target: Table | None) -> ForeignKey:
    columns = _spelled(key.columns, table)
    if target is None:
        return replace(key, columns=columns)
    return ForeignKey(columns, target.id, _spelled(key.target_columns or target.primary_key, target))


def _spelled(names: Iterable[str], table: Table) -> tuple[str, ...]:
    """Column names in the spelling of the table."""
    known = {name.casefold(): name for name in reversed(table.column_names)}
    exact = set(table.column_names)
    return tuple(name if name in exact else known.get(name.casefold(), name) for name in names)


def _both(one: dict[str, str] | None, other: dict[str, str] | None) -> dict[str, str] | None:
    return one if other is None else {**(one or {}), **other}
