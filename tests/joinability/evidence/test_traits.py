"""What columns are by themselves: leaders, counters, and the tables that they are named after."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from joinability import Catalog, JoinEvidence
from joinability.evidence.traits import first_of_tables
from joinability.families import KINDS

EvidenceOf = Callable[[Catalog], JoinEvidence]


@pytest.fixture
def school(evidence_of: EvidenceOf) -> JoinEvidence:
    return evidence_of(
        Catalog.from_frames(
            {
                "school.student": pd.DataFrame({"grade": [1, 1, 2], "id": [1, 2, 3], "born": ["2001-02-03"] * 3}),
                "school.teacher": pd.DataFrame({"number": [10, 500, 900], "class_teacher": ["x", "y", "z"]}),
                "school.report": pd.DataFrame({"stu_id": ["1", "2"], "student_teacher": [True, False]}),
                "other.teachers": pd.DataFrame({"none": [None, None]}),
            }
        )
    )


def of(evidence: JoinEvidence, name: str) -> int:
    return evidence.ids.index(name)


def test_each_table_has_one_leader(school: JoinEvidence) -> None:
    """It is the first of its most unique columns."""
    leaders = [name for name, leads in zip(school.ids, school.traits.leads, strict=True) if leads]
    assert leaders == ["school.student.id", "school.teacher.number", "school.report.stu_id", "other.teachers.none"]


def test_counters_fill_a_range_from_near_one(school: JoinEvidence) -> None:
    """Integers that fill more than half of it count; others, and texts that are no integers, do not."""
    counted = {name for name, counts in zip(school.ids, school.traits.counted, strict=True) if counts}
    assert counted == {
        "school.student.grade", "school.student.id", "school.report.stu_id", "school.report.student_teacher",
    }  # fmt: skip


def test_what_begins_late_or_is_a_text_of_digits_is_no_counter(evidence_of: EvidenceOf) -> None:
    """Employees 1001 to 1060 and guests 0001 to 0060 tell what refers to them; ids from 1 and years do not."""
    values = {"id": range(1, 61), "employee": range(1001, 1061), "year": range(1960, 2020)}
    frame = pd.DataFrame({name: list(numbers) for name, numbers in values.items()})
    frame["guest"] = [f"{number:04}" for number in range(1, 61)]
    evidence = evidence_of(Catalog.from_frames({"db.t": frame}))
    counted = dict(zip(evidence.name, evidence.traits.counted.tolist(), strict=True))
    assert counted == {"id": True, "employee": False, "year": True, "guest": False}


def test_codes_count_in_steps(evidence_of: EvidenceOf) -> None:
    """10, 20, 30 are in most lists of codes; what begins later or leaves gaps tells what refers to it."""
    values = {
        "code": [10, 20, 30, 40, 50],
        "class": [100, 200, 300, 500, 600],
        "with_0": [0, 10, 20, 30, 40],
        "series": [110, 120, 130, 140, 150],
        "employee": [1000, 1010, 1023, 1034, 1050],
        "amount": [10, 400, 900, 2100, 5000],
    }
    evidence = evidence_of(Catalog.from_frames({"db.t": pd.DataFrame(values)}))
    counted = {name for name, counts in zip(evidence.name, evidence.traits.counted.tolist(), strict=True) if counts}
    assert counted == {"code", "class", "with_0"}


def test_kinds_go_by_the_contents(school: JoinEvidence) -> None:
    """Text of digits is a number, text of dates a time, truth is 1 and 0; without values the type tells."""
    kind = {name: KINDS[number] for name, number in zip(school.ids, school.traits.kind, strict=True)}
    assert kind["school.report.stu_id"] == kind["school.report.student_teacher"] == "number"
    assert kind["school.student.born"] == "time"
    assert kind["school.teacher.class_teacher"] == "text"


def test_columns_are_named_after_tables_of_their_database(school: JoinEvidence) -> None:
    """Abbreviated or not, but not after their own table, and not after one of another database."""
    traits = school.traits
    stu = of(school, "school.report.stu_id")
    assert (traits.other_name[stu], school.table_names[traits.other_table[stu]]) == (1, "school.student")
    both = of(school, "school.report.student_teacher")
    assert traits.other_name[both] == traits.next_name[both] == 1
    assert traits.other_name[of(school, "school.teacher.class_teacher")] == 0


def test_an_empty_column_is_silent(school: JoinEvidence) -> None:
    """A column of an empty table tells nothing; one of missing values tells that it has none."""
    assert not school.silent.any()


def test_the_first_of_each_table_by_marks() -> None:
    """Those with the first mark, then those with the second, then by position, whatever the order of the columns."""
    table = np.array([0, 0, 0, 0, 1, 1, 0])
    position = np.array([0, 1, 2, 3, 1, 0, 4])
    first = np.array([0, 0, 0, 1, 0, 0, 0], dtype=bool)
    second = np.array([0, 0, 1, 0, 1, 0, 0], dtype=bool)
    for count, wanted in ((0, []), (1, [3, 4]), (2, [2, 3, 4, 5]), (3, [0, 2, 3, 4, 5]), (9, range(7))):
        chosen = first_of_tables(table, position, (first, second), count)
        assert np.flatnonzero(chosen).tolist() == list(wanted)
    nothing = np.zeros(0, dtype=int)
    assert not len(first_of_tables(nothing, nothing, (), 3))


def test_all_columns_may_join_where_all_values_are_known(evidence_of: EvidenceOf) -> None:
    """A column of a wide table that has rows is judged by these."""
    wide = pd.DataFrame({f"measure_{place}": [place, place + 1] for place in range(50)})
    assert evidence_of(Catalog.from_frames({"d.wide": wide})).may_join.all()
