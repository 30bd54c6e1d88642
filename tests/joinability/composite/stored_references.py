"""References that a store keeps one by one, and the joins that they make."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import pandas as pd

from joinability import Catalog, EvidenceStore, JoinEdge, composite_joins, find_composites
from joinability.composite.stored_keys import CompositeKey, KeyKind, load_composites


def stored(store: EvidenceStore, kind: KeyKind) -> list[CompositeKey]:
    """The references of one kind."""
    rows = store.connection.execute("SELECT column_id FROM profiles ORDER BY column_id").fetchall()
    return [key for key in load_composites(store.connection, [row[0] for row in rows]) if key.kind == kind]


def joins(store: EvidenceStore, kind: KeyKind) -> Iterator[JoinEdge]:
    """The edges of these."""
    evidence = store.load()
    return (join.to_edge(evidence) for join in composite_joins(evidence, stored(store, kind)))


def look_for_references(
    frames: Mapping[str, pd.DataFrame], store: EvidenceStore, add: Callable[[Catalog], object]
) -> Catalog:
    """Add tables to a store, and look among their rows; returns their catalog."""
    catalog = Catalog.from_frames(frames)
    add(catalog)
    assert find_composites(store.connection, catalog) == []
    return catalog
