"""The index on disk: one DuckDB file whose tables a user can open and query.

Written here, next to the tables of `joinability` (evidence: profiles, column_values, sketches, column_overlaps,
overlap_rows, overlap_errors, declared_keys, composite_keys; joins: join_scores, scored_databases, named_joins,
named_columns, unjoined_columns; sharded tables: sharded_columns, sharded_profiles, sharded_overlaps):

===============  ====================================================================================================
table            rows
===============  ====================================================================================================
meta             key, value: format, embedder, dimension, score, time of writing, build (new each time), complete
catalog_tables   one for each table: id, database, name, description, keys (JSON), fingerprint, origin, texts
catalog_columns  one for each column: id, table, position, name, type, family, description, texts
table_words      one for each word of a table's names: how often it counts
known_values     one for each short text of a column that questions may name: its hash
value_starts     one for each beginning of such a text, in words: its hash
value_words      one for each word of texts of several, of columns with few such words: its hash
value_meanings   one for each column of few short texts: what up to 30 of them mean
embeddings       one for each distinct text: its unit vector
token_vectors    optional: one for each distinct text: the vectors of its tokens (`jar.tokens.token_store`)
failures         what could not be indexed, and why
join_verdicts    optional: one for each join that the owner pinned or vetoed
descriptions     optional: what a user says that tables and columns hold
===============  ====================================================================================================
"""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jar.errors import IndexBusyError, IndexChangedError, IndexFormatError, IndexWriteError, JarError
from jar.turns import PATIENCE, turns_at
from joinability.errors import first_line
from joinability.paths import shown

if TYPE_CHECKING:
    import duckdb

FORMAT = "2"
"""Version of the layout; a file of another version is refused, not guessed at."""

ROOM = "make room, or choose a path on another disk"
ELSEWHERE = "choose a path that may be written"
FOLDER = "a file has the name of its folder: choose another"
REFUSALS = {
    "No space left on device": ROOM,
    "Disk quota exceeded": ROOM,
    "File too large": ROOM,
    "Read-only file system": ELSEWHERE,
    "Permission denied": ELSEWHERE,
    "Operation not permitted": ELSEWHERE,
    "File exists": FOLDER,
    "Not a directory": FOLDER,
}
"""What the system says when it refuses to write, and what helps."""

MOMENT = 2.0
"""Seconds for which other processes are waited for."""
MAGIC = b"DUCK"
MAGIC_OFFSET = 8

SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key VARCHAR PRIMARY KEY, value VARCHAR NOT NULL);
CREATE TABLE IF NOT EXISTS catalog_tables (
    table_id INTEGER NOT NULL, id VARCHAR NOT NULL, database VARCHAR NOT NULL, name VARCHAR NOT NULL,
    description VARCHAR, primary_key VARCHAR NOT NULL, foreign_keys VARCHAR NOT NULL, fingerprint VARCHAR NOT NULL,
    origin VARCHAR, text VARCHAR NOT NULL);
CREATE TABLE IF NOT EXISTS catalog_columns (
    column_id INTEGER NOT NULL, table_id INTEGER NOT NULL, position INTEGER NOT NULL, name VARCHAR NOT NULL,
    type VARCHAR NOT NULL, family VARCHAR NOT NULL, description VARCHAR, natural_name VARCHAR,
    text VARCHAR NOT NULL, schema_text VARCHAR NOT NULL);
CREATE TABLE IF NOT EXISTS failures (source VARCHAR NOT NULL, cause VARCHAR NOT NULL);
"""


def check_is_index(path: Path) -> None:
    """Raise where a file is certainly no index, before any engine opens it.

    Raises
    ------
    FileNotFoundError
        When there is no such file.
    IndexFormatError
        When it is no DuckDB file.
    """
    if not os.path.exists(path):  # that of a path raises an error where a name is too long
        is_question = len(str(path).split()) > 2 and not path.suffix
        advice = "the index comes first" if is_question else f"make one: jar index SOURCE... -o {path}"
        raise FileNotFoundError(f"there is no index at {path}; {advice}")
    if path.is_dir():
        raise IndexFormatError(f"{path} is a folder, not an index file")
    with path.open("rb") as file:
        head = file.read(MAGIC_OFFSET + len(MAGIC))
    if head[MAGIC_OFFSET:] != MAGIC:
        raise IndexFormatError(
            f"{path} is not an index: it is no DuckDB file. It was left untouched; choose another path"
        )


@contextmanager
def open_index(
    path: Path, *, write: bool = False, create: bool = False, memory_limit: str | None = None
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to an index file, checked and closed again; read-only unless `write`, and made only with `create`.

    Threads of this process that read wait for one that writes, and the other way round.

    Raises
    ------
    FileNotFoundError, IndexFormatError, IndexBusyError
    """
    with turns_at(path).taken(write=write) as has_turn:
        if not has_turn:
            raise IndexBusyError(f"another thread has had {path} open for {PATIENCE:.0f} s: wait for it")
        with _connected(path, write, create, memory_limit) as connection:
            yield connection


_MEMORY = re.compile(r"\s*\d+(\.\d+)?\s*([kmgt]i?)?b?\s*", re.IGNORECASE)


def check_memory_limit(memory_limit: str) -> None:
    """
    Raises
    ------
    JarError
        When it is no size.
    """
    if not _MEMORY.fullmatch(memory_limit):
        raise JarError(f"the memory limit is a size, such as 500MB or 1GB, not {memory_limit!r}")


@contextmanager
def _connected(path: Path, write: bool, create: bool, memory_limit: str | None) -> Iterator[duckdb.DuckDBPyConnection]:
    import duckdb

    if shown(path) != str(path):
        raise JarError(f"{shown(path)} is no path in UTF-8, which DuckDB needs: give the index another name")
    new = create and not path.exists()
    if not new:
        check_is_index(path)
    settings: dict[str, Any] = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
    if memory_limit is not None:
        settings["memory_limit"] = memory_limit
    connection = _opened(path, write, settings)
    try:
        connection.execute("SET enable_progress_bar = false")  # it would write between the answers on standard output
        if not new:
            check_format(connection, path)
        yield connection
    except duckdb.Error as error:
        if write or "corrupt" not in str(error).casefold():
            raise
        raise IndexFormatError(
            f"{path} is damaged ({first_line(error)}). It was left untouched; delete it and index again"
        ) from error
    finally:
        connection.close()


def _opened(path: Path, write: bool, settings: Mapping[str, Any]) -> duckdb.DuckDBPyConnection:
    """A connection of DuckDB; another process that pins a join, say, has the file open for a moment."""
    import duckdb

    until = time.monotonic() + MOMENT
    while True:
        try:
            return duckdb.connect(str(path), read_only=not write, config=dict(settings))
        except duckdb.Error as error:
            if not _is_locked(first_line(error)) or time.monotonic() > until:
                raise _explain(path, error, write) from error
        time.sleep(MOMENT / 20)


_HOLDER = re.compile(r"held in (?P<program>.+?) \(PID (?P<number>\d+)\)")
"""How DuckDB tells which process has a file open."""


def _is_locked(message: str) -> bool:
    return "lock on file" in message or "being used by another process" in message


def check_format(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Raise `IndexFormatError` unless the file was written by this version of the layout."""
    import duckdb

    try:
        meta = dict(connection.execute("SELECT key, value FROM meta").fetchall())
    except duckdb.Error as error:
        raise IndexFormatError(
            f"{path} is a DuckDB file, but not an index, or a damaged one ({first_line(error)}). "
            f"It was left untouched; choose another path, or delete it and index again"
        ) from error
    if meta.get("format") != FORMAT:
        raise IndexFormatError(
            f"{path} has index format {meta.get('format')!r}, this version reads {FORMAT!r}. It was left untouched; "
            f"index again into another file"
        )


@contextmanager
def open_as_loaded(path: Path, loaded: Mapping[str, str]) -> Iterator[duckdb.DuckDBPyConnection]:
    """The index file, when it is of the build whose `meta` was loaded; its pins and vetoes may be others.

    Raises
    ------
    IndexChangedError
        When it has been indexed anew, or is gone.
    """
    if not path.exists():
        raise IndexChangedError(f"the file {path} is gone: index again, and Index.load the file")
    with open_index(path) as connection:
        if read_meta(connection).get("build") != loaded.get("build"):
            raise IndexChangedError(f"{path} was indexed anew since it was loaded: Index.load it again, and ask again")
        yield connection


def path_of_index(path: object) -> Path:
    """The path of an index.

    Raises
    ------
    JarError
        When it is none.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise JarError(f"an index is a file, given by its path, such as 'shop.jar', not by {type(path).__name__}")
    return Path(path)


def replace_index(new: Path, path: Path) -> None:
    """Put a new file in the place of an index, for whoever may read and write that."""
    if path.exists():
        with suppress(OSError):  # a file system without modes
            shutil.copymode(path, new)
    os.replace(new, path)


def stored_fingerprints(connection: duckdb.DuckDBPyConnection) -> dict[str, tuple[int, str]]:
    """Number and fingerprint of each stored table, by id, in the order of the index."""
    rows = connection.execute("SELECT id, table_id, fingerprint FROM catalog_tables ORDER BY table_id").fetchall()
    return {str(name): (int(number), str(fingerprint)) for name, number, fingerprint in rows}


def databases_of_scripts(path: str | Path) -> dict[str, str]:
    """The database of each file, as of a DDL script, that an index has tables of, by its path; none where there is no
    index yet, or none that can be read."""
    if not Path(path).exists():
        return {}
    with suppress(JarError, OSError), open_index(Path(path)) as connection:
        rows = connection.execute("SELECT origin, min(database) FROM catalog_tables GROUP BY origin").fetchall()
        return {str(origin): str(database) for origin, database in rows}
    return {}


def read_meta(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """The meta table as a dictionary."""
    return {str(key): str(value) for key, value in connection.execute("SELECT key, value FROM meta").fetchall()}


def write_meta(connection: duckdb.DuckDBPyConnection, values: dict[str, str]) -> None:
    """Set keys of the meta table."""
    connection.execute("INSERT OR REPLACE INTO meta SELECT unnest(?), unnest(?)", [[*values], [*values.values()]])


def _explain(path: Path, error: Exception, write: bool) -> Exception:
    import duckdb

    message = first_line(error)
    if isinstance(error, (duckdb.ProgrammingError, duckdb.NotSupportedError)):
        return JarError(f"{path} cannot be opened with these settings: {message}")
    if _is_locked(message):
        does = "has it open" if write else "is writing it"  # DuckDB lets nobody write while others read
        holder = _HOLDER.search(message)
        which = f" ({holder['program']}, number {holder['number']})" if holder else ""
        return IndexBusyError(f"another process{which} {does}: wait for {path}, or choose another path")
    if "different configuration" in message:
        return IndexBusyError(f"this process has {path} open in DuckDB itself: close that connection ({message})")
    refused = refusal(message)
    if refused:
        return IndexWriteError(f"{path} cannot be {'written' if write else 'opened'}: {refused}")
    if "annot open file" in message:
        return JarError(f"{path} cannot be opened: {message}; see that its folder exists and may be read")
    return IndexFormatError(
        f"{path} cannot be opened as an index, it is damaged or truncated ({message}). "
        f"It was left untouched; delete it and index again"
    )


def refusal(said: str) -> str:
    """What the system refused by the words of an error, with the remedy; "" where it refused nothing."""
    return next((f"{words.lower()}; {remedy}" for words, remedy in REFUSALS.items() if words in said), "")
