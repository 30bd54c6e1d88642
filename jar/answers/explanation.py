"""A selection in words: the short summary that ``print`` shows, and why each table is in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from joinability import condition_text

if TYPE_CHECKING:
    from jar.answers.selection import Join, Selection

ERROR = "_error"
"""What the name of a standard error adds to that of its estimate."""
PADDED = "padded_"
"""How the names of the shares of values with blanks around them begin; they are told where there are any."""


def summary(selection: Selection) -> str:
    """Tables, joins and certificate, a line each."""
    lines = [selection.question, ""]
    width = max((len(table) for table in selection.tables), default=0)
    for place, (table, score) in enumerate(zip(selection.tables, selection.scores, strict=True), 1):
        lines.append(f"  {place}. {table:<{width}}  {score:6.2f}   {_reason(selection, table)}")
    if selection.joins:
        lines += ["", "  joins"]
        lines += [f"     {join.condition}  ({join.score:.2f})" for join in selection.joins]
    lines += ["", f"  {certificate(selection)}"]
    lines += [f"  note: {note}" for note in selection.notes]
    return "\n".join(lines)


def explain(selection: Selection) -> str:
    """Per table the terms it adds, the sub-queries it answers, the joins it takes part in; then the joins' evidence."""
    lines = [selection.question, ""]
    if selection.subqueries:
        by = "" if selection.decomposition in {"caller", "default"} else f" ({selection.decomposition})"
        lines += [f"sub-queries{by}: " + " | ".join(selection.subqueries), ""]
    for place, (table, score, part) in enumerate(
        zip(selection.tables, selection.scores, selection.contributions, strict=True), 1
    ):
        required = ", required by the caller" if part.required else ""
        lines.append(f"{place}. {table} adds {score:.2f} (retriever's rank {part.rank}{required})")
        lines.append(
            f"     relevance of the table {part.coarse:+.2f}, sub-queries {part.coverage:+.2f}, joins {part.join:+.2f}"
        )
        for match in selection.coverage:
            if match.table == table:
                lines.append(f'     answers "{match.subquery}" with {match.column_name} ({match.score:.2f})')
        lines += [f"     joins {other} on {condition}" for other, condition in _partners(selection, table)]
    if selection.joins:
        lines += ["", "evidence of the joins"]
        lines += [f"  {join.condition}: score {join.score:.2f}; {_evidence(join)}" for join in selection.joins]
    if len(selection.components) > 1:
        groups = " | ".join(", ".join(component) for component in selection.components)
        lines += ["", f"not connected: {groups}"]
    lines += ["", certificate(selection)]
    lines += [f"note: {note}" for note in selection.notes]
    return "\n".join(lines)


def certificate(selection: Selection) -> str:
    """Status, value and bound in one line."""
    if selection.status == "infeasible":
        return f"no such set of tables exists among the candidates (proved by {selection.solver})"
    connected = "connected" if selection.connected else f"{len(selection.components)} unconnected parts"
    proof = (
        f"optimal, value {selection.value:.3f}"
        if selection.status == "optimal"
        else f"value {selection.value:.3f}, at most {100 * selection.gap:.1f} % below the best possible"
    )
    return f"{connected}; {proof} ({selection.solver})"


def _reason(selection: Selection, table: str) -> str:
    matches = [match for match in selection.coverage if match.table == table]
    if matches:
        return ", ".join(f'"{match.subquery}" -> {match.column_name}' for match in matches)
    partners = sorted({other.rpartition(".")[2] for other, _ in _partners(selection, table)})
    if len(partners) > 1:
        return "bridge: joins " + ", ".join(partners)
    return f"joins {partners[0]}" if partners else "relevance to the question"


def _partners(selection: Selection, table: str) -> list[tuple[str, str]]:
    """The other table and the condition of each join of a table."""
    found = []
    for join in selection.joins:
        if table == join.left_table:
            found.append((join.right_table, condition_text(join.column_pairs, join.padded)))
        elif table == join.right_table:
            pairs = [(own, other) for other, own in join.column_pairs]
            found.append((join.left_table, condition_text(pairs, [(own, other) for other, own in join.padded])))
    return found


def _evidence(join: Join) -> str:
    if join.evidence.get("pinned"):
        start = ["pinned by user"]
    elif join.evidence.get("declared"):
        start = ["declared key"]
    elif join.evidence.get("estimated"):
        start = ["estimated from samples"]
    else:
        start = []
    shares = {
        name: value
        for name, value in join.evidence.items()
        if isinstance(value, float) and not name.endswith(ERROR) and (value or not name.startswith(PADDED))
    }
    doubts = {name: f" ±{join.evidence[name + ERROR]:.2f}" for name in shares if join.evidence.get(name + ERROR)}
    said = [f"{name.replace('_', ' ')} {value:.2f}{doubts.get(name, '')}" for name, value in shares.items()]
    return ", ".join(start + said)
