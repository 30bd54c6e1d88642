"""Overlaps beyond the limit of work: what sketches choose is counted exactly, and nothing that matters is lost."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from joinability import Catalog, EvidenceStore
from joinability.store import named_candidates
from joinability.store import overlaps as overlaps_module
from joinability.store.named_candidates import named_pairs
from joinability.store.overlaps import OverlapLimits

Sets = dict[str, set[str]]


def made(seed: int = 0, tables: int = 30) -> Sets:
    """Sets of values, one for each table: keys, parts of them with other values among them, and numbers from 1."""
    random = np.random.default_rng(seed)
    sets: Sets = {}
    for number in range(tables):
        size = int(random.integers(20, 600))
        keys = [f"k{number}-{place}" for place in range(size)]
        kind = number % 3
        if kind == 0:
            sets[f"key{number}"] = set(keys)
        elif kind == 1:
            parent = sorted(sets[f"key{number - 1}"])
            part = random.permutation(parent)[: max(5, len(parent) // 2)].tolist()
            sets[f"ref{number}"] = {*part, *keys[: len(part) // 5]}
        else:
            sets[f"id{number}"] = {str(place) for place in range(1, size + 1)}
    return sets


def counted(sets: Sets, limits: OverlapLimits | None, **settings: str) -> tuple[EvidenceStore, Catalog]:
    catalog = Catalog.from_frames({f"db.{name}": pa.table({"v": sorted(values)}) for name, values in sets.items()})
    store = EvidenceStore(duckdb.connect(), limits=limits, **settings)
    store.create()
    store.add_tables([(table, place) for place, table in enumerate(catalog)])
    return store, catalog


def found(store: EvidenceStore) -> dict[tuple[int, int], int]:
    rows = store.connection.execute("FROM column_overlaps").fetchall()
    return {(left, right): common for left, right, common in rows}


def truth(sets: Sets) -> dict[tuple[int, int], int]:
    named = list(enumerate(sets.values()))
    return {(i, j): len(a & b) for (i, a), (j, b) in combinations(named, 2) if a & b}


@pytest.fixture(params=[4_000_000, 500])
def slices(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything in one slice, and in many."""
    monkeypatch.setattr(overlaps_module, "SLICE_VALUES", request.param)
    monkeypatch.setattr(overlaps_module, "LOOK_UP", request.param)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_chosen_pairs_are_counted_exactly(slices: None, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With work enough, what sketches choose has its exact count, and every pair with a tenth of a side is chosen."""
    monkeypatch.setattr(OverlapLimits, "allowed", lambda self, values: 10_000_000)
    monkeypatch.setattr(overlaps_module._Count, "exact_work", lambda self: 10**12)
    sets = made(seed)
    store, _ = counted(sets, None)
    done = store.update_overlaps()
    exact, chosen = truth(sets), found(store)
    sizes = list(map(len, sets.values()))
    assert done.method == "sketches"
    assert done.estimated == 0
    assert chosen == {pair: exact[pair] for pair in chosen}
    wanted = {(i, j) for (i, j), common in exact.items() if common >= 0.2 * min(sizes[i], sizes[j])}
    assert wanted <= set(chosen)


def test_without_work_estimates_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pairs that are not counted keep their estimates, most of them within two of their standard errors."""
    monkeypatch.setattr(OverlapLimits, "allowed", lambda self, values: 30_000)
    monkeypatch.setattr(overlaps_module, "LOOK_UP_SHARE", 1)
    monkeypatch.setattr(overlaps_module._Count, "exact_work", lambda self: 10**12)
    sets = made(3, tables=60)
    store, _ = counted(sets, None)
    done = store.update_overlaps()
    exact = truth(sets)
    errors = store.connection.execute("FROM overlap_errors").fetchall()
    told = found(store)
    assert done.counted > 0
    assert done.estimated == len(errors) > 20
    near = [abs(told[left, right] - exact[left, right]) <= 2 * error + 1 for left, right, error in errors]
    assert np.mean(near) > 0.85
    sure = set(told) - {(left, right) for left, right, _ in errors}
    assert all(told[pair] == exact[pair] for pair in sure)


def test_the_work_decides_on_the_method() -> None:
    """A store whose exact count is within the limit is counted exactly; the foretold work is the true one."""
    sets = made()
    store, _ = counted(sets, OverlapLimits())
    assert store.update_overlaps().method == "exact"
    assert found(store) == truth(sets)
    small, _ = counted(sets, OverlapLimits(work=1, per_value=0))
    assert small.update_overlaps().method == "sketches"


def test_a_changed_column_touches_its_pairs_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """By sketches, too, the pairs of other columns stay as they are, even where they are wrong."""
    monkeypatch.setattr(OverlapLimits, "allowed", lambda self, values: 10_000_000)
    monkeypatch.setattr(overlaps_module._Count, "exact_work", lambda self: 10**12)
    sets = made()
    store, _ = counted(sets, None)
    store.update_overlaps()
    before = found(store)
    store.connection.execute("UPDATE column_overlaps SET intersection = -1")
    store.connection.execute("DELETE FROM column_overlaps WHERE left_id = 4 OR right_id = 4")
    store.update_overlaps([4])
    after = found(store)
    assert {pair for pair in after if 4 in pair} == {pair for pair in before if 4 in pair}
    assert all(common == (before[pair] if 4 in pair else -1) for pair, common in after.items())


def test_settings_are_left_as_they_were() -> None:
    """A count leaves no setting of the connection changed."""
    store, _ = counted(made(), OverlapLimits(work=1, per_value=0))
    names = ("preserve_insertion_order", "disabled_optimizers")
    query = "SELECT " + ", ".join(f"current_setting('{name}')" for name in names)
    before = store.connection.execute(query).fetchall()
    store.update_overlaps()
    assert store.connection.execute(query).fetchall() == before


def test_memory_is_bounded_and_spilled(tmp_path: Path) -> None:
    """With a limit far below what the values take, the count is the same; what does not fit goes to the folder."""
    folder = str(tmp_path)
    sets = {f"t{number}": {f"{number % 7}-{place}" for place in range(20_000)} for number in range(20)}
    store, _ = counted(sets, None, memory_limit="60MB", temp_directory=folder)
    store.update_overlaps()
    assert found(store) == truth(sets)
    assert store.connection.execute("SELECT current_setting('temp_directory')").fetchone() == (folder,)


def surrogates(tables: int = 40) -> Catalog:
    """Tables that count from 1, each with a reference that is named after the next one, whose ids it holds."""
    frames = {}
    for number in range(tables):
        parent = (number + 1) % tables
        ids = np.arange(1, 101 + number)
        frames[f"db.part{number}"] = pa.table(
            {"id": ids, f"part{parent}_id": np.resize(np.arange(1, 90 + parent), len(ids))}
        )
    return Catalog.from_frames(frames)


def test_references_to_surrogate_keys_are_chosen_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where all tables count from 1 and there is no work to spare, references are counted all the same."""
    monkeypatch.setattr(OverlapLimits, "allowed", lambda self, values: 1)
    monkeypatch.setattr(overlaps_module._Count, "exact_work", lambda self: 10**12)
    store = EvidenceStore(duckdb.connect())
    store.create()
    catalog = surrogates()
    store.add_tables([(table, 2 * place) for place, table in enumerate(catalog)])
    assert store.update_overlaps().method == "sketches"
    chosen = found(store)
    for place in range(len(catalog)):
        key = 2 * ((place + 1) % len(catalog))
        pair = (min(2 * place + 1, key), max(2 * place + 1, key))
        rows, held = 100 + place, 89 + (place + 1) % len(catalog)
        assert chosen[pair] == min(rows, held)
    estimated = set(store.connection.execute("SELECT left_id, right_id FROM overlap_errors").fetchall())
    assert not estimated & {(min(p, q), max(p, q)) for p, q in named_pairs(store.connection)}


def test_what_names_choose_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many keys of one name only the closest are taken, and none that is too short."""
    monkeypatch.setattr(named_candidates, "PARENTS", 3)
    frames = {f"db{n}.part": pa.table({"id": np.arange(1, 50 + n)}) for n in range(20)}
    frames["other.child"] = pa.table({"part_id": np.arange(1, 61)})
    catalog = Catalog.from_frames(frames)
    store = EvidenceStore(duckdb.connect())
    store.create()
    store.add_tables([(table, place) for place, table in enumerate(catalog)])
    names = [table.id for table in catalog]
    child = names.index("other.child")
    parents = [names[parent] for own, parent in named_pairs(store.connection) if own == child]
    assert parents == ["db11.part", "db12.part", "db13.part"]
