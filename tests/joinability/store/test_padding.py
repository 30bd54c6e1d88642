"""Values with blanks around them: no part of a value, counted in the profile, trimmed in the conditions of joins."""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path

import duckdb
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from joinability import (
    SCORES,
    Catalog,
    EvidenceStore,
    JoinEdge,
    JoinEvidence,
    JoinGraph,
    StoreVersionError,
    condition_text,
    find_composites,
)
from joinability.composite.composite import composite_joins
from joinability.composite.stored_keys import load_composites

BLANKS = " \t\r\n"


def evidence_of(frames: dict[str, pd.DataFrame]) -> JoinEvidence:
    store, catalog = EvidenceStore(duckdb.connect()), Catalog.from_frames(frames)
    store.create()
    starts = accumulate((len(table.columns) for table in catalog), initial=0)
    assert store.add_tables(list(zip(catalog, starts, strict=False))) == []
    store.update_overlaps()
    return store.load()


@given(st.lists(st.lists(st.text("ab \t\n", max_size=5) | st.none(), min_size=1, max_size=30), min_size=5, max_size=9))
@settings(deadline=None, max_examples=8)
def test_the_padded_share_is_that_of_the_rows(columns: list[list[str | None]]) -> None:
    """Of the rows with a value, the share in which blanks stand before or after it; each column is a table."""
    series = [pd.Series(values, dtype=object) for values in columns]
    found = evidence_of({f"s.t{number}": pd.DataFrame({"x": values}) for number, values in enumerate(series)})
    for values, share in zip(columns, found.padded_share, strict=True):
        filled = [value for value in values if value is not None and value.strip(BLANKS)]
        padded = [value for value in filled if value != value.strip(BLANKS)]
        assert share == pytest.approx(len(padded) / len(filled) if filled else 0)


def test_values_are_equal_whatever_blanks_are_around_them() -> None:
    """The overlap is that of the trimmed values, and the evidence tells which side has to be trimmed."""
    found = evidence_of(
        {
            "fly.flights": pd.DataFrame({"source": [f" A{n % 20:02}" for n in range(40)]}),
            "fly.airports": pd.DataFrame({"code": [f"A{n:02}" for n in range(20)]}),
        }
    )
    graph = JoinGraph.of(found, SCORES["default"])
    (edge,) = graph.edges
    assert edge.evidence["containment_left"] == edge.evidence["containment_right"] == 1
    assert (edge.evidence["padded_left"], edge.evidence["padded_right"]) == (1, 0)
    assert edge.condition == "TRIM(fly.flights.source) = fly.airports.code"
    turned = edge.seen_from("fly.airports")
    assert turned.condition == "fly.airports.code = TRIM(fly.flights.source)"
    assert (turned.evidence["padded_left"], turned.evidence["padded_right"]) == (0, 1)
    assert '"TRIM(source) = code"' in graph.to_mermaid()
    assert "TRIM(source) = code" in graph.to_dot()
    assert "TRIM(fly.flights.source) = fly.airports.code" in graph.to_csv()


def test_a_composite_key_trims_the_columns_that_need_it() -> None:
    """Of several conditions, those with blanks."""
    keys = [(f"r{number % 8}", number // 8) for number in range(40)]
    frames = {
        "school.lesson": pd.DataFrame({"room": [r for r, _ in keys], "hour": [h for _, h in keys]}),
        "school.booking": pd.DataFrame(
            {
                "number": range(900, 980),
                "lesson_room": [f"{r} " for r, _ in keys] * 2,
                "lesson_hour": [h for _, h in keys] * 2,
            }
        ),
    }
    store, catalog = EvidenceStore(duckdb.connect()), Catalog.from_frames(frames)
    store.create()
    store.add_tables([(catalog.tables[0], 0), (catalog.tables[1], 2)])
    store.update_overlaps()
    assert find_composites(store.connection, catalog) == []
    (join,) = composite_joins(store.load(), load_composites(store.connection, range(5)))
    edge = join.to_edge(store.load()).seen_from("school.booking")
    by_name = dict(zip(edge.conditions, edge.padded, strict=True))
    assert by_name == {("lesson_room", "room"): (True, False), ("lesson_hour", "hour"): (False, False)}
    assert "TRIM(school.booking.lesson_room) = school.lesson.room" in edge.condition
    assert (edge.evidence["padded_left"], edge.evidence["padded_right"]) == (1, 0)


def test_conditions_without_blanks_stay_as_they_are() -> None:
    """No TRIM where there is nothing to trim."""
    assert condition_text([("a", "b"), ("c", "d")]) == "a = b AND c = d"
    assert condition_text([("a", "b"), ("c", "d")], [(False, True), (True, False)]) == "a = TRIM(b) AND TRIM(c) = d"
    assert JoinEdge("s.t", "s.u", (("x", "y"),), 1.0).condition == "s.t.x = s.u.y"
    odd = JoinEdge("s.{t}", "s.{", (("{}", "%s"),), 1.0, padded=((True, False),))
    assert odd.condition == "TRIM(s.{t}.{}) = s.{.%s"


def test_no_condition_is_dropped() -> None:
    """Marks for another number of conditions are a mistake that is told."""
    with pytest.raises(ValueError, match="shorter"):
        condition_text([("a", "b"), ("c", "d")], [(True, False)])


def test_the_conditions_of_files_run_where_the_files_are_read(tmp_path: Path) -> None:
    """A blank after each comma is no part of a number or a date; a reader by type has none, and nothing is trimmed."""
    orders = "order_id, customer, day, code\n" + "".join(
        f"{n}, {1000 + n % 9}, 2020-01-{1 + n % 9:02}, K{n % 9}\n" for n in range(50)
    )
    customers = "customer,code\n" + "".join(f"{1000 + n},K{n}\n" for n in range(9))
    (tmp_path / "orders.csv").write_text(orders)
    (tmp_path / "customers.csv").write_text(customers)
    catalog = Catalog.from_files(tmp_path)
    store = EvidenceStore(duckdb.connect())
    store.create()
    store.add_tables([(catalog.tables[0], 0), (catalog.tables[1], len(catalog.tables[0].columns))])
    store.update_overlaps()
    found = {edge.conditions[0]: edge for edge in JoinGraph.of(store.load(), SCORES["default"]).edges}
    assert found["customer", "customer"].padded == ()
    (code,) = (edge for edge in found.values() if edge.conditions[0] == ("code", "code"))
    assert "TRIM(" in code.condition
    with duckdb.connect() as connection:
        for name in ("orders", "customers"):
            connection.execute(f"CREATE TABLE {name} AS FROM read_csv('{tmp_path / name}.csv')")
        for edge in (code, found["customer", "customer"]):
            condition = edge.condition.replace(f"{tmp_path.name}.", "")
            rows = connection.execute(f"SELECT count(*) FROM orders JOIN customers ON {condition}").fetchone()
            assert rows == (50,)


def test_a_store_of_another_version_is_told(tmp_path: Path) -> None:
    """Its tables stay as they are."""
    with duckdb.connect(tmp_path / "evidence.duckdb") as connection:
        connection.execute("CREATE TABLE profiles (column_id INTEGER, table_id VARCHAR)")
        with pytest.raises(StoreVersionError, match="another version"):
            EvidenceStore(connection).create()
        assert connection.execute("SELECT count(*) FROM duckdb_tables()").fetchone() == (1,)
