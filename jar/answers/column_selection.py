"""`ColumnSelection`: the columns that answer a question, by table, and how their tables join."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from jar.answers.join import name_in
from jar.answers.selection import Selection, closing_lines
from jar.answers.sql_context import SqlContext
from jar.answers.token_budget import Worth, key_columns
from joinability.attributes import cached_property
from joinability.lines import lines_text

if TYPE_CHECKING:
    from jar.layout.plan import PlannedTable


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
        return name_in(self.table, self.column)


@dataclass(frozen=True, kw_only=True, repr=False)
class ColumnSelection(Selection):
    """The set of columns that was chosen for a question, and the tables that they belong to.

    A `Selection` whose `subqueries` are the probes and whose `coverage` says which chosen column is nearest to each.
    Its `scores` say how much the probes ask for each table, from 0 to 1; `value` and `bound` are those of the set of
    columns, and `to_sql_context` writes these columns and the keys beside them. `contributions` is empty where the
    tables follow from the columns; where tables were chosen first ("jar+crush"), all but the columns is as in a
    `Selection`.

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
        return {table: tuple(column for column in self.columns if column.table == table) for table in self.tables}

    @property
    def column_names(self) -> tuple[str, ...]:
        """The columns as "db.table.column", in the order in which they were chosen."""
        return tuple(column.column for column in self.columns)

    def to_dict(self) -> dict[str, Any]:
        """Everything but the schemas as plain values, ready for JSON: infinite numbers become None."""
        plain = super().to_dict()
        plain["columns"] = [asdict(column) for column in self.columns]
        return plain

    def explain(self) -> str:
        """Which probe asks for each column, as text."""
        return _explanation(self)

    def _sql_context(self) -> SqlContext:
        """The chosen columns and, beside the budget, the keys: a query has to count and to join."""
        context = SqlContext(self.schemas, self.joins, self.families, unjoined=self._parts)
        kept: dict[str, set[str]] = {table: set() for table in self.tables}
        for table, name in (*((column.table, column.name) for column in self.columns), *key_columns(context)):
            kept[table].add(name)
        return context.with_columns(kept)

    def _worth(self) -> Worth:
        """The order in which columns are kept within a budget: columns that were chosen last are left out first."""
        order = {(column.table, column.name): -float(place) for place, column in enumerate(self.columns)}
        return replace(super()._worth(), relevance=order)

    def _may_join(self) -> set[tuple[str, str]]:
        """None: columns were chosen by what they answer and join."""
        return set()

    def __repr__(self) -> str:
        return f"<ColumnSelection: {_certificate(self)}; {', '.join(self.column_names) or 'no columns'}>"

    def _planned(self, place: int) -> PlannedTable:
        """A table as pictures show it, with its chosen columns."""
        planned = super()._planned(place)
        columns = tuple(column.name for column in self.by_table[planned.id])
        return planned._replace(columns=columns, reason=", ".join(columns))

    def _told_certificate(self) -> str:
        return _certificate(self)

    @cached_property
    def _text(self) -> str:
        return _summary(self)


def _summary(selection: ColumnSelection) -> str:
    """Tables with their columns, joins and certificate."""
    lines = [*selection.question.splitlines(), ""]
    width = max((len(table) for table in selection.tables), default=0)
    scores = dict(zip(selection.tables, selection.scores, strict=True))
    for table, columns in selection.by_table.items():
        names = ", ".join(column.name for column in columns)
        lines.append(f"  {table:<{width}}  {scores[table]:.2f}   {names}")
    return lines_text([*lines, *closing_lines(selection, _certificate(selection))])


def _explanation(selection: ColumnSelection) -> str:
    """Each column in the order of its choice, with its score and the probe that asks for it; then the joins."""
    lines = [
        *selection.question.splitlines(),
        "",
        f"probes ({_origin(selection)}): " + " | ".join(selection.probes),
        "",
    ]
    width = max((len(column.column) for column in selection.columns), default=0)
    for place, column in enumerate(selection.columns, 1):
        reason = (
            "joins its table to another" if column.probe == "joins" else f'"{column.probe}" ({column.similarity:.2f})'
        )
        lines.append(f"{place:3}. {column.column:<{width}}  {column.score:.2f}   {reason}")
    if selection.joins:
        lines += ["", "joins"]
        lines += [f"  {join.condition}  ({join.score:.2f})" for join in selection.joins]
    lines += ["", _certificate(selection)]
    lines += [f"note: {note}" for note in selection.notes]
    return lines_text(lines)


def _origin(selection: ColumnSelection) -> str:
    """Where the probes come from, in words."""
    origins = {"question": "chunks of the question", "caller": "given by the caller"}
    return origins.get(selection.probe_source, selection.probe_source)


def _certificate(selection: ColumnSelection) -> str:
    """Number of columns, whether their tables fall apart, source of the probes, status and solver in one line."""
    proof = (
        "optimal" if selection.status == "optimal" else f"at most {100 * selection.gap:.1f} % below the best possible"
    )
    count, parts = len(selection.columns), len(selection.components)
    apart = f" of {parts} unconnected parts" if parts > 1 else ""
    return f"{count} column{'s' * (count != 1)}{apart}; probes: {_origin(selection)}; {proof} ({selection.solver})"
