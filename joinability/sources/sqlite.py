"""SQLite files, read with the standard library: read-only, in batches, identifiers always quoted."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from joinability.cells import column_array
from joinability.errors import CatalogError, SourceError
from joinability.paths import file_state, shown
from joinability.schema import Column, ForeignKey, Table

if TYPE_CHECKING:
    import pyarrow

LOCK_TIMEOUT = 1.0
"""Seconds to wait for a file that another process has locked."""


@dataclass(frozen=True)
class SqliteSource:
    """The rows of one table of a SQLite file."""

    path: Path
    table_id: str
    table: str
    columns: tuple[str, ...]

    def batches(self, size: int) -> Iterator[list[pyarrow.Array]]:
        """Rows in batches of at most `size`, a column of any mixture of types as one Arrow array."""
        columns = ", ".join(map(quoted, self.columns))
        query = f"SELECT {columns} FROM {quoted(self.table)} LIMIT -1 OFFSET ?"
        read = 0
        try:
            for text in (str, _replaced):  # the first is several times as fast, and refuses what is no UTF-8
                with closing(connect(self.path)) as connection:
                    connection.text_factory = text
                    try:
                        cursor = connection.execute(query, (read,))
                        while rows := cursor.fetchmany(size):
                            yield [column_array(values) for values in zip(*rows, strict=True)]
                            read += len(rows)
                        return
                    except sqlite3.OperationalError as error:
                        if text is _replaced or "decode" not in str(error).lower():
                            raise
        except sqlite3.Error as error:
            raise SourceError(self.table_id, f"{_explained(error)} ({shown(self.path)})") from error

    def narrowed(self, positions: Sequence[int]) -> SqliteSource:
        """The same rows, of some columns alone."""
        return replace(self, columns=tuple(self.columns[position] for position in positions))

    def fingerprint(self) -> str:
        """Path, size and time of change of the file, and of its write-ahead log."""
        log = self.path.with_name(self.path.name + "-wal")
        return f"{file_state(self.path)}|{file_state(log)}"


def connect(path: Path) -> sqlite3.Connection:
    """Open a SQLite file read-only; text that is not UTF-8 is read with replacement characters."""
    connection = sqlite3.connect(path.as_uri() + "?mode=ro", uri=True, timeout=LOCK_TIMEOUT)
    connection.text_factory = _replaced
    return connection


def _replaced(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def quoted(name: str) -> str:
    """Quote an identifier of SQLite.

    Examples
    --------
    >>> print(quoted('a "quoted" name'))
    "a ""quoted"" name"
    """
    return '"' + name.replace('"', '""') + '"'


def sqlite_tables(path: Path, database: str) -> tuple[list[Table], list[tuple[str, str]]]:
    """Tables of one file, and the (table id, cause) of those whose schema cannot be read.

    SQLite's own tables, the shadow tables of virtual ones, and views are left out: views repeat the rows of tables.

    Raises
    ------
    SourceError
        When the file cannot be read at all.
    """
    path = path.resolve()
    if not path.is_file():
        raise SourceError(shown(path), "no such file")
    tables, failures = [], []
    try:
        with closing(connect(path)) as connection:
            own = (
                "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' "
                "ORDER BY rowid"
            )
            statements = connection.execute(own).fetchall()
            kinds = _kinds(connection)
            for name, statement in statements:
                if kinds.get(name) == "shadow":
                    continue
                try:
                    if kinds.get(name) == "virtual":  # its module may be missing, or give no rows
                        connection.execute(f"SELECT * FROM {quoted(name)} LIMIT 1").fetchall()
                    tables.append(_described(_table(connection, path, database, name), statement))
                except (sqlite3.Error, CatalogError) as error:  # as of a table without a name, which SQLite allows
                    failures.append((f"{database}.{name}", _explained(error)))
    except sqlite3.Error as error:
        raise SourceError(shown(path), _explained(error)) from error
    return tables, failures


def _explained(error: Exception) -> str:
    """What an error says, with what to do about a file that another program keeps to itself."""
    if "is locked" in str(error):
        return f"{error}: another program is writing it; let that finish or close it, or read a copy of the file"
    return str(error)


def views_left_out(path: Path, database: str) -> list[str]:
    """A note on the views of a file, where it has some that can be told."""
    try:
        with closing(connect(path.resolve())) as connection:
            (count,) = connection.execute("SELECT count(*) FROM sqlite_master WHERE type = 'view'").fetchone()
    except sqlite3.Error:
        return []
    views = "1 view" if count == 1 else f"{count} views"
    return [f"{views} of {database} left out: an index is of tables"] if count else []


def _described(table: Table, statement: str) -> Table:
    """The table with what comments in its own statement say: SQLite keeps it as it was written."""
    if "--" not in statement and "/*" not in statement:
        return table
    from joinability.ddl.column_lists import listed_table
    from joinability.ddl.remarks import remark_beside
    from joinability.ddl.scripts import LONGEST_STATEMENT, statements

    if len(statement) > LONGEST_STATEMENT:
        return table  # a statement of a program, whose comments would take seconds
    found = list(statements(statement, "sqlite"))
    try:
        told = listed_table(found[0])
    except (CatalogError, IndexError):
        return table  # what cannot be read has a table all the same
    said = {column.name.casefold(): column.description for column in told.columns}
    columns = tuple(replace(column, description=said.get(column.name.casefold())) for column in table.columns)
    return replace(table, columns=columns, description=remark_beside(found[0], table.name, table.database))


def _kinds(connection: sqlite3.Connection) -> dict[str, str]:
    """Kind of each table: table, virtual or shadow; none are known before SQLite 3.37."""
    try:
        return dict(connection.execute("SELECT name, type FROM pragma_table_list WHERE schema = 'main'"))
    except sqlite3.OperationalError:
        return {}


def _table(connection: sqlite3.Connection, path: Path, database: str, name: str) -> Table:
    columns, key = [], {}
    shown = connection.execute("SELECT name, type, pk FROM pragma_table_xinfo(?) WHERE hidden <> 1", (name,))
    for column, type_, position in shown:
        columns.append(Column(column, type_))
        if position:
            key[position] = column
    return Table(
        database,
        name,
        tuple(columns),
        primary_key=tuple(key[position] for position in sorted(key)),
        foreign_keys=_foreign_keys(connection, database, name),
        source=SqliteSource(path, f"{database}.{name}", name, tuple(column.name for column in columns)),
        schema="",
    )


def _foreign_keys(connection: sqlite3.Connection, database: str, name: str) -> tuple[ForeignKey, ...]:
    rows = connection.execute(
        'SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(?) ORDER BY id, seq', (name,)
    )
    targets: dict[int, str] = {}
    pairs: dict[int, list[tuple[str, str | None]]] = defaultdict(list)
    for number, target, column, target_column in rows:
        targets[number] = target
        pairs[number].append((column, target_column))
    return tuple(
        ForeignKey(
            tuple(column for column, _ in pairs[number]),
            f"{database}.{target}",
            tuple(column for _, column in pairs[number] if column is not None),
        )
        for number, target in reversed(targets.items())  # SQLite lists the keys last to first
    )
