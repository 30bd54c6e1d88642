"""Features of a reference, against their definitions one pair at a time, and the weights that are laid on them."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from hashlib import sha256
from importlib.resources import files
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

from jar import Index
from joinability import Catalog, JoinEvidence, contributions, default_score
from joinability.evidence.blocks import PairBlock
from joinability.evidence.grids import GridBlock
from joinability.scores import inclusion as inclusion_module
from joinability.scores.features import FEATURES, Pairs, features
from joinability.scores.implied import IMPLIED
from joinability.scores.inclusion import best_telling, best_telling_of
from joinability.scores.odds import LEAST, supported
from joinability.scores.rivals import RIVALS
from joinability.scores.rivals_by_table import rivals_of
from joinability.scores.score import LEAST_SHOWN, likelihood
from joinability.scores.verdicts import Verdicts
from joinability.scores.weights import KNOWLEDGE, Weights, load_weights

EvidenceOf = Callable[[Catalog], JoinEvidence]

FRAMES = {
    "fleet.ship": pd.DataFrame(
        {
            "id": range(1, 101),
            "status": ["old", "new"] * 50,
            "guns": [2, 4, 6, 8] * 25,
            "code": [f"s{number}" for number in range(100)],
            "dock": [None, "a"] * 50,
        }
    ),
    "fleet.battle": pd.DataFrame({"id": range(1, 101), "status": ["old", "new"] * 50, "won": [1] * 100}),
    "fleet.death": pd.DataFrame(
        {
            "id": range(1, 201),
            "ship_id": [1 + (7 * number) % 100 for number in range(200)],
            "battle": [1 + (3 * number) % 100 for number in range(200)],
            "ship_code": [f"s{number % 60}" for number in range(200)],
        }
    ),
    "fleet.log": pd.DataFrame(
        {
            "cargo": [f"s{number % 50}" for number in range(100)] + [str(number) for number in range(1, 101)],
            "late_ship": [90 + number % 10 for number in range(200)],
        }
    ),
}


@pytest.fixture
def fleet(evidence_of: EvidenceOf) -> JoinEvidence:
    return evidence_of(Catalog.from_frames(FRAMES))


def row(evidence: JoinEvidence, child: str, parent: str) -> dict[str, float]:
    """The features of one reference by name."""
    k, j = (evidence.ids.index(name) for name in (child, parent))
    return dict(zip(FEATURES, features(evidence.pairs([k], [j]))[0].tolist(), strict=True))


def by_definition(evidence: JoinEvidence, child: str, parent: str) -> dict[str, float]:
    """The features that the values define, from the frames themselves."""
    frames = {f"{table}.{name}": frame[name] for table, frame in FRAMES.items() for name in frame}
    own, other = frames[child].dropna(), frames[parent].dropna()
    mine, theirs = set(map(str, own)), set(map(str, other))
    unique = {name: values.nunique() / len(values) for name, values in frames.items()}
    inclusion = inclusion_by_definition(list(map(str, own)), theirs, is_key=unique[parent] >= 0.98)
    table = parent.rpartition(".")[0]
    best = max(unique[f"{table}.{name}"] for name in FRAMES[table])
    leader = next(name for name in FRAMES[table] if unique[f"{table}.{name}"] == best)
    integers = own.dtype.kind == other.dtype.kind == "i"
    counted = other.dtype.kind == "i" and len(theirs) > 0.5 * (other.max() - other.min() + 1)
    narrow = 0.0
    if integers and own.min() - other.min() <= 0.02 * (other.max() - other.min()) + 1:
        span = (own.max() - own.min() + 1) / (other.max() - other.min() + 1)
        narrow = min(max((len(own) - 1) / (len(own) + 1) - span, 0), 1)
    nameless = nameless_by_definition(evidence, child, parent)
    return {
        "inclusion": inclusion,
        "telling_inclusion": 0.0 if counted else inclusion,
        "narrow_low": narrow,
        "constant": nameless * (len(mine) == 1),
        "outdone": max(0.0, best_by_definition(child) - inclusion),
        "backward": max(0.0, len(mine & theirs) / len(theirs) - inclusion) * unique[child],
        "nameless_counted": nameless * counted * inclusion,
        "quantity": float(child.endswith(".guns")),  # the one plural
        "nameless_loss": nameless * (1 - inclusion),
        "parent_uniqueness": unique[parent],
        "parent_leads": unique[parent] if parent == f"{table}.{leader}" else 0.0,
        "parent_first": float(parent == f"{table}.{next(iter(FRAMES[table]))}"),
        "natural_key": natural_by_definition(child, parent, unique, inclusion, is_leader=parent == f"{table}.{leader}"),
        "attribute": float(attribute_by_definition(evidence, child, parent, is_leader=parent == f"{table}.{leader}")),
        "parent_nulls": float(frames[parent].isna().any()),
        "child_width": min(1.0, math.log10(FRAMES[child.rpartition(".")[0]].shape[1])),
    }


def inclusion_by_definition(own: list[str], theirs: set[str], *, is_key: bool) -> float:
    """The share of a column's values in others, or of its rows with such a value in a key that has a tenth of them."""
    values = len(set(own) & theirs) / len(set(own))
    rows = sum(value in theirs for value in own) / len(own)
    return max(values, rows) if is_key and values >= 0.1 else values


def nameless_by_definition(evidence: JoinEvidence, child: str, parent: str) -> float:
    """1 less the share of the parent table's name in the child's; 0 where the names are alike or end alike."""
    block = evidence.pairs([evidence.ids.index(child)], [evidence.ids.index(parent)])
    agree = block.name_ends_right[0] or block.header_similarity[0] > 0.8
    return 0.0 if agree else 1 - float(block.named_after_right[0])


def attribute_by_definition(evidence: JoinEvidence, child: str, parent: str, *, is_leader: bool) -> bool:
    """Names agree, and none of them tells a key."""
    block = evidence.pairs([evidence.ids.index(child)], [evidence.ids.index(parent)])
    agree = bool(block.name_ends_right[0] or block.header_similarity[0] > 0.8)
    return agree and not is_leader and not parent.endswith(("code", "id")) and not block.named_after_right[0]


def natural_by_definition(
    child: str, parent: str, unique: dict[str, float], inclusion: float, *, is_leader: bool
) -> float:
    """Inclusion in a key of texts beside the one that leads, unless a larger key has it, where the child repeats it: of
    these frames `code` alone identifies."""
    table, _, name = parent.rpartition(".")
    if is_leader or not name.endswith("code") or unique[parent] < 0.98 or unique[child] >= 0.98:
        return 0.0
    size = FRAMES[table][name].nunique()
    others = [frame[other] for at, frame in FRAMES.items() if at != table for other in frame]
    larger = any(
        values.nunique() > size and values.nunique() >= 0.98 * len(values) and set(values) & set(FRAMES[table][name])
        for values in others
    )
    distinct = FRAMES[child.rpartition(".")[0]][child.rpartition(".")[2]].nunique()
    return 0.0 if larger else inclusion * (distinct - 1) / (distinct + 1)


def best_by_definition(child: str) -> float:
    """The greatest inclusion of a column in a key of another table that does not count 1, 2, 3, ..."""
    table, _, name = child.rpartition(".")
    mine = list(map(str, FRAMES[table][name].dropna()))
    best = 0.0
    for other in FRAMES:
        for key in FRAMES[other]:
            values = FRAMES[other][key].dropna()
            integers = values.dtype.kind == "i"
            counted = integers and values.nunique() > 0.5 * (values.max() - values.min() + 1)
            if other != table and values.nunique() >= 0.98 * len(FRAMES[other]) and not counted:
                best = max(best, inclusion_by_definition(mine, set(map(str, values)), is_key=True))
    return best


PAIRS = [
    ("fleet.death.ship_id", "fleet.ship.id"),
    ("fleet.ship.guns", "fleet.battle.id"),
    ("fleet.battle.won", "fleet.ship.id"),
    ("fleet.ship.id", "fleet.battle.id"),
    ("fleet.death.ship_code", "fleet.ship.code"),
    ("fleet.ship.code", "fleet.death.ship_code"),
    ("fleet.ship.status", "fleet.battle.status"),
    ("fleet.death.ship_code", "fleet.ship.dock"),
    ("fleet.ship.status", "fleet.battle.won"),
    ("fleet.log.cargo", "fleet.ship.id"),
    ("fleet.log.cargo", "fleet.ship.code"),
    ("fleet.log.late_ship", "fleet.ship.id"),
]


@pytest.mark.parametrize(("child", "parent"), PAIRS)
def test_features_are_as_defined(fleet: JoinEvidence, child: str, parent: str) -> None:
    """What values and positions define agrees with the frames."""
    got = row(fleet, child, parent)
    for name, value in by_definition(fleet, child, parent).items():
        assert got[name] == pytest.approx(value, abs=1e-6), name


def test_names_are_features(fleet: JoinEvidence) -> None:
    """A role ends with the name of its key, and warns of every other table that it is named after."""
    reference = row(fleet, "fleet.death.ship_id", "fleet.ship.id")
    assert (reference["named_after_parent"], reference["named_after_other"], reference["name_ends"]) == (1, 0, 1)
    other = row(fleet, "fleet.death.ship_id", "fleet.battle.id")
    assert (other["named_after_parent"], other["named_after_other"]) == (0, 1)
    assert row(fleet, "fleet.ship.status", "fleet.battle.status")["name_ends"] == 1
    assert row(fleet, "fleet.ship.id", "fleet.battle.id")["name_ends"] == 0


def test_the_code_of_a_sort_is_no_ending(evidence_of: EvidenceOf) -> None:
    """The type of a gate is none of boxes, and a status by itself may be any."""
    frames = {
        "port.box_typ": pd.DataFrame({"typ_cd": ["20", "40"], "sts_cd": ["A", "B"]}),
        "port.gate": pd.DataFrame({"gate_typ_cd": ["20", "40"], "sts_cd": ["A", "B"]}),
    }
    evidence = evidence_of(Catalog.from_frames(frames))
    assert row(evidence, "port.gate.gate_typ_cd", "port.box_typ.typ_cd")["name_ends"] == 0
    assert row(evidence, "port.gate.sts_cd", "port.box_typ.sts_cd")["name_ends"] == 1


def test_a_generic_name_counts_with_what_its_table_holds(evidence_of: EvidenceOf) -> None:
    """Where the names of tables begin alike, that beginning says nothing of an id."""
    frames = {f"school.courses_{name}": pd.DataFrame({"id": [1, 2]}) for name in ("course", "topic", "unit")}
    frames |= {"school.courses_prerequisite": pd.DataFrame({"n": [7, 8], "required_course_id": [1, 2]})}
    frames |= {f"office.{area}_{name}": pd.DataFrame({"id": [1, 2]}) for area in "ab" for name in ("note", "key", "x")}
    evidence = evidence_of(Catalog.from_frames(frames))
    assert row(evidence, "office.a_note.id", "office.b_note.id")["name_ends"] == 0
    child = "school.courses_prerequisite.required_course_id"
    assert [row(evidence, child, f"school.courses_{name}.id")["name_ends"] for name in ("course", "topic")] == [1, 0]


def test_the_low_end_is_what_counts(fleet: JoinEvidence) -> None:
    """Of columns that span a tenth of a key's range, the one at the low end is a quantity, the other may be recent."""
    assert row(fleet, "fleet.ship.guns", "fleet.battle.id")["narrow_low"] > 0.9
    assert row(fleet, "fleet.battle.won", "fleet.ship.id")["narrow_low"] > 0.9
    assert row(fleet, "fleet.log.late_ship", "fleet.ship.id")["narrow_low"] == 0


def test_few_people_approve(evidence_of: EvidenceOf) -> None:
    """Those who do may have the lowest numbers; of a guest among staff it may be a quantity."""
    staff = pd.DataFrame({"staff_id": range(1, 101), "surname": [f"n{number}" for number in range(100)]})
    lease = pd.DataFrame({"lease_no": range(500, 560), "approved_by": [1, 2, 4] * 20, "guest": [1, 2, 4] * 20})
    evidence = evidence_of(Catalog.from_frames({"home.staff": staff, "home.lease": lease}))
    assert row(evidence, "home.lease.approved_by", "home.staff.staff_id")["narrow_low"] == 0
    assert row(evidence, "home.lease.guest", "home.staff.staff_id")["narrow_low"] > 0.9


def test_quantities_refer_to_nothing_but_their_names(evidence_of: EvidenceOf) -> None:
    """However they are spelled, and whatever they are prices of; a year may refer to a calendar of years."""
    calendar = pd.DataFrame({"year": range(1, 21), "unit_id": range(1, 21)})
    names = ("unitPrice", "Unit_QTY", "year", "unit", "price_id")
    lines = pd.DataFrame({"line": range(40), **{name: [*range(1, 21)] * 2 for name in names}})
    evidence = evidence_of(Catalog.from_frames({"shop.calendar": calendar, "shop.cost_line": lines}))
    marked = {name: row(evidence, f"shop.cost_line.{name}", "shop.calendar.unit_id")["quantity"] for name in names}
    assert marked == {"unitPrice": 1, "Unit_QTY": 1, "year": 1, "unit": 0, "price_id": 0}
    assert row(evidence, "shop.cost_line.year", "shop.calendar.year")["quantity"] == 0


def office(*, with_copy: bool) -> Catalog:
    """Staff with a number in front, a login beside it and a name, who wrote what, and a copy of the staff."""
    logins, names = [f"u{number:02}" for number in range(20)], [f"Name {number}" for number in range(20)]
    staff = pd.DataFrame({"staff_no": range(1, 21), "login": logins, "name": names})
    told = {"written_by": logins[:10] * 4, "author_name": names[:10] * 4, "flag": ["u01"] * 40}
    frames = {"office.staff": staff, "office.note": pd.DataFrame({"note": range(100, 140), **told})}
    return Catalog.from_frames(frames | ({"office.old_staff": staff.copy()} if with_copy else {}))


def test_a_login_beside_a_number_is_a_key_that_others_refer_to(evidence_of: EvidenceOf) -> None:
    """What repeats it refers to it; one value, and what somebody is called, do not."""
    evidence = evidence_of(office(with_copy=False))
    natural = {
        child: row(evidence, f"office.note.{child}", f"office.staff.{parent}")["natural_key"]
        for child, parent in (("written_by", "login"), ("flag", "login"), ("author_name", "name"))
    }
    assert natural == pytest.approx({"written_by": 9 / 11, "flag": 0, "author_name": 0}, abs=1e-6)
    assert row(evidence, "office.note.written_by", "office.staff.staff_no")["natural_key"] == 0
    found = [evidence.ids.index(f"office.{name}") for name in ("note.written_by", "staff.login")]
    assert default_score(evidence.pairs(*([place] for place in found)), np.zeros(1))[0] > 0.5


def test_a_copy_takes_nothing_from_a_natural_key(evidence_of: EvidenceOf) -> None:
    """Nor does it refer to the table that it is a copy of."""
    evidence = evidence_of(office(with_copy=True))
    assert row(evidence, "office.old_staff.login", "office.staff.login")["natural_key"] == 0
    told = row(evidence, "office.note.written_by", "office.staff.login")["natural_key"]
    assert told == pytest.approx(9 / 11, abs=1e-6)


def test_a_part_of_a_larger_key_is_no_natural_key(evidence_of: EvidenceOf) -> None:
    """The latest entry of most claims refers to the claim, and so do all payments."""
    claims = [f"C{number:03}" for number in range(60)]
    frames = {
        "firm.claim": pd.DataFrame({"claim_no": claims}),
        "firm.latest": pd.DataFrame({"entry": range(1, 51), "claim_no": claims[:50]}),
        "firm.payment": pd.DataFrame({"payment": range(300, 400), "claim_no": claims[:25] * 4}),
    }
    evidence = evidence_of(Catalog.from_frames(frames))
    assert row(evidence, "firm.payment.claim_no", "firm.latest.claim_no")["natural_key"] == 0


def random_ids(count: int, characters: int) -> list[str]:
    return [sha256(str(number).encode()).hexdigest()[:characters] for number in range(count)]


def billing(ids: list[Any]) -> Catalog:
    """Accounts, a list of them by another name, and bills that have their keys twice, by names that say nothing."""
    names = {"title": [f"t{number}" for number in range(len(ids))]}
    bill = {"number": range(900, 900 + 3 * len(ids)), "payer": ids * 3, "debtor": ids[::-1] * 3}
    frames = {
        "shop.account": pd.DataFrame({"account_sk": ids, **names}),
        "shop.xref": pd.DataFrame({"hk": ids, "source": ["crm", "erp"] * (len(ids) // 2)}),
        "shop.bill": pd.DataFrame(bill),
    }
    return Catalog.from_frames(frames)


@pytest.mark.parametrize(
    ("ids", "are_random"),
    [
        (random_ids(40, 32), True),
        (random_ids(40, 14), False),
        ([f"{'x' * (number // 3)}, a street of its own" for number in range(40)], False),
        ([7**9 * number % 10**9 for number in range(40)], True),
        ([20230100 + number for number in range(40)], False),
    ],
)
def test_what_has_random_identifiers_means_the_same(
    evidence_of: EvidenceOf, ids: list[Any], are_random: bool
) -> None:
    """Hashes and numbers drawn from billions are nowhere by chance: no other parent and no other child excludes one."""
    evidence = evidence_of(billing(ids))
    children = "payer", "debtor"
    found = [row(evidence, f"shop.bill.{child}", "shop.account.account_sk")["random_id"] for child in children]
    assert found == [float(are_random)] * 2
    pairs = [
        [evidence.ids.index(f"shop.{name}") for name in pair]
        for pair in product(("bill.payer", "bill.debtor"), ("account.account_sk", "xref.hk"))
    ]
    left, right = np.array(pairs).T
    told = contributions(evidence, left, right)
    taken = np.stack([told["other_parent"], told["other_child"]])
    assert bool((taken == 0).all()) or not are_random
    if are_random:
        assert (default_score(PairBlock(evidence, left, right), np.zeros(4)) > 0.5).all()


def test_two_tables_may_have_an_address(evidence_of: EvidenceOf) -> None:
    """It is no join, though the one is unique and has all of the other's values; a code is."""
    texts = [f"{number} Main Street" for number in range(50)]
    customer = pd.DataFrame({"id": range(1, 51), "address1": texts, "iso_code": [f"X{number}" for number in range(50)]})
    order = {"order_no": range(900, 1000), "customer_id": [*range(1, 51)] * 2, "address1": texts * 2}
    order |= {"iso_code": customer["iso_code"].tolist() * 2}
    evidence = evidence_of(Catalog.from_frames({"shop.customer": customer, "shop.order": pd.DataFrame(order)}))
    for name, told in (("address1", (1, 0)), ("iso_code", (0, 49 / 51))):
        found = row(evidence, f"shop.order.{name}", f"shop.customer.{name}")
        assert (found["attribute"], found["natural_key"]) == pytest.approx(told, abs=1e-6)


def carriers() -> Catalog:
    """Carriers with a number in front and several texts and numbers beside it, and boxes that repeat all of these."""
    places = range(60)
    told: dict[str, list[Any]] = {
        "grdx": [f"Q{7 * place:03}" for place in places],
        "motto": ["x" * (place % 7 + 1) + f"{place}" for place in places],
        "phone": [f"+44 20 {7919 * place % 9000 + 1000}" for place in places],
        "imo": [9_000_000 + 7919 * place for place in places],
        "score": [9_000_000 + 7907 * place for place in places],
    }
    carrier = pd.DataFrame({"carrier_id": range(500, 560), **told})
    box = pd.DataFrame({"box": [f"B{number}" for number in range(180)], **{name: told[name] * 3 for name in told}})
    return Catalog.from_frames({"sea.carrier": carrier, "sea.box": box})


@pytest.mark.parametrize(
    ("name", "attribute", "natural"),
    [("grdx", 0, 1), ("motto", 1, 0), ("phone", 1, 0), ("imo", 0, 1), ("score", 1, 0)],
)
def test_codes_and_numbers_of_registers_are_keys(
    evidence_of: EvidenceOf, name: str, attribute: int, natural: int
) -> None:
    """Texts of one length whose names agree, and what registers number, whatever stands in front of them."""
    found = row(evidence_of(carriers()), f"sea.box.{name}", f"sea.carrier.{name}")
    assert (found["attribute"], found["natural_key"]) == pytest.approx((attribute, natural * 59 / 61), abs=1e-6)


@pytest.mark.parametrize(
    ("child", "table", "quantity"),
    [
        *[("rate", "rate_plan", 0), ("release_month", "dim_month", 0), ("area", "area", 0), ("tax_rate", "tax", 1)],
        *[("seats", "seats", 1), ("open_orders", "orders", 1), ("species", "species", 0), ("seat_ids", "seats", 0)],
        *[("order", "orders", 1), ("position", "positions", 1), ("work_order", "work_orders", 0)],
    ],
)
def test_quantities_may_refer_to_lists_of_such(
    evidence_of: EvidenceOf, child: str, table: str, quantity: float
) -> None:
    """A rate among rate plans; but a tax rate is no tax, and the seats of a hall are counted."""
    listed = pd.DataFrame({"code": range(1, 21), "label": [f"n{number}" for number in range(20)]})
    frames = {f"shop.{table}": listed, "shop.sale": pd.DataFrame({"number": range(100, 120), child: range(1, 21)})}
    evidence = evidence_of(Catalog.from_frames(frames))
    assert row(evidence, f"shop.sale.{child}", f"shop.{table}.code")["quantity"] == quantity


def test_a_key_that_has_more_outdoes(fleet: JoinEvidence) -> None:
    """A column with half of its values in a telling key is outdone by it in every other parent, but not in itself."""
    assert row(fleet, "fleet.log.cargo", "fleet.battle.id")["outdone"] == 0
    assert row(fleet, "fleet.death.ship_code", "fleet.battle.status")["outdone"] == 1
    assert row(fleet, "fleet.death.ship_code", "fleet.ship.code")["outdone"] == 0


def test_a_vetoed_key_outdoes_nothing(fleet: JoinEvidence) -> None:
    """The best inclusion is that of the pairs that are allowed."""
    child, code = (fleet.ids.index(f"fleet.{name}") for name in ("death.ship_code", "ship.code"))
    assert best_telling(fleet, np.array([child])).tolist() == [1]
    vetoes = Verdicts.of(fleet, vetoed=[("fleet.ship.code", "fleet.death.ship_code")])
    assert best_telling(fleet, np.array([child]), vetoes).tolist() == [0]
    assert best_telling_of(fleet, np.array([[child, code]]), vetoes).shape == (1, 2)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("size", [1, 3, 1000])
def test_best_telling_is_the_greatest_of_all_pairs(
    evidence_of: EvidenceOf, seed: int, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For tables in two databases, any columns asked for and chunks of any size: a loop over all columns."""
    rng = np.random.default_rng(seed)
    tables = [f"{database}.t{number}" for database in ("one", "two") for number in range(3)]
    drawn = {name: [rng.choice(60, 8, replace=rng.random() < 0.5) for _ in "ab"] for name in tables}
    frames = {name: pd.DataFrame(dict(zip("ab", values, strict=True))) for name, values in drawn.items()}
    evidence = evidence_of(Catalog.from_frames(frames))
    asked = rng.integers(len(evidence), size=9)
    database, table = evidence.database[evidence.table], evidence.table
    keys = np.flatnonzero((evidence.uniqueness >= 0.98) & ~evidence.traits.counted)
    values = [list(map(str, frames[name][column])) for name in tables for column in "ab"]
    monkeypatch.setattr(inclusion_module, "CHUNK_ENTRIES", size)
    for in_larger in (False, True):
        expected = [
            max(
                (
                    inclusion_by_definition(values[child], set(values[key]), is_key=True)
                    for key in keys
                    if database[key] == database[child] and table[key] != table[child]
                    if not in_larger or len(set(values[key])) > len(set(values[child]))
                ),
                default=0,
            )
            for child in asked
        ]
        np.testing.assert_allclose(best_telling(evidence, asked, in_larger=in_larger), expected, rtol=1e-6)


def test_another_column_of_the_childs_name_is_a_better_parent(evidence_of: EvidenceOf) -> None:
    """Where it has as many of the child's values; a generic name counts with that of its table, prefixes never do."""
    codes, floors = ["a", "b", "c"], ["x", "y", "z"]
    frames = {
        "clinic.block": pd.DataFrame({"id": codes, "block_floor": codes, "block_code": [*codes[:2], "q"]}),
        "clinic.duty": pd.DataFrame({"block_code": codes, "block_floor": floors, "block_id": codes, "hours": [7] * 3}),
        "clinic.ward": pd.DataFrame({"wa_block_code": codes, "wa_beds": [1, 2, 3], "wa_nurse": floors}),
    }
    evidence = evidence_of(Catalog.from_frames(frames))
    held = {
        (child, parent): row(evidence, f"clinic.{child}", f"clinic.{parent}")["namesake"]
        for child in ("duty.block_code", "duty.block_id", "ward.wa_block_code")
        for parent in ("block.id", "block.block_floor", "block.block_code")
    }
    assert {pair for pair, value in held.items() if value} == {
        ("duty.block_id", "block.block_floor"),
        ("duty.block_id", "block.block_code"),
    }
    assert row(evidence, "clinic.duty.block_floor", "clinic.ward.wa_nurse")["namesake"] == 0
    assert row(evidence, "clinic.ward.wa_block_code", "clinic.duty.block_id")["namesake"] == 1


@pytest.mark.parametrize("seed", range(3))
def test_namesakes_are_those_of_a_loop(evidence_of: EvidenceOf, seed: int) -> None:
    """Of drawn tables, for lists and matrices of pairs, with a veto and without."""
    rng = np.random.default_rng(seed)
    names = ["color", "shape", "taste", "smell"]
    frames = {
        f"shop.t{number}": pd.DataFrame({name: rng.choice(9, 6) for name in rng.permutation(names)[:3]})
        for number in range(4)
    }
    evidence = evidence_of(Catalog.from_frames(frames))
    columns = [(table, name) for table, frame in frames.items() for name in frame]
    values = {(table, name): list(map(str, frames[table][name])) for table, name in columns}

    def inclusion(child: tuple[str, str], parent: tuple[str, str]) -> float:
        own, other = values[child], values[parent]
        return inclusion_by_definition(own, set(other), is_key=len(set(other)) >= 0.98 * len(other))

    def held(child: tuple[str, str], parent: tuple[str, str], vetoed: set[tuple[str, str]]) -> bool:
        namesake = parent[0], child[1]
        if namesake == parent or namesake not in values or vetoed == {child, namesake}:
            return False
        return inclusion(child, namesake) >= inclusion(child, parent) - 1e-6

    size = len(columns)
    left, right = (side.ravel() for side in np.mgrid[:size, :size])
    apart = evidence.table[left] != evidence.table[right]
    of = FEATURES["namesake"].of
    twins = [(a, b) for a in range(size) for b in range(a) if columns[a][1] == columns[b][1]]
    for veto in (None, twins[0]):
        vetoed = set() if veto is None else {columns[place] for place in veto}
        names_of = [tuple(evidence.ids[place] for place in veto)] if veto else []
        vetoes = Verdicts.of(evidence, vetoed=names_of) if veto else None
        got = of(Pairs(PairBlock(evidence, left, right, vetoes)))
        expected = [held(columns[k], columns[j], vetoed) for k, j in zip(left, right, strict=True)]
        np.testing.assert_array_equal(got[apart], np.array(expected)[apart])
        grid = of(Pairs(GridBlock(evidence, np.arange(size), np.arange(size), vetoes)))
        np.testing.assert_array_equal(np.broadcast_to(grid, (size, size)).ravel()[apart], got[apart])


def test_names_without_prefixes_are_kept_once(fleet: JoinEvidence) -> None:
    """Where no table has a prefix, there is no second form of the names."""
    assert fleet.forms.bare_headers is fleet.forms.headers


def test_columns_are_recognised_without_prefixes(evidence_of: EvidenceOf) -> None:
    """Columns that carry a prefix of their table are compared as without it."""
    frames = {
        "shop.customer": pd.DataFrame({"cu_id": [1, 2], "cu_name": ["a", "b"], "cu_city": ["x", "y"]}),
        "shop.orders": pd.DataFrame({"or_id": [1, 2], "or_customer_id": [2, 2], "or_total": [1, 9]}),
    }
    evidence = evidence_of(Catalog.from_frames(frames))
    reference = row(evidence, "shop.orders.or_customer_id", "shop.customer.cu_id")
    assert (reference["header_similarity"], reference["name_ends"], reference["named_after_parent"]) == (1, 1, 1)


def test_the_score_is_its_formula(fleet: JoinEvidence) -> None:
    """The likelihood of each pair with evidence is the greater logistic of its two directions, computed one by one.

    `test_rivals` has the terms of the rivals against loops, `test_implied` what chains take.
    """
    weights = load_weights()
    size = len(fleet)
    got = likelihood(fleet.block(range(size)))
    has_evidence = supported(fleet.block(range(size)))
    for k in range(size):
        for j in range(size):
            both = []
            for a, b in ((k, j), (j, k)):
                alone = weights.intercepts[0] + sum(weights.coefficients[0] * features(fleet.pairs([a], [b]))[0])
                pair = np.array([a]), np.array([b])
                alone -= rivals_of(fleet).implied(*pair)[0]
                both.append(alone + sum(rivals_of(fleet).terms(*pair, np.array([alone]))[0]))
            expected = 1 / (1 + math.exp(-max(both))) if has_evidence[k, j] else 0
            assert got[k, j] == pytest.approx(expected, abs=1e-5)
    score = default_score(fleet.block(range(size)), np.zeros((size, size), dtype=np.float32))
    np.testing.assert_array_equal(score > 0, got >= LEAST)


def test_contributions_add_up(fleet: JoinEvidence) -> None:
    """Intercept and terms are the log-odds of the score, and the child is the side that refers to the other."""
    left, right = (fleet.ids.index(name) for name in ("fleet.ship.id", "fleet.death.ship_id"))
    told = contributions(fleet, [left, right], [right, left])
    assert told["child"].tolist() == ["right", "left"]
    logit = sum(told[name] for name in ("intercept", *FEATURES, IMPLIED, *RIVALS))
    expected = likelihood(fleet.pairs([left, right], [right, left]))
    np.testing.assert_allclose(1 / (1 + np.exp(-logit)), expected, rtol=1e-5)


def test_the_guards_hold(fleet: JoinEvidence) -> None:
    """Keys 1..n against keys 1..n, quantities, flags and constants score little; references score much."""
    score = {
        frozenset((fleet.ids[k], fleet.ids[j])): float(value)
        for (k, j), value in np.ndenumerate(likelihood(fleet.block(range(len(fleet)))))
    }
    assert score[frozenset(("fleet.death.ship_id", "fleet.ship.id"))] > 0.9
    assert score[frozenset(("fleet.death.battle", "fleet.battle.id"))] > 0.6
    assert score[frozenset(("fleet.death.ship_code", "fleet.ship.code"))] > 0.6
    for pair in [
        ("fleet.ship.id", "fleet.battle.id"),
        ("fleet.ship.guns", "fleet.battle.id"),
        ("fleet.battle.won", "fleet.ship.id"),
        ("fleet.ship.status", "fleet.battle.status"),
    ]:
        assert score[frozenset(pair)] < 0.1, pair
    assert score[frozenset(("fleet.ship.status", "fleet.battle.status"))] < LEAST_SHOWN


def test_weights_have_the_signs_that_they_are_explained_with() -> None:
    """In every state of knowledge what speaks for a reference is positive, and what speaks against it is negative."""
    weights = load_weights()
    for state, row_ in zip(KNOWLEDGE, weights.coefficients, strict=True):
        for feature, value in zip(FEATURES.values(), row_, strict=True):
            assert value * feature.sign >= 0, (state, feature.name)


def test_weights_of_other_features_are_refused() -> None:
    """A data file that misses a feature, or has one too many, is an error that names it."""
    told: dict[str, Any] = json.loads((files("joinability.scores") / "weights.json").read_text("utf-8"))["weights"]
    del told["samples"]["inclusion"]
    with pytest.raises(ValueError, match=r"'samples'.*'inclusion'.*fit them again"):
        Weights.of(told)


def test_a_key_by_its_name_leads_wherever_it_stands() -> None:
    """Without rows: owners list columns in any order."""
    ddl = "CREATE TABLE users (login TEXT, id INT); CREATE TABLE posts (body TEXT, user_id INT, id INT);"
    index = Index.build(Catalog.from_ddl(ddl, database="blog"), embedder=lambda texts: np.ones((len(texts), 2)))
    (join,) = index.joins(0.5).itertuples()
    assert {join.left, join.right} == {"blog.users.id", "blog.posts.user_id"}
