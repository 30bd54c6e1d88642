"""Build or refresh an index file, all or nothing.

The work happens in ``<path>.partial``, committed table group by table group, and replaces ``<path>`` in one step at the
end. So an interrupted run leaves the previous index as it was, and the next run goes on from the partial file.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

from jar.errors import IndexFormatError, JarError
from jar.index.file import check_is_index, open_index, read_meta
from jar.index.known_values import checked_store
from jar.index.refresh import Changes, Refresh, stored_fingerprints
from jar.index.stated import carry_verdicts
from jar.progress import progress_bars
from jar.text.embedding import can_load_by_name
from jar.text.texts import VERSION as TEXTS_VERSION
from joinability.equality import Equality

if TYPE_CHECKING:
    from jar.index.known_values import ValueStore
    from jar.text.embedding import Embedder
    from joinability import Catalog

READING_VERSION = 2
"""Raised with each change of what is stored of a table, so that a refresh reads all tables anew."""


def build_index_file(
    catalog: Catalog,
    path: Path,
    embedder: Embedder,
    *,
    score: str,
    progress: bool | None = None,
    memory_limit: str = "1GB",
    values: ValueStore | None = None,
    equality: Equality | None = None,
) -> Changes:
    """Bring the index at `path` in line with `catalog`, all or nothing.

    Parameters
    ----------
    catalog : Catalog
        The tables that the index shall hold; stored tables that are not in it are dropped, but for those that could not
        be read this time.
    path : Path
        The index file; made where there is none. Whatever happens, it is either the old or the new index.
    embedder, score, memory_limit
        As for `Index.build`; for another embedder than that of the stored index all texts are embedded anew.
    values, equality : optional
        What is kept of short texts in the rows, and which values count as one; by default as in the index that is
        there, else "hashed", and all differences count.

    Raises
    ------
    IndexFormatError
        When `path` exists and is not an index of this version; it is left untouched.
    JarError
        When the engine fails for good: memory, disk, permissions.
    """
    import duckdb

    values, equality = _settled(path, values, equality)
    fingerprints = _fingerprints(catalog, values, equality)
    if path.exists() and _is_current(catalog, fingerprints, path, embedder, score):
        return Changes(added=(), dropped=(), kept=len(catalog))
    partial = path.with_name(path.name + ".partial")
    resumed = _resume_or_copy(path, partial)
    for attempt_from_scratch in (False, True):
        try:
            writing = open_index(partial, write=True, memory_limit=memory_limit)
            with progress_bars(progress) as stage, writing as connection:
                changes = Refresh(connection, catalog, fingerprints, embedder, score, stage, values, equality).run()
                connection.execute("CHECKPOINT")
        except duckdb.OutOfMemoryException as error:
            raise JarError(f"{memory_limit} of memory are too little for {path}: raise the memory limit") from error
        except duckdb.Error as error:
            if attempt_from_scratch or not resumed:
                raise JarError(f"indexing into {partial} failed: {str(error).splitlines()[0]}") from error
            discard(partial)  # what it went on from is damaged
        else:
            break
    if path.exists():
        carry_verdicts(path, partial)  # what was said since the partial file was made
    os.replace(partial, path)
    return changes


def _fingerprints(catalog: Catalog, values: ValueStore, equality: Equality) -> dict[str, str]:
    """What changes when a table has to be read again, by its id."""
    version = ":".join([str(READING_VERSION), *([] if values == "off" else [values]), *equality.ignored])
    return {table.id: f"{version}:{table.fingerprint()}" for table in catalog.tables}


def chosen_equality(differences: Collection[str]) -> Equality:
    """The equality without some differences: "case", "zeros".

    Raises
    ------
    JarError
        When one of them is unknown.
    """
    try:
        return Equality.ignoring(differences)
    except ValueError as error:
        raise JarError(str(error)) from None


def _settled(path: Path, values: ValueStore | None, equality: Equality | None) -> tuple[ValueStore, Equality]:
    """What is asked for, else what the index that is refreshed states, else the defaults."""
    stored: dict[str, str] = {}
    if path.exists():
        with open_index(path) as connection:
            stored = read_meta(connection)
    kept = values or checked_store(cast("ValueStore", stored.get("values", "hashed")))
    return kept, Equality.ignoring(stored.get("ignore", "").split()) if equality is None else equality


def _is_current(catalog: Catalog, fingerprints: Mapping[str, str], path: Path, embedder: Embedder, score: str) -> bool:
    with open_index(path) as connection:
        meta = read_meta(connection)
        stored = stored_fingerprints(connection)
        failures = connection.execute("SELECT count(*) FROM failures").fetchone()
    if not can_load_by_name(embedder.name):
        return False  # two callables may share a name and not their vectors
    wanted = {"embedder": embedder.name, "score": score, "complete": "yes", "texts": str(TEXTS_VERSION)}
    same_settings = wanted.items() <= meta.items()
    clean = failures == (0,) and not catalog.failures
    return same_settings and clean and {table: print_ for table, (_, print_) in stored.items()} == fingerprints


def _resume_or_copy(path: Path, partial: Path) -> bool:
    """Put into `partial` what there is to go on from: what an interrupted run left, else a copy of the index.

    Returns whether there is anything.
    """
    if path.exists():
        with open_index(path):  # is it an index, and not somebody's file?
            pass
    if partial.exists() and partial.stat().st_size:
        try:
            check_is_index(partial)
        except IndexFormatError as error:
            raise IndexFormatError(f"{partial} is in the way: {error}. Move it") from error
        try:
            with open_index(partial, write=True):
                return True
        except IndexFormatError:
            discard(partial)
    path.parent.mkdir(parents=True, exist_ok=True)
    discard(partial)
    if path.exists():
        shutil.copyfile(path, partial)
    return path.exists()


def discard(path: Path) -> None:
    """Delete an index file and the log beside it, where they exist."""
    for leftover in (path, path.with_name(path.name + ".wal")):
        leftover.unlink(missing_ok=True)
