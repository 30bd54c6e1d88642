"""Polymorphic references, from the rows of a catalog to the conditions of an answer."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from jar import Catalog, Index, Reranker
from jar.answers.selection import Selection
from jar.cli.main import main
from jar.tables.composites import FEW_TABLES, SECOND, place_composites, polymorphic_neighbours
from joinability import CompositeJoin
from joinability.composite.stored_keys import TypeCondition
from joinability.scores.score import join_score
from tests.jar.conftest import toy_embedder
from tests.joinability.composite.test_polymorphic import blog

CONDITION = "blog.comments.commentable_id = blog.posts.id AND blog.comments.commentable_type = 'Post'"
TURNED = "blog.posts.id = blog.comments.commentable_id AND blog.comments.commentable_type = 'Post'"


def build(path: Path | None = None) -> Index:
    return Index.build(Catalog.from_frames(blog()), path=path, embedder=toy_embedder, progress=False)


@pytest.fixture(scope="module")
def index() -> Index:
    return build()


def ranked(index: Index, k: int, *tables: str) -> Selection:
    others = {"posts", "photos", "comments", "changes"}.difference(tables)
    return Reranker(index).rank("comments", k, exclude=[f"blog.{table}" for table in sorted(others)])


def test_lists_have_the_condition_and_no_join_by_the_key_alone(index: Index) -> None:
    """`joins` and the graph have a row of the kind "polymorphic"; the key of all kinds joins nothing by itself."""
    frame = index.joins()
    told = frame[frame["kind"] == "polymorphic"]
    assert CONDITION in set(told["condition"])
    plain = frame[frame["kind"] == "column"]
    assert not plain["condition"].str.contains("commentable_id|record_id").any()
    graph = index.join_graph()
    assert CONDITION in [edge.condition for edge in graph]
    assert graph.path("posts", "comments").conditions == (TURNED,)  # type: ignore[union-attr]
    plain_ends = [end for edge in graph if edge.kind == "column" for end in (edge.left, edge.right)]
    assert "blog.comments.commentable_id" not in plain_ends


def test_an_answer_joins_the_rows_of_one_kind(index: Index) -> None:
    """The plan, its explanation, the prompt's SQL, the JSON and the pictures say in which rows the tables join."""
    answer = ranked(index, 2, "posts", "comments")
    (join,) = answer.joins
    assert {join.condition} <= {CONDITION, TURNED}
    assert ("blog.comments", "commentable_type") in set(join.used_columns)
    assert "commentable_type = 'Post'" in str(answer)
    assert "commentable_id = id AND commentable_type = 'Post'" in answer.explain()
    assert "comments.commentable_type = 'Post'" in answer.to_sql_context()
    assert "commentable_type" in answer.to_sql_context(max_tokens=60)
    assert "commentable_type = 'Post'" in json.dumps(answer.to_dict())
    assert "commentable_type" in answer.plan().joins[0].condition
    assert answer.more_joins == ()


def test_tables_of_one_column_are_not_equal(index: Index) -> None:
    """Posts and photos, which comments may be on, join each other by nothing."""
    answer = ranked(index, 3, "posts", "photos", "comments")
    assert len(answer.joins) == 2
    assert {join.where.values for join in answer.joins if join.where} == {("Post",), (r"App\Models\Photo",)}


def test_pins_and_vetoes_have_the_last_word(tmp_path: Path) -> None:
    """A vetoed reference is gone, and a pinned pair of the key alone is told."""
    index = build(tmp_path / "blog.jar")
    index.veto_join("blog.comments.commentable_id", "blog.posts.id")
    assert CONDITION not in set(index.joins()["condition"])
    index.pin_join("blog.comments.commentable_id", "blog.photos.id")
    plain = index.joins()
    pinned = plain[(plain["kind"] == "column") & (plain["score"] == 1)]
    assert pinned["condition"].tolist() == ["blog.photos.id = blog.comments.commentable_id"]


def test_the_shell_tells_the_rows(tmp_path: Path) -> None:
    """`jar joins` has the condition below the column."""
    path = tmp_path / "blog.jar"
    build(path)
    result = CliRunner().invoke(main, ["joins", str(path), "--table", "comments"])
    assert result.exit_code == 0
    assert "where commentable_type = 'Post'" in result.output


@pytest.mark.parametrize(
    ("dialect", "written"),
    [
        ("mysql", r"'App\\Models\\Photo'"),
        ("bigquery", r"'App\\Models\\Photo'"),
        ("postgres", r"'App\Models\Photo'"),
    ],
)
def test_a_dialect_writes_types_as_it_reads_them(index: Index, dialect: str, written: str) -> None:
    """A backslash is doubled where it means something."""
    answer = ranked(index, 2, "photos", "comments")
    assert f"commentable_type = {written}" in answer.to_sql_context(dialect=dialect)


def test_what_is_stated_of_the_key_counts_in_all_rows() -> None:
    """Where the key is pinned, or declared to refer to a table, the join asks for no type."""
    join = CompositeJoin((0,), (2,), 0.9, {"declared": False}, TypeCondition(1, ("Post",)))
    joinability = np.zeros((3, 3))
    joinability[0, 2] = joinability[2, 0] = 1
    assert place_composites(joinability, np.arange(3), np.array([0, 0, 1]), [join], {0: 2}) == {}
    assert joinability[0, 2] == 1


@pytest.mark.parametrize("kinds", [1, FEW_TABLES, 3 * FEW_TABLES])
def test_a_reference_to_many_tables_counts_less(kinds: int) -> None:
    """Of n tables beyond four each join counts 4 / n of its score, and never as much as a plain one to the same key."""
    join = CompositeJoin((0,), (2,), 0.9, {"declared": False}, TypeCondition(1, ("Post",)))
    columns, owner = np.arange(3), np.array([0, 0, 1])
    joinability = np.zeros((3, 3))
    place_composites(joinability, columns, owner, [join], {0: kinds})
    assert joinability[0, 2] == joinability[2, 0] == pytest.approx(0.9 * min(1, FEW_TABLES / kinds))
    joinability = np.zeros((3, 3))
    joinability[1, 2] = joinability[2, 1] = 0.6
    placed = place_composites(joinability, columns, owner, [join], {0: kinds})
    assert joinability[0, 2] == pytest.approx(min(0.9 * min(1, FEW_TABLES / kinds), SECOND * 0.6))
    assert placed == {(0, 2): join}


def test_neighbours_are_both_ends(index: Index) -> None:
    """What may bring a table in as a neighbour goes from either end of a reference."""
    place = index.contents.table_position
    told = {(one, other) for one, other, _ in polymorphic_neighbours(index.contents, range(4), join_score("default"))}
    ends = place["blog.comments"], place["blog.posts"]
    assert {ends, ends[::-1]} <= told
    assert not list(polymorphic_neighbours(index.contents, [], join_score("default")))


def test_an_index_that_is_refreshed_has_the_same_joins(tmp_path: Path) -> None:
    """Where some tables changed, the references are those of an index that is made anew."""
    path = tmp_path / "blog.jar"
    first = blog()
    first["blog.posts"] = first["blog.posts"].iloc[:5]
    Index.build(Catalog.from_frames(first), path=path, embedder=toy_embedder, progress=False)
    refreshed, new = build(path), build()
    assert set(refreshed.joins()["condition"]) == set(new.joins()["condition"])
