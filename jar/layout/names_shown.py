"""How wide text is in a font of one width, and how long names are shortened."""

from __future__ import annotations

import textwrap
import unicodedata

from joinability.lines import one_line

ELLIPSIS = "…"


def cells(text: str) -> int:
    """How many cells of a terminal, or of a font of one width, a text takes: wide signs two, marks on others none."""
    if text.isascii():
        return len(text)
    return sum(_cells(sign) for sign in text)


def _cells(sign: str) -> int:
    if unicodedata.combining(sign) or unicodedata.category(sign) == "Cf":
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


def shortened(name: str, width: int, ellipsis: str = ELLIPSIS) -> str:
    """A name in one line of at most `width` cells, at least one: its middle makes room, as names differ at their ends.

    Two thirds of the room are for the end, where the table, or the column, stands.

    Examples
    --------
    >>> shortened("warehouse_production.customer_orders", 24)
    'warehou….customer_orders'
    >>> shortened("bank.loan", 24)
    'bank.loan'
    """
    name = one_line(name)
    if cells(name) <= width:
        return name
    room = width - len(ellipsis)
    if room < 2:
        return _head(name, max(width, 1))
    head = _head(name, room // 3)
    tail = _head(name[::-1], room - cells(head))[::-1]
    return f"{head}{ellipsis}{tail}"


def cut(text: str, width: int, ellipsis: str = ELLIPSIS) -> str:
    """A text in one line of at most `width` cells, at least one: its end makes room."""
    text = one_line(text)
    if cells(text) <= width:
        return text
    return _head(text, width - len(ellipsis)) + ellipsis if width > len(ellipsis) else _head(text, max(width, 1))


def wrapped(text: str, width: int, most: int) -> list[str]:
    """A text in lines of at most `width` signs, `most` lines of it; an ellipsis says that there are more."""
    lines = [line for part in text.splitlines() for line in textwrap.wrap(one_line(part), width)]
    return lines if len(lines) <= most else [*lines[: most - 1], cut(f"{lines[most - 1]} {ELLIPSIS}", width)]


def _head(text: str, width: int) -> str:
    """As much of the beginning as there is room for."""
    taken, used = "", 0
    for sign in text:
        used += _cells(sign)
        if used > width:
            break
        taken += sign
    return taken
