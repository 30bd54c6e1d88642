"""References to people: by what somebody does, or by the word for people, where rows are known."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from joinability import Catalog, EvidenceBlock, JoinEvidence, default_score
from joinability.evidence.blocks import PairBlock
from joinability.scores.features import FEATURES, features

EvidenceOf = Callable[[Catalog], JoinEvidence]


def office(**columns: list[int]) -> Catalog:
    """Employees and machines, both numbered from 1, accounts, and tickets with columns of such numbers."""
    numbers = range(1, 41)
    some = [1 + 7 * i % 40 for i in range(300)]
    frames = {
        "office.hr_employee": pd.DataFrame({"id": numbers, "full_name": [f"n{i}" for i in numbers]}),
        "office.machine": pd.DataFrame({"id": numbers, "label": [f"m{i}" for i in numbers]}),
        "office.app_user": pd.DataFrame({"id": numbers, "login": [f"u{i}" for i in numbers]}),
        "office.ticket": pd.DataFrame(
            {"id": range(1, 301), "subject": [f"s{i}" for i in range(300)]} | dict.fromkeys(columns, some) | columns
        ),
    }
    return Catalog.from_frames(frames)


def places(evidence: JoinEvidence) -> dict[str, int]:
    """The columns by their names."""
    tables = [evidence.table_names[table] for table in evidence.table.tolist()]
    return {f"{table}.{name}": place for place, (table, name) in enumerate(zip(tables, evidence.name, strict=True))}


def scores(evidence: JoinEvidence, child: str) -> dict[str, float]:
    """The score of a column of tickets with the key of each other table."""
    place = places(evidence)
    keys = {table: place[f"office.{table}.id"] for table in ("hr_employee", "machine", "app_user")}
    left, right = np.full(3, place[f"office.ticket.{child}"]), np.array(list(keys.values()))
    block: EvidenceBlock = PairBlock(evidence, left, right)
    return dict(zip(keys, default_score(block, np.zeros(3, dtype=np.float32)).tolist(), strict=True))


SOME = [1 + 7 * i % 40 for i in range(300)]


@pytest.mark.parametrize(
    "name", ["handled_by", "issued_by", "inspector", "librarian", "seller_id", "assigned_to", "approvedby"]
)
def test_what_somebody_does_refers_to_people(evidence_of: EvidenceOf, name: str) -> None:
    """Though the machines have the same numbers, and no word of theirs is in the name."""
    found = scores(evidence_of(office(**{name: SOME})), name)
    assert min(found["hr_employee"], found["app_user"]) > 0.5 > found["machine"]


def test_a_word_for_people_means_those(evidence_of: EvidenceOf) -> None:
    """And no others; in short or not."""
    evidence = evidence_of(office(emp_no=SOME, created_usr_id=SOME))
    employee, user = scores(evidence, "emp_no"), scores(evidence, "created_usr_id")
    assert employee["hr_employee"] > 0.5 > max(employee["app_user"], employee["machine"])
    assert user["app_user"] > 0.5 > max(user["hr_employee"], user["machine"])


@pytest.mark.parametrize("name", ["made_by", "preceded_by", "standby", "amount"])
def test_what_firms_or_things_do_does_not(evidence_of: EvidenceOf, name: str) -> None:
    """Nor does any other name."""
    assert max(scores(evidence_of(office(**{name: SOME})), name).values()) < 0.5


def test_several_columns_of_a_table_may_say_so(evidence_of: EvidenceOf) -> None:
    """One that is named after the table takes nothing from them, nor they from each other; from a bare number it takes
    nearly all."""
    turned = [1 + 11 * i % 40 for i in range(300)]
    evidence = evidence_of(office(hr_employee_id=SOME, checked_by=turned, closed_by=SOME[::-1], size=turned))
    for child in ("hr_employee_id", "checked_by", "closed_by"):
        assert scores(evidence, child)["hr_employee"] > 0.5
    assert scores(evidence, "size")["hr_employee"] < 0.1


def test_the_feature_is_as_defined(evidence_of: EvidenceOf) -> None:
    """`named_after_parent` is 1 for them, and the share of words for others."""
    evidence = evidence_of(office(handled_by=SOME, employee_rank=SOME))
    place = places(evidence)
    child = np.array([place["office.ticket.handled_by"], place["office.ticket.employee_rank"]])
    block = PairBlock(evidence, child, np.full(2, place["office.hr_employee.id"]))
    assert features(block)[:, list(FEATURES).index("named_after_parent")].tolist() == [1.0, 0.5]
    assert block.named_after_right.tolist() == [0.0, 0.5]


def test_names_that_end_with_the_key_s_stand_beside_each_other(evidence_of: EvidenceOf) -> None:
    """A flight has two airports, and a number that is none."""
    codes = [f"X{i:02}" for i in range(40)]
    numbers = range(300)
    ends = {f"{end}airport_code": [codes[7 * i % 40] for i in numbers] for end in ("from_", "to_", "")}
    airports = pd.DataFrame({"airport_code": codes, "city": codes[::-1]})
    frames = {"air.airport": airports, "air.flight": pd.DataFrame({"flight_no": numbers, **ends})}
    evidence = evidence_of(Catalog.from_frames(frames))
    place = places(evidence)
    left = np.array([place[f"air.flight.{name}"] for name in ("from_airport_code", "to_airport_code", "airport_code")])
    block = PairBlock(evidence, left, np.full(3, place["air.airport.airport_code"]))
    assert (default_score(block, np.zeros(3, dtype=np.float32)) > 0.9).all()


def test_what_one_table_alone_holds_is_named_without_what_stands_in_front(evidence_of: EvidenceOf) -> None:
    """The lesson of `forum_thread` is one of `courses_lesson`, which holds the only lessons.

    Of two tables of tags the last word alone means none.
    """
    some = [1 + i % 9 for i in range(30)]
    names = [f"{app}_{what}" for app in ("courses", "forum") for what in ("tag", "topic", "room")]
    frames = {f"school.{name}": pd.DataFrame({"id": range(1, 10), "title": list("abcdefghi")}) for name in names}
    frames["school.courses_lesson"] = frames["school.courses_tag"].copy()
    frames["school.forum_thread"] = pd.DataFrame({"id": range(30), "lesson_id": some, "tag_id": some})
    frames["school.bill"] = pd.DataFrame({"id": range(30), "lesson_id": some, "tag_id": some})
    evidence = evidence_of(Catalog.from_frames(frames))
    place = places(evidence)

    def share(child: str, parent: str) -> float:
        return float(PairBlock(evidence, np.array([place[child]]), np.array([place[parent]])).named_after_right[0])

    for child in ("school.forum_thread", "school.bill"):
        assert share(f"{child}.lesson_id", "school.courses_lesson.id") == 1.0
        assert share(f"{child}.tag_id", "school.courses_tag.id") == 0.5
    assert share("school.forum_thread.tag_id", "school.forum_tag.id") == 1.0


def test_the_boss_of_people_is_one_of_them(evidence_of: EvidenceOf) -> None:
    """Whoever manages employees is an employee, and no user; whoever manages a ticket is either."""
    numbers = range(1, 41)
    staff = {"id": numbers, "full_name": [f"n{i}" for i in numbers], "manager_id": [1 + i % 9 for i in numbers]}
    users = {"id": numbers, "login": [f"u{i}" for i in numbers]}
    ticket = {"id": range(1, 301), "manager_id": SOME}
    frames = {"office.employee": staff, "office.app_user": users, "office.ticket": ticket}
    evidence = evidence_of(Catalog.from_frames({name: pd.DataFrame(frame) for name, frame in frames.items()}))
    place = places(evidence)
    left = np.array([place["office.employee.manager_id"], place["office.ticket.manager_id"]])
    found = default_score(PairBlock(evidence, left, np.full(2, place["office.app_user.id"])), np.zeros(2))
    assert found[0] < 0.1 < 0.5 < found[1]
