"""An answer as lines: tables with bars of what they add, and the joins as trees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from jar.answers.parts import unanswered_notes
from jar.cli.terminal.screen import Line, Screen, Span
from jar.cli.terminal.shell_words import in_shell_words
from jar.layout.join_tree import Branch, join_trees
from jar.layout.names_shown import cells, cut, shortened
from jar.layout.plan import TERMS

if TYPE_CHECKING:
    from jar.layout.plan import Plan, PlannedTable

STYLES = ("blue", "yellow", "magenta", "green")
"""Colours of the terms of a score, as in pictures."""
BLOCKS, LETTERS = "█▓▒░", "#=+-"
"""Signs of the terms, so that they differ without colours."""
LONG_BAR, SHORT_BAR = 20, 12
"""Cells of the longest bar; on narrow terminals."""
NARROW, NARROWEST = 100, 50
"""Columns of a terminal below which bars are short, and below which there are none."""
LEAST_REASON, LEAST_CONDITION = 28, 12
"""Cells below which a reason, or the columns of a join, stand in a line of their own."""
LEAST_NAME = 12
"""Cells of a name at least, however narrow the terminal."""


def answer_lines(plan: Plan, screen: Screen) -> Iterator[Line]:
    """The whole answer: question, tables, joins, and what is proved."""
    yield from opening_lines(plan, screen)
    yield ()
    for line in plan.closing:
        yield (Span("  "), Span(line, "dim"))
    for note in (*unanswered_notes(plan.unanswered), *plan.notes):
        yield (Span("  "), Span("note: ", "yellow"), Span(in_shell_words(note)))


def opening_lines(plan: Plan, screen: Screen) -> Iterator[Line]:
    """The answer without what is proved and noted."""
    yield from ((Span(line, "bold"),) for line in plan.question.splitlines())
    if plan.tables:
        yield ()
        yield from _table_lines(plan, screen)
    if plan.joins:
        yield ()
        yield (Span("  joins"),)
        yield from _join_lines(join_trees(plan), screen)
    for join in plan.more_joins:
        yield (Span(f"     {join}", "dim"),)


def _table_lines(plan: Plan, screen: Screen) -> Iterator[Line]:
    names = [shortened(table.id, _name_width(screen), _dots(screen)) for table in plan.tables]
    width = max(map(cells, names), default=0)
    bars = [_bar(plan, table, screen) for table in plan.tables]
    longest = max((sum(cells(span.text) for span in bar) for bar in bars), default=0)
    before = len("  1. ") + width + len("  999.99") + (longest + 2 if longest else 0) + 3
    for place, (table, name, bar) in enumerate(zip(plan.tables, names, bars, strict=True), 1):
        head = (Span(f"{place:>3}. "), Span(_padded(name, width), "bold"), Span(f"  {table.score:6.2f}"))
        drawn = (Span("  "), *bar, Span(" " * (longest - sum(cells(span.text) for span in bar)))) if longest else ()
        room = None if screen.width is None else screen.width - before
        if room is None or room >= LEAST_REASON:
            reason = table.reason if room is None else cut(table.reason, room, _dots(screen))
            yield (*head, *drawn, Span(f"   {reason}"))
        else:
            assert screen.width is not None
            yield (*head, *drawn)
            yield (Span(f"     {cut(table.reason, screen.width - 5, _dots(screen))}", "dim"),)
        notes = table.notes if screen.width is None else [cut(n, screen.width - 5, _dots(screen)) for n in table.notes]
        yield from ((Span(f"     {note}", "dim"),) for note in notes)
    if longest and any(table.terms for table in plan.tables):
        yield from _legend(plan, screen)


def _bar(plan: Plan, table: PlannedTable, screen: Screen) -> tuple[Span, ...]:
    """The terms of a score, each as long as it is; of a score without terms, from 0 to 1, one."""
    if screen.width is not None and screen.width < NARROWEST:
        return ()
    full = LONG_BAR if screen.width is None or screen.width >= NARROW else SHORT_BAR
    terms = table.terms or (table.score,)
    highest = max((sum(max(term, 0.0) for term in other.terms) for other in plan.tables), default=0.0) or 1.0
    ends, total = [0], 0.0
    for term in terms:
        total += max(term, 0.0)
        ends.append(round(full * min(total / highest, 1.0)))
    signs = BLOCKS if screen.blocks else LETTERS
    return tuple(
        Span(signs[number] * (end - start), STYLES[number])
        for number, (start, end) in enumerate(pairwise(ends))
        if end > start
    )


def _legend(plan: Plan, screen: Screen) -> Iterator[Line]:
    """What the signs of the bars mean, of the terms that there are."""
    signs = BLOCKS if screen.blocks else LETTERS
    there = [number for number in range(len(TERMS)) if any(t.terms[number:] and t.terms[number] for t in plan.tables)]
    parts = [(Span(f"{signs[number]} ", STYLES[number]), Span(f"{TERMS[number]}  ", "dim")) for number in there]
    rows: list[list[Span]] = [[]]
    for sign, word in parts:
        used = sum(cells(span.text) for span in rows[-1])
        if rows[-1] and screen.width is not None and 5 + used + 2 + cells(word.text) > screen.width:
            rows.append([])
        rows[-1] += [sign, word]
    yield from ((Span("     "), *row) for row in rows)


def _join_lines(branches: Sequence[Branch], screen: Screen) -> Iterator[Line]:
    """Trees: a table below the one that it joins, then the columns and the score of the join.

    Where a terminal has no room for these beside the tables, they stand below each.
    """
    joined = {branch.parent for branch in branches}
    rails = [(_kept(above, screen), _kept(below, screen)) for above, below in _rails(branches, screen)]
    shown = [place for place, branch in enumerate(branches) if branch.join is not None or place in joined]
    names = {place: _beside(branches[place].table.id, rails[place][0], screen) for place in shown}
    width = max((cells(rails[place][0]) + cells(name) for place, name in names.items()), default=0)
    room = None if screen.width is None else screen.width - 5 - width - 2 - len("  (0.00)")
    for place, name in names.items():
        head, join = (Span(f"     {rails[place][0]}", "blue"), Span(name, "bold")), branches[place].join
        if join is None:
            yield head
            continue
        condition = join.condition + ("" if join.verified else " (by name alone)")
        score = Span(f"  ({join.score:.2f})", "cyan")
        if room is None or room >= LEAST_CONDITION:
            gap = " " * (width - cells(rails[place][0]) - cells(name) + 2)
            yield (*head, Span(gap + (condition if room is None else cut(condition, room, _dots(screen)))), score)
        else:
            assert screen.width is not None
            left = screen.width - 5 - cells(rails[place][1]) - len("  (0.00)")
            yield head
            yield (Span(f"     {rails[place][1]}", "blue"), Span(cut(condition, left, _dots(screen)), "dim"), score)


def _beside(name: str, rail: str, screen: Screen) -> str:
    """A name behind its rail, as long as the terminal lets it be."""
    room = _name_width(screen) if screen.width is None else min(_name_width(screen), screen.width - 5 - cells(rail))
    return shortened(name, room, _dots(screen))


def _kept(rail: str, screen: Screen) -> str:
    """The end of a rail that leaves room for a name."""
    if screen.width is None or cells(rail) <= screen.width - 5 - LEAST_NAME:
        return rail
    return _dots(screen) + rail[len(rail) - (screen.width - 5 - LEAST_NAME - len(_dots(screen))) :]


def _rails(branches: Sequence[Branch], screen: Screen) -> list[tuple[str, str]]:
    """What stands before each table, a bend from the table above it, and before a line below its name."""
    bends = ("├─ ", "└─ ", "│  ") if screen.blocks else ("|- ", "`- ", "|  ")
    rails = list[tuple[str, str]]()
    for branch in branches:
        if branch.parent < 0:
            rails.append(("", ""))
            continue
        above = rails[branch.parent][1]
        rails.append((above + bends[branch.is_last], above + ("   " if branch.is_last else bends[2])))
    return rails


def _name_width(screen: Screen) -> int:
    """Cells of a name: two fifths of a terminal."""
    return 10_000 if screen.width is None else max(LEAST_NAME, 2 * screen.width // 5)


def _dots(screen: Screen) -> str:
    return "…" if screen.blocks else "..."


def _padded(name: str, width: int) -> str:
    return name + " " * (width - cells(name))
