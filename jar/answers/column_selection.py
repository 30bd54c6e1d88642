"""`ColumnSelection`: the columns that answer a question, by table, and how their tables join."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from jar.answers.selection import Selection
from jar.answers.sql_context import sql_context


@dataclass(frozen=True)
class ChosenColumn:
    """A column of the answer.

    Attributes
    ----------
    column, table : str
        "db.table.column" and the id of its table.
    score : float
        How much the probes ask for it, from 0 to 1; with posteriors, the probability that one of them means it.
    probe : str
        The probe that asks for it most; "joins" where it is there to join tables.
    similarity : float
        Cosine with that probe; of a column that joins tables, what the join is worth.
    """

    column: str
    table: str
    score: float
    probe: str
    similarity: float

    @property
    def name(self) -> str:
        """Name of the column inside its table."""
        return self.column[len(self.table) + 1 :]


@dataclass(frozen=True, kw_only=True)
class ColumnSelection(Selection):
    """The set of columns that was chosen for a question, and the tables that they belong to.

    A `Selection` whose `subqueries` are the probes and whose `coverage` says which chosen column is nearest to each.
    Its `scores` say how much the probes ask for each table, from 0 to 1; `value` and `bound` are those of the set of
    columns. `contributions` is empty where the tables follow from the columns; where tables were chosen first
    ("jar+crush"), all but the columns is as in a `Selection`.

    Attributes
    ----------
    columns : tuple of ChosenColumn
        In the order in which they were chosen: each first part of them is a good answer for a smaller budget.
    budget : int
        How many columns were asked for.
    probes : tuple of str
        What the columns were compared with; the `subqueries`, unless tables were chosen first ("jar+crush").
    probe_source : str
        Who gave the probes: "question" (its own chunks, no language model), "caller", "llm:NAME" or "callable:NAME".
    """

    columns: tuple[ChosenColumn, ...] = ()
    budget: int = 0
    probes: tuple[str, ...] = ()
    probe_source: str = "question"

    @property
    def by_table(self) -> dict[str, tuple[ChosenColumn, ...]]:
        """The columns of each table, tables and columns best first."""
        return {table: tuple(found for found in self.columns if found.table == table) for table in self.tables}

    @property
    def column_names(self) -> tuple[str, ...]:
        """The columns as "db.table.column", in the order in which they were chosen."""
        return tuple(found.column for found in self.columns)

    def to_dict(self) -> dict[str, Any]:
        """Everything but the schemas as plain values, ready for JSON: infinite numbers become None."""
        plain = super().to_dict()
        plain["columns"] = [asdict(found) for found in self.columns]
        return plain

    def explain(self) -> str:
        """Which probe asks for each column, as text."""
        from jar.answers.column_explanation import explain

        return explain(self)

    def to_sql_context(self) -> str:
        """CREATE TABLE statements with the chosen columns and the keys that joins need, and the join conditions."""
        kept: dict[str, set[str]] = {table: set() for table in self.tables}
        for found in self.columns:
            kept[found.table].add(found.name)
        for join in self.joins:
            for left, right in join.column_pairs:
                kept[join.left_table].add(left)
                kept[join.right_table].add(right)
        return sql_context(self, kept)

    @cached_property
    def _text(self) -> str:
        from jar.answers.column_explanation import summary

        return summary(self)
