"""Diagrams of the join graph: whatever the names, the text keeps to the grammar and shows them.

The grammars are those of the tools: of Mermaid's `erDiagram` (11.17, whose parser takes the odd names of this file as
they are written here) the lines that we use, of DOT the whole of a plain graph. Where Graphviz is installed it reads
the same text.
"""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from joinability import JoinEdge, JoinGraph
from joinability.graph.diagrams import dot_text, mermaid_text

ODD = [
    'say "x"', "new\nline", "select", "naïve.名", "50% \\ off;#1", "[br]{a}`<b>", "%% comment", "-- } --", "erDiagram",
    " ", '\u2028"]', "a#34;b", "'; DROP TABLE meta; --", "style: a", "🎈", "end", "tab\there", "nul\x00", "a\\",
]  # fmt: skip

LABEL = r'"(?P<{}>[^"\\\r\n%]+)"'
ENTITY = re.compile(rf" {{4}}(?P<entity>t\d+)\[{LABEL.format('label')}\]")
RELATION = re.compile(
    rf" {{4}}(?P<left>t\d+) (\|\||}}o)(?P<line>--|\.\.)(\|\||o{{) (?P<right>t\d+) : {LABEL.format('label')}"
)
NODE = re.compile(r'    (?P<node>t\d+) \[label=(?P<label>"(?:[^"\\]|\\["\\])*")\];')
EDGE = re.compile(
    r'    (?P<left>t\d+) -- (?P<right>t\d+) \[label=(?P<label>"(?:[^"\\]|\\["\\])*")(?P<style>, style=dashed)?\];'
)
names = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)


def shown_by_mermaid(label: str) -> str:
    """A label as Mermaid shows it: of its codes, the numbers are characters."""
    assert not re.search(r"[;#:]", re.sub(r"#\d+;", "", label))
    return html.unescape(re.sub(r"#(\d+);", r"&#\1;", label))


def shown_by_graphviz(label: str) -> str:
    return re.sub(r"\\(.)", r"\1", label[1:-1])


def one_line(text: str) -> str:
    return re.sub(r"[\s\x00-\x1f\x7f\x85\u2028\u2029]+", " ", text)


@pytest.fixture
def odd() -> JoinGraph:
    tables = [f"lake.{name}" for name in ODD]
    found = [
        JoinEdge(left, right, ((left[5:], right[5:]), ("day", 'd"ay')), 0.5, "composite", {"uniqueness_left": 1.0})
        for left, right in pairwise(tables)
    ]
    return JoinGraph(tables, [*found, JoinEdge(tables[0], tables[2], (("a", "a"), ("b", "b")), 0.4, "union")])


def test_mermaid_keeps_to_its_grammar(odd: JoinGraph) -> None:
    """An entity for each table, a relationship for each edge, and the labels show names and conditions."""
    head, *lines = odd.to_mermaid().splitlines()
    assert head == "erDiagram"
    entities = [match for match in map(ENTITY.fullmatch, lines) if match]
    relations = [match for match in map(RELATION.fullmatch, lines) if match]
    assert len(entities) + len(relations) == len(lines)
    assert [shown_by_mermaid(match["label"]) for match in entities] == list(map(one_line, odd.tables))
    for match, edge in zip(relations, odd.edges, strict=True):
        assert odd.tables[int(match["left"][1:])] == edge.left_table
        assert odd.tables[int(match["right"][1:])] == edge.right_table
        assert (match["line"] == "..") == (edge.kind == "union")
        for column in edge.conditions[0]:
            assert one_line(column) in shown_by_mermaid(match["label"])


def test_dot_keeps_to_its_grammar(odd: JoinGraph) -> None:
    """A node for each table and an edge for each join, nothing else, and the labels show names and conditions."""
    first, shape, *lines, last = odd.to_dot().splitlines()
    assert (first, shape, last) == ("graph joins {", "    node [shape=box];", "}")
    nodes = [match for match in map(NODE.fullmatch, lines) if match]
    links = [match for match in map(EDGE.fullmatch, lines) if match]
    assert len(nodes) + len(links) == len(lines)
    assert [shown_by_graphviz(match["label"]) for match in nodes] == list(map(one_line, odd.tables))
    for match, edge in zip(links, odd.edges, strict=True):
        assert bool(match["style"]) == (edge.kind == "union")
        for column in edge.conditions[0]:
            assert one_line(column) in shown_by_graphviz(match["label"])


@pytest.mark.skipif(shutil.which("dot") is None, reason="needs Graphviz: apt-get install graphviz")
def test_graphviz_reads_it(odd: JoinGraph) -> None:
    """Graphviz finds the tables and the joins, and escapes their labels as we do."""
    run = subprocess.run(["dot", "-Tjson0"], input=odd.to_dot(), capture_output=True, text=True, check=True)
    read = json.loads(run.stdout)
    assert [dot_text(table)[1:-1] for table in odd.tables] == [
        re.sub(r'"', r"\"", node["label"]) for node in read["objects"]
    ]
    assert len(read["edges"]) == len(odd)


@given(names)
def test_any_name_is_shown(name: str) -> None:
    """What the tools show is the name itself, with a blank for each run of breaks and blanks."""
    label = mermaid_text(name)
    assert re.fullmatch(LABEL.format("label"), f'"{label}"')
    assert shown_by_mermaid(label) == one_line(name)
    quoted = dot_text(name)
    assert re.fullmatch(r'"(?:[^"\\]|\\["\\])*"', quoted)
    assert shown_by_graphviz(quoted) == one_line(name)


def test_ends_say_which_side_is_a_key() -> None:
    """`||` stands at the side whose column is unique, `}o` or `o{` at the other; pairs of equal names are said once."""
    key = JoinEdge("a", "b", (("id", "id"),), 1.0, evidence={"uniqueness_left": 1.0, "uniqueness_right": 0.2})
    text = JoinGraph(["a", "b"], [key]).to_mermaid()
    assert 't0 ||--o{ t1 : "id"' in text
    assert 't1 }o--|| t0 : "id"' in JoinGraph(["a", "b"], [key.seen_from("b")]).to_mermaid()
    assert JoinGraph([], []).to_mermaid() == "erDiagram\n"


def test_joins_that_nobody_measured_are_drawn() -> None:
    """Those of names alone have no uniqueness."""
    edge = JoinEdge("d.a", "d.b", (("b_id", "id"),), 0.9, evidence={"uniqueness_left": None, "uniqueness_right": None})
    assert "}o--o{" in JoinGraph(["d.a", "d.b"], [edge]).to_mermaid()
