"""The join graph as a picture: Mermaid entity relationship diagrams and Graphviz graphs, with any name escaped."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from joinability.graph.edge import JoinEdge

UNIQUE = 0.999
"""Uniqueness from which a side counts as a key."""

_BREAKS = re.compile(r"[\s\x00-\x1f\x7f\x85\u2028\u2029]+")
_MERMAID_UNSAFE = re.compile(r'["#%;:\\`<>]')


def mermaid(tables: Sequence[str], edges: Iterable[JoinEdge]) -> str:
    """A Mermaid ``erDiagram``: an entity for each table, a relationship for each edge.

    Names stand in quoted labels. Mermaid cannot have line breaks there, which become blanks, nor some other
    characters, which become codes (``#34;``) that it prints as the character. The ends say which side is a key: `||`
    one row, `}o` any number.
    """
    name = {table: f"t{number}" for number, table in enumerate(tables)}
    lines = ["erDiagram"]
    lines += [f'    {name[table]}["{mermaid_text(table)}"]' for table in tables]
    for edge in edges:
        ends = _mermaid_ends(edge)
        lines.append(f'    {name[edge.left_table]} {ends} {name[edge.right_table]} : "{mermaid_text(_label(edge))}"')
    return "\n".join(lines) + "\n"


def mermaid_text(text: str) -> str:
    """Text for a quoted Mermaid label, without the quotes.

    Examples
    --------
    >>> mermaid_text('50% "off"')
    '50#37; #34;off#34;'
    """
    return _MERMAID_UNSAFE.sub(lambda match: f"#{ord(match[0])};", _one_line(text)) or "#8203;"


def dot(tables: Sequence[str], edges: Iterable[JoinEdge]) -> str:
    """A Graphviz ``graph``: a box for each table, an edge with its conditions and score for each join."""
    name = {table: f"t{number}" for number, table in enumerate(tables)}
    lines = ["graph joins {", "    node [shape=box];"]
    lines += [f"    {name[table]} [label={dot_text(table)}];" for table in tables]
    for edge in edges:
        label = dot_text(f"{_label(edge)} ({edge.score:.2f})")
        style = ", style=dashed" if edge.kind == "union" else ""
        lines.append(f"    {name[edge.left_table]} -- {name[edge.right_table]} [label={label}{style}];")
    return "\n".join([*lines, "}"]) + "\n"


def dot_text(text: str) -> str:
    r"""A quoted DOT string that is shown as the text; line breaks become blanks.

    Examples
    --------
    >>> print(dot_text('a"b\\c'))
    "a\"b\\c"
    """
    return '"' + _one_line(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def _label(edge: JoinEdge) -> str:
    if edge.kind == "union":
        return f"same columns: {', '.join(left for left, _ in edge.conditions)}"
    return edge.short_condition


def _mermaid_ends(edge: JoinEdge) -> str:
    left_key, right_key = ((edge.evidence.get(f"uniqueness_{side}") or 0) >= UNIQUE for side in ("left", "right"))
    line = ".." if edge.kind == "union" else "--"
    return ("||" if left_key else "}o") + line + ("||" if right_key else "o{")


def _one_line(text: str) -> str:
    return _BREAKS.sub(" ", text)
