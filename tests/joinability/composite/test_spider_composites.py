"""Composite keys of the real databases of Spider."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from joinability import Catalog, EvidenceStore, composite_joins, find_composites, load_composites

Add = Callable[[Catalog], list[tuple[str, str]]]


def condition(database: str, child: str, parent: str, *columns: str) -> str:
    """A key whose columns have the same names on both sides."""
    return " AND ".join(f"{database}.{child}.{column} = {database}.{parent}.{column}" for column in columns)


EXPECTED = {
    condition("college_2", "section", "classroom", "building", "room_number"),
    condition("college_2", "takes", "section", "course_id", "sec_id", "semester", "year"),
    condition("college_2", "teaches", "section", "course_id", "sec_id", "semester", "year"),
    condition("hospital_1", "Room", "Block", "BlockFloor", "BlockCode"),
    condition(
        "student_assessment", "Student_Course_Attendance", "Student_Course_Registrations", "student_id", "course_id"
    ),
}
"""Keys that Spider's own schemas list column by column, and none of which the files declare."""


def test_keys_that_nobody_declared_are_found(data_folder: Path, store: EvidenceStore, add: Add) -> None:
    """Sections by four columns, rooms by floor and block: each is one edge, the best of its two tables."""
    names = ("college_2", "hospital_1", "student_assessment")
    catalog = Catalog.from_sqlite([data_folder / "spider" / "databases" / name / f"{name}.sqlite" for name in names])
    assert not [key for table in catalog for key in table.foreign_keys if len(key.columns) > 1]
    add(catalog)
    assert find_composites(store.connection, catalog) == []
    evidence = store.load()
    found = [
        join.to_edge(evidence) for join in composite_joins(evidence, load_composites(store.connection, range(10**4)))
    ]
    assert {edge.condition for edge in found} >= EXPECTED
    for edge in found:
        if edge.condition in EXPECTED:
            rivals = [
                one.score for one in found if one.left_table == edge.left_table and one.right_table == edge.right_table
            ]
            assert edge.score == max(rivals)
            assert edge.score > 0.8
