"""The picture of an answer: its tables as trees of joins, sub-queries beside the columns that answer them, the rest.

Tables stand below each other, a table right of and below the one that it joins, so that nothing ever overlaps or
crosses: three tables and thirty are read alike, the latter make the picture longer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jar.layout.drawing import CELL, Box, Drawing, Line, Text
from jar.layout.join_tree import Branch, join_trees
from jar.layout.names_shown import cells, cut, shortened, wrapped
from jar.layout.plan import TERMS, Plan

SIZE, SMALL, TITLE = 12.0, 10.5, 14.0
"""Sizes of text."""
MARGIN, INDENT, GAP, BETWEEN = 16.0, 40.0, 34.0, 30.0
"""Around all; of each join from the left; between tables, with room for a join; between columns of the picture."""
HEAD, ROW, BAR = 24.0, 19.0, 5.0
"""Heights of a table's head, of a column, of the bar with the parts of its score."""
LEAST_WIDTH = 230.0
MOST_IN_FULL = 12
"""Tables up to which the columns of joins stand in the tables, too."""
NAME, COLUMN, QUERY, REST = 40, 30, 30, 30
"""Cells that names take at most."""
REST_HEIGHT, LEAST_REST, MOST_REST = 36.0, 5, 12
"""Of a candidate that was left out; how many are shown beside a short and a long picture."""


@dataclass(frozen=True)
class Row:
    """A column of a table, and the number of the match that it answers, or -1."""

    column: str
    match: int = -1


@dataclass(frozen=True)
class Card:
    """A table at its place."""

    branch: Branch
    rows: tuple[Row, ...]
    x: float
    y: float
    height: float

    def row_middle(self, number: int) -> float:
        """The middle of a row."""
        return self.y + HEAD + BAR + ROW * (number + 0.5) + 2


def lay_out_selection(plan: Plan) -> Drawing:
    """The picture of an answer."""
    branches = join_trees(plan)
    title = wrapped(plan.question, 88, 4)
    top = MARGIN + 20 * len(title) + 14
    cards = _cards(plan, branches, top)
    right = max((card.x + _needed_width(card) for card in cards), default=MARGIN + LEAST_WIDTH)
    bottom = max((card.y + card.height for card in cards), default=top)
    query_x = right + BETWEEN
    query_width = max((_query_width(plan, card) for card in cards), default=0.0)
    rest_x = query_x + query_width + BETWEEN if query_width else query_x
    shapes: list[Box | Line | Text] = [
        Text(MARGIN, MARGIN + 14 + 20 * row, line, TITLE, bold=True) for row, line in enumerate(title)
    ]
    shapes += _joins(cards)
    scale = max((sum(max(term, 0.0) for term in table.terms) for table in plan.tables), default=0.0)
    for card in cards:
        shapes += _table(card, right, scale)
        shapes += _queries(plan, card, right, query_x)
    rest = list(_rest(plan, rest_x, top, bottom))
    shapes += rest
    bottom = max([bottom, *(shape.y + shape.height for shape in rest if isinstance(shape, Box))])
    closing = list(_closing(plan, bottom + 26))
    shapes += closing
    width = max(_right_end(shape) for shape in shapes) + MARGIN
    height = (closing[-1].y if closing else bottom) + MARGIN
    return Drawing(width, height, plan.question or "tables", tuple(shapes))


def _cards(plan: Plan, branches: Sequence[Branch], top: float) -> list[Card]:
    cards, y = list[Card](), top
    for branch in branches:
        rows = tuple(_rows(plan, branches, branch))
        height = HEAD + BAR + ROW * (len(rows) + len(branch.table.notes)) + 8
        if cards:
            y += GAP
        cards.append(Card(branch, rows, MARGIN + INDENT * branch.depth, y, height))
        y += height
    return cards


def _rows(plan: Plan, branches: Sequence[Branch], branch: Branch) -> Iterator[Row]:
    """The columns of a table that matter: those that answer, once for each sub-query, those chosen, those that join.

    Of many tables the last are left out: they stand beside the joins anyway.
    """
    table, seen = branch.table, set()
    for number, match in enumerate(plan.matches):
        if match.table == table.id:
            seen.add(match.column)
            yield Row(match.column, number)
    if len(branches) > MOST_IN_FULL:
        yield from (Row(column) for column in table.columns if column not in seen)
        return
    mine = [] if branch.join is None else [right for _, right in branch.join.pairs]
    place = branches.index(branch)
    below = [other.join.pairs for other in branches if other.parent == place and other.join is not None]
    mine += [left for pairs in below for left, _ in pairs]
    for column in (*table.columns, *mine):
        if column not in seen:
            seen.add(column)
            yield Row(column)


def _needed_width(card: Card) -> float:
    table = card.branch.table
    head = f"{card.branch.place}  {shortened(table.id, NAME)}    {table.score:.2f}"
    widths = [cells(head) * SIZE, *(cells(shortened(row.column, COLUMN)) * SIZE for row in card.rows)]
    widths += [cells(cut(note, NAME)) * SMALL for note in table.notes]
    return max(LEAST_WIDTH, CELL * max(widths) + 28)


def _table(card: Card, right: float, scale: float) -> Iterator[Box | Line | Text]:
    table, width = card.branch.table, right - card.x
    yield Box(card.x, card.y, width, card.height, "table", table.id)
    name = f"{card.branch.place}  {shortened(table.id, NAME)}"
    yield Text(card.x + 10, card.y + 17, name, SIZE, bold=True, hint=table.id)
    yield Text(right - 10, card.y + 17, f"{table.score:.2f}", SIZE, "end", 0.8)
    x = card.x + 10
    for number, term in enumerate(table.terms):
        length = (LEAST_WIDTH - 20) * max(term, 0.0) / scale if scale > 0 else 0.0
        if length >= 0.5:
            yield Box(x, card.y + HEAD, length, BAR, f"term {number}", f"{TERMS[number]} {term:.2f}")
            x += length
    for number, row in enumerate(card.rows):
        baseline = card.row_middle(number) + 4
        yield Text(card.x + 14, baseline, shortened(row.column, COLUMN), SIZE, opacity=0.9, hint=row.column)
    for number, note in enumerate(table.notes, len(card.rows)):
        yield Text(card.x + 14, card.row_middle(number) + 4, cut(note, NAME), SMALL, opacity=0.7, hint=note)


def _joins(cards: Sequence[Card]) -> Iterator[Line | Text]:
    """From the lower left of a table down and to each that it joins below; what is thicker joins better."""
    for card in cards:
        join = card.branch.join
        if join is None:
            if card is not cards[0]:
                yield Text(card.x, card.y - 10, "no join with those above", SMALL, opacity=0.7)
            continue
        above = cards[card.branch.parent]
        x, y = above.x + 18, card.y + HEAD / 2
        if card.branch.is_last:
            yield Line(((x, above.y + above.height), (x, y)), "trunk")
        yield Line(((x, y), (card.x, y)), "join" if join.verified else "weak join", 4.5 * join.score)
        label = f"on {cut(join.condition, 48)}  {join.score:.2f}{'' if join.verified else ' by name alone'}"
        yield Text(card.x, card.y - 9, label, SMALL, opacity=0.85, hint=f"{join.left}, {join.right}: {join.condition}")


def _query_label(plan: Plan, number: int) -> str:
    match = plan.matches[number]
    return f"{cut(match.subquery, QUERY)}  {match.score:.2f}"


def _query_width(plan: Plan, card: Card) -> float:
    labels = [cells(_query_label(plan, row.match)) for row in card.rows if row.match >= 0]
    return CELL * SIZE * max(labels) + 20 if labels else 0.0


def _queries(plan: Plan, card: Card, right: float, x: float) -> Iterator[Box | Line | Text]:
    for number, row in enumerate(card.rows):
        if row.match < 0:
            continue
        y, label, match = card.row_middle(number), _query_label(plan, row.match), plan.matches[row.match]
        column_end = card.x + 14 + CELL * SIZE * cells(shortened(row.column, COLUMN)) + 8
        yield Line(((column_end, y), (x, y)), "answer", 2.0 * min(max(match.score, 0.0), 1.0))
        yield Box(x, y - 8, CELL * SIZE * cells(label) + 20, 16, "query", match.subquery)
        yield Text(x + 10, y + 4, label, SIZE, hint=match.subquery)


def _rest(plan: Plan, x: float, top: float, bottom: float) -> Iterator[Box | Text]:
    """Candidates that were left out, as many as have room beside the tables."""
    room = int((bottom - top - 20) // (REST_HEIGHT + 8))
    shown = plan.left_out[: min(max(room, LEAST_REST), MOST_REST)]
    if shown:
        yield Text(x, top + 12, "left out", SIZE, opacity=0.6, bold=True)
    labels = [(shortened(rest.id, REST), cut(rest.told, REST + 4)) for rest in shown]
    width = CELL * max((max(cells(name) * SIZE, cells(words) * SMALL) for name, words in labels), default=0.0) + 20
    for number, (rest, (name, words)) in enumerate(zip(shown, labels, strict=True)):
        y = top + 22 + (REST_HEIGHT + 8) * number
        yield Box(x, y, width, REST_HEIGHT, "rest", rest.id)
        yield Text(x + 10, y + 15, name, SIZE, opacity=0.65, hint=rest.id)
        yield Text(x + 10, y + 29, words, SMALL, opacity=0.65, hint=rest.told)


def _closing(plan: Plan, y: float) -> Iterator[Box | Text]:
    """What the colours mean, sub-queries without an answer, and the lines below."""
    lines = [f'no column chosen answers "{cut(subquery, 60)}"' for subquery in plan.unanswered]
    below = [*plan.closing, *(f"note: {note}" for note in plan.notes)]
    lines += [line for paragraph in below for line in wrapped(paragraph, 100, 2)]
    if any(table.terms for table in plan.tables):
        x = MARGIN
        for number, term in enumerate(TERMS):
            yield Box(x, y - 8, 12, 8, f"term {number}")
            yield Text(x + 17, y, term, SMALL, opacity=0.8)
            x += 17 + CELL * SMALL * len(term) + 18
        y += 20
    for number, line in enumerate(lines):
        yield Text(MARGIN, y + 17 * number, line, SMALL + 0.5, opacity=0.8)


def _right_end(shape: Box | Line | Text) -> float:
    if isinstance(shape, Box):
        return shape.x + shape.width
    if isinstance(shape, Line):
        return max(x for x, _ in shape.points)
    return shape.x + (CELL * shape.size * cells(shape.text) if shape.anchor == "start" else 0.0)
