"""What a refresh of an index does in the database: compare, read, count, embed.

What changed is profiled, joined and embedded; the rest stays as it is.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from jar.index.file import FORMAT, SCHEMA, read_meta, stored_fingerprints, write_meta
from jar.index.stated import write_described
from jar.index.stored_tables import read_tables, with_primary_keys
from jar.index.told_texts import ADD_COLUMNS, write_texts
from jar.progress import Stage
from jar.text.embedding import can_load_by_name
from jar.text.stored_vectors import vectors_beside
from jar.tokens.token_store import forget_token_vectors, refresh_token_vectors
from jar.values.collect_values import ValueCollector
from joinability.attributes import cached_property
from joinability.composite.within_tables import find_within_tables
from joinability.paths import shown
from joinability.store.sharded_evidence import SHARDS, count_shards, with_shards
from joinability.store.stored_joins import StoredJoins, joins_note, write_joins

if TYPE_CHECKING:
    import duckdb

    from jar.index.settings import Settings
    from joinability import Catalog, EvidenceStore, Table

GROUP = 48
"""Tables that are profiled and committed together: an interrupted run repeats at most these."""

Failure = tuple[str, str]

WIDEN_TYPES = """
UPDATE catalog_columns SET type = wider.type, family = wider.family
FROM (
    SELECT
        column_id,
        CASE WHEN numeric_share = 1 THEN 'DOUBLE' ELSE 'VARCHAR' END AS type,
        CASE WHEN numeric_share = 1 THEN 'number' ELSE 'text' END AS family
    FROM profiles JOIN catalog_columns AS old USING (column_id)
    WHERE list_contains(?, column_id) AND value_count > 0 AND (
        old.type IN ('BIGINT', 'DOUBLE') AND numeric_share < 1
        OR old.type = 'BIGINT' AND integer_share < 1
        OR old.type IN ('DATE', 'TIMESTAMP') AND time_share < 1
    )
) AS wider
WHERE catalog_columns.column_id = wider.column_id
"""
"""From whole numbers to numbers, and from either and from dates to text, by what is known of all values."""


@dataclass(frozen=True)
class Changes:
    """What a build did: tables that it read or tried to read, ids that it dropped, number of tables that stayed."""

    added: tuple[Table, ...]
    dropped: tuple[str, ...]
    kept: int


@dataclass(frozen=True)
class Refresh:
    """One refresh of an open index; `run` does it."""

    connection: duckdb.DuckDBPyConnection
    catalog: Catalog
    fingerprints: Mapping[str, str]
    settings: Settings
    stage: Stage

    def run(self) -> Changes:
        """Compare, read, count overlaps, embed, and note what was done."""
        from joinability.store.store import EvidenceStore

        store = EvidenceStore(self.connection, on_texts=self._collector.take, **self._ignored)
        has_all_overlaps = self._prepare(store)
        stored = stored_fingerprints(self.connection)
        unchanged = {name for name, (_, print_) in stored.items() if self.fingerprints.get(name) == print_}
        added = tuple(table for table in self.catalog.tables if table.id not in unchanged)
        first_new_column = self._next_ids()[1]
        not_added = self._add_tables(store, added)
        failures = [*self.catalog.failures, *not_added]
        unread = self._stored_of(failures)
        not_read = {source for source, _ in not_added}
        kept = {
            source
            for name, source in unread.items()
            if name in stored and (name not in self.fingerprints or source in not_read)
        }
        failures = self._keep_declared(store, [table for table in added if table.id not in unread], failures)
        dropped = tuple(name for name in stored if name not in self.fingerprints and name not in unread)
        self._drop(store, dropped)
        self._order()
        self._collector.bound()
        write_texts(self.connection, self.settings.text_values)
        with vectors_beside(self.connection, self.settings.embedder, self._dimension(), self.stage):
            failures += self._count_overlaps(store, first_new_column if has_all_overlaps else None)
            failures += self._find_composites(first_new_column if has_all_overlaps else None)
            self._find_joins(store)
        refresh_token_vectors(self.connection, self.settings.embedder, self.stage)
        self._finish([(source, _kept_note(cause, source, kept)) for source, cause in failures])
        return Changes(added, dropped, len(unchanged))

    @property
    def _ignored(self) -> dict[str, Any]:
        return dict(self.settings.equality.parameters)

    @cached_property
    def _collector(self) -> ValueCollector:
        return ValueCollector(self.connection, self.settings.values)

    def _prepare(self, store: EvidenceStore) -> bool:
        """Make the tables where there are none; returns whether the overlaps of the stored columns are all counted."""
        self.connection.execute("BEGIN")
        self.connection.execute(SCHEMA)
        self.connection.execute(ADD_COLUMNS)
        store.create()
        complete = read_meta(self.connection).get("complete") == "yes"
        write_meta(self.connection, {"format": FORMAT, "complete": "no"})
        self.connection.execute("COMMIT")
        return complete

    def _next_ids(self) -> tuple[int, int]:
        row = self.connection.execute(
            "SELECT (SELECT coalesce(max(table_id), -1) + 1 FROM catalog_tables), "
            "(SELECT coalesce(max(column_id), -1) + 1 FROM catalog_columns)"
        ).fetchone()
        assert row is not None
        return int(row[0]), int(row[1])

    def _add_tables(self, store: EvidenceStore, tables: Sequence[Table]) -> list[Failure]:
        """Read tables, a group to a transaction; a new version replaces the old one once it is read to its end."""
        failures: list[Failure] = []
        advance = self.stage("tables", len(tables))
        for group in _groups(tables):
            self.connection.execute("BEGIN")
            next_table, next_column = self._next_ids()
            numbered = []
            for table in group:
                numbered.append((next_table, next_column, table))
                next_table += 1
                next_column += len(table.columns)
            failed = dict(store.add_tables([(table, first) for _, first, table in numbered]))
            failures += failed.items()
            read = [entry for entry in numbered if entry[2].id not in failed]
            self._forget(store, [table.id for _, _, table in read])
            unread = [entry for entry in numbered if entry[2].id in failed]
            self._collector.write([first + i for _, first, table in unread for i in range(len(table.columns))])
            self._insert_catalog_rows(read)
            self._correct_types(read)
            self.connection.execute("COMMIT")
            advance(len(group))
        return failures

    def _keep_declared(
        self, store: EvidenceStore, new: Sequence[Table], failures: Sequence[Failure]
    ) -> list[Failure]:
        """Add the new tables that a script declares and whose rows cannot be read, without rows, so that the next
        refresh reads them again; returns the failures with a word on it."""
        failed = {source for source, _ in failures}
        bare = [replace(table, source=None) for table in new if table.id in failed and table.source and table.origin]
        origins = {table.id: table.origin for table in bare}
        replace(self, fingerprints={**self.fingerprints, **dict.fromkeys(origins, "")})._add_tables(store, bare)
        told = {name: f"; it is here without rows, as {origin} declares it" for name, origin in origins.items()}
        return [(source, cause + told.get(source, "")) for source, cause in failures]

    def _stored_of(self, failures: Sequence[Failure]) -> dict[str, str]:
        """The stored tables that failures name by id, by the file that they came from or a folder above it, and how.

        A failure of a statement names its file before the statement.
        """
        sources = {name for source, _ in failures for name in (source, source.partition(": ")[0])}
        rows = self.connection.execute("SELECT id, origin FROM catalog_tables").fetchall()
        named = {str(id_): [str(id_), str(origin), *map(str, Path(str(origin)).parents)] for id_, origin in rows}
        return {id_: name for id_, names in named.items() for name in names[::-1] if name in sources}

    def _drop(self, store: EvidenceStore, ids: Sequence[str]) -> None:
        self.connection.execute("BEGIN")
        self._forget(store, ids)
        self.connection.execute("COMMIT")

    def _order(self) -> None:
        """Number the tables as the catalog lists them, then those that could not be read, as they were.

        So an index is the same whether it was made in one run or refreshed: which table is the left one of a join, and
        which of two equals comes first.
        """
        rows = self.connection.execute("SELECT table_id, id FROM catalog_tables ORDER BY table_id").fetchall()
        place = {table.id: number for number, table in enumerate(self.catalog.tables)}
        ordered = sorted(rows, key=lambda row: place.get(row[1], len(place)))
        if ordered == rows:
            return
        import pyarrow as pa

        numbers = pa.table({"old": [number for number, _ in ordered], "new": range(len(ordered))})
        self.connection.register("numbers", numbers)
        self.connection.execute("BEGIN")
        for table in ("catalog_tables", "catalog_columns"):
            self.connection.execute(f"UPDATE {table} SET table_id = new FROM numbers WHERE table_id = old")
        self.connection.execute("COMMIT")
        self.connection.unregister("numbers")

    def _forget(self, store: EvidenceStore, ids: Sequence[str]) -> None:
        """Delete all that is stored of tables, where they are stored."""
        stored = "SELECT table_id FROM catalog_tables WHERE list_contains(?, id)"
        numbers = [int(row[0]) for row in self.connection.execute(stored, [list(ids)]).fetchall()]
        if not numbers:
            return
        columns = "SELECT column_id FROM catalog_columns WHERE list_contains(?, table_id)"
        gone = [int(row[0]) for row in self.connection.execute(columns, [numbers]).fetchall()]
        store.remove_columns(gone)
        self._collector.forget(gone)
        for table in ("catalog_columns", "catalog_tables"):
            self.connection.execute(f"DELETE FROM {table} WHERE list_contains(?, table_id)", [numbers])

    def _count_overlaps(self, store: EvidenceStore, first_new_column: int | None) -> list[Failure]:
        """Count the overlaps of the columns from a number on, or all; returns the engines that did not count theirs."""
        advance = self.stage("overlaps", 1)
        self.connection.execute("BEGIN")
        changed: list[int] | None = None
        if first_new_column is not None:
            rows = self.connection.execute(
                "SELECT column_id FROM catalog_columns WHERE column_id >= ?", [first_new_column]
            ).fetchall()
            changed = [int(row[0]) for row in rows]
        done = store.update_overlaps(changed, self._numbered())
        self.connection.execute("COMMIT")
        advance(1)
        return list(done.failures)

    def _numbered(self) -> list[tuple[Table, int]]:
        """The stored tables of the catalog, each with the id of its first column."""
        rows = self.connection.execute(
            "SELECT id, min(column_id) FROM catalog_tables JOIN catalog_columns USING (table_id) GROUP BY id"
        ).fetchall()
        return [(self.catalog[str(id_)], int(first)) for id_, first in rows if id_ in self.catalog]

    def _find_composites(self, first_new_column: int | None) -> list[Failure]:
        """Look for composite keys of the columns from a number on, or of all."""
        from joinability import find_composites

        changed = None
        if first_new_column is not None:
            rows = self.connection.execute("SELECT column_id FROM profiles WHERE column_id >= ?", [first_new_column])
            changed = [int(row[0]) for row in rows.fetchall()]
        advance = self.stage("composite keys", 1)
        self.connection.execute("BEGIN")
        failures = find_composites(self.connection, self.catalog.tables, changed, **self._ignored)
        self.connection.execute("COMMIT")
        advance(1)
        return failures

    def _find_joins(self, store: EvidenceStore) -> None:
        """Write what questions ask of joins: scores, as far as they are few, and what joins by names alone."""
        advance = self.stage("joins", 1)
        self.connection.execute("BEGIN")
        stored = read_tables(self.connection)
        tables, _, column_ids = stored
        count_shards(self.connection, stored.shards())
        apart = with_primary_keys(store.load(column_ids), tables)
        find_within_tables(self.connection, apart, column_ids)
        evidence = with_shards(apart, self.connection, column_ids)
        write_joins(self.connection, StoredJoins.of(evidence), evidence, column_ids, apart.forms.titles)
        self.connection.execute("COMMIT")
        advance(1)

    def _insert_catalog_rows(self, numbered: Sequence[tuple[int, int, Table]]) -> None:
        """Insert rows of tables and columns, their texts empty until all tables are there (`write_texts`)."""
        tables = [
            [
                number, table.id, table.database, table.name, table.description, json.dumps(table.primary_key),
                json.dumps([[key.columns, key.target, key.target_columns] for key in table.foreign_keys]),
                self.fingerprints[table.id], _origin(table), "", "", table.schema,
            ]
            for number, _, table in numbered
        ]  # fmt: skip
        columns = [
            [
                first + position, number, position, column.name, column.type, column.family, column.description,
                column.natural_name, "", "",
            ]
            for number, first, table in numbered
            for position, column in enumerate(table.columns)
        ]  # fmt: skip
        self._insert("catalog_tables", tables)
        self._insert("catalog_columns", columns)

    def _correct_types(self, numbered: Sequence[tuple[int, int, Table]]) -> None:
        """Widen the types that the first rows of a file told where later rows have other values."""
        columns = [
            first + place
            for _, first, table in numbered
            if getattr(table.source, "infers_types", False)
            for place in range(len(table.columns))
        ]
        if columns:
            self.connection.execute(WIDEN_TYPES, [columns])

    def _insert(self, table: str, rows: Sequence[Sequence[object]]) -> None:
        """Insert rows through an Arrow table: a statement for each row would take most of the time of a build."""
        import pyarrow as pa

        if not rows:
            return
        description = self.connection.execute(f'SELECT * FROM "{table}" LIMIT 0').description or []
        names = [entry[0] for entry in description]
        batch = pa.table({name: list(values) for name, values in zip(names, zip(*rows, strict=True), strict=True)})
        self.connection.register("batch", batch)
        self.connection.execute(f'INSERT INTO "{table}" SELECT * FROM batch')
        self.connection.unregister("batch")

    def _dimension(self) -> int:
        """Dimension of the stored vectors; those of another embedder are dropped first."""
        meta = read_meta(self.connection)
        embedder = self.settings.embedder
        if meta.get("embedder") == embedder.name and can_load_by_name(embedder.name):
            return int(meta["dimension"])
        dimension = int(embedder(["dimension"]).shape[1])
        self.connection.execute("BEGIN")
        forget_token_vectors(self.connection)
        self.connection.execute("DROP TABLE IF EXISTS embeddings")
        self.connection.execute(f"CREATE TABLE embeddings (text VARCHAR NOT NULL, vector FLOAT[{dimension}] NOT NULL)")
        write_meta(self.connection, {"embedder": embedder.name, "dimension": str(dimension)})
        self.connection.execute("COMMIT")
        return dimension

    def _finish(self, failures: Sequence[Failure]) -> None:
        self.connection.execute("BEGIN")
        self.connection.execute("DELETE FROM failures")
        for failure in failures:
            self.connection.execute("INSERT INTO failures VALUES (?, ?)", list(failure))
        written = datetime.now(timezone.utc).isoformat(timespec="seconds")
        build = uuid4().hex
        notes = {**self.settings.meta(), **joins_note(build), SHARDS: build, "complete": "yes", "written": written}
        write_meta(self.connection, {**notes, "build": build})
        write_described(self.connection, self.catalog.described or {})
        self.connection.execute("COMMIT")


def _groups(tables: Sequence[Table]) -> Iterator[Sequence[Table]]:
    for start in range(0, len(tables), GROUP):
        yield tables[start : start + GROUP]


def _origin(table: Table) -> str | None:
    """The file that a table comes from, as the failures of a catalog name it."""
    path = getattr(table.source, "path", None)
    return table.origin if path is None else shown(path)


def _kept_note(cause: str, source: str, kept: Collection[str]) -> str:
    is_kept = not {source, source.partition(": ")[0]}.isdisjoint(kept)
    return f"{cause}; what was read of it before stays in the index" if is_kept else cause
