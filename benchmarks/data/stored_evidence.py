"""The evidence on a catalog, as an index has it."""

from __future__ import annotations

from collections.abc import Iterator

from joinability import Catalog, EvidenceStore, JoinEvidence, Table


def numbered_tables(catalog: Catalog) -> Iterator[tuple[Table, int]]:
    """Each table with the number of its first column."""
    first = 0
    for table in catalog:
        yield table, first
        first += len(table.columns)


def evidence_of(catalog: Catalog) -> JoinEvidence:
    """The evidence on a catalog, kept in memory.

    Raises
    ------
    ValueError
        When a table cannot be read.
    """
    import duckdb

    with duckdb.connect() as connection:
        store = EvidenceStore(connection)
        store.create()
        failures = store.add_tables(list(numbered_tables(catalog)))
        if failures:
            raise ValueError(f"{failures[0][0]} can not be read: {failures[0][1]}")
        store.update_overlaps()
        return store.load()
