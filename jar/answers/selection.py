"""`Selection`: the tables that answer a question, how they join, what they cover, and the proof."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from jar.answers.confidence import confidence_lines
from jar.answers.join import is_bridge, told_beside
from jar.answers.parts import unanswered_notes
from jar.answers.sql_context import SqlContext, stands_for
from jar.answers.sql_prompt import PromptForm, sql_prompt
from jar.answers.sql_writer import printable
from jar.answers.token_budget import Worth
from joinability import condition_text
from joinability.attributes import cached_property
from joinability.lines import lines_text
from joinability.names import is_key_name

if TYPE_CHECKING:
    from jar.answers.alternative import Alternative
    from jar.answers.join import Join
    from jar.answers.parts import Contribution, Coverage, LeftOutTable, NamedValue
    from jar.answers.sql_prompt import Examples
    from jar.answers.token_budget import Tokenizer
    from jar.layout.plan import Plan, PlannedTable
    from joinability import Table

REQUIRED = "required"
"""How a table came in that was no candidate, by `Selection.retrieval`."""
PLAIN = frozenset(["", "relevance", "probes", "given", REQUIRED, "retriever"])
"""How most tables become candidates: an explanation tells other ways."""


@dataclass(frozen=True, repr=False)
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
    more_joins : tuple of Join
        Other joins between chosen tables, best first: scores of 0.5 and more, and no pair that follows from `joins`.
    coverage : tuple of Coverage
        Which column answers which sub-query.
    connected : bool
        Whether the joins connect all tables.
    components : tuple of tuples of str
        The connected groups of tables.
    value, bound, gap : float
        Value of the objective, a proven upper bound on any choice from the candidates, and (bound - value) / |value|.
    connecting : tuple of str
        Tables beside the chosen ones whose joins would connect their groups, as far as there are such.
    status : str
        "optimal", "feasible" (the time limit came first, or ``k="auto"`` chose by probability and another set of as
        many tables is worth more), "infeasible" or "nothing fits" (then `tables` is empty, and `notes` says why).
    solver : str
    seconds : float
        Wall time of the whole call.
    timings : dict
        Seconds by stage: embed (in `rank` with what the decomposer takes), retrieve, joins, judge, solve, report.
    notes : tuple of str
        What was not as asked, in words.
    families : dict
        Of each chosen table that stands for others, which differ from it in numbers of the name alone: all their ids.
    retrieval : dict
        How each became a candidate: "relevance" (the own first stage), "meaning of a value", "probes", "given", what a
        retriever calls itself, with what it tells of the table, "join neighbour of db.table", or "required".
    values : tuple of NamedValue
        Values that the question names, and the columns of the chosen tables that have them.
    reasons : dict
        What speaks most for each table by the relevance model, in words, strongest first; empty without a model.
    relevance : str
        By what tables are scored: "cosine", "learned", "given" (by an object of the caller), or "" by their columns.
    fitted : str
        To which logged questions relevance is fitted (`Reranker.fit`); "" where it is not.
    column_relevance : dict
        The cosine of the question with the text of each column of the chosen tables, by "db.table.column".
    confidence, nothing_fits : float or None
        With ``k="auto"`` the probability that all needed tables are chosen (that nothing fits, where none is), and that
        no table of the index answers the question; else None.
    alternatives : tuple of Alternative
        With ``k="auto"`` the next likeliest sets, with the probability that just these are needed.
    left_out : tuple of LeftOutTable
        The best candidates that were not chosen, for pictures: those whose relevance and best join would add most.
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
    families: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    retrieval: Mapping[str, str] = field(default_factory=dict)
    values: tuple[NamedValue, ...] = ()
    reasons: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    relevance: str = ""
    fitted: str = ""
    column_relevance: Mapping[str, float] = field(default_factory=dict, repr=False)
    confidence: float | None = None
    nothing_fits: float | None = None
    alternatives: tuple[Alternative, ...] = ()
    left_out: tuple[LeftOutTable, ...] = field(default=(), repr=False)
    more_joins: tuple[Join, ...] = ()
    connecting: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain values, ready for JSON: infinite numbers become None; without `schemas`, `left_out` and
        `column_relevance`."""
        unsaid = ("schemas", "column_relevance", "left_out")
        plain = {name: getattr(self, name) for name in self.__dataclass_fields__ if name not in unsaid}
        for name in ("coverage", "values", "alternatives"):
            plain[name] = [asdict(entry) for entry in plain[name]]
        plain["contributions"] = [part.to_dict() for part in self.contributions]
        plain["reasons"] = {table: list(reasons) for table, reasons in self.reasons.items()}
        for name in ("joins", "more_joins"):
            plain[name] = [asdict(join) | {"condition": join.condition} for join in plain[name]]
        for name in ("value", "bound"):
            plain[name] = plain[name] if abs(plain[name]) != float("inf") else None
        plain["components"] = [list(component) for component in self.components]
        return {name: list(entry) if isinstance(entry, tuple) else entry for name, entry in plain.items()}

    def explain(self) -> str:
        """Why each table is in, as text."""
        return _explanation(self)

    def to_sql_context(
        self,
        dialect: str | None = None,
        *,
        max_tokens: int | None = None,
        tokenizer: Tokenizer | None = None,
        values: Mapping[str, Sequence[object]] | None = None,
        examples: Examples | None = None,
    ) -> str:
        """CREATE TABLE statements and join conditions, for the prompt of a model that writes SQL; see docs/prompts.md.

        Parameters
        ----------
        dialect : str, optional
            "sqlite", "postgres", "mysql", "snowflake", "bigquery", "duckdb", "tsql" or "oracle"; by default plain SQL.
        max_tokens : int, optional
            The text is at most so long: columns that answer nothing, join nothing and have no value that the question
            names are left out, the least relevant first; never a primary key, a join key or a table. Where even these
            are longer, a comment says so.
        tokenizer : callable, optional
            ``text -> tokens``, or their number; by default an estimate.
        values : mapping, optional
            Sample values by "db.table.column", such as `index.sample_values(selection.tables)`, for comments.
        examples : sequence or callable, optional
            Questions with their SQL, for comments at the end: examples of `jar.examples`, or a retriever of them, such
            as `StructureExamples(store)`, without values; or pairs (question, SQL), as they stand.

        Raises
        ------
        QueryError
            When there is no such dialect, or a number, the tokenizer, the values or the examples cannot be used.
        """
        form = PromptForm(dialect, max_tokens, tokenizer, values, examples)
        named = [((value.table, value.column_name), value.text) for value in self.values]
        return sql_prompt(self._sql_context(), form, self._worth(), named, self.question)

    @property
    def unanswered(self) -> tuple[str, ...]:
        """The sub-queries that no column of the chosen tables is near (`Coverage.is_weak`), and that name no value of
        one; none without tables."""
        answered = {match.subquery for match in self.coverage if not match.is_weak}
        asked = [subquery for subquery in self.subqueries if self.tables and subquery not in answered]
        return tuple(one for one in asked if not any(value.is_named_in(one) for value in self.values))

    def plan(self) -> Plan:
        """What a picture shows of the answer, as plain values: tables, joins, matches, the best candidates left out."""
        from jar.layout.plan import Plan, PlannedMatch, PlannedRest

        return Plan(
            question=self.question,
            tables=tuple(map(self._planned, range(len(self.tables)))),
            joins=tuple(join.planned() for join in self.joins),
            more_joins=tuple(
                f"{told_beside(join, self.joins)} {join.told_condition}"
                f"{'' if join.is_verified else ' (by name alone)'}  ({join.score:.2f})"
                for join in self.more_joins
            ),
            matches=tuple(
                PlannedMatch(match.subquery, match.table, match.column_name, match.score)
                for match in self.coverage
                if not match.is_weak
            ),
            unanswered=self.unanswered,
            left_out=tuple(PlannedRest(rest.table, rest.told) for rest in self.left_out),
            closing=(self._told_certificate(), *_chances(self)),
            notes=self.notes,
        )

    def to_svg(self) -> str:
        """The answer as a picture: one `svg` element, for HTML pages and files; see docs/pictures.md."""
        from jar.layout.selection_layout import lay_out_selection
        from jar.layout.svg import svg

        return svg(lay_out_selection(self.plan()))

    def _planned(self, place: int) -> PlannedTable:
        """A table as pictures show it, by its place."""
        from jar.layout.plan import PlannedTable

        table = self.tables[place]
        parts = self.contributions[place : place + 1]
        terms = tuple(term for part in parts for term in part.terms)
        notes = ["required by the caller" for part in parts if part.required]
        notes += [stands_for(self.families[table])] if table in self.families else []
        return PlannedTable(table, self.scores[place], terms, reason=_reason(self, table), notes=tuple(notes))

    def _told_certificate(self) -> str:
        return _certificate(self)

    def _sql_context(self) -> SqlContext:
        context = SqlContext(self.schemas, self.joins, self.families, more_joins=self.more_joins)
        return replace(context, unjoined=self._parts, connecting=self.connecting)

    @property
    def _parts(self) -> tuple[tuple[str, ...], ...]:
        """The tables of each part of an answer that is not connected."""
        return self.components if len(self.components) > 1 else ()

    def _worth(self) -> Worth:
        """What the columns are good for, of use where not all of them have room."""
        named = {(value.table, value.column_name) for value in self.values}
        return Worth(
            named | self._may_join() | {(match.table, match.column_name) for match in self.coverage},
            {
                (table.id, column.name): self.column_relevance.get(f"{table.id}.{column.name}", 0.0)
                for table in self.schemas
                for column in table.columns
            },
            named,
        )

    def _may_join(self) -> set[tuple[str, str]]:
        """The columns with the names of keys, where no joins connect all tables: one of them may be what does."""
        tables = self.schemas if self._parts else ()
        return {(table.id, name) for table in tables for name in table.column_names if is_key_name(name)}

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<Selection: {_certificate(self)}; {', '.join(self.tables) or 'no tables'}>"

    def _repr_html_(self) -> str:
        """The answer as a picture, for notebooks."""
        return f'<div style="overflow-x:auto">{self.to_svg()}</div>'

    @cached_property
    def _text(self) -> str:
        return _summary(self)


def _summary(selection: Selection) -> str:
    """Tables, joins and certificate, a line each."""
    lines = [*selection.question.splitlines(), ""]
    width = max((len(table) for table in selection.tables), default=0)
    for place, (table, score) in enumerate(zip(selection.tables, selection.scores, strict=True), 1):
        lines.append(f"  {place}. {table:<{width}}  {score:6.2f}   {_reason(selection, table)}")
    lines += [f"     {table} {stands_for(members)}" for table, members in selection.families.items()]
    chances = [f"  {line}" for line in _chances(selection)]
    return lines_text([*lines, *closing_lines(selection, _certificate(selection)), *chances])


def _explanation(selection: Selection) -> str:
    """Per table the terms it adds, the sub-queries it answers, the joins it takes part in; then the joins' evidence."""
    lines = [*selection.question.splitlines(), ""]
    if selection.subqueries:
        by = "" if selection.decomposition in {"caller", "default"} else f" ({selection.decomposition})"
        lines += [f"sub-queries{by}: " + " | ".join(selection.subqueries), ""]
    if selection.fitted:
        lines += [f"relevance is {selection.fitted}", ""]
    elif selection.relevance:
        lines += [f"relevance: {selection.relevance}", ""]
    for place, (table, score, part) in enumerate(
        zip(selection.tables, selection.scores, selection.contributions, strict=True), 1
    ):
        required = ", required by the caller" if part.required else ""
        origin = selection.retrieval.get(table, "")
        came = f", {origin}" if origin not in PLAIN else ""
        lines.append(f"{place}. {table} adds {score:.2f} (retriever's rank {part.rank}{came}{required})")
        lines += [f"     {line}" for line in about_table(selection, table)]
    if joins := (*selection.joins, *selection.more_joins):
        lines += ["", "evidence of the joins"]
        lines += [f"  {join.told_condition}: score {join.score:.2f}; {join.told_evidence}" for join in joins]
    if len(selection.components) > 1:
        groups = " | ".join(", ".join(component) for component in selection.components)
        lines += ["", f"not connected: {groups}"]
    lines += ["", _certificate(selection), *_chances(selection)]
    lines += [f"note: {note}" for note in selection.notes]
    return lines_text(lines)


def about_table(selection: Selection, table: str) -> list[str]:
    """What a chosen table adds by the terms of the objective, and what speaks for it, a line each."""
    part = selection.contributions[selection.tables.index(table)]
    lines = [f"relevance of the table {part.coarse:+.2f}, sub-queries {part.coverage:+.2f}, joins {part.join:+.2f}"]
    lines += ["; ".join(selection.reasons[table])] if selection.reasons.get(table) else []
    lines += [stands_for(selection.families[table])] if table in selection.families else []
    for match in selection.coverage:
        if match.table == table:
            verb, own = ("has nothing nearer to", "than") if match.is_weak else ("answers", "with")
            lines.append(f'{verb} "{match.subquery}" {own} {match.column_name} ({match.score:.2f})')
    lines += [f"has {printable(one.told)} in {one.column_name}" for one in selection.values if one.table == table]
    return lines + [f"joins {other} on {condition}" for other, condition in _partners(selection, table)]


def _certificate(selection: Selection) -> str:
    """Status, value and bound in one line."""
    if selection.status == "nothing fits":
        return "nothing here fits the question"
    if selection.status == "infeasible":
        return f"no such set of tables exists among the candidates (proved by {selection.solver})"
    connected = "connected" if selection.connected else f"{len(selection.components)} unconnected parts"
    unlikely = sum(join.is_unlikely for join in selection.joins)
    if guesses := sum(join.is_guess for join in selection.joins) - unlikely:
        connected += f", {guesses} of the joins {'are guesses' if guesses > 1 else 'is a guess'}"
    if unlikely:
        verb = "are" if unlikely > 1 else "is"
        connected += f", {unlikely} of the joins {verb} unlikely: a table between may be missing"
    if selection.confidence is not None:
        return f"{connected}; chosen by {selection.solver}; {_proof(selection, among=' of its size')}"
    return f"{connected}; {_proof(selection)} ({selection.solver})"


def _proof(selection: Selection, among: str = "") -> str:
    """The value, and how far it is from the best one, maybe among some sets alone."""
    if selection.status == "optimal":
        return f"optimal{among}, value {selection.value:.3f}"
    return f"value {selection.value:.3f}, at most {100 * selection.gap:.1f} % below the best{among or ' possible'}"


def _chances(selection: Selection) -> list[str]:
    return confidence_lines(selection.confidence if selection.tables else None, selection.alternatives)


def closing_lines(selection: Selection, certificate: str) -> list[str]:
    """How a short summary ends: the joins, the certificate and the notes."""
    joins = [f"     {join.condition}  ({join.score:.2f})" for join in selection.joins]
    beside = [(told_beside(join, selection.joins), join) for join in selection.more_joins]
    joins += [f"     {word} {join.told_condition}  ({join.score:.2f})" for word, join in beside]
    notes = [f"  note: {note}" for note in (*unanswered_notes(selection.unanswered), *selection.notes)]
    return [*(["", "  joins", *joins] if joins else []), "", f"  {certificate}", *notes]


def _reason(selection: Selection, table: str) -> str:
    matches = [match for match in selection.coverage if match.table == table and not match.is_weak]
    if matches:
        return ", ".join(f'"{match.subquery}" -> {match.column_name}' for match in matches)
    partners = sorted({other.rpartition(".")[2] for other, _ in _partners(selection, table)})
    if not partners:
        return "relevance to the question"
    known = (*selection.joins, *selection.more_joins)
    return f"{'bridge: ' if is_bridge(table, known) else ''}joins {', '.join(partners)}"


def _partners(selection: Selection, table: str) -> list[tuple[str, str]]:
    """The other table and the condition of each join of a table."""
    partners = []
    for join in selection.joins:
        if table == join.left_table:
            partners.append((join.right_table, join.condition_with()))
        elif table == join.right_table:
            pairs = [(right, left) for left, right in join.column_pairs]
            padded = [(right, left) for left, right in join.padded]
            partners.append((join.left_table, condition_text(pairs, padded, where=join.where)))
    return partners
