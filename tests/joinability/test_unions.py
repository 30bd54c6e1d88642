"""Tables whose rows belong under each other: found by columns and domains, aligned as well as possible."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from joinability import Catalog, JoinEvidence, union_search, unions
from joinability.union_search import Comparison

EvidenceOf = Callable[[Catalog], JoinEvidence]


def sales(year: int, first: int, rows: int = 30) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "order_id": range(first, first + rows),
            "city": [["Rome", "Oslo", "Bern"][n % 3] for n in range(rows)],
            "amount": [10.5 * (n % 7) + year / 1000 for n in range(rows)],
            "ordered_on": [f"{year}-0{n % 9 + 1}-01" for n in range(rows)],
        }
    )


@pytest.fixture
def shop(evidence_of: EvidenceOf) -> JoinEvidence:
    renamed = sales(2022, 3000).rename(columns={"city": "cities", "order_id": "OrderID"}).drop(columns="ordered_on")
    frames = {
        "shop.sales_2020": sales(2020, 1000),
        "shop.sales_2021": sales(2021, 2000),
        "old.orders": renamed,
        "shop.customer": pd.DataFrame({"customer_id": range(30), "city": ["Rome", "Oslo", "Bern"] * 10}),
        "shop.one": pd.DataFrame({"order_id": range(1000, 1030)}),
    }
    return evidence_of(Catalog.from_frames(frames))


def test_parts_of_one_table_are_found(shop: JoinEvidence) -> None:
    """Years of one table, keys disjoint, are the best pair; a copy with other spellings and a column less follows."""
    found = unions(shop, 0.5)
    tables = [{edge.left_table, edge.right_table} for edge in found]
    assert tables[0] == {"shop.sales_2020", "shop.sales_2021"}
    assert {"old.orders", "shop.sales_2020"} in tables
    assert not any("shop.customer" in pair or "shop.one" in pair for pair in tables)
    assert {edge.kind for edge in found} == {"union"}
    best = found[0]
    assert best.conditions == tuple((name, name) for name in ("order_id", "city", "amount", "ordered_on"))
    assert best.evidence["columns_matched"] == 4
    assert best.evidence["name_similarity"] == 1
    copy = next(edge for edge in found if edge.left_table == "shop.sales_2020" and edge.right_table == "old.orders")
    assert set(copy.conditions) == {("order_id", "OrderID"), ("city", "cities"), ("amount", "amount")}


def test_tables_of_a_family_are_compared_with_its_first_one(evidence_of: EvidenceOf) -> None:
    """So many tables of one form make as many pairs, not their square; a family of unknown tables changes nothing."""
    frames = {f"shop.sales_{year}": sales(year, 1000 * (year - 2015)) for year in range(2016, 2022)}
    evidence = evidence_of(Catalog.from_frames({**frames, "shop.archive": sales(2000, 100)}))
    family = list(frames)[1:]
    found = {frozenset((edge.left_table, edge.right_table)): edge for edge in unions(evidence, families=[family])}
    every = {frozenset((edge.left_table, edge.right_table)): edge for edge in unions(evidence, families=[["none"]])}
    outside = set(frames) - set(family) | {"shop.archive"}
    expected = {pair for pair in every if pair <= outside or family[0] in pair}
    assert len(every) == 21
    assert found == {pair: every[pair] for pair in expected}
    assert len(found) == 1 + 2 + 4


def test_the_score_follows_its_formula(shop: JoinEvidence) -> None:
    """The sum of names * (1 + domains) / 2 by the columns of the wider table, with the domains of each kind."""
    comparison = Comparison(shop)
    own, other = (np.flatnonzero(shop.table == shop.table_names.index(f"shop.sales_{year}")) for year in (2020, 2021))
    aligned = comparison.align(own, other)
    domains = dict(zip((shop.name[column] for column in aligned.left), aligned.domains.tolist(), strict=True))
    assert domains["city"] == 1  # the same three values
    assert domains["order_id"] == 0  # 1000 to 1029 and 2000 to 2029: neither values nor ranges in common
    assert domains["ordered_on"] == 0.5  # no value in common, texts of one length
    width = 63.0
    assert domains["amount"] == pytest.approx(0.5 * (width - 0.001) / width, abs=1e-6)  # ranges moved by 0.001
    assert aligned.score == pytest.approx(sum((1 + domain) / 2 for domain in domains.values()) / 4)
    assert unions(shop)[0].score == pytest.approx(aligned.score)


@pytest.mark.parametrize("seed", range(5))
def test_the_alignment_is_the_best_of_all(seed: int, evidence_of: EvidenceOf) -> None:
    """Among all ways to put columns in pairs, one to one, none is worth more."""
    random = np.random.default_rng(seed)
    names = ["order", "orders", "order_no", "reorder", "border"]
    frames = {
        f"a.t{table}": pd.DataFrame(
            {name: random.integers(0, 40, 20) for name in random.permutation(names)[: 3 + table]}
        )
        for table in range(2)
    }
    evidence = evidence_of(Catalog.from_frames(frames))
    left, right = (np.flatnonzero(evidence.table == table) for table in (0, 1))
    comparison = Comparison(evidence)
    worth = {(k, j): comparison.align(left[[k]], right[[j]]).score for k in range(3) for j in range(4)}
    best = max(sum(worth[k, j] for k, j in enumerate(chosen)) for chosen in itertools.permutations(range(4), 3))
    aligned = comparison.align(left, right)
    assert aligned.score * 4 == pytest.approx(best)
    assert len(set(aligned.left)) == len(set(aligned.right)) == len(aligned.left)


def test_other_names_over_the_same_values_are_compared(evidence_of: EvidenceOf) -> None:
    """Tables of which no column name is equal are found by values in common under alike names."""
    frame = sales(2020, 1000)
    other = frame.rename(columns={"order_id": "order_number", "city": "city_name", "amount": "amount_eur"})
    found = unions(evidence_of(Catalog.from_frames({"a.x": frame, "b.y": other[other.columns[::-1]]})), 0.5)
    assert [{edge.left_table, edge.right_table} for edge in found] == [{"a.x", "b.y"}]
    assert ("order_id", "order_number") in found[0].conditions


def test_columns_are_aligned_by_the_kind_of_their_values(evidence_of: EvidenceOf) -> None:
    """A column without values, whose type nothing tells, fits any; booleans fit 1 and 0, but texts no numbers."""
    told = {"order_id": range(30), "discount": [None] * 30, "returned": [True, False] * 15, "note": ["x", "y"] * 15}
    other = {"order_id": range(30, 60), "discount": [0.1] * 30, "returned": [1, 0] * 15, "note": range(30)}
    frames = {"shop.january": pd.DataFrame(told), "shop.february": pd.DataFrame(other)}
    (edge,) = unions(evidence_of(Catalog.from_frames(frames)), 0.5)
    assert edge.conditions == tuple((name, name) for name in ("order_id", "discount", "returned"))
    assert edge.score == pytest.approx((0.5 + 0.75 + 1) / 4)  # no value in common, none known, all in common


def test_schemas_without_rows_are_compared_by_name(evidence_of: EvidenceOf) -> None:
    """Where no value is known, equal names alone give three quarters."""
    ddl = "CREATE TABLE a (id INT, city TEXT, day DATE); CREATE TABLE b (id INT, city TEXT, day DATE);"
    (edge,) = unions(evidence_of(Catalog.from_ddl(ddl, database="plan")))
    assert edge.score == pytest.approx(0.75)
    assert edge.evidence["domain_overlap"] == 0.5


def test_chunks_make_no_difference(shop: JoinEvidence, monkeypatch: pytest.MonkeyPatch) -> None:
    """Comparing a table at a time finds the same."""
    whole = unions(shop, 0.1)
    monkeypatch.setattr(union_search, "CHUNK_TABLES", 1)
    assert unions(shop, 0.1) == whole


def test_nothing_has_no_unions(evidence_of: EvidenceOf) -> None:
    """An empty catalog, and tables of one column, have none."""
    assert unions(evidence_of(Catalog([]))) == []
    frames = {f"a.t{n}": pd.DataFrame({"id": [1, 2]}) for n in range(3)}
    assert unions(evidence_of(Catalog.from_frames(frames)), 0.0) == []
