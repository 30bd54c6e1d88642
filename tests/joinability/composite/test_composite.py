"""Composite keys: found among the rows as a brute-force search finds them, in parts as at once, and scored."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from joinability import (
    Catalog,
    EvidenceStore,
    JoinEvidence,
    JoinGraph,
    Table,
    Verdicts,
    composite_joins,
    find_composites,
)
from joinability.composite import key_candidates as candidates_module
from joinability.composite import key_counting as counting
from joinability.composite import key_search as search
from joinability.composite.key_counting import combined
from joinability.composite.stored_keys import CompositeKey, load_composites
from joinability.errors import SourceError
from joinability.schema import ForeignKey

Add = Callable[[Catalog], list[tuple[str, str]]]


def lessons(rows: int = 40) -> dict[str, pd.DataFrame]:
    """Lessons have the key (room, hour), neither of which is one; bookings refer to it."""
    room = [f"r{number % 8}" for number in range(rows)]
    hour = [number // 8 for number in range(rows)]
    chosen = [(5 * number) % rows for number in range(rows // 2)]
    return {
        "school.lesson": pd.DataFrame({"room": room, "hour": hour, "topic": [n % 3 for n in range(rows)]}),
        "school.booking": pd.DataFrame(
            {
                "booking": range(900, 900 + 2 * len(chosen)),
                "lesson_room": [room[n] for n in chosen] * 2,
                "lesson_hour": [float(hour[n]) for n in chosen] * 2,
            }
        ),
    }


def found(store: EvidenceStore, catalog: Catalog) -> set[str]:
    assert find_composites(store.connection, catalog) == []
    return conditions(store)


def conditions(store: EvidenceStore) -> set[str]:
    evidence = store.load()
    return {join.to_edge(evidence).condition for join in composite_joins(evidence, keys(store))}


def keys(store: EvidenceStore) -> tuple[CompositeKey, ...]:
    rows = store.connection.execute("SELECT column_id FROM profiles ORDER BY column_id").fetchall()
    return load_composites(store.connection, [row[0] for row in rows])


def test_a_planted_key_is_found_with_its_counts(store: EvidenceStore, add: Add) -> None:
    """Both conditions form one edge, from text and numbers of different types, with the counts of the tuples."""
    catalog = Catalog.from_frames(lessons())
    add(catalog)
    expected = "school.booking.lesson_room = school.lesson.room AND school.booking.lesson_hour = school.lesson.hour"
    assert found(store, catalog) == {expected}
    (key,) = keys(store)
    assert (key.compared, key.common, key.child_distinct, key.parent_distinct) == (8, 8, 8, 40)
    assert (key.parent_uniqueness, key.child_uniqueness) == (1.0, 0.2)
    (join,) = composite_joins(store.load(), [key])
    assert join.evidence["containment_left"] == 1
    assert join.evidence["containment_right"] == 0.2
    assert join.evidence["jaccard"] == 0.2


@pytest.mark.parametrize("ignored", [[], ["ignore_case", "ignore_zeros"]])
def test_differences_are_ignored_in_tuples(ignored: list[str], add: Add) -> None:
    """A key that is written otherwise is found where case and zeros are ignored, and only there."""
    frames = lessons()
    frames["school.lesson"]["hour"] = frames["school.lesson"]["hour"].astype(str)
    frames["school.booking"]["lesson_room"] = frames["school.booking"]["lesson_room"].str.upper()
    frames["school.booking"]["lesson_hour"] = [f"{hour:03.0f}" for hour in frames["school.booking"]["lesson_hour"]]
    catalog, options = Catalog.from_frames(frames), dict.fromkeys(ignored, True)
    with duckdb.connect() as connection:
        store = EvidenceStore(connection, **options)
        store.create()
        store.add_tables([(catalog.tables[0], 0), (catalog.tables[1], len(catalog.tables[0].columns))])
        store.update_overlaps()
        assert find_composites(connection, catalog, **options) == []
        assert len(conditions(store)) == bool(ignored)


@pytest.mark.parametrize("seed", range(6))
def test_keys_are_those_of_brute_force(
    seed: int, store: EvidenceStore, add: Add, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On random tables with like names: pairs of columns that are a key together only, with the pairs of a child.

    The keys that stand in front, which need no others beside them, have tests of their own.
    """
    monkeypatch.setattr(search, "leading_columns", lambda *_: {})
    random = np.random.default_rng(seed)
    frames: dict[str, pd.DataFrame] = {}
    for number in range(3):
        rows = int(random.integers(6, 30))
        columns = {f"part{c}": random.integers(0, random.integers(3, 9), rows) for c in range(3)}
        frames[f"db.t{number}"] = pd.DataFrame(columns).astype(object)
        frames[f"db.t{number}"].iloc[0, 0] = None
    largest = max(frames.values(), key=len).drop_duplicates(["part0", "part1"])
    frames["db.whole"] = largest.iloc[1:].reset_index(drop=True)  # a parent that surely has a child
    catalog = Catalog.from_frames(frames)
    add(catalog)
    expected = set(brute_force(frames))
    assert expected
    assert found(store, catalog) == expected


def brute_force(frames: dict[str, pd.DataFrame]) -> Iterator[str]:
    for (one, child), (other, parent) in itertools.permutations(frames.items(), 2):
        sides = [itertools.permutations(child, 2), itertools.combinations(parent, 2)]
        for own, theirs in itertools.product(*sides):
            if not all(included(child, parent, *pair) for pair in zip(own, theirs, strict=True)):
                continue
            tuples = {tuple(row) for row in child[list(own)].dropna().itertuples(index=False)}
            keys_ = [tuple(row) for row in parent[list(theirs)].dropna().itertuples(index=False)]
            unique = len(set(keys_)) >= 0.98 * len(parent)
            common = len(tuples & set(keys_))
            if unique and common >= 3 and common >= 0.8 * len(tuples) and len(parent) >= 4:
                pairs = zip(own, theirs, strict=True)
                yield " AND ".join(f"{one}.{mine} = {other}.{your}" for mine, your in pairs)


def included(child: pd.DataFrame, parent: pd.DataFrame, own: str, other: str) -> bool:
    """A condition: the parent's column no key, the child's values in it (names of this test are all alike)."""
    values, others = (set(frame[column].dropna()) for frame, column in ((child, own), (parent, other)))
    return 1 < len(others) < 0.98 * len(parent) and len(values & others) >= 0.8 * len(values)


@pytest.mark.parametrize("side", ["parent", "child"])
def test_a_single_key_needs_no_second_condition(side: str, store: EvidenceStore, add: Add) -> None:
    """Where a column of the parent is a key alone, or the child's declared primary key, there is no composite edge."""
    frames = lessons()
    if side == "parent":
        frames["school.lesson"]["room"] = [f"r{number}" for number in range(40)]
    key = {"school.booking": ("lesson_room",)} if side == "child" else {}
    plain = Catalog.from_frames(frames)
    catalog = Catalog(dataclasses.replace(table, primary_key=key.get(table.id, ())) for table in plain)
    add(catalog)
    assert found(store, catalog) == set()


@pytest.mark.parametrize("has_key", [True, False])
def test_tables_with_one_key_have_no_composite_one(has_key: bool, store: EvidenceStore, add: Add) -> None:
    """As a copy has the key of its original; without that key its other columns are conditions."""
    lesson = lessons()["school.lesson"].assign(lesson_id=range(100, 140))
    whole = lesson if has_key else lesson.drop(columns="lesson_id")
    catalog = Catalog.from_frames({"school.lesson": whole, "old.lesson": whole.iloc[5:]})
    add(catalog)
    assert bool(found(store, catalog)) is not has_key


def test_names_that_say_nothing_are_no_condition(store: EvidenceStore, add: Add) -> None:
    """Inclusions alone are everywhere: both conditions need names that are somewhat alike."""
    frames = lessons()
    frames["school.booking"].columns = ["booking", "xyz", "qqq"]
    catalog = Catalog.from_frames(frames)
    add(catalog)
    assert found(store, catalog) == set()


def test_samples_of_large_tables_agree(store: EvidenceStore, add: Add, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a bound on the tuples that are kept, in many chunks, containment and uniqueness are near the true ones."""
    frames = lessons(4000)
    frames["school.booking"].loc[::10, "lesson_hour"] = 77777
    catalog = Catalog.from_frames(frames)
    add(catalog)
    find_composites(store.connection, catalog)
    (exact,) = keys(store)
    monkeypatch.setattr(counting, "SAMPLE", 300)
    monkeypatch.setattr(counting, "CHUNK_ROWS", 500)
    find_composites(store.connection, catalog)
    (sampled,) = keys(store)
    assert (exact.estimated, sampled.estimated) == (False, True)
    assert sampled.compared < exact.compared / 4
    assert sampled.common / sampled.compared == pytest.approx(exact.common / exact.compared, abs=0.08)
    assert sampled.parent_uniqueness == pytest.approx(exact.parent_uniqueness, abs=0.02)
    assert sampled.parent_distinct == pytest.approx(exact.parent_distinct, rel=0.2)


def test_a_sample_of_the_child_alone_is_an_estimate(
    store: EvidenceStore, add: Add, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a child above the bound a part is compared, however small the parent: its shares carry standard errors."""
    frames = lessons(99)
    frames["school.booking"] = pd.concat([frames["school.booking"]] * 12)
    catalog = Catalog.from_frames(frames)
    add(catalog)
    monkeypatch.setattr(counting, "SAMPLE", 150)
    find_composites(store.connection, catalog)
    (key,) = keys(store)
    assert key.compared < key.child_distinct
    (join,) = composite_joins(store.load(), [key])
    assert join.evidence["estimated"]
    assert 0 < join.evidence["containment_left_error"] < 0.2
    assert {join.evidence[f"{name}_error"] > 0 for name in ("jaccard", "containment_right")} == {True}


def test_refreshed_it_is_as_from_scratch(store: EvidenceStore, add: Add) -> None:
    """After a table changed, only keys of that table are looked for, and the store holds what a new one would."""
    frames = lessons() | {"school.copy": lessons()["school.booking"]}
    catalog = Catalog.from_frames(frames)
    add(catalog)
    before = found(store, catalog)
    assert len(before) == 2
    assert find_composites(store.connection, catalog, []) == []
    assert conditions(store) == before
    store.remove_columns([6, 7, 8])
    changed = frames | {"school.copy": frames["school.copy"].rename(columns={"lesson_room": "room"})}
    table = Catalog.from_frames(changed)["school.copy"]
    assert store.add_tables([(table, 20)]) == []
    store.update_overlaps([20, 21, 22])
    assert find_composites(store.connection, Catalog.from_frames(changed), [20, 21, 22]) == []
    with duckdb.connect() as connection:
        scratch = EvidenceStore(connection)
        scratch.create()
        scratch.add_tables([(table, 3 * place) for place, table in enumerate(Catalog.from_frames(changed))])
        scratch.update_overlaps()
        assert found(scratch, Catalog.from_frames(changed)) == conditions(store)
    assert {condition for condition in conditions(store) if "copy" not in condition} < before


def test_a_declared_primary_key_gives_all_its_conditions(store: EvidenceStore, add: Add) -> None:
    """Of a parent with a declared key of three columns that a child covers, the edge has all three."""
    frames = lessons()
    frames["school.lesson"]["week"] = [n % 2 for n in range(40)]
    frames["school.booking"]["week"] = [(5 * n) % 40 % 2 for n in range(20)] * 2
    plain = Catalog.from_frames(frames)
    keyed = Catalog(
        dataclasses.replace(table, primary_key=("room", "hour", "week") if table.name == "lesson" else ())
        for table in plain
    )
    add(keyed)
    assert {condition.count(" AND ") for condition in found(store, keyed)} == {2}
    assert all(" AND " in condition for condition in found(store, plain))


def test_declared_keys_of_several_columns_are_edges(store: EvidenceStore, add: Add) -> None:
    """A declared key is one edge with score 1 even where no row was read; distrusted, its contents count."""
    ddl = """
        CREATE TABLE lesson (room TEXT, hour INT, PRIMARY KEY (room, hour));
        CREATE TABLE booking (r TEXT, h INT, day DATE, FOREIGN KEY (r, h) REFERENCES lesson (room, hour));
    """
    catalog = Catalog.from_ddl(ddl, database="plan")
    add(catalog)
    assert found(store, catalog) == {"plan.booking.r = plan.lesson.room AND plan.booking.h = plan.lesson.hour"}
    evidence = store.load()
    (join,) = composite_joins(evidence, keys(store))
    assert (join.score, join.evidence["declared"], join.evidence["estimated"]) == (1.0, True, True)
    assert {error for name, error in join.evidence.items() if name.endswith("_error")} == {None}
    assert composite_joins(evidence, keys(store), trust_declared=False) == []


def test_a_declared_key_of_two_tables_with_rows_is_counted_once(store: EvidenceStore, add: Add) -> None:
    """What is declared and found as well is one edge, with its counts."""
    frames = lessons()
    keyed = Catalog(
        dataclasses.replace(
            table,
            foreign_keys=(ForeignKey(("lesson_room", "lesson_hour"), "school.lesson", ("room", "hour")),)
            if table.name == "booking"
            else (),
        )
        for table in Catalog.from_frames(frames)
    )
    add(keyed)
    assert len(found(store, keyed)) == 1
    (key,) = keys(store)
    assert (key.declared, key.compared, key.common) == (True, 8, 8)


def test_a_source_that_breaks_is_reported(store: EvidenceStore, add: Add) -> None:
    """A table that could be profiled and can not be read again is named with its cause; the others are searched."""
    frames = lessons() | {"school.other": lessons()["school.booking"]}
    catalog = Catalog.from_frames(frames)
    add(catalog)

    class Broken:
        def batches(self, size: int) -> Iterator[list[pa.Array]]:
            raise SourceError("school.booking", "gone")
            yield []

        def fingerprint(self) -> str:
            return ""

    broken = Catalog(
        dataclasses.replace(table, source=Broken()) if table.name == "booking" else table for table in catalog
    )
    ((table, cause),) = find_composites(store.connection, broken)
    assert table == "school.booking"
    assert "gone" in cause
    assert {condition.split(".")[1] for condition in conditions(store)} == {"other"}


def test_the_search_is_bounded(store: EvidenceStore, add: Add, monkeypatch: pytest.MonkeyPatch) -> None:
    """However alike the columns of two wide tables are, no more tuples of a table are counted than the limit."""
    random = np.random.default_rng(0)
    wide = {f"part{number}": random.integers(0, 40, 60) for number in range(30)}
    catalog = Catalog.from_frames({"a.one": pd.DataFrame(wide), "b.two": pd.DataFrame(wide)})
    add(catalog)
    monkeypatch.setattr(candidates_module, "KEYS", 5)
    seen: list[int] = []
    count = counting.TupleCounter.count

    def counted(self: Any, candidates: Any, *rest: Any) -> Any:
        asked = list(candidates)
        seen.append(len({candidate.child for candidate in asked} | {candidate.parent for candidate in asked}))
        return count(self, asked, *rest)

    monkeypatch.setattr(counting.TupleCounter, "count", counted)
    find_composites(store.connection, catalog)
    assert 0 < seen[0] <= 20


def test_the_score_follows_its_formula(store: EvidenceStore, add: Add) -> None:
    """contents * u^4 * (f + (1 - f) * names), with f falling as the parent holds more of all combinations."""
    catalog = Catalog.from_frames(lessons())
    add(catalog)
    evidence = store.load()
    find_composites(store.connection, catalog)
    (key,) = keys(store)
    names = min(float(evidence.pairs([k], [p]).name_similarity[0]) for k, p in zip(key.child, key.parent, strict=True))
    (join,) = composite_joins(evidence, [key])
    assert join.score == pytest.approx(8 / 8.3 * names)  # 8 rooms x 5 hours, all of them lessons: f = 0
    sparse = dataclasses.replace(key, parent_distinct=10, parent_uniqueness=0.99)
    (join,) = composite_joins(evidence, [sparse])
    floor = 0.3 * (1 - 10 / 40)
    assert join.score == pytest.approx(8 / 8.3 * 0.99**4 * (floor + (1 - floor) * names))
    assert composite_joins(evidence, [dataclasses.replace(key, common=1)]) == []


def test_of_two_tables_that_hold_each_other_one_direction_counts(store: EvidenceStore, add: Add) -> None:
    """A snapshot of lessons: the better of the two keys is told, for both ask for the same rows."""
    frames = lessons()
    frames["school.snapshot"] = frames["school.lesson"].iloc[:-3].reset_index(drop=True)
    catalog = Catalog.from_frames(frames)
    add(catalog)
    find_composites(store.connection, catalog)
    evidence = store.load()
    joins = composite_joins(evidence, keys(store))
    asked = [frozenset(map(frozenset, zip(join.left, join.right, strict=True))) for join in joins]
    assert len(set(asked)) == len(asked)
    both = [composite_joins(evidence, [key])[0] for key in keys(store)]
    ends = {evidence.table[join.left[0]] for join in both} & {evidence.table[join.right[0]] for join in both}
    assert len(ends) == 2  # the snapshot refers to the lessons, and they to it
    assert len(joins) < len(both)
    assert {join.score for join in joins} <= {join.score for join in both}


def test_a_veto_of_a_condition_is_a_veto(store: EvidenceStore, add: Add) -> None:
    """A composite edge with a vetoed condition, or between vetoed tables, is left out of the list and of the graph."""
    catalog = Catalog.from_frames(lessons())
    add(catalog)
    find_composites(store.connection, catalog)
    evidence: JoinEvidence = store.load()
    edges = [join.to_edge(evidence) for join in composite_joins(evidence, keys(store))]
    graph = JoinGraph.of(evidence, more=edges)
    assert graph.between("school.booking", "school.lesson")[0].kind == "composite"
    for pair in (("school.lesson.hour", "school.booking.lesson_hour"), ("school.lesson", "school.booking")):
        assert composite_joins(evidence, keys(store), verdicts=Verdicts.of(evidence, vetoed=[pair])) == []


def test_hashes_of_tuples_depend_on_order() -> None:
    """(a, b) and (b, a) differ, equal tuples agree, and no two of many tuples share a hash."""
    values = np.arange(1, 301, dtype=np.uint64)
    left, right = (side.ravel() for side in np.meshgrid(values, values))
    hashes = combined([left, right])
    assert len(np.unique(hashes)) == len(hashes)
    np.testing.assert_array_equal(hashes, combined([left.copy(), right.copy()]))
    share = np.mean(hashes < np.uint64(2**62))
    assert share == pytest.approx(0.25, abs=0.01)


def test_a_store_without_a_search_has_none(store: EvidenceStore, add: Add) -> None:
    """Before any search there are no composite keys, and an empty catalog has none."""
    assert load_composites(store.connection, [1, 2]) == ()
    assert find_composites(store.connection, Catalog([])) == []
    assert isinstance(Catalog.from_frames(lessons()).tables[0], Table)


def test_lines_of_one_head_do_not_refer_to_each_other(store: EvidenceStore, add: Add) -> None:
    """The lines and the refusals of bills are both numbered from 1: the key in front of one halves the score."""
    bills = [bill for bill in range(100, 160) for _ in range(3)]
    number = [1, 2, 3] * 60
    frames = {
        "shop.billin": pd.DataFrame({"bilno": bills, "linno": number, "amount": range(180)}),
        "shop.clmrej": pd.DataFrame({"bilno": bills[:90], "rjseq": number[:90], "reason": [1] * 90}),
    }
    catalog = Catalog.from_frames(frames)
    add(catalog)
    assert find_composites(store.connection, catalog) == []
    evidence = store.load()
    (key,) = (key for key in keys(store) if evidence.name[key.child[1]] == "rjseq")
    (join,) = composite_joins(evidence, [key])
    (other,) = composite_joins(evidence, [dataclasses.replace(key, child_uniqueness=0.9)])
    assert join.score == pytest.approx(other.score / 2)
