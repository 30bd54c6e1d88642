"""The join graph: neighbours, paths against brute force, verdicts of the owner, and its copies in other forms."""

from __future__ import annotations

import csv
import io
import itertools
import json
import math
from collections.abc import Callable, Sequence

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from joinability import Catalog, JoinEdge, JoinEvidence, JoinGraph, Verdicts, default_score, edges
from joinability.errors import CatalogError

EvidenceOf = Callable[[Catalog], JoinEvidence]
PLAN = "plan.visit"


def edge(left: str, right: str, score: float, kind: str = "column") -> JoinEdge:
    return JoinEdge(left, right, (("id", f"{left}_id"),), score, kind, {"containment_left": 0.25})  # type: ignore[arg-type]


@pytest.fixture
def bank() -> JoinGraph:
    """Two certain joins from client to card; a weak short cut; a loan beside; a table that joins with nothing."""
    found = [
        edge("client", "disp", 0.9), edge("disp", "card", 1.0), edge("client", "card", 0.2),
        edge("client", "disp", 0.5), edge("loan", "disp", 0.8), edge("card", "old_card", 0.9, "union"),
    ]  # fmt: skip
    return JoinGraph(["client", "disp", "card", "loan", "old_card", "island"], found)


@pytest.fixture
def shop(evidence_of: EvidenceOf) -> JoinEvidence:
    frames = {
        "shop.client": pd.DataFrame({"id": [f"c{n}" for n in range(9)], "city": list("aaabbbccc")}),
        "shop.orders": pd.DataFrame({"client_id": ["c1", "c2", "c2"], "town": list("abb")}),
        "shop.town": pd.DataFrame({"name": list("abc")}),
    }
    return evidence_of(Catalog.from_frames(frames) + Catalog.from_ddl("CREATE TABLE visit (day DATE)", database="plan"))


def test_neighbours_are_seen_from_the_table(bank: JoinGraph) -> None:
    """Each neighbour comes once, by its best edge, best first, with the table itself on the left."""
    found = bank.neighbours("disp")
    assert [(one.right_table, one.score) for one in found] == [("card", 1.0), ("client", 0.9), ("loan", 0.8)]
    assert all(one.left_table == "disp" for one in found)
    assert found[1].condition == "disp.client_id = client.id"
    assert found[1].evidence == {"containment_left": 0.25}  # the other side is not known
    assert bank.neighbours("island") == ()
    assert [one.score for one in bank.between("disp", "client")] == [0.9, 0.5]


def test_evidence_turns_round_with_the_edge() -> None:
    """Seen from the other side, what was said of the left column is said of the right one, and back again."""
    evidence = {"containment_left": 0.2, "containment_right": 1.0, "jaccard": 0.2}
    one = JoinEdge("a", "b", (("x", "y"), ("z", "w")), 0.7, "composite", evidence)
    turned = one.seen_from("b")
    assert turned.conditions == (("y", "x"), ("w", "z"))
    assert turned.condition == "b.y = a.x AND b.w = a.z"
    assert turned.evidence == {"containment_left": 1.0, "containment_right": 0.2, "jaccard": 0.2}
    assert turned.seen_from("a") == one


def test_a_path_leaves_a_weak_short_cut(bank: JoinGraph) -> None:
    """0.9 * 1.0 / 4 is more than 0.2 / 2: the way leads over the bridge, and says its conditions."""
    path = bank.path("client", "card")
    assert path is not None
    assert path.tables == ("client", "disp", "card")
    assert path.score == pytest.approx(0.9)
    assert path.conditions == ("client.id = disp.client_id", "disp.id = card.disp_id")
    assert [one.left_table for one in path.edges] == ["client", "disp"]
    assert str(path).splitlines()[0] == "client -> disp -> card"
    assert [found.tables for found in bank.paths("client", "card", 9)] == [path.tables, ("client", "card")]


def test_a_column_where_a_table_is_asked_for_is_told(bank: JoinGraph) -> None:
    """Who names a column of a table is told to name the table alone."""
    with pytest.raises(CatalogError, match=r"client\.id is no table: give the table alone, client"):
        bank.paths("client.id", "card")


def test_no_way_is_none(bank: JoinGraph) -> None:
    """Tables that nothing connects have no path, and tables of one kind are not joined for it."""
    assert bank.path("client", "island") is None
    assert bank.paths("client", "island") == []
    assert bank.paths("client", "card", 0) == []
    for limit in (-1, "3", 1.5, None):
        with pytest.raises(CatalogError, match="it is how many paths"):
            bank.paths("client", "card", limit)  # type: ignore[arg-type]
    assert bank.path("client", "old_card") is None
    own = bank.path("client", "client")
    assert own is not None
    assert own.tables == ("client",)
    assert own.edges == ()


def test_unknown_tables_are_named_with_the_nearest(bank: JoinGraph) -> None:
    """A slip of the pen is answered with the table that was meant; edges must end at tables of the graph."""
    for call in (bank.neighbours, bank.around, lambda name: bank.path("disp", name)):
        with pytest.raises(CatalogError, match="'client'"):
            call("clients")
    with pytest.raises(CatalogError, match="nowhere"):
        JoinGraph(["client"], [edge("client", "nowhere", 1.0)])


@given(st.integers(2, 5), st.data())
def test_paths_are_the_best_of_all_simple_paths(size: int, data: st.DataObject) -> None:
    """Their scores, times 0.9 for each join, are the greatest of all sequences of tables, and in order."""
    names = [f"t{number}" for number in range(size)]
    scores = st.one_of(st.none(), st.floats(0.05, 1))
    weight = {pair: data.draw(scores) for pair in itertools.combinations(names, 2)}
    graph = JoinGraph(names, [edge(*pair, score) for pair, score in weight.items() if score is not None])

    def value(tables: Sequence[str]) -> float:
        steps = [weight[tuple(sorted(step))] for step in itertools.pairwise(tables)]  # type: ignore[index]
        return 0 if None in steps else math.prod(0.9 * step for step in steps)

    inner = names[1:-1]
    ways = [
        (names[0], *middle, names[-1])
        for length in range(size - 1)
        for middle in itertools.permutations(inner, length)
    ]
    values = sorted((found for found in map(value, ways) if found > 0), reverse=True)
    found = graph.paths(names[0], names[-1], 4)
    np.testing.assert_allclose([value(path.tables) for path in found], values[:4])
    np.testing.assert_allclose([path.score * 0.9 ** len(path.edges) for path in found], values[:4])


def test_parts_of_a_graph(bank: JoinGraph) -> None:
    """`best` keeps one edge for each pair of tables, `around` what ends at one table."""
    assert len(bank.best()) == 5
    assert bank.best().tables == bank.tables
    around = bank.around("card")
    assert set(around.tables) == {"card", "disp", "client", "old_card"}
    assert len(around) == 3
    assert {one.left_table for one in around} == {"card"}


def test_networkx_has_every_edge(bank: JoinGraph) -> None:
    """The copy is a multigraph over all tables, with score, kind and conditions on the edges."""
    copy = bank.to_networkx()
    assert isinstance(copy, nx.MultiGraph)
    assert set(copy) == set(bank.tables)
    assert copy.number_of_edges("client", "disp") == 2
    assert sorted(score for _, _, score in copy.edges(data="score")) == sorted(one.score for one in bank)
    attributes = copy.edges["disp", "card", 0]
    assert (attributes["left_table"], attributes["conditions"]) == ("disp", (("id", "disp_id"),))


def test_json_and_csv_give_the_edges_back() -> None:
    """Any name survives: both forms, read by the standard library, hold the same conditions, scores and evidence."""
    odd = 'a.b"c,d\ne;名'
    one = JoinEdge(odd, "s.t", (('say "x", y', "select"), ("new\nline", "-- ;")), 0.5, "composite", {"jaccard": 0.25})
    graph = JoinGraph([odd, "s.t"], [one])
    document = json.loads(graph.to_json())
    assert document["tables"] == [odd, "s.t"]
    (entry,) = document["edges"]
    assert entry == json.loads(json.dumps(one.to_dict()))
    (row,) = csv.DictReader(io.StringIO(graph.to_csv(), newline=""))
    assert (row["left_table"], row["right_table"], row["kind"]) == (odd, "s.t", "composite")
    assert json.loads(row["conditions"]) == [['say "x", y', "select"], ["new\nline", "-- ;"]]
    assert (float(row["score"]), float(row["jaccard"])) == (0.5, 0.25)


def test_a_store_alone_gives_the_graph(shop: JoinEvidence) -> None:
    """From the evidence, without an index: the edges of `edges`, over all its tables."""
    graph = JoinGraph.of(shop, min_score=0.3)
    found = edges(shop, default_score, 0.3)
    assert set(graph.tables) == {"shop.client", "shop.orders", "shop.town", PLAN}
    assert [one.score for one in graph] == found.score.tolist()
    by_condition = {edge.condition: edge for edge in graph}
    assert by_condition["shop.client.id = shop.orders.client_id"].evidence["containment_right"] == 1
    assert graph.edges[0].evidence["pinned"] is False


def test_verdicts_overrule_the_evidence(shop: JoinEvidence) -> None:
    """A pin without any evidence scores 1, a veto by column or by table leaves no edge, and a pin outdoes a veto."""
    key = ("shop.orders.client_id", "shop.client.id")
    pin = (f"{PLAN}.day", "shop.town.name")
    said = Verdicts.of(shop, pinned=[pin], vetoed=[key, ("shop.client", "shop.town"), ("gone.table", "shop.town")])
    assert len(said) == 3
    graph = JoinGraph.of(shop, verdicts=said)
    first = graph.edges[0]
    assert {first.left, first.right} == set(pin)
    assert (first.score, first.evidence["pinned"]) == (1.0, True)
    assert key[::-1] not in [(one.left, one.right) for one in graph]
    assert graph.between("shop.client", "shop.town") == ()
    assert JoinGraph.of(shop).between("shop.client", "shop.town") != ()
    both = Verdicts.of(shop, pinned=[("shop.client.city", "shop.town.name")], vetoed=[("shop.client", "shop.town")])
    left = JoinGraph.of(shop, verdicts=both).between("shop.client", "shop.town")
    assert [one.evidence["pinned"] for one in left] == [True]


def test_verdicts_hold_for_blocks_and_for_pairs(shop: JoinEvidence) -> None:
    """A score with verdicts gives the same numbers on a square block and on its pairs, symmetric, 0 and 1 as said."""
    said = Verdicts.of(
        shop,
        pinned=[(f"{PLAN}.day", "shop.town.name")],
        vetoed=[("shop.client.id", "shop.orders.client_id"), ("shop.orders", "shop.town")],
    )
    score = said.applied(default_score)
    size = len(shop)
    whole = score(shop.block(range(size)), np.zeros((size, size), dtype=np.float32))
    np.testing.assert_array_equal(whole, whole.T)
    left, right = map(np.ravel, np.indices((size, size)))
    np.testing.assert_array_equal(
        score(shop.pairs(left, right), np.zeros(size * size, dtype=np.float32)), whole.ravel()
    )
    at = {name: number for number, name in enumerate(shop.ids)}
    assert whole[at[f"{PLAN}.day"], at["shop.town.name"]] == 1
    assert whole[at["shop.client.id"], at["shop.orders.client_id"]] == 0
    table = shop.table
    orders, town = (shop.table_names.index(name) for name in ("shop.orders", "shop.town"))
    assert not whole[np.ix_(table == orders, table == town)].any()
