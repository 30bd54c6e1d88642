"""Tables that would connect an answer."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from jar import Catalog, Index, Reranker
from jar.answers.connecting import common_hubs, connecting_tables
from tests.jar.conftest import toy_embedder

COUNTRIES = ["DE", "FR", "IT", "NO", "SE"]


def joined(n: int, *pairs: tuple[int, int]) -> np.ndarray:
    joins = np.zeros((n, n), dtype=np.bool_)
    for one, other in pairs:
        joins[one, other] = joins[other, one] = True
    return joins


def test_the_shortest_ways_connect() -> None:
    """Through others, and past parts that nothing reaches."""
    chain = joined(6, (0, 1), (1, 2), (2, 3), (0, 4), (4, 3))
    assert connecting_tables(chain, [[0], [3]]) == ((4,), True)
    assert connecting_tables(chain, [[0], [5], [3]]) == ((4,), False)
    assert connecting_tables(chain, [[0], [5]]) == ((), False)
    assert connecting_tables(joined(5, (0, 1), (1, 2), (1, 3)), [[0], [2], [3]]) == ((1,), True)


RAIN = pd.DataFrame({"millimetres": [0.25 * i for i in range(40)]})
"""What joins with nothing."""


@pytest.mark.parametrize("seed", range(40))
def test_two_parts_are_connected_by_as_few_tables_as_there_can_be(seed: int) -> None:
    """As networkx finds them."""
    rng = np.random.default_rng(seed)
    joins = np.triu(rng.random((12, 12)) < 0.2, 1)
    joins[np.ix_([0, 1], [10, 11])] = False
    joins |= joins.T
    graph = nx.from_numpy_array(joins)
    found, connects = connecting_tables(joins, [[0, 1], [10, 11]])
    ends = [(start, end) for start in (0, 1) for end in (10, 11) if nx.has_path(graph, start, end)]
    assert connects == bool(ends)
    assert len(found) == min((nx.shortest_path_length(graph, *pair) - 1 for pair in ends), default=0)
    if ends:
        linked = nx.node_connected_component(graph.subgraph({0, 1, 10, 11, *found}), found[0])
        assert linked & {0, 1}
        assert linked & {10, 11}


def test_an_answer_that_falls_apart_says_what_would_connect_it() -> None:
    """Employees and countries, of which departments and places between them are no part."""
    frames = {
        "hr.employee": pd.DataFrame({"employee_id": range(100, 140), "department_id": [*range(10, 30)] * 2}),
        "hr.department": pd.DataFrame({"department_id": range(10, 30), "location_id": [*range(1000, 1010)] * 2}),
        "hr.location": pd.DataFrame({"location_id": range(1000, 1010), "country_id": [*COUNTRIES] * 2}),
        "hr.country": pd.DataFrame({"country_id": COUNTRIES, "country": list("GFINS")}),
    }
    reranker = Reranker(Index.build(Catalog.from_frames(frames), embedder=toy_embedder, progress=False))
    apart = reranker.rank("employee country", 2, require=["employee", "country"])
    [note] = [note for note in apart.notes if "would connect" in note]
    named, _, remedy = note.partition(" would connect the parts: ")
    assert set(named.split(", ")) == {"hr.department", "hr.location"}
    assert 'connect="require"' in remedy
    assert set(apart.connecting) == set(apart.to_dict()["connecting"]) == {"hr.department", "hr.location"}
    line = apart.to_sql_context().splitlines()[-1]
    assert line.startswith("-- no join is known between (country) and (employee) without hr.")
    assert line.endswith(", not given here")
    whole = reranker.rank("employee country", 4, require=["employee", "country"])
    assert not any("would connect" in note for note in whole.notes)
    assert whole.connecting == ()
    alone = Index.build(Catalog.from_frames(frames | {"hr.rain": RAIN}), embedder=toy_embedder, progress=False)
    three = Reranker(alone).rank("employee country", 3, require=["employee", "country", "rain"])
    assert [note for note in three.notes if "would connect some parts: require them; others stay apart" in note]
    assert three.to_sql_context().splitlines()[-1].endswith(", not given here, would connect some of them")


def test_what_would_multiply_rows_connects_nothing() -> None:
    """Bills and moves between wards belong to admissions: without these, no bill is one of a ward."""
    stays = np.random.default_rng(2).integers(500, 540, (2, 200))
    frames = {
        "ward.admission": pd.DataFrame({"admission_id": range(500, 540)}),
        "ward.bill": pd.DataFrame({"bill_id": range(3000, 3200), "admission_id": stays[0]}),
        "ward.move": pd.DataFrame({"admission_id": stays[1], "station_id": [*range(70, 90)] * 10}),
        "ward.station": pd.DataFrame({"station_id": range(70, 90)}),
    }
    reranker = Reranker(Index.build(Catalog.from_frames(frames), embedder=toy_embedder, progress=False))
    whole = reranker.rank("bill station", 2, require=["bill", "station"])
    without = reranker.rank("bill station", 2, require=["bill", "station"], exclude=["admission"])
    [note] = [note for note in whole.notes if "would connect" in note]
    assert set(note.partition(" would connect")[0].split(", ")) == {"ward.admission", "ward.move"}
    assert not any("would connect" in note for note in without.notes)


def test_what_two_tables_refer_to_connects_them_only_where_it_is_asked_for() -> None:
    """Countries (2) of suppliers (0) and of customers (1) are no way between them; the orders of both (3, 4) are."""
    joins = joined(5, (0, 2), (1, 2), (0, 3), (3, 4), (4, 1))
    hubs = np.zeros((5, 5), dtype=np.bool_)
    assert connecting_tables(joins, [[0], [1]], hubs) == ((2,), True)
    hubs[[0, 1], 2] = True
    assert connecting_tables(joins, [[0], [1]], hubs) == ((3, 4), True)
    assert connecting_tables(joined(3, (0, 2), (1, 2)), [[0], [1]], hubs[:3, :3]) == ((), False)


def test_no_way_names_a_table_twice() -> None:
    """Reviews (0) and shifts (1) refer to bookings (2), these to a venue (3): past it there is no way back."""
    joins = joined(4, (0, 2), (1, 2), (2, 3))
    hubs = np.zeros((4, 4), dtype=np.bool_)
    hubs[[0, 1], 2] = True
    assert connecting_tables(joins, [[0], [1]], hubs) == ((), False)
    assert connecting_tables(joins, [[0], [1]]) == ((2,), True)


def test_what_happened_to_two_others_is_no_hub() -> None:
    """Bookings (4) of a customer (5) at a venue (6), to which four tables refer; countries refer to nothing."""
    refers = np.zeros((7, 7), dtype=np.bool_)
    refers[:4, 4] = True
    unasked = np.arange(7) == 4
    assert common_hubs(refers, unasked)[:4, 4].all()
    refers[4, [5, 6]] = True
    assert not common_hubs(refers, unasked).any()


CATERING = """
CREATE TABLE customers (id INT PRIMARY KEY, name TEXT);
CREATE TABLE venues (id INT PRIMARY KEY, address TEXT);
CREATE TABLE bookings (id INT PRIMARY KEY, customer_id INT REFERENCES customers, venue_id INT REFERENCES venues);
CREATE TABLE reviews (id INT PRIMARY KEY, booking_id INT REFERENCES bookings, stars INT);
CREATE TABLE staff (id INT PRIMARY KEY, waiter TEXT);
CREATE TABLE shifts (id INT PRIMARY KEY, booking_id INT REFERENCES bookings, staff_id INT REFERENCES staff);
CREATE TABLE payments (id INT PRIMARY KEY, booking_id INT REFERENCES bookings, amount INT);
CREATE TABLE lines (id INT PRIMARY KEY, booking_id INT REFERENCES bookings, dish TEXT);
"""


def test_a_way_leads_over_what_happened() -> None:
    """Stars of reviews and waiters of the staff meet in bookings, to which half of the tables refer."""
    index = Index.build(Catalog.from_ddl(CATERING, database="c"), embedder=toy_embedder, progress=False)
    apart = Reranker(index, trust_declared=True).rank("stars waiter", 2, require=["reviews", "staff"])
    assert set(apart.connecting) == {"c.bookings", "c.shifts"}


def test_what_a_connected_set_leaves_out_is_told() -> None:
    """As many as needed, connected: a table of the best set that falls apart is missing, and the note says how to have
    it."""
    index = Index.build(Catalog.from_ddl(CATERING, database="c"), embedder="static", progress=False)
    free, whole = (Reranker(index, connect=how).rank("venues and staff", "auto") for how in ("prefer", "require"))
    assert set(free.tables) == {"c.venues", "c.staff"}
    assert whole.tables == ("c.venues",)
    told = "connect=\"require\" leaves out c.staff, which only c.bookings, c.shifts would connect: ask for k=4"
    assert [note for note in whole.notes if note.startswith(told)]
    assert not [note for note in free.notes if "leaves out" in note]
    four = Reranker(index, connect="require").rank("venues and staff", 4)
    assert set(four.tables) == {"c.venues", "c.staff", "c.bookings", "c.shifts"}
