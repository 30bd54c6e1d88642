"""Joins on several columns, from the rows of a catalog to the conditions of an answer."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from jar import Catalog, Index, Reranker
from jar.rerank import DEFAULT_OBJECTIVE
from tests.jar.conftest import toy_embedder
from tests.joinability.composite.test_composite import lessons

TABLES = ["school.booking", "school.lesson"]
CONDITION = "school.booking.lesson_room = school.lesson.room AND school.booking.lesson_hour = school.lesson.hour"


def build(frames: dict[str, pd.DataFrame], path: Path | None = None, **options: str) -> Index:
    return Index.build(Catalog.from_frames(frames), path=path, embedder=toy_embedder, progress=False, **options)


@pytest.fixture(scope="module")
def school() -> Index:
    return build(lessons())


def ranked(index: Index, **options: object) -> object:
    return Reranker(index).rank("booked lessons", 2, candidates=TABLES, **options)  # type: ignore[arg-type]


def test_lists_show_all_conditions(school: Index) -> None:
    """`joins` has a row of the kind "composite", the graph an edge, and single columns rows of their own."""
    frame = school.joins()
    (row,) = frame[frame["kind"] == "composite"].to_dict("records")
    assert row["condition"] == CONDITION
    assert (row["left"], row["right"]) == ("school.booking.lesson_room", "school.lesson.room")
    assert row["containment_left"] == 1
    assert row["uniqueness_right"] == 1
    assert frame["score"].is_monotonic_decreasing
    single = frame[frame["kind"] == "column"]
    assert (single["condition"] == single["left"] + " = " + single["right"]).all()
    assert CONDITION in [edge.condition for edge in school.join_graph()]
    assert len(school.joins(table="school.lesson")) == len(frame)


def test_an_answer_joins_on_all_conditions(school: Index) -> None:
    """The plan, its text, its explanation, the prompt's SQL and the JSON name both pairs of columns."""
    answer = ranked(school)
    (join,) = answer.joins
    assert join.condition == CONDITION
    assert (join.left, join.right) == ("school.booking.lesson_room", "school.lesson.room")
    assert join.column_pairs == (("lesson_room", "room"), ("lesson_hour", "hour"))
    assert join.evidence["containment_left"] == 1
    assert f"{CONDITION}  ({join.score:.2f})" in str(answer)
    assert "joins school.lesson on lesson_room = room AND lesson_hour = hour" in answer.explain()
    assert "joins school.booking on room = lesson_room AND hour = lesson_hour" in answer.explain()
    expected = "-- booking.lesson_room = lesson.room AND booking.lesson_hour = lesson.hour\n"
    assert expected in answer.to_sql_context()
    (plain,) = json.loads(json.dumps(answer.to_dict()))["joins"]
    assert plain["conditions"] == [list(pair) for pair in join.conditions]


def test_the_value_is_that_of_the_join_shown(school: Index) -> None:
    """The weight that the solver saw is the composite key's score."""
    answer = ranked(school)
    (best,) = school.joins().query("kind == 'composite'")["score"]
    assert [join.score for join in answer.joins] == [pytest.approx(best)]
    assert sum(part.join for part in answer.contributions) == pytest.approx(DEFAULT_OBJECTIVE.join * best)


@pytest.mark.parametrize("pair", [(0, 0), (1, 1)])
def test_a_forbidden_condition_forbids_the_key(school: Index, pair: tuple[int, int]) -> None:
    """Without one of its conditions, first or second, the composite key is no join; other joins stay."""
    own, other = CONDITION.split(" AND ")[pair[0]].split(" = ")
    answer = ranked(school, forbid_joins=[(other, own)])
    assert all(len(join.conditions) == 1 for join in answer.joins)
    assert (own, other) not in [condition for join in answer.joins for condition in join.conditions]


def test_a_pinned_column_pair_goes_before_the_key(tmp_path: Path) -> None:
    """What the user pins is the join, even where a composite key starts with the same columns."""
    index = build(lessons(), tmp_path / "school.jar")
    index.pin_join("school.booking.lesson_room", "school.lesson.room")
    (join,) = ranked(index).joins
    assert (len(join.conditions), join.score) == (1, 1.0)
    assert join.evidence["pinned"]


def test_the_paper_has_no_composite_keys(school: Index) -> None:
    """Under the paper's score only single columns join, so that its figures stay comparable."""
    paper = build(lessons(), score="paper")
    assert set(paper.joins()["kind"]) == {"column"}
    answer = Reranker(school, score="paper").rank("booked lessons", 2, candidates=TABLES)
    assert all(len(join.conditions) == 1 for join in answer.joins)


def test_a_refresh_looks_for_keys_of_what_changed(tmp_path: Path) -> None:
    """New tables bring their keys, dropped ones take theirs along, and the rest is kept: as from scratch."""
    path = tmp_path / "school.jar"
    frames = lessons()
    first = build({"school.lesson": frames["school.lesson"]}, path)
    assert set(first.joins()["kind"]) <= {"column"}
    both = build(frames, path)
    assert CONDITION in set(both.joins()["condition"])
    more = build(frames | {"school.second": frames["school.booking"]}, path)
    composite = more.joins().query("kind == 'composite'")["condition"]
    assert sorted(composite) == [CONDITION, CONDITION.replace("booking", "second")]
    fewer = build({name: frame for name, frame in frames.items() if name != "school.booking"}, path)
    assert "composite" not in set(fewer.joins()["kind"])


DECLARED = """
CREATE TABLE customer (company INT, number INT, name TEXT, PRIMARY KEY (company, number));
CREATE TABLE company (company INT PRIMARY KEY, title TEXT);
CREATE TABLE orders (
    id INT PRIMARY KEY, company INT REFERENCES company (company), number INT,
    FOREIGN KEY (company, number) REFERENCES customer (company, number)
);
"""


def test_parts_of_a_declared_key_are_no_joins_by_themselves() -> None:
    """In the list and in the graph, of all tables and of one; a key that is declared alone and a pin are."""
    index = Index.build(Catalog.from_ddl(DECLARED, database="d"), embedder=toy_embedder, progress=False)
    whole = "d.orders.company = d.customer.company AND d.orders.number = d.customer.number"
    for table in (None, "d.orders"):
        frame = index.joins(1, table=table)
        assert whole in set(frame["condition"])
        assert {"d.orders.company", "d.company.company"} in map(set, frame[["left", "right"]].to_numpy())
        assert len(index.join_graph(1, table=table)) == len(frame) == 2
    index.pin_join("d.orders.number", "d.customer.number")
    for conditions in (index.joins(1)["condition"], [edge.condition for edge in index.join_graph(1)]):
        assert len(conditions) == 3
        assert any({"d.orders.number", "d.customer.number"} == set(one.split(" = ")) for one in conditions)
