"""`Selection`: the tables that answer a question, how they join, what they cover, and the proof."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from jar.answers.explanation import explain
from jar.answers.sql_context import sql_context
from joinability import condition_text

if TYPE_CHECKING:
    from joinability import JoinEdge, Table


@dataclass(frozen=True)
class Join:
    """A join of the plan: two columns "db.table.column" with their tables, its score and what speaks for it.

    A join on a composite key has several conditions, pairs of columns; `left` and `right` are the first. `padded` says
    of each condition which of its columns have values with blanks around them; it is empty where none has.
    """

    left: str
    right: str
    score: float
    evidence: Mapping[str, Any]
    left_table: str
    right_table: str
    conditions: tuple[tuple[str, str], ...] = ()
    padded: tuple[tuple[bool, bool], ...] = ()

    def __post_init__(self) -> None:
        if not self.conditions:
            object.__setattr__(self, "conditions", ((self.left, self.right),))

    @classmethod
    def of(cls, edge: JoinEdge) -> Join:
        """The join of an edge of the join graph."""
        own, other = edge.left_table, edge.right_table
        conditions = tuple((f"{own}.{left}", f"{other}.{right}") for left, right in edge.conditions)
        return cls(edge.left, edge.right, edge.score, edge.evidence, own, other, conditions, edge.padded)

    @property
    def condition(self) -> str:
        """All conditions as text: "a.x = b.x AND TRIM(a.y) = b.y"; names stand as they are, without quotes."""
        return condition_text(self.conditions, self.padded)

    @property
    def column_pairs(self) -> tuple[tuple[str, str], ...]:
        """The conditions as names of columns inside their tables."""
        cut = len(self.left_table) + 1, len(self.right_table) + 1
        return tuple((left[cut[0] :], right[cut[1] :]) for left, right in self.conditions)

    @property
    def left_column(self) -> str:
        """Name of the left column inside its table."""
        return self.left[len(self.left_table) + 1 :]

    @property
    def right_column(self) -> str:
        """Name of the right column inside its table."""
        return self.right[len(self.right_table) + 1 :]


@dataclass(frozen=True)
class Coverage:
    """A match: the column "db.table.column" that answers a sub-query, and their similarity."""

    subquery: str
    column: str
    score: float
    table: str

    @property
    def column_name(self) -> str:
        """Name of the column inside its table."""
        return self.column[len(self.table) + 1 :]


@dataclass(frozen=True)
class Contribution:
    """What a chosen table adds to the value, and where the retriever had it.

    Attributes
    ----------
    coarse : float
        Its relevance to the question, weighted.
    coverage : float
        The fine and the coverage terms of the sub-queries that it answers.
    join : float
        The joins that link it to the tables listed before it.
    rank : int
        Place among the candidates, from 1.
    required : bool
        Whether the caller asked for the table.
    """

    coarse: float
    coverage: float
    join: float
    rank: int
    required: bool

    @property
    def total(self) -> float:
        """The table's score."""
        return self.coarse + self.coverage + self.join


@dataclass(frozen=True)
class Selection:
    """The set of tables that was chosen for a question.

    Attributes
    ----------
    question : str
    subqueries : tuple of str
        What the question was taken apart into.
    decomposition : str
        By whom: "caller", "default" (no model), "llm:NAME", "default (NAME failed: why)", "callable:NAME".
    tables : tuple of str
        Table ids, best first: next is always the table that adds most to those before it.
    scores : tuple of float
        What each table adds; they sum to `value`.
    contributions : tuple of Contribution
        The same by term of the objective.
    joins : tuple of Join
        The maximum spanning forest over the tables, best first.
    coverage : tuple of Coverage
        Which column answers which sub-query.
    connected : bool
        Whether the joins connect all tables.
    components : tuple of tuples of str
        The connected groups of tables.
    value, bound, gap : float
        Value of the objective, a proven upper bound on any choice from the candidates, and (bound - value) / |value|.
    status : str
        "optimal", "feasible" (the time limit came first) or "infeasible" (then `tables` is empty and `notes` says why).
    solver : str
    seconds : float
        Wall time of the whole call.
    timings : dict
        Seconds by stage: embed (in `rank` with what the decomposer takes), retrieve, joins, solve, report.
    notes : tuple of str
        What was not as asked, in words.
    """

    question: str
    subqueries: tuple[str, ...]
    tables: tuple[str, ...]
    scores: tuple[float, ...]
    contributions: tuple[Contribution, ...]
    joins: tuple[Join, ...]
    coverage: tuple[Coverage, ...]
    connected: bool
    components: tuple[tuple[str, ...], ...]
    value: float
    bound: float
    gap: float
    status: str
    solver: str
    seconds: float
    timings: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    decomposition: str = "caller"
    schemas: tuple[Table, ...] = field(default=(), repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Everything but the schemas as plain values, ready for JSON: infinite numbers become None."""
        plain = {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "schemas"}
        for name in ("contributions", "coverage"):
            plain[name] = [asdict(entry) for entry in plain[name]]
        plain["joins"] = [asdict(join) | {"condition": join.condition} for join in self.joins]
        for name in ("value", "bound"):
            plain[name] = plain[name] if abs(plain[name]) != float("inf") else None
        plain["components"] = [list(component) for component in self.components]
        return {name: list(entry) if isinstance(entry, tuple) else entry for name, entry in plain.items()}

    def explain(self) -> str:
        """Why each table is in, as text."""
        return explain(self)

    def to_sql_context(self) -> str:
        """CREATE TABLE statements and join conditions, for the prompt of a model that writes SQL."""
        return sql_context(self)

    def __str__(self) -> str:
        return self._text

    @cached_property
    def _text(self) -> str:
        from jar.answers.explanation import summary

        return summary(self)
