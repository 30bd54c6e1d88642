"""Evidence blocks, against definitions one pair at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from joinability import Catalog, EvidenceBlock, JoinEvidence
from joinability.by_name.named_joins import NamedJoins
from joinability.evidence.blocks import PairBlock
from joinability.evidence.grids import GridBlock
from joinability.names import name_words

EvidenceOf = Callable[[Catalog], JoinEvidence]

SHOP = {
    "shop.clients": pd.DataFrame({"id": [1, 2, 3, 4], "name": ["Ada", "Bob", "Cyd", "Ada"]}),
    "shop.orders": pd.DataFrame({"client_id": [1, 2, 2], "buyer": ["Ada", "Eve", None]}),
    "bank.loans": pd.DataFrame({"clientID": ["2", "3", "9", "9"], "empty": [None] * 4}),
}


@pytest.fixture
def evidence(evidence_of: EvidenceOf) -> JoinEvidence:
    return evidence_of(Catalog.from_frames(SHOP))


def sets() -> list[set[str]]:
    """The distinct values of all columns of the shop, as text."""
    frames = [frame[name].dropna() for frame in SHOP.values() for name in frame]
    return [{str(int(value)) if isinstance(value, float) else str(value) for value in column} for column in frames]


def test_pairs_are_as_defined(evidence: JoinEvidence) -> None:
    """Intersection, Jaccard, both containments and token overlap of every pair are those of the sets."""
    block = evidence.block(range(len(evidence)))
    values, owners = sets(), evidence.table.tolist()
    tokens = [set(name_words(name)) for name in evidence.ids]
    for k, a in enumerate(values):
        for j, b in enumerate(values):
            common = len(a & b) if owners[k] != owners[j] else 0
            assert block.intersection[k, j] == common
            assert block.jaccard[k, j] == pytest.approx(common / max(len(a) + len(b) - common, 1))
            assert block.containment_left[k, j] == pytest.approx(common / max(len(a), 1))
            assert block.containment_right[k, j] == pytest.approx(common / max(len(b), 1))
            smaller = min(len(tokens[k]), len(tokens[j]))
            assert block.token_overlap[k, j] == pytest.approx(len(tokens[k] & tokens[j]) / smaller)
            assert block.same_table[k, j] == (owners[k] == owners[j])


FIELDS = [
    "intersection", "token_overlap", "header_similarity", "named_after_left", "named_after_right", "name_similarity",
    "name_ends_left", "name_ends_right", "refers", "declared", "jaccard", "containment_left", "containment_right",
    "jaccard_error", "containment_left_error", "containment_right_error", "intersection_error",
    "same_table", "same_family", "same_kind",
    "estimated", "unknown", "greater_uniqueness",
]  # fmt: skip


@given(columns=st.lists(st.integers(0, 5), max_size=6, unique=True))
@settings(deadline=None, max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_blocks_and_pairs_agree(evidence: JoinEvidence, columns: list[int]) -> None:
    """A block of any columns in any order holds what the list of its pairs holds."""
    block = evidence.block(columns)
    left, right = np.meshgrid(columns, columns, indexing="ij")
    pairs = evidence.pairs(left.ravel(), right.ravel())
    shape = (len(columns), len(columns))
    assert block.shape == shape
    for name in FIELDS:
        expected = np.reshape(getattr(pairs, name), shape)
        np.testing.assert_allclose(np.broadcast_to(getattr(block, name), shape), expected, err_msg=name)


def test_sides_swap_with_the_pair(evidence: JoinEvidence) -> None:
    """What is left of (k, l) is right of (l, k); all else is symmetric."""
    block = evidence.block([0, 1, 2, 3, 4, 5])
    np.testing.assert_array_equal(block.containment_left, block.containment_right.T)
    np.testing.assert_array_equal(block.named_after_left, block.named_after_right.T)
    for name in ("intersection", "jaccard", "token_overlap", "header_similarity", "name_similarity", "declared"):
        np.testing.assert_array_equal(getattr(block, name), getattr(block, name).T)


def test_within_a_table_what_is_its_own_needs_no_name_of_the_table(evidence_of: EvidenceOf) -> None:
    """`stage_id` of deals is that of `deal_stages`, elsewhere of half of it; the categories of products are those of
    all, where these have a table."""
    ids = pd.DataFrame({"id": [1, 2, 3]})
    deals = pd.DataFrame({"id": [1, 2, 3], "stage_id": [1, 2, 2], "category_id": [1, 2, 2]})
    frames = {"db.deals": deals, "db.visits": deals}
    frames |= {f"db.{name}": ids for name in ("deal_stages", "deal_categories", "categories")}
    evidence = evidence_of(Catalog.from_frames(frames))
    place = {id_: number for number, id_ in enumerate(evidence.ids)}
    wanted = {
        ("deals.stage_id", "deal_stages.id"): 1,
        ("visits.stage_id", "deal_stages.id"): 0.5,
        ("deals.category_id", "deal_categories.id"): 0.5,
        ("deals.category_id", "categories.id"): 1,
    }
    children, parents = (np.array([place[f"db.{pair[side]}"] for pair in wanted]) for side in (0, 1))
    assert PairBlock(evidence, children, parents).named_after_right.tolist() == list(wanted.values())
    block = evidence.block([*children.tolist(), *parents.tolist()]).named_after_right
    assert [block[row, 4 + row] for row in range(4)] == list(wanted.values())


def test_names_tell_what_belongs_together(evidence: JoinEvidence) -> None:
    """An id is alike to a column named after its table, however that is spelt."""
    block: EvidenceBlock = evidence.block([0, 2, 3, 4])  # clients.id, orders.client_id, orders.buyer, loans.clientID
    assert block.header_similarity[0, 1] == block.header_similarity[0, 3] == pytest.approx(1)
    assert block.named_after_right[1, 0] == 1  # client_id is named after clients
    assert block.named_after_right[2, 0] == 0
    assert block.name_similarity[0, 2] < 0.5


@pytest.mark.parametrize("others", [True, False])
def test_what_several_tables_begin_with_is_no_part_of_what_they_hold(evidence_of: EvidenceOf, *, others: bool) -> None:
    """To the tables that stand beside them, as lists and as matrices. To others the whole name counts, unless no other
    table holds the same."""
    ids = pd.DataFrame({"id": [1, 2, 3]})
    lines = pd.DataFrame({"id": [1, 2, 3], "order_id": [1, 2, 2]})
    frames = {"db.shopify_order": ids, "db.shopify_order_line": lines, "db.shopify_item": ids, "db.visit": lines}
    if others:
        frames |= {f"db.erp_{what}": ids for what in ("order", "item", "stock")}
    evidence = evidence_of(Catalog.from_frames(frames))
    place = {id_: number for number, id_ in enumerate(evidence.ids)}
    children = [place["db.shopify_order_line.order_id"], place["db.visit.order_id"]]
    parent = place["db.shopify_order.id"]
    pairs = PairBlock(evidence, np.array(children), np.array([parent] * 2))
    expected = [1, 0.5] if others else [1, 1]
    assert pairs.named_after_right.tolist() == expected
    assert evidence.block([*children, parent]).named_after_right[:2, 2].tolist() == expected


def test_declared_keys_link_both_ways(evidence_of: EvidenceOf) -> None:
    """Each column of a composite key is linked with the one that it refers to; the key's size is kept."""
    ddl = """
    CREATE TABLE a (x INT, y INT, PRIMARY KEY (x, y));
    CREATE TABLE b (p INT, q INT, z INT REFERENCES absent (z), FOREIGN KEY (p, q) REFERENCES a (x, y));
    """
    evidence = evidence_of(Catalog.from_ddl(ddl))
    linked = {(evidence.name[k], evidence.name[j]) for k, j in np.argwhere(evidence.block(range(5)).declared)}
    assert linked == {("p", "x"), ("x", "p"), ("q", "y"), ("y", "q")}
    assert set(evidence.declared.data.tolist()) == {2}


def test_blocks_made_of_a_block_have_its_least_score(evidence: JoinEvidence) -> None:
    """Some of its pairs, its sides exchanged, and both ways of a list."""
    pairs = evidence.pairs([0, 1], [2, 3], least=0.25)
    chosen = pairs.chosen(np.array([1]))
    rows, columns = np.array([0, 1]), np.array([2, 3])
    grid = GridBlock(evidence, rows, columns, least=0.5)
    assert [block.least for block in (chosen, chosen.reversed(), chosen.both_ways())] == [0.25] * 3
    assert [block.least for block in (grid.reversed(), grid.chosen(np.array([3])))] == [0.5] * 2
    assert evidence.pairs([0], [2]).least == evidence.block([0, 2]).least == 0


def test_names_that_were_stored_are_not_read_again(evidence: JoinEvidence) -> None:
    """The evidence that knows them has the same pairs, and what names tell as it was given."""
    named, may_join = NamedJoins.none(len(evidence)), np.zeros(len(evidence), dtype=np.bool_)
    knowing = evidence.knowing(named, may_join)
    assert knowing.named is named
    assert knowing.may_join is may_join
    assert evidence.may_join.any()
    assert evidence.named is not named
    assert knowing.intersections is evidence.intersections


def test_names_of_some_pairs_are_read_apart(evidence_of: EvidenceOf) -> None:
    """Prefixes, abbreviations and tables beside each other included: other columns and databases change nothing. Once
    as many were read as there are, all are."""
    frames = {
        "crm.crm_customer": ["crm_customer_id", "crm_name"],
        "crm.crm_cust_order": ["crm_order_id", "crm_cust_id"],
        "crm.crm_order_item": ["crm_item_id", "crm_order_id", "name"],
        "air.flights": ["flight_no", "src_airport", "customer"],
        "air.airports": ["airport_code", "name"],
        "hr.staff": ["staff_id", "name", "boss_id"],
    }
    empty = {name: pd.DataFrame(columns=columns) for name, columns in frames.items()}
    evidence = evidence_of(Catalog.from_frames(empty))
    left, right = np.divmod(np.arange(len(evidence) ** 2), len(evidence))
    wanted = evidence.pairs(left, right).name_similarity
    assert np.count_nonzero(wanted > 0.5) > 20
    for pair in zip(left[:, None], right[:, None], wanted, strict=True):
        forms = replace(evidence.forms)
        np.testing.assert_array_equal(forms.similarity(*pair[:2]), pair[2])
        assert "_words" not in vars(forms)
    for _ in range(2):
        np.testing.assert_array_equal(forms.similarity(left, right), wanted)
    assert "_words" in vars(forms)
