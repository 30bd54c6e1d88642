"""Chosen columns in words: the short summary that ``print`` shows, and which probe asks for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jar.answers.column_selection import ColumnSelection


def summary(selection: ColumnSelection) -> str:
    """Tables with their columns, joins and certificate."""
    lines = [selection.question, ""]
    width = max((len(table) for table in selection.tables), default=0)
    scores = dict(zip(selection.tables, selection.scores, strict=True))
    for table, columns in selection.by_table.items():
        names = ", ".join(found.name for found in columns)
        lines.append(f"  {table:<{width}}  {scores[table]:.2f}   {names}")
    if selection.joins:
        lines += ["", "  joins"]
        lines += [f"     {join.condition}  ({join.score:.2f})" for join in selection.joins]
    lines += ["", f"  {certificate(selection)}"]
    lines += [f"  note: {note}" for note in selection.notes]
    return "\n".join(lines)


def explain(selection: ColumnSelection) -> str:
    """Each column in the order of its choice, with its score and the probe that asks for it; then the joins."""
    lines = [selection.question, "", f"probes ({origin(selection)}): " + " | ".join(selection.probes), ""]
    width = max((len(found.column) for found in selection.columns), default=0)
    for place, found in enumerate(selection.columns, 1):
        reason = "joins its table to another" if found.probe == "joins" else f'"{found.probe}" ({found.similarity:.2f})'
        lines.append(f"{place:3}. {found.column:<{width}}  {found.score:.2f}   {reason}")
    if selection.joins:
        lines += ["", "joins"]
        lines += [f"  {join.condition}  ({join.score:.2f})" for join in selection.joins]
    lines += ["", certificate(selection)]
    lines += [f"note: {note}" for note in selection.notes]
    return "\n".join(lines)


def origin(selection: ColumnSelection) -> str:
    """Where the probes come from, in words."""
    told = {"question": "chunks of the question", "caller": "given by the caller"}
    return told.get(selection.probe_source, selection.probe_source)


def certificate(selection: ColumnSelection) -> str:
    """Number of columns, source of the probes, status and solver in one line."""
    proof = (
        "optimal" if selection.status == "optimal" else f"at most {100 * selection.gap:.1f} % below the best possible"
    )
    count = len(selection.columns)
    return f"{count} column{'s' * (count != 1)}; probes: {origin(selection)}; {proof} ({selection.solver})"
