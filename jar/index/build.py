"""Build or refresh an index file, all or nothing.

The work happens in ``<path>.partial``, committed table group by table group, and replaces ``<path>`` in one step at the
end. So an interrupted run leaves the previous index as it was, and the next run goes on from the partial file.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jar.errors import IndexFormatError, IndexWriteError, JarError, is_interruption
from jar.index.file import (
    check_is_index,
    check_memory_limit,
    open_index,
    read_meta,
    refusal,
    replace_index,
    stored_fingerprints,
)
from jar.index.refresh import Changes, Refresh
from jar.index.stated import carry_stated, read_described
from jar.progress import progress_bars
from joinability.errors import first_line
from joinability.store.stored_joins import joins_are_current

if TYPE_CHECKING:
    from jar.index.settings import Settings
    from joinability import Catalog

READING_VERSION = 8
"""Raised with each change of what is stored of a table, so that a refresh reads all tables anew."""


def build_index_file(
    catalog: Catalog,
    path: Path,
    settings: Settings,
    *,
    progress: bool | None = None,
    memory_limit: str = "1GB",
) -> Changes:
    """Bring the index at `path` in line with `catalog`, all or nothing.

    Parameters
    ----------
    catalog : Catalog
        The tables that the index shall hold; stored tables that are not in it are dropped, but for those that could not
        be read this time.
    path : Path
        The index file; made where there is none. Whatever happens, it is either the old or the new index.
    settings : Settings
        For another embedder than that of the stored index all texts are embedded anew.
    memory_limit : str
        As for `Index.build`.

    Raises
    ------
    IndexFormatError
        When `path` exists and is not an index of this version; it is left untouched.
    IndexWriteError
        When the disk is full, or the folder may not be written.
    JarError
        When `catalog` is none, or the engine fails for good, as for lack of memory.
    """
    from joinability import Catalog

    if not isinstance(catalog, Catalog):
        raise JarError(_no_catalog(catalog))
    check_memory_limit(memory_limit)
    catalog = _with_kept_descriptions(catalog, path)
    fingerprints = _fingerprints(catalog, settings)
    if path.exists() and _is_current(catalog, fingerprints, path, settings):
        return Changes(added=(), dropped=(), kept=len(catalog))
    partial = path.with_name(path.name + ".partial")
    try:
        resumed = _resume_or_copy(path, partial)
        changes = _refreshed(partial, Refreshing(catalog, fingerprints, settings, progress, memory_limit), resumed)
        if path.exists():
            carry_stated(path, partial)  # what was said since the partial file was made
        replace_index(partial, path)
    except OSError as error:
        raise IndexWriteError(f"{path} cannot be written: {refusal(str(error)) or error}") from error
    return changes


@dataclass(frozen=True)
class Refreshing:
    """What a refresh needs beside the file."""

    catalog: Catalog
    fingerprints: Mapping[str, str]
    settings: Settings
    progress: bool | None
    memory_limit: str


def _refreshed(partial: Path, wanted: Refreshing, resumed: bool) -> Changes:
    """Refresh a partial file; one that it cannot go on from is discarded once.

    Raises
    ------
    IndexWriteError, JarError
        When the system or the engine refuses.
    KeyboardInterrupt
        At Ctrl-C, of which the engine may make an error of its own.
    """
    import duckdb

    for attempt_from_scratch in (False, True):
        try:
            writing = open_index(partial, write=True, create=True, memory_limit=wanted.memory_limit)
            with progress_bars(wanted.progress) as stage, writing as connection:
                refresh = Refresh(connection, wanted.catalog, wanted.fingerprints, wanted.settings, stage)
                changes = refresh.run()
                connection.execute("CHECKPOINT")
                return changes
        except duckdb.OutOfMemoryException as error:
            raise JarError(
                f"{wanted.memory_limit} of memory are too little for {partial}: raise the memory limit"
            ) from error
        except (duckdb.Error, RuntimeError) as error:
            if is_interruption(error):
                raise KeyboardInterrupt from error
            if isinstance(error, RuntimeError):
                raise
            said = first_line(error)
            if refusal(said):
                raise IndexWriteError(
                    f"{partial} cannot be written: {refusal(said)}. The next run goes on from what is done"
                ) from error
            if attempt_from_scratch or not resumed:
                raise JarError(f"indexing into {partial} failed: {said}") from error
            discard(partial)  # what it went on from is damaged
    raise AssertionError("the second attempt returns or raises")


def _fingerprints(catalog: Catalog, settings: Settings) -> dict[str, str]:
    """What changes when a table has to be read again, by its id."""
    kept = [] if settings.values == "off" else [settings.values]
    version = ":".join([str(READING_VERSION), *kept, *settings.equality.ignored])
    return {table.id: f"{version}:{table.fingerprint()}" for table in catalog.tables}


def _with_kept_descriptions(catalog: Catalog, path: Path) -> Catalog:
    """The catalog with the descriptions that the index at `path` keeps, where it is given none.

    Those of tables that are not in the catalog stay without effect, until these come back.
    """
    if catalog.described is not None or not path.exists():
        return catalog
    with open_index(path) as connection:
        kept = read_described(connection)
    if not kept:
        return catalog
    known = {name for table in catalog for name in (table.id, *(f"{table.id}.{one}" for one in table.column_names))}
    described = catalog.with_descriptions({name: told for name, told in kept.items() if name in known})
    described.described = kept
    return described


def _is_current(catalog: Catalog, fingerprints: Mapping[str, str], path: Path, settings: Settings) -> bool:
    """Whether the index at `path` is what a refresh would write, the joins that it stores included."""
    with open_index(path) as connection:
        meta = read_meta(connection)
        stored = stored_fingerprints(connection)
        failures = connection.execute("SELECT count(*) FROM failures").fetchone()
        same_descriptions = read_described(connection) == (catalog.described or {})
    clean = failures == (0,) and not catalog.failures
    same_tables = [(table, print_) for table, (_, print_) in stored.items()] == list(fingerprints.items())
    return settings.are_stored(meta) and joins_are_current(meta) and clean and same_tables and same_descriptions


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
        try:
            shutil.copyfile(path, partial)
        except OSError:
            discard(partial)  # half a copy is nothing to go on from
            raise
    return path.exists()


def discard(path: Path) -> None:
    """Delete an index file and the log beside it, where they exist."""
    for leftover in (path, path.with_name(path.name + ".wal")):
        leftover.unlink(missing_ok=True)


def _no_catalog(given: object) -> str:
    """What an error says of something else than a catalog."""
    path = f'"{given}"' if isinstance(given, (str, Path)) else '"data/"'
    makers = f'Catalog.from_files({path}) or Catalog.from_frames({{"shop.orders": frame}})'
    return f"an index is built of a jar.Catalog, such as {makers}, not of {type(given).__name__}"
