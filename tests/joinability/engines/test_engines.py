"""Engines that hold tables: the same rows give the same profiles and sketches everywhere, and counts are exact."""

from __future__ import annotations

import datetime
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from joinability import Catalog, EvidenceStore
from tests.joinability.engine_rows import (
    arrow,
    filled_duckdb,
    filled_mariadb,
    filled_postgres,
    filled_spark,
    rows,
)

FILL = {"postgres": filled_postgres, "mariadb": filled_mariadb, "spark": filled_spark}
PROFILE = (
    "SELECT name, row_count, null_count, distinct_count, numeric_share, integer_share, time_share, lowest, highest,"
    " padded_share, mean_length, minimum, maximum, samples FROM profiles ORDER BY column_id"
)
KEPT = (
    "SELECT name, list(hash ORDER BY hash)[:250] FROM column_values JOIN profiles USING (column_id)"
    " GROUP BY name ORDER BY name"
)


@pytest.fixture(params=["duckdb", *FILL])
def engine(request: pytest.FixtureRequest) -> Any:
    """Each engine in turn, with the table `facts`, as a source of a catalog."""
    if request.param == "duckdb":
        return filled_duckdb(rows())
    return FILL[request.param](request.getfixturevalue(request.param), rows())


def filled(catalog: Catalog, *, ignore_case: bool = False, ignore_zeros: bool = False) -> EvidenceStore:
    """A store with all tables of a catalog, and their overlaps."""
    store = EvidenceStore(duckdb.connect(), ignore_case=ignore_case, ignore_zeros=ignore_zeros)
    store.create()
    numbered, first = [], 0
    for table in catalog:
        numbered.append((table, first))
        first += len(table.columns)
    assert store.add_tables(numbered) == []
    assert store.update_overlaps().failures == ()
    return store


def columns_in_common(store: EvidenceStore) -> dict[tuple[str, str], int]:
    found = store.connection.execute(
        "SELECT a.name, b.name, intersection FROM column_overlaps JOIN profiles AS a ON a.column_id = left_id"
        " JOIN profiles AS b ON b.column_id = right_id"
    ).fetchall()
    return {(left, right): common for left, right, common in found}


def test_all_engines_give_what_the_rows_give(engine: Any) -> None:
    """Profiles, sketches and counts are those of the same rows read here, whatever engine holds them.

    Texts with blanks, quotes, percent signs and letters of all scripts, floats of all sizes, decimals, times, times
    with a zone, booleans, bytes and missing values are among them.
    """
    catalog = Catalog.from_database(engine)
    facts = Catalog([table for table in catalog if table.name == "facts"])
    there = filled(facts)
    here = filled(Catalog.from_frames({"shop.facts": arrow(rows())}))
    assert there.connection.execute(PROFILE).fetchall() == here.connection.execute(PROFILE).fetchall()
    assert there.connection.execute(KEPT).fetchall() == here.connection.execute(KEPT).fetchall()


def test_every_engine_shows_a_few_rows(engine: Any) -> None:
    """The first values, dates and times in ISO form and in UTC."""
    (facts,) = (table for table in Catalog.from_database(engine) if table.name == "facts")
    told = facts.sample(3)
    assert told["born"] == ("1999-12-25", "1999-12-26", "1999-12-27")
    here = Catalog.from_frames({"shop.facts": arrow(rows())})["shop.facts"].sample(3)
    times = [[datetime.datetime.fromisoformat(text) for text in shown["sent"]] for shown in (told, here)]
    assert times[0] == [moment.replace(tzinfo=None) for moment in times[1]]


def test_case_and_zeros_are_ignored_alike(engine: Any) -> None:
    """Where case and leading zeros make no difference, they make none on any engine: not to A, not to É, not to 01."""
    (table,) = (table for table in Catalog.from_database(engine) if table.name == "facts")
    there = filled(Catalog([table]), ignore_case=True, ignore_zeros=True)
    here = filled(Catalog.from_frames({"shop.facts": arrow(rows())}), ignore_case=True, ignore_zeros=True)
    assert there.connection.execute(PROFILE).fetchall() == here.connection.execute(PROFILE).fetchall()
    assert there.connection.execute(KEPT).fetchall() == here.connection.execute(KEPT).fetchall()
    assert here.load().distinct[4] < filled(Catalog.from_frames({"shop.facts": arrow(rows())})).load().distinct[4]


def test_engines_count_exactly(engine: Any) -> None:
    """Where sketches leave open what two tables of an engine have in common, the engine says it exactly.

    The table is taken twice, under two names, so that every column meets every other one.
    """
    here = arrow(rows())
    (table,) = (table for table in Catalog.from_database(engine) if table.name == "facts")
    twice = Catalog([table, type(table)("other", table.name, table.columns, source=table.source)])
    there = filled(twice)
    local = filled(Catalog.from_frames({"shop.facts": here, "other.facts": here}))
    assert there.connection.execute("SELECT count(*) FROM overlap_errors").fetchone() == (0,)
    counted, expected = columns_in_common(there), columns_in_common(local)
    assert counted == {pair: common for pair, common in expected.items() if pair in counted}
    assert {pair for pair in expected if pair[0] == pair[1]} <= set(counted)


def test_estimates_between_engines_have_errors(store: EvidenceStore) -> None:
    """Between an engine and rows that are read here an estimate stays, near the truth by its standard error."""
    numbers = pa.table({"n": list(range(5000))})
    part = pa.table({"m": list(range(2500, 9000))})
    connection = duckdb.connect()
    connection.from_arrow(numbers).create("numbers")
    mixed = Catalog.from_database(connection) + Catalog.from_frames({"here.part": part})
    store.add_tables([(mixed.tables[0], 0), (mixed.tables[1], 1)])
    store.update_overlaps()
    [(common, error)] = store.connection.execute(
        "SELECT intersection, standard_error FROM column_overlaps JOIN overlap_errors USING (left_id, right_id)"
    ).fetchall()
    assert 0 < error < 500
    assert abs(common - 2500) < 4 * error
