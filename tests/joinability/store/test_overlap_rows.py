"""Rows of a column whose values a key has, against counts in Python."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest

from joinability import Catalog, EvidenceStore
from joinability.store import batches, chunks
from joinability.store.overlaps import LEAST_COUNTED, OverlapLimits

Columns = dict[str, list[Any]]


def drawn(seed: int) -> Columns:
    """Columns by id, one to a table: keys, and columns of repeated values of which the keys have some."""
    random = np.random.default_rng(seed)
    columns: Columns = {}
    for number in range(4):
        columns[f"shop.key{number}"] = list(range(10 * number, 10 * number + int(random.integers(15, 40))))
    for number in range(8):
        values = random.integers(0, int(random.integers(20, 120)), size=200).tolist()
        columns[f"shop.child{number}"] = [None if random.random() < 0.1 else value for value in values]
    columns["bank.child"] = columns["shop.child0"]
    return columns


def filled(columns: Columns, **settings: Any) -> EvidenceStore:
    catalog = Catalog.from_frames({name: pd.DataFrame({"v": pd.array(v, "Int64")}) for name, v in columns.items()})
    store = EvidenceStore(duckdb.connect(), **settings)
    store.create()
    assert store.add_tables([(table, place) for place, table in enumerate(catalog)]) == []
    return store


def kept(store: EvidenceStore) -> dict[tuple[int, int], int]:
    rows = store.connection.execute("FROM overlap_rows").fetchall()
    assert len({row[:2] for row in rows}) == len(rows)
    return {(child, parent): count for child, parent, count in rows}


def expected(columns: Columns) -> dict[tuple[int, int], int]:
    """Counted as the store says: children of repeated values, of which a key of the database has a part."""
    found = {}
    for k, (child, own) in enumerate(columns.items()):
        counts = Counter(value for value in own if value is not None)
        for j, (parent, other) in enumerate(columns.items()):
            keys = set(other) - {None}
            common = counts.keys() & keys
            same = child.partition(".")[0] == parent.partition(".")[0] and k != j
            part = LEAST_COUNTED * len(counts) <= len(common) < len(counts)
            if same and part and len(keys) == len(other) and any(counts[value] > 1 for value in common):
                found[k, j] = sum(counts[value] for value in common)
    return found


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_rows_are_counted_as_defined(seed: int) -> None:
    """All at once, and tables in several chunks; the evidence has them from child to key."""
    columns = drawn(seed)
    store = filled(columns)
    store.update_overlaps()
    assert kept(store) == expected(columns) != {}
    matrix = store.load().row_overlaps.toarray()
    assert {pair: matrix[pair] for pair in zip(*matrix.nonzero(), strict=True)} == expected(columns)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunks, "CHUNK_CELLS", 50)
        patch.setattr(batches, "BATCH_ROWS", 20)
        in_parts = filled(columns)
        in_parts.update_overlaps()
        assert kept(in_parts) == kept(store)


def test_the_share_of_rows_is_that_of_the_values_that_are_there() -> None:
    """Nulls are no orphans, and the share is one of the side that refers."""
    store = filled({"shop.customer": [1, 2, 3, 4], "shop.orders": [1, 1, 1, 2, 2, 7, 8, None]})
    store.update_overlaps()
    block = store.load().pairs([1, 0], [0, 1])
    assert block.row_share_left.tolist() == pytest.approx([5 / 7, 0])
    assert block.containment_left.tolist() == pytest.approx([2 / 4, 2 / 4])
    assert store.load().block([0, 1]).row_share_left[1].tolist() == pytest.approx([5 / 7, 0])


@pytest.mark.parametrize("changed", [0, 5])
def test_a_changed_column_is_counted_anew(changed: int) -> None:
    """A key, and a child: the rows of their pairs are those of a new store, and the others stay."""
    columns = drawn(3)
    store = filled(columns)
    store.update_overlaps()
    name = list(columns)[changed]
    columns[name] = columns[name][: len(columns[name]) // 2]
    [table] = Catalog.from_frames({name: pd.DataFrame({"v": pd.array(columns[name], "Int64")})})
    store.remove_columns([changed])
    assert not any(changed in pair for pair in kept(store))
    store.add_tables([(table, changed)])
    store.update_overlaps([changed])
    assert kept(store) == expected(columns)


def test_pairs_that_are_estimated_have_no_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows go with exact counts: of what the sketches leave as an estimate none are kept."""
    monkeypatch.setattr(overlaps_module_count(), "exact_work", lambda self: 10**12)
    monkeypatch.setattr(OverlapLimits, "allowed", lambda self, values: 50_000)
    columns = drawn(4)
    store = filled(columns)
    store.update_overlaps()
    estimated = set(store.connection.execute("SELECT left_id, right_id FROM overlap_errors").fetchall())
    found = kept(store)
    assert found.items() <= expected(columns).items()
    assert not {tuple(sorted(pair)) for pair in found} & estimated


def overlaps_module_count() -> Any:
    from joinability.store import overlaps

    return overlaps._Count


def test_a_store_that_counts_no_rows_still_loads(tmp_path: Path) -> None:
    """One of an earlier version, open for reading alone; once it may be written, it counts what is read anew."""
    path = tmp_path / "evidence.duckdb"
    columns = drawn(5)
    with duckdb.connect(path) as connection:
        store = EvidenceStore(connection)
        store.create()
        catalog = Catalog.from_frames({name: pd.DataFrame({"v": pd.array(v, "Int64")}) for name, v in columns.items()})
        store.add_tables([(table, place) for place, table in enumerate(catalog)])
        store.update_overlaps()
        connection.execute("DROP TABLE overlap_rows; ALTER TABLE column_values DROP COLUMN occurrences")
    with duckdb.connect(path, read_only=True) as connection:
        assert EvidenceStore(connection).load().row_overlaps.nnz == 0
    with duckdb.connect(path) as connection:
        store = EvidenceStore(connection)
        store.create()
        store.remove_columns(range(len(columns)))
        store.add_tables([(table, place) for place, table in enumerate(catalog)])
        store.update_overlaps()
        assert kept(store) == expected(columns)
