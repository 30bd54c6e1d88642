"""Rivals of references: the strongest alternatives, against plain loops, and what they take from a score."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from joinability import Catalog, JoinEvidence, Verdicts, default_score, edges
from joinability.evidence.layers import MART, ORDINARY, STAGED, WAREHOUSE
from joinability.scores.odds import LEAST, log_odds, supported
from joinability.scores.rivals import Rivals
from joinability.scores.rivals_by_table import rivals_of
from joinability.scores.score import likelihood

EvidenceOf = Callable[[Catalog], JoinEvidence]

COLUMNS = 8
references = st.dictionaries(
    st.tuples(st.integers(0, COLUMNS - 1), st.integers(0, COLUMNS - 1)),
    st.floats(-8, 8) | st.sampled_from([-1.0, 0.0, 2.0]),
    max_size=30,
)
tables = st.lists(st.integers(0, 3), min_size=COLUMNS, max_size=COLUMNS)


@given(
    references,
    tables,
    st.floats(-8, 8),
    *[st.sets(st.integers(0, COLUMNS - 1))] * 2,
    st.lists(st.integers(0, 3), min_size=4, max_size=4),
)
def test_terms_are_those_of_the_strongest_rivals(
    found: dict[tuple[int, int], float],
    table: list[int],
    strength: float,
    certain: set[int],
    alongside: set[int],
    layers: list[int],
) -> None:
    """For every pair, whether it is among the references or not, the terms are what loops over all others give.

    Tables 0 and 1 are of one database, 2 and 3 of another, and the references among them do not cross; nor do those to
    layers to which tables do not refer first. From the references of some children other parents take nothing, or other
    children, but for those to another layer.
    """
    database, layer = [number // 2 for number in table], [layers[number] for number in table]

    def is_elsewhere(k: int, j: int) -> bool:
        first = {ORDINARY: {ORDINARY}, WAREHOUSE: {ORDINARY, WAREHOUSE}, STAGED: {STAGED}}
        return layer[j] not in first.get(layer[k], {ORDINARY, STAGED, MART})

    def is_away(k: int, j: int) -> bool:
        return database[k] != database[j] or is_elsewhere(k, j)

    found = {(k, j): z for (k, j), z in found.items() if not is_away(k, j)}
    child, parent = (np.array([pair[side] for pair in found], dtype=np.int64) for side in (0, 1))
    strengths = np.array(list(found.values()), dtype=np.float64)
    stored = np.array(layer, dtype=np.int8)
    rivals = Rivals.of(child, parent, strengths, np.array(table), np.array(database), layer=stored)
    every = [(k, j) for k in range(COLUMNS) for j in range(COLUMNS)]
    sides = (np.array([pair[side] for pair in every]) for side in (0, 1))
    unrivalled = np.array([(k in certain, k in alongside) for k, _ in every])
    terms = rivals.terms(*sides, np.full(len(every), strength), unrivalled)
    for (k, j), got in zip(every, terms.tolist(), strict=True):
        away, elsewhere = is_away(k, j), is_elsewhere(k, j)
        others = {b: z for (a, b), z in found.items() if a == k and b != j}
        homes = {b for b, z in others.items() if z == max(others.values())} if away else {j}
        rivalling = set(homes) - ({*range(COLUMNS)} if k in alongside and not elsewhere else set())
        other_child = [z for (a, b), z in found.items() if b in rivalling and a != k and table[a] == table[k]]
        other_parent = [] if k in certain and not elsewhere else [z + 1.9 * elsewhere for z in others.values()]
        own = 0.0 if away else math.exp(strength)
        expected = [
            -math.log1p(max(0.0, math.exp(max(strengths, default=-math.inf)) - own))
            for strengths in (other_parent, other_child)
        ]
        assert got == pytest.approx(expected)


def test_a_system_refers_to_its_own_tables_before_those_of_a_warehouse(evidence_of: EvidenceOf) -> None:
    """Bookings refer to ports, though `dim_port` has the same codes under the very name."""
    codes = [f"{first}{second}" for first in "ABCDEF" for second in "GHIJK"]
    frames = {
        "ports": {"code": codes, "name": [f"port {code}" for code in codes]},
        "dim_port": {"port_code": codes, "region": [code[:1] for code in codes]},
        "bookings": {"id": range(90), "port_code": [codes[number * 7 % 30] for number in range(90)]},
    }
    evidence = evidence_of(Catalog.from_frames({f"sea.{name}": pd.DataFrame(of) for name, of in frames.items()}))
    found = edges(evidence, default_score, 0).columns()
    score = {
        frozenset((left.split(".")[1], right.split(".")[1])): value
        for left, right, value in zip(found["left"], found["right"], found["score"].tolist(), strict=True)
    }
    assert score[frozenset(("bookings", "ports"))] > 0.5 > score[frozenset(("bookings", "dim_port"))]


@pytest.mark.parametrize("random", [False, True])
def test_systems_and_their_staged_copies_refer_to_their_own(evidence_of: EvidenceOf, random: bool) -> None:
    """Where both have the same keys, though the copy has them under the very name, and whatever the keys are."""
    numbers = [7_919 * (1 + i) % 9_999_991 for i in range(60)]
    keys = [5_000_000_000_000 + 48_271 * n * n for n in numbers] if random else numbers
    orders = {"id": keys, "note": [f"n{i}" for i in range(60)]}
    refunds = {"id": range(500, 550), "order_id": [keys[i * 7 % 60] for i in range(50)]}
    frames = {
        "shop_orders": orders,
        "shop_refunds": refunds,
        "shop_customers": {"id": range(900, 930), "name": [f"c{i}" for i in range(30)]},
        "stg_shop__orders": {"order_id": keys, "note": orders["note"]},
        "stg_shop__refunds": {"refund_id": range(500, 550), "order_id": refunds["order_id"]},
    }
    evidence = evidence_of(Catalog.from_frames({f"lake.{name}": pd.DataFrame(of) for name, of in frames.items()}))
    ids = {"raw": "lake.shop_orders.id", "staged": "lake.stg_shop__orders.order_id"}
    of_raw = {layer: of(evidence, "lake.shop_refunds.order_id", key) for layer, key in ids.items()}
    of_staged = {layer: of(evidence, "lake.stg_shop__refunds.order_id", key) for layer, key in ids.items()}
    assert of_raw["raw"] > 0.5 > of_raw["staged"]
    assert of_staged["staged"] > 0.5 > of_staged["raw"]


CUSTOMERS = pd.DataFrame({"id": range(1, 51), "name": [f"n{i}" for i in range(50)]})


def shop(database: str = "shop", **more: pd.DataFrame) -> Catalog:
    """A shop whose orders refer to customers, and further tables."""
    numbers = range(200)
    orders = {
        "id": range(1, 201),
        "customer_id": [1 + i * 7 % 50 for i in numbers],
        "payer": [1 + i * 3 % 50 for i in numbers],
    }
    frames = {"customers": CUSTOMERS, "orders": pd.DataFrame(orders), **more}
    return Catalog.from_frames({f"{database}.{name}": frame for name, frame in frames.items()})


def of(evidence: JoinEvidence, left: str, right: str) -> float:
    """The score of two columns."""
    block = evidence.pairs(*([evidence.ids.index(name)] for name in (left, right)))
    return float(default_score(block, np.zeros(1, dtype=np.float32))[0])


def test_the_rivals_of_evidence_are_all_likely_references_of_its_databases(evidence_of: EvidenceOf) -> None:
    """The rivals are those of the pairs within a database that have evidence, scored one by one."""
    evidence = evidence_of(shop() + shop("old"))
    database = evidence.database[evidence.table]
    found = {}
    for k in range(len(evidence)):
        for j in range(len(evidence)):
            pair = evidence.pairs([k], [j])
            if database[k] == database[j] and supported(pair)[0]:
                found[k, j] = log_odds(pair)[0]
    kept = {pair: z for pair, z in found.items() if z >= math.log(LEAST / (1 - LEAST))}
    assert 0 < len(kept) < len(found)
    child, parent = (np.array([pair[side] for pair in kept]) for side in (0, 1))
    expected = Rivals.of(child, parent, np.array(list(kept.values())), evidence.table, database)
    every = np.divmod(np.arange(len(evidence) ** 2), len(evidence))
    strength = np.zeros(len(every[0]))
    np.testing.assert_allclose(rivals_of(evidence).terms(*every, strength), expected.terms(*every, strength))


def test_a_copy_takes_nothing(evidence_of: EvidenceOf) -> None:
    """Where the table of a key is there twice, both are joined; one in another database comes last."""
    evidence = evidence_of(shop("alone") + shop("both", customer=CUSTOMERS) + shop("old"))
    alone = of(evidence, "alone.orders.customer_id", "alone.customers.id")
    assert alone > 0.9
    for name in ("customers", "customer"):
        assert of(evidence, "both.orders.customer_id", f"both.{name}.id") > 0.85
    for child in ("customer_id", "payer"):
        at_home = of(evidence, f"alone.orders.{child}", "alone.customers.id")
        assert of(evidence, f"alone.orders.{child}", "old.customers.id") < at_home


def test_the_weaker_yields_to_the_stronger(evidence_of: EvidenceOf) -> None:
    """Beside a certain reference of its table a doubtful one loses, the certain one nothing."""
    evidence = evidence_of(shop())
    names = ("orders.payer", "orders.customer_id", "customers.id")
    child, rival, parent = (np.array([evidence.ids.index(f"shop.{name}")]) for name in names)
    weak, strong = evidence.pairs(child, parent), evidence.pairs(rival, parent)
    one, other = (math.exp(log_odds(block)[0]) for block in (weak, strong))
    assert one < other
    left = one / (1 + other - one)
    assert likelihood(weak)[0] == pytest.approx(left / (1 + left))
    assert likelihood(strong)[0] == pytest.approx(other / (1 + other))


NAMESAKE = ("shop.orders.customer_id", "shop.customer.id")
TRUE = ("shop.orders.customer_id", "shop.accounts.id")


def accounts_and_a_namesake() -> Catalog:
    """Orders of accounts, in a shop with a table of other customers that have the same numbers."""
    keys = [f"c{i}" for i in range(50)]
    frames = {
        "shop.accounts": pd.DataFrame({"id": keys}),
        "shop.customer": pd.DataFrame({"id": keys}),
        "shop.orders": pd.DataFrame({"nr": range(200), "customer_id": [keys[i * 7 % 50] for i in range(200)]}),
    }
    return Catalog.from_frames(frames)


def test_scores_do_not_depend_on_the_order_of_tables(evidence_of: EvidenceOf) -> None:
    """Two parents at home that are equally likely give a pair across databases one score in either order."""
    keys = [f"c{i}" for i in range(50)]
    orders = {
        "nr": range(200),
        "customer_id": [keys[i * 7 % 30] for i in range(200)],
        "customers_id": [keys[i * 3 % 50] for i in range(200)],
    }
    people = {
        "client": pd.DataFrame({"id": keys}),
        "person": pd.DataFrame({"id": keys[:40] + [f"d{i}" for i in range(10)]}),
    }
    frames = {}
    for database, names in (("one", ("client", "person")), ("two", ("person", "client"))):
        frames |= {f"{database}.{name}": people[name] for name in names}
        frames[f"{database}.orders"] = pd.DataFrame(orders)
    evidence = evidence_of(Catalog.from_frames(frames | {"away.client": people["client"]}))
    scores = [of(evidence, f"{database}.orders.customer_id", "away.client.id") for database in ("one", "two")]
    assert scores[0] == pytest.approx(scores[1])
    assert scores[0] > 0


def judged(evidence: JoinEvidence, pair: tuple[str, str], verdicts: Verdicts) -> float:
    """The score of two columns with verdicts."""
    block = evidence.pairs(*([evidence.ids.index(name)] for name in pair))
    return float(verdicts.applied(default_score)(block, np.zeros(1, dtype=np.float32))[0])


def test_verdicts_count_for_rivals(evidence_of: EvidenceOf) -> None:
    """The true join rises when its rival is vetoed; a pin changes no other score."""
    evidence = evidence_of(accounts_and_a_namesake())
    assert of(evidence, *TRUE) < 0.1
    assert of(evidence, *NAMESAKE) > 0.9
    for pair in (NAMESAKE, ("shop.customer", "shop.orders")):
        assert judged(evidence, TRUE, Verdicts.of(evidence, vetoed=[pair])) > 0.3
    pinned = Verdicts.of(evidence, pinned=[TRUE])
    assert judged(evidence, TRUE, pinned) == 1
    assert judged(evidence, NAMESAKE, pinned) == of(evidence, *NAMESAKE)
    found = edges(evidence, default_score, verdicts=Verdicts.of(evidence, vetoed=[NAMESAKE])).columns()
    pairs = {frozenset(pair): score for *pair, score in zip(found["left"], found["right"], found["score"], strict=True)}
    assert pairs[frozenset(TRUE)] > 0.3
    assert frozenset(NAMESAKE) not in pairs


def test_scores_do_not_depend_on_the_pairs_asked_for(evidence_of: EvidenceOf) -> None:
    """Squares, lists and the edges of single tables give a pair one score."""
    evidence = evidence_of(shop(customer=CUSTOMERS))
    whole = likelihood(evidence.block(range(len(evidence))))
    few = [0, 3]
    np.testing.assert_allclose(likelihood(evidence.block(few)), whole[np.ix_(few, few)])
    every = edges(evidence, default_score)
    some = edges(evidence, default_score, tables=[0])
    scores = dict(zip(zip(every.left.tolist(), every.right.tolist(), strict=True), every.score.tolist(), strict=True))
    assert len(some) > 0
    for left, right, score in zip(some.left.tolist(), some.right.tolist(), some.score.tolist(), strict=True):
        assert scores[left, right] == score


def test_a_column_with_a_declared_key_refers_to_nothing_else(evidence_of: EvidenceOf) -> None:
    """Neither by its name nor by its values, unless declared keys are not to be trusted; what is no such column does,
    and so do other columns to one that is a key itself."""
    script = """
        CREATE TABLE unit (id INTEGER PRIMARY KEY, title TEXT);
        CREATE TABLE dept (id INTEGER PRIMARY KEY, title TEXT);
        CREATE TABLE emp (id INTEGER PRIMARY KEY, dept_id INTEGER REFERENCES unit(id), second_dept_id INTEGER);
        CREATE TABLE manager (emp_id INTEGER PRIMARY KEY REFERENCES emp(id), bonus REAL);
        CREATE TABLE award (id INTEGER PRIMARY KEY, manager_emp_id INTEGER);
    """
    evidence = evidence_of(Catalog.from_ddl(script))
    pairs = [
        ("emp.dept_id", "unit.id"),
        ("emp.dept_id", "dept.id"),
        ("emp.second_dept_id", "dept.id"),
        ("award.manager_emp_id", "manager.emp_id"),
    ]
    sides = [[evidence.ids.index(f"main.{pair[side]}") for pair in pairs] for side in (0, 1)]
    trusted, not_trusted = (
        default_score(evidence.pairs(*sides), np.zeros(len(pairs)), trust_declared=trust) for trust in (True, False)
    )
    assert trusted[0] == 1
    assert trusted[1] < 0.05 < 0.5 < not_trusted[1]
    assert (trusted[2:] > 0.5).all()


def test_what_refers_on_may_be_referred_to_where_its_table_declares_no_key(evidence_of: EvidenceOf) -> None:
    """Orders are documents, and their lines are those of orders."""
    script = """
        CREATE TABLE doc (doc_id INTEGER NOT NULL UNIQUE, kind TEXT);
        CREATE TABLE orders (order_id INTEGER NOT NULL UNIQUE REFERENCES doc(doc_id), note TEXT);
        CREATE TABLE order_items (order_id INTEGER, sku TEXT);
    """
    evidence = evidence_of(Catalog.from_ddl(script))
    assert of(evidence, "main.order_items.order_id", "main.orders.order_id") > 0.5
