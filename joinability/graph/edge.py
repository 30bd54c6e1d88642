"""Edges of the join graph and paths along them, with the names of tables and columns."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

from joinability.lines import lines_text
from joinability.scores.score import plain_rows

if TYPE_CHECKING:
    from joinability.evidence.profiles import ColumnEvidence
    from joinability.scores.edges import Edges

EdgeKind = Literal["column", "composite", "polymorphic", "coded", "union"]
Pairs = Sequence[tuple[str, str]]


def text_literal(text: str) -> str:
    """A text in standard SQL: in quotes, with those in it doubled."""
    return "'" + text.replace("'", "''") + "'"


@dataclass(frozen=True)
class Where:
    """The rows of one side for which a join holds: those with one of some values in a column.

    Attributes
    ----------
    column : str
        Name of the column in its table.
    values : tuple of str
    on_left : bool
        The table is the left one.
    are_numbers : bool
        They are numbers of types, and stand without quotes.
    """

    column: str
    values: tuple[str, ...]
    on_left: bool = True
    are_numbers: bool = False

    def condition(self, named: Callable[[str], str] = str, literal: Callable[[str], str] = text_literal) -> str:
        """As text, "kind = 'Post'", with what names and texts are written as."""
        values = list(self.values if self.are_numbers else map(literal, self.values))
        return f"{named(self.column)} " + (f"= {values[0]}" if len(values) == 1 else f"IN ({', '.join(values)})")


def condition_text(
    conditions: Pairs,
    padded: Sequence[tuple[bool, bool]] = (),
    left: Callable[[str], str] = str,
    right: Callable[[str], str] = str,
    where: Where | None = None,
    literal: Callable[[str], str] = text_literal,
) -> str:
    """Conditions of a join in SQL, "x = y AND TRIM(z) = w", or "x = y AND kind = 'Post'".

    Parameters
    ----------
    conditions : sequence of (str, str)
        Columns that have to be equal.
    padded : sequence of (bool, bool), optional
        For each condition which of the two have values with blanks around them.
    left, right : callables, optional
        What a name is written as.
    where : Where, optional
        The rows for which the join holds.
    literal : callable, optional
        What a text is written as.
    """
    texts = [
        f"{_trimmed(left(left_name), left_padded)} = {_trimmed(right(right_name), right_padded)}"
        for (left_name, right_name), (left_padded, right_padded) in zip(
            conditions, padded or [(False, False)] * len(conditions), strict=True
        )
    ]
    if where is not None:
        texts.append(where.condition(left if where.on_left else right, literal))
    return " AND ".join(texts)


def _trimmed(column: str, padded: bool) -> str:
    return f"TRIM({column})" if padded else column


@dataclass(frozen=True)
class JoinEdge:
    """A way to join two tables.

    Attributes
    ----------
    left_table, right_table : str
        Ids, "database.table".
    conditions : tuple of (str, str)
        Names of the columns that have to be equal, left and right; several for a composite key.
    score : float
        Between 0 and 1.
    kind : "column", "composite", "polymorphic", "coded" or "union"
        One column on each side; several; one in the rows of which another column says so; a code among those of its
        type; or a union: tables with the same columns, whose rows can be stacked.
    evidence : mapping
        The evidence for it, by the names of `Edges.measures`.
    padded : tuple of (bool, bool)
        For each condition, which of the two columns have values with blanks around them, so that a join has to trim
        them; empty where none has.
    where : Where, optional
        The rows for which a polymorphic join, or one by a code, holds; None for all.
    """

    left_table: str
    right_table: str
    conditions: tuple[tuple[str, str], ...]
    score: float
    kind: EdgeKind = "column"
    evidence: Mapping[str, Any] = field(default_factory=dict)
    padded: tuple[tuple[bool, bool], ...] = ()
    where: Where | None = None

    @property
    def left(self) -> str:
        """The first left column, "database.table.column"."""
        return f"{self.left_table}.{self.conditions[0][0]}"

    @property
    def right(self) -> str:
        """The first right column, "database.table.column"."""
        return f"{self.right_table}.{self.conditions[0][1]}"

    @property
    def condition(self) -> str:
        """The conditions as text: "a.x = b.x AND TRIM(a.y) = b.y"; names stand as they are, without quotes."""
        return condition_text(
            self.conditions,
            self.padded,
            lambda name: f"{self.left_table}.{name}",
            lambda name: f"{self.right_table}.{name}",
            self.where,
        )

    @property
    def short_condition(self) -> str:
        """The conditions with the names of columns alone, of two equal ones one: "x AND y = z AND kind = 'Post'"."""
        if self.padded or self.where:
            return condition_text(self.conditions, self.padded, where=self.where)
        return " AND ".join(left if left == right else f"{left} = {right}" for left, right in self.conditions)

    def other(self, table: str) -> str:
        """The table at the other end."""
        return self.right_table if table == self.left_table else self.left_table

    def seen_from(self, table: str) -> JoinEdge:
        """The same edge with `table` on the left."""
        if table == self.left_table:
            return self
        swapped = {name: self.evidence.get(_MIRROR.get(name, name), value) for name, value in self.evidence.items()}
        return replace(
            self,
            left_table=self.right_table,
            right_table=self.left_table,
            conditions=tuple((right, left) for left, right in self.conditions),
            evidence=swapped,
            padded=tuple((right, left) for left, right in self.padded),
            where=self.where and replace(self.where, on_left=not self.where.on_left),
        )

    def to_dict(self) -> dict[str, Any]:
        """As plain values, ready for JSON: the attributes, and each piece of evidence by its name."""
        return {
            "left": self.left,
            "right": self.right,
            "score": self.score,
            **self.evidence,
            "kind": self.kind,
            "left_table": self.left_table,
            "right_table": self.right_table,
            "conditions": [list(pair) for pair in self.conditions],
            "condition": "" if self.kind == "union" else self.condition,
            "padded": [list(pair) for pair in self.padded],
            "where": self.where and {**asdict(self.where), "values": list(self.where.values)},
        }


_MIRROR = {
    quantity.format(side): quantity.format(other)
    for quantity in ("containment_{}", "containment_{}_error", "uniqueness_{}", "padded_{}")
    for side, other in (("left", "right"), ("right", "left"))
}


@dataclass(frozen=True)
class JoinPath:
    """Joins that lead from one table to another.

    Attributes
    ----------
    tables : tuple of str
        From the first to the last.
    edges : tuple of JoinEdge
        One fewer than tables, each seen from the table before it.
    """

    tables: tuple[str, ...]
    edges: tuple[JoinEdge, ...]

    @property
    def is_possible(self) -> bool:
        """Whether no row has to be of two types, as a change of a post that is one of a customer."""
        marks = ((before.where, after.where) for before, after in pairwise(self.edges))
        return not any(
            one.column == other.column and one.values != other.values
            for one, other in marks
            if one and other and other.on_left and not one.on_left
        )

    @property
    def score(self) -> float:
        """Product of the scores of the joins."""
        return math.prod(edge.score for edge in self.edges)

    @property
    def conditions(self) -> tuple[str, ...]:
        """The condition of each join."""
        return tuple(edge.condition for edge in self.edges)

    def to_dict(self) -> dict[str, Any]:
        """As plain values, ready for JSON."""
        return {"tables": list(self.tables), "score": self.score, "edges": [edge.to_dict() for edge in self.edges]}

    def __str__(self) -> str:
        lines = [f"  {edge.condition}  ({edge.score:.2f})" for edge in self.edges]
        return lines_text([" -> ".join(self.tables), *lines])


def column_edges(edges: Edges) -> Iterator[JoinEdge]:
    """The pairs of columns of `edges`, as edges of a graph."""
    evidence = edges.evidence
    for left, right, score, about in zip(
        edges.left.tolist(), edges.right.tolist(), edges.score.tolist(), plain_rows(edges.measures()), strict=True
    ):
        yield edge_of(evidence, [left], [right], score, "column", about, evidence.padding([left], [right]))


def edge_of(
    evidence: ColumnEvidence,
    left: Sequence[int],
    right: Sequence[int],
    score: float,
    kind: EdgeKind,
    about: Mapping[str, Any],
    padded: tuple[tuple[bool, bool], ...] = (),
) -> JoinEdge:
    """An edge between columns that are given as positions in the evidence."""
    left_table, right_table = (evidence.table_names[evidence.table[side[0]]] for side in (left, right))
    conditions = tuple((evidence.name[k], evidence.name[j]) for k, j in zip(left, right, strict=True))
    return JoinEdge(left_table, right_table, conditions, score, kind, about, padded)
