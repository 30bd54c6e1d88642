"""Sharded tables join as one table with the rows of all of them would: against such tables, and against counts."""

from __future__ import annotations

from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest

from joinability import Catalog, EvidenceStore, JoinEvidence, default_score, edges
from joinability.store.sharded_evidence import count_shards, with_shards

Frames = dict[str, pd.DataFrame]
MONTHS = 6


def drawn(seed: int) -> tuple[pd.DataFrame, Frames]:
    """Orders, and tables that refer to them or are referred to: one with orphans, one with other names of columns."""
    random = np.random.default_rng(seed)
    count, customers = 240, 90
    numbers = 5000 + np.cumsum(random.integers(1, 4, count))
    orders = pd.DataFrame(
        {
            "order_no": numbers,
            "cust_no": [f"C{number:03d}" for number in random.integers(0, customers, count)],
            "channel": random.choice(["web", "app"], count),
        }
    )
    orders.loc[random.random(count) < 0.2, "cust_no"] = "C999"
    orders.loc[random.random(count) < 0.1, "channel"] = None
    others = {
        "shop.items": pd.DataFrame({"order_no": np.repeat(numbers, random.integers(1, 3, count)), "pos": 1}),
        "shop.payments": pd.DataFrame({"payment": [f"p{number}" for number in range(count)], "order_no": numbers}),
        "shop.returns": pd.DataFrame({"rma": [f"r{row}" for row in range(40)], "order": random.choice(numbers, 40)}),
        "shop.customers": pd.DataFrame({"number": [f"C{number:03d}" for number in range(customers)], "age": 30}),
    }
    return orders, others


def sharded(orders: pd.DataFrame, parts: int = MONTHS) -> Frames:
    cut = np.array_split(np.arange(len(orders)), parts)
    return {f"shop.orders_{1 + part:02d}": orders.iloc[rows].reset_index(drop=True) for part, rows in enumerate(cut)}


def read(frames: Frames, *families: str, **settings: Any) -> JoinEvidence:
    """The evidence on frames, in which the tables whose names begin with that of a family are one."""
    store, first, numbers = EvidenceStore(duckdb.connect()), 0, {}
    store.create()
    for table in Catalog.from_frames(frames):
        numbers[table.id] = (table, first)
        first += len(table.columns)
    assert store.add_tables(numbers.values()) == []
    store.update_overlaps()
    groups = []
    for family in families:
        members = [pair for name, pair in numbers.items() if name.startswith(family)]
        groups += zip(*(range(start, start + len(table.columns)) for table, start in members), strict=True)
    count_shards(store.connection, groups, **settings)
    return with_shards(store.load(), store.connection, range(first))


def pair_scores(evidence: JoinEvidence) -> dict[tuple[str, str], float]:
    found = edges(evidence, default_score).columns()
    return dict(zip(zip(found["left"], found["right"], strict=True), found["score"].tolist(), strict=True))


def scores(evidence: JoinEvidence, name: str) -> dict[frozenset[str], float]:
    """The scores of the pairs of columns of one table and of those that are no orders, by names without numbers."""
    told = {
        frozenset(side.replace(name, "shop.orders") for side in pair): score
        for pair, score in pair_scores(evidence).items()
    }
    return {pair: score for pair, score in told.items() if not any("orders_" in side for side in pair)}


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("member", [1, MONTHS])
def test_each_member_joins_as_the_whole_table_does(seed: int, member: int) -> None:
    """The same pairs of columns with the same scores, also of tables beside it; apart, a member's references fall."""
    orders, others = drawn(seed)
    whole = scores(read({**others, "shop.orders": orders}), "shop.orders")
    frames = {**others, **sharded(orders)}
    together = scores(read(frames, "shop.orders_"), f"shop.orders_{member:02d}")
    assert together == pytest.approx(whole, abs=1e-6)
    reference = frozenset(["shop.orders.order_no", "shop.payments.order_no"])
    assert whole[reference] > 0.9 > scores(read(frames), f"shop.orders_{member:02d}").get(reference, 0.0)


@pytest.mark.parametrize("seed", range(2))
def test_what_is_told_of_pairs_is_that_of_the_whole_table(seed: int) -> None:
    """Profiles, common values and rows are those that the union of the members has."""
    orders, others = drawn(seed)
    whole, parts = read({**others, "shop.orders": orders}), read({**others, **sharded(orders)}, "shop.orders_")
    kept = [parts.ids.index(name.replace("orders", "orders_03")) for name in whole.ids]
    for name in ("rows", "nulls", "distinct", "values", "uniqueness", "is_key", "estimated", "family", "mean_length"):
        np.testing.assert_allclose(getattr(parts, name)[kept], getattr(whole, name), err_msg=name)
    for name in ("lowest", "highest", "numeric_share", "integer_share", "time_share", "padded_share"):
        np.testing.assert_allclose(getattr(parts, name)[kept], getattr(whole, name), err_msg=name)
    for name in ("intersections", "intersection_errors", "row_overlaps"):
        part = getattr(parts, name).toarray()[np.ix_(kept, kept)]
        np.testing.assert_array_equal(part, getattr(whole, name).toarray(), err_msg=name)
    assert whole.row_overlaps.nnz  # orders have customers that there are none of


def test_two_families_join_as_two_tables_do() -> None:
    """The first members, and those that have values in common themselves, score as the whole tables."""
    orders, others = drawn(5)
    items = others["shop.items"].sort_values("order_no")
    parts = {name.replace("orders", "items"): part for name, part in sharded(items, 4).items()}
    frames = {**sharded(orders), **parts}
    told = pair_scores(read(frames, "shop.orders_", "shop.items_"))
    whole = pair_scores(read({"shop.orders": orders, "shop.items": items}))
    expected = whole["shop.orders.order_no", "shop.items.order_no"]
    assert expected > 0.9
    for one, other in [(1, 1), (1, 4), (6, 1), (3, 2), (6, 4)]:
        pair = f"shop.orders_{one:02d}.order_no", f"shop.items_{other:02d}.order_no"
        assert told[pair] == pytest.approx(expected, abs=1e-6), pair


def test_where_members_are_added_up_the_sum_of_disjoint_ones_is_exact() -> None:
    """Without a look-up of values, of months that share no order the common orders are counted all the same; what
    months do share is an estimate with an error."""
    orders, others = drawn(1)
    frames = {**others, **sharded(orders)}
    counted, added = read(frames, "shop.orders_"), read(frames, "shop.orders_", work=0)
    one, other = (counted.ids.index(name) for name in ("shop.orders_02.order_no", "shop.payments.order_no"))
    assert added.intersections.csr[[one], [other]] == counted.intersections.csr[[one], [other]] == len(orders)
    assert added.intersection_errors.csr[[one], [other]] == 0
    one, other = (counted.ids.index(name) for name in ("shop.orders_02.cust_no", "shop.customers.number"))
    error = added.intersection_errors.csr[[one], [other]]
    assert 0 < abs(added.intersections.csr[[one], [other]] - counted.intersections.csr[[one], [other]]) <= 2 * error


def test_snapshots_keep_their_keys() -> None:
    """Tables that list the same articles again are joined by article, one of them at a time; what is unique by chance
    alone is no key."""
    articles = [f"A{number}" for number in range(40)]
    stock = {f"shop.stock_{year}": pd.DataFrame({"article": articles, "on_hand": year}) for year in range(2020, 2024)}
    sold = {"shop.sold": pd.DataFrame({"article": articles * 3, "number": range(120)})}
    evidence = read({**stock, **sold}, "shop.stock_")
    assert evidence.uniqueness[evidence.ids.index("shop.stock_2022.article")] == 1
    joins = pair_scores(evidence)
    assert joins["shop.stock_2020.article", "shop.sold.article"] > 0.8
    assert joins["shop.stock_2020.article", "shop.stock_2023.article"] > 0.2
    days = {f"shop.day_{day}": pd.DataFrame({"weather": ["sun", "rain"]}) for day in range(6)}
    alone = read(days, "shop.day_")
    assert alone.uniqueness[0] == pytest.approx(2 / 12)


def test_columns_that_are_not_all_known_stay_apart() -> None:
    """Of a family with schemas alone nothing is counted together."""
    names = [f"shop.orders_{month}" for month in range(4)]
    catalog = Catalog.from_ddl("".join(f"CREATE TABLE {name} (order_no INT, note TEXT);" for name in names))
    store = EvidenceStore(duckdb.connect())
    store.create()
    store.add_tables([(table, 2 * place) for place, table in enumerate(catalog)])
    store.update_overlaps()
    count_shards(store.connection, zip(*(range(2 * place, 2 * place + 2) for place in range(4)), strict=True))
    evidence = store.load()
    assert with_shards(evidence, store.connection, range(8)) is evidence


def test_members_that_are_all_alike_keep_their_own_pairs() -> None:
    """Of a family with one such column and others, each pair is told as of the whole table."""
    months = pd.DataFrame({"month": range(12), "name": [f"m{number}" for number in range(12)]})
    plans = {f"shop.plan_{year}": pd.DataFrame({"month": range(12), "goal": 100 * year}) for year in range(2020, 2024)}
    whole = pd.concat(plans.values(), ignore_index=True)
    parts = read({"shop.months": months, **plans}, "shop.plan_")
    one = read({"shop.months": months, "shop.plan_2020": whole})
    for name in ("month", "goal"):
        place, wanted = (of.ids.index(f"shop.plan_2020.{name}") for of in (parts, one))
        assert (parts.rows[place], parts.distinct[place]) == (one.rows[wanted], one.distinct[wanted])
        left, right = (of.ids.index("shop.months.month") for of in (parts, one))
        assert parts.intersections.csr[[place], [left]] == one.intersections.csr[[wanted], [right]]


def test_a_store_of_an_earlier_version_has_all_pairs_of_families() -> None:
    """It does not say which members are alike: none are taken to be."""
    orders, others = drawn(2)
    frames = {**others, **sharded(orders.drop(columns="channel"))}
    store, first, numbers = EvidenceStore(duckdb.connect()), 0, []
    store.create()
    for table in Catalog.from_frames(frames):
        numbers.append((table, first))
        first += len(table.columns)
    store.add_tables(numbers)
    store.update_overlaps()
    members = [pair for pair in numbers if pair[0].name.startswith("orders_")]
    groups = list(zip(*(range(start, start + len(table.columns)) for table, start in members), strict=True))
    count_shards(store.connection, groups)
    told = pair_scores(with_shards(store.load(), store.connection, range(first)))
    store.connection.execute("ALTER TABLE sharded_profiles DROP COLUMN is_uniform")
    assert pair_scores(with_shards(store.load(), store.connection, range(first))) == told
