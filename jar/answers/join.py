"""`Join`: two tables of an answer, the columns on which they join, and what speaks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from joinability import condition_text
from joinability.evidence.traits import KEY_UNIQUENESS
from joinability.graph.edge import text_literal

if TYPE_CHECKING:
    from jar.layout.plan import PlannedJoin
    from joinability import JoinEdge, Where

ERROR = "_error"
"""What the name of a standard error adds to that of its estimate."""
LIKELY = 0.5
"""Score below which a join is as likely wrong as right, and told to be a guess."""
UNLIKELY = 0.05
"""Score below which it is more likely that a table between the two is missing."""
PADDED = "padded_"
"""How the names of the shares of values with blanks around them begin; they are told where there are any."""
OF_ANOTHER_ROW = " of another row"
"""What is said behind a condition on two rows of one table."""


def unmeasured(evidence: Mapping[str, Any]) -> list[str]:
    """What is said of a join where a side has neither rows nor samples; empty where both have some."""
    return ["no rows to measure"] if evidence.get("unmeasured") else []


def named_kind(evidence: Mapping[str, Any]) -> list[str]:
    """What kind of name speaks for a join of which only names do, in words; nothing of others."""
    return [f"by name: {evidence['by_name']}"] if evidence.get("by_name") else []


@dataclass(frozen=True)
class Join:
    """A join of the plan: two columns "db.table.column" with their tables, its score and what speaks for it.

    A join on a composite key has several conditions, pairs of columns; `left` and `right` are the first. `padded` says
    of each condition which of its columns have values with blanks around them; it is empty where none has. `where` says
    of a polymorphic join in which rows of one side it holds.
    """

    left: str
    right: str
    score: float
    evidence: Mapping[str, Any]
    left_table: str
    right_table: str
    conditions: tuple[tuple[str, str], ...] = ()
    padded: tuple[tuple[bool, bool], ...] = ()
    where: Where | None = None

    def __post_init__(self) -> None:
        if not self.conditions:
            object.__setattr__(self, "conditions", ((self.left, self.right),))

    @classmethod
    def of(cls, edge: JoinEdge) -> Join:
        """The join of an edge of the join graph."""
        left_table, right_table = edge.left_table, edge.right_table
        conditions = tuple((f"{left_table}.{left}", f"{right_table}.{right}") for left, right in edge.conditions)
        return cls(
            edge.left,
            edge.right,
            edge.score,
            edge.evidence,
            left_table,
            right_table,
            conditions,
            edge.padded,
            edge.where,
        )

    @property
    def is_verified(self) -> bool:
        """Whether more speaks for it than the names of columns and tables."""
        return not self.evidence.get("unverified", False)

    @property
    def is_guess(self) -> bool:
        """Whether its score is below `LIKELY`."""
        return self.score < LIKELY

    @property
    def is_unlikely(self) -> bool:
        """Whether its score is below `UNLIKELY`."""
        return self.score < UNLIKELY

    @property
    def is_many_to_many(self) -> bool:
        """Whether a value stands in several rows on both sides, as far as is known, so that a query that joins them
        counts rows several times."""
        if self.evidence.get("many_to_many", False):
            return True
        shares = [self.evidence.get(f"uniqueness_{side}") for side in ("left", "right")]
        return all(isinstance(share, float) and 0 < share < KEY_UNIQUENESS for share in shares)

    @property
    def is_reference(self) -> bool:
        """Whether one side is a key to which the other refers, as far as is known."""
        return bool(self.evidence["declared"] or self.evidence["pinned"] or not self.is_many_to_many)

    @property
    def is_within_table(self) -> bool:
        """Whether it joins rows of one table, as those of employees with those of their managers."""
        return self.left_table == self.right_table

    @property
    def doubt(self) -> str:
        """Why a query should not rely on the join, in words; "" for nothing."""
        many = "many to many: rows multiply" if self.is_many_to_many else ""
        if not self.is_verified:
            guess = "names alone, not verified"
        elif self.is_unlikely:
            guess = f"unlikely, score {self.score:.2f}: a table between them may be missing"
        else:
            guess = f"a guess, score {self.score:.2f}" if self.is_guess else ""
        return "; ".join(filter(None, (guess, many)))

    @property
    def condition(self) -> str:
        """All conditions as text: "a.x = b.x AND TRIM(a.y) = b.y"; names stand as they are, without quotes."""
        return self.condition_with(lambda name: f"{self.left_table}.{name}", lambda name: f"{self.right_table}.{name}")

    @property
    def told_condition(self) -> str:
        """The same, with what a reader has to know of it."""
        return f"{self.condition}{OF_ANOTHER_ROW}" if self.is_within_table else self.condition

    def condition_with(
        self,
        left: Callable[[str], str] = str,
        right: Callable[[str], str] = str,
        literal: Callable[[str], str] = text_literal,
    ) -> str:
        """All conditions as text, with what the names of columns of each side, and texts, are written as."""
        return condition_text(self.column_pairs, self.padded, left, right, self.where, literal)

    @property
    def used_columns(self) -> Iterator[tuple[str, str]]:
        """The columns that the conditions name, each as table and name."""
        for left, right in self.column_pairs:
            yield self.left_table, left
            yield self.right_table, right
        if self.where is not None:
            yield self.left_table if self.where.on_left else self.right_table, self.where.column

    @property
    def told_evidence(self) -> str:
        """What speaks for it, in words."""
        evidence, none = self.evidence, unmeasured(self.evidence)
        if evidence.get("pinned"):
            start = ["pinned by user"]
        elif evidence.get("declared"):
            start = ["declared key"]
        elif not self.is_verified:
            start = ["names alone, not verified"]
        elif evidence.get("estimated") and not none:
            start = ["estimated from samples"]
        else:
            start = []
        start += [*none, *named_kind(evidence)]
        shares = {
            name: value
            for name, value in evidence.items()
            if isinstance(value, float) and not name.endswith(ERROR) and (value or not name.startswith(PADDED))
        }
        doubts = {name: f" ±{evidence[name + ERROR]:.2f}" for name in shares if evidence.get(name + ERROR)}
        measures = [f"{name.replace('_', ' ')} {value:.2f}{doubts.get(name, '')}" for name, value in shares.items()]
        return ", ".join(start + measures)

    @property
    def column_pairs(self) -> tuple[tuple[str, str], ...]:
        """The conditions as names of columns inside their tables."""
        pairs = self.conditions
        return tuple((name_in(self.left_table, left), name_in(self.right_table, right)) for left, right in pairs)

    def planned(self) -> PlannedJoin:
        """What a picture shows of it."""
        from jar.layout.plan import PlannedJoin

        where = self.where.condition() if self.where else ""
        tables = self.left_table, self.right_table
        return PlannedJoin(*tables, self.column_pairs, self.score, self.is_verified, where)

    @property
    def left_column(self) -> str:
        """Name of the left column inside its table."""
        return name_in(self.left_table, self.left)

    @property
    def right_column(self) -> str:
        """Name of the right column inside its table."""
        return name_in(self.right_table, self.right)


def joins_same_tables(join: Join, joins: Iterable[Join]) -> bool:
    """Whether one of some joins joins the same two tables, and not by codes or keys of another type."""
    tables = {join.left_table, join.right_table}
    return any(
        tables == {other.left_table, other.right_table} and not _are_of_two_types(join, other) for other in joins
    )


def _are_of_two_types(join: Join, other: Join) -> bool:
    """Whether both hold in some rows alone, and not in the same ones."""
    if join.where is None or other.where is None:
        return False
    return join.where.column == other.where.column and join.where.values != other.where.values


def told_beside(join: Join, joins: Iterable[Join]) -> str:
    """The word before a join that is told beside those which connect the tables of an answer: "or" where one of these
    joins the same two tables, else "also"."""
    return "or" if joins_same_tables(join, joins) else "also"


def name_in(table: str, column: str) -> str:
    """The name of a column "db.table.column" inside its table, by that one's id; either may have points in it."""
    return column[len(table) + 1 :]


def is_bridge(table: str, joins: Iterable[Join]) -> bool:
    """Whether tables that a table joins are connected by it alone."""
    part: dict[str, str] = {}
    partners = set()

    def part_of(name: str) -> str:
        while name in part:
            name = part[name]
        return name

    for join in joins:
        left, right = join.left_table, join.right_table
        if join.is_within_table:
            continue
        if table in (left, right):
            partners.add(right if left == table else left)
        elif part_of(left) != part_of(right):
            part[part_of(left)] = part_of(right)
    return len({part_of(partner) for partner in partners}) > 1
