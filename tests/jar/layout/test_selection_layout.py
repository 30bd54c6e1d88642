"""Where things stand in a picture: nothing overlaps, all is inside, twice the same, at three tables and at many."""

from __future__ import annotations

from itertools import combinations

import pytest

from jar.layout.drawing import CELL, Box, Drawing, Line, Text
from jar.layout.graph_layout import lay_out_graph
from jar.layout.names_shown import cells
from jar.layout.plan import Plan, PlannedJoin, PlannedMatch, PlannedRest, PlannedTable
from jar.layout.selection_layout import lay_out_selection
from jar.pictures.join_graph_picture import _all_parts, _grown
from joinability import JoinEdge, JoinGraph

LONG = "warehouse_of_everything.a_table_whose_name_has_no_end_at_all_and_goes_on"


def made_plan(count: int, parts: int = 1, name: str = "db.t") -> Plan:
    """Tables joined like the leaves of a heap; every second answers a sub-query."""
    ids = [f"{name}{number}" for number in range(count)]
    return Plan(
        question="What is there? " * (1 + count // 4),
        tables=tuple(
            PlannedTable(id_, 10.0 - n, (2.0, 1.0, n % 2, -0.5), notes=("noted",)) for n, id_ in enumerate(ids)
        ),
        joins=tuple(
            PlannedJoin(ids[(n - parts) // 2], ids[n], ((f"a{n}", f"b{n}"),), 0.5, n % 3 > 0)
            for n in range(parts, count)
        ),
        matches=tuple(PlannedMatch(f"words {n} " * 4, ids[n], "a_column" * 8, 0.7) for n in range(0, count, 2)),
        unanswered=("nobody",),
        left_out=tuple(PlannedRest(f"{name}_rest{n}", "candidate 40, joins something") for n in range(20)),
        closing=("optimal " * 30,),
        notes=("a note",),
    )


def made_graph(count: int) -> JoinGraph:
    """A tree with some joins across, and one table alone."""
    ids = [f"db.t{number}" for number in range(count)]
    edges = [JoinEdge(ids[(n - 1) // 3], ids[n], (("key", f"key_{n}"),), 1 - n / (2 * count)) for n in range(1, count)]
    edges += [JoinEdge(ids[n], ids[n + 1], (("day", "day"),), 0.5) for n in range(2, count - 1, 5)]
    return JoinGraph([*ids, "db.alone"], edges).best()


def boxes(drawing: Drawing, *looks: str) -> list[Box]:
    return [shape for shape in drawing.shapes if isinstance(shape, Box) and shape.look in looks]


def overlap(one: Box, other: Box) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


def extent(shape: Box | Line | Text) -> tuple[float, float, float, float]:
    """Left, top, right and bottom end."""
    if isinstance(shape, Box):
        return shape.x, shape.y, shape.x + shape.width, shape.y + shape.height
    if isinstance(shape, Line):
        xs, ys = zip(*shape.points, strict=True)
        return min(xs), min(ys), max(xs), max(ys)
    width = CELL * shape.size * cells(shape.text)
    left = shape.x - {"start": 0.0, "middle": width / 2, "end": width}[shape.anchor]
    return left, shape.y - shape.size, left + width, shape.y


def check_inside(drawing: Drawing) -> None:
    for shape in drawing.shapes:
        left, top, right, bottom = extent(shape)
        assert left >= 0, shape
        assert top >= 0, shape
        assert right <= drawing.width, shape
        assert bottom <= drawing.height, shape


def check_texts_apart(drawing: Drawing) -> None:
    """No two texts stand on each other."""
    texts = [Box(x, y, right - x, bottom - y, "") for x, y, right, bottom in map(extent, texts_of(drawing))]
    assert not [pair for pair in combinations(texts, 2) if overlap(*pair)]


def texts_of(drawing: Drawing) -> list[Text]:
    return [shape for shape in drawing.shapes if isinstance(shape, Text)]


@pytest.mark.parametrize("name", ["db.t", LONG])
@pytest.mark.parametrize(("count", "parts"), [(1, 1), (3, 1), (8, 3), (30, 1), (30, 30), (60, 2)])
def test_nothing_in_an_answer_overlaps(count: int, parts: int, name: str) -> None:
    """Tables, sub-queries and what was left out are apart, and inside the picture, whatever the names."""
    drawing = lay_out_selection(made_plan(count, parts, name))
    placed = boxes(drawing, "table", "query", "rest")
    assert len(boxes(drawing, "table")) == count
    assert len(boxes(drawing, "query")) == (count + 1) // 2
    assert not [pair for pair in combinations(placed, 2) if overlap(*pair)]
    check_inside(drawing)
    check_texts_apart(drawing)
    assert drawing == lay_out_selection(made_plan(count, parts, name))


def test_every_join_has_its_columns_and_score_and_is_dashed_by_name_alone() -> None:
    """A line for each join, dashed where only names speak for it, thicker for a better one."""
    plan = made_plan(6)
    drawing = lay_out_selection(plan)
    lines = [shape for shape in drawing.shapes if isinstance(shape, Line) and "join" in shape.look]
    assert sorted(line.look for line in lines) == ["join"] * 4 + ["weak join"]
    told = [text.text for text in texts_of(drawing)]
    assert "on a1 = b1  0.50" in told
    assert "on a3 = b3  0.50 by name alone" in told
    better = Plan(plan.question, plan.tables[:2], (PlannedJoin("db.t0", "db.t1", (("a", "a"),), 1.0),))
    (line,) = [shape for shape in lay_out_selection(better).shapes if isinstance(shape, Line) and shape.look == "join"]
    assert line.extra > lines[0].extra


def test_sub_queries_stand_beside_their_columns() -> None:
    """The line between the two is level; one that nothing answers is told below."""
    drawing = lay_out_selection(made_plan(4))
    for line in [shape for shape in drawing.shapes if isinstance(shape, Line) and shape.look == "answer"]:
        (_, start), (_, end) = line.points
        assert start == end
        assert any(box.y < end < box.y + box.height for box in boxes(drawing, "query"))
    assert 'no column chosen answers "nobody"' in [text.text for text in texts_of(drawing)]


def test_an_answer_without_tables_is_a_picture_too() -> None:
    """Question and what is said of it remain."""
    drawing = lay_out_selection(Plan("What?", (), closing=("nothing here fits the question",)))
    check_inside(drawing)
    assert [text.text for text in texts_of(drawing)] == ["What?", "nothing here fits the question"]


@pytest.mark.parametrize("count", [3, 30, 100])
def test_nothing_in_a_join_graph_overlaps(count: int) -> None:
    """Tables and the columns of joins are apart, every table is drawn once, the one alone is not."""
    graph = made_graph(count)
    for parts in (_all_parts(graph), [_grown(graph, "db.t1", 3)]):
        drawing = lay_out_graph("What joins", parts, ["a note"])
        placed = boxes(drawing, "table", "centre")
        assert not [pair for pair in combinations(placed, 2) if overlap(*pair)]
        names = [box.hint for box in placed]
        assert len(names) == len(set(names))
        assert "db.alone" not in names
        check_inside(drawing)
        check_texts_apart(drawing)
    assert len(boxes(lay_out_graph("", _all_parts(graph)), "table", "centre")) == count


def test_the_best_join_leads_to_each_table_on_a_shortest_way() -> None:
    """Tables stand as many columns from the first as joins lead to them; of several joins the best is in front."""
    edges = [
        JoinEdge("a", "b", (("k", "k"),), 0.9),
        JoinEdge("a", "c", (("k", "k"),), 0.8),
        JoinEdge("b", "d", (("k", "k"),), 0.6),
        JoinEdge("c", "d", (("k", "k"),), 0.7),
    ]
    part = _grown(JoinGraph("abcd", edges), "a", 2)
    assert [(edge.left_table, edge.right_table) for edge in part.joins["a"]] == [("a", "b"), ("a", "c")]
    assert [edge.right_table for edge in part.joins["c"]] == ["d"]
    assert [edge.left_table for edge in part.others] == ["b"]
