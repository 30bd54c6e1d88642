"""Why a table is not in an answer: what the best set with it is worth, and what it would add there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jar.answers.selection import REQUIRED, Selection, about_table
from joinability.lines import lines_text, listed

SAME = 1e-6
"""Difference of relevance that is none."""


@dataclass(frozen=True)
class Added:
    """What one more table would change in an answer whose number of tables was left open.

    Attributes
    ----------
    needed : float
        Probability that the question needs the table.
    f1, f1_with : float
        The expected F1 of the answer, and of the answer and the table.
    whole, whole_with : float
        The probability that all needed tables are in the answer, and in the answer and the table.
    """

    needed: float
    f1: float
    f1_with: float
    whole: float
    whole_with: float


def why_not_added(
    answer: Selection, wished: Selection, table: str, added: Added | None, between: Sequence[str] = ()
) -> str:
    """Why a table is not in an answer of as many tables as needed, as text.

    Parameters
    ----------
    answer : Selection
    wished : Selection
        The answer and the table, if they may be a set.
    table : str
        Its id.
    added : Added, optional
        What it would change; None where it was no candidate.
    between : sequence of str
        The tables that would connect it with the answer, where no join does and one has to.
    """
    if table in answer.tables:
        return why_not(answer, wished, table)
    lines = []
    if added is None:
        first = f"{table} was no candidate: others are likelier to be needed, and it is not what best connects them"
    else:
        first = f"{table} is needed with a probability of {_percent(added.needed)}"
        change = "raise" if added.f1_with > added.f1 else "lower"
        lines += [
            f"to add it would {change} the expected F1 of the answer from {added.f1:.2f} to {added.f1_with:.2f}",
            "the probability that all needed tables are there would go from "
            f"{_percent(added.whole)} to {_percent(added.whole_with)}",
        ]
    if table in wished.tables:
        lines += about_table(wished, table)
    else:
        remedy = f"; {listed(between, len(between))} would connect them" if between else ""
        lines.append(f"the answer and this table are no connected set{remedy}")
    return lines_text([first, *(f"  {line}" for line in lines)])


def _percent(probability: float) -> str:
    return f"{100 * probability:.0f} %"


def why_not(answer: Selection, wished: Selection, table: str) -> str:
    """Why a table is not in an answer, as text.

    Parameters
    ----------
    answer : Selection
    wished : Selection
        The best set of as many tables that has it.
    table : str
        Its id.
    """
    if table in answer.tables:
        return f"{table} is in the answer, as number {answer.tables.index(table) + 1}"
    if table not in wished.tables:
        return f"{table} is in no set of {len(answer.tables)} tables that meets the wishes"
    gone = ", ".join(other for other in answer.tables if other not in wished.tables)
    is_new = wished.retrieval.get(table) == REQUIRED
    lines = [
        "others are more relevant, and it is not what best connects them" if is_new else "it was a candidate",
        _compared(answer, wished, table),
        *about_table(wished, table),
    ]
    first = f"{table} would take the place of {gone}" if gone else f"{table} would come beside the others"
    return lines_text([first, *(f"  {line}" for line in lines)])


def _compared(answer: Selection, wished: Selection, table: str) -> str:
    """What both sets are worth, measured from the least relevant candidate of the answer."""
    relevance = dict(zip(answer.tables, (part.coarse for part in answer.contributions), strict=True))
    shifts = [
        part.coarse - relevance[name]
        for name, part in zip(wished.tables, wished.contributions, strict=True)
        if name in relevance
    ]
    if not shifts and wished.retrieval.get(table) == REQUIRED:
        return "the sets have no table in common: their values do not compare"
    if max(shifts, default=0.0) - min(shifts, default=0.0) > SAME:
        databases = {name.partition(".")[0] for name in wished.tables}
        beside = "a table of another database" if len(databases) > 1 else "it"
        return f"beside {beside} relevance and joins weigh otherwise: the values do not compare"
    value = wished.value - len(wished.tables) * max(shifts, default=0.0)
    told = f"the set with it has the value {value:.2f}, the answer {answer.value:.2f}"
    is_greater = answer.confidence is not None and value > answer.value + SAME
    return f"{told}; but the answer is chosen by how likely its tables are needed" if is_greater else told
