"""Names in lines of text: whatever signs a name has, it breaks no line and steers no terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_STEERING = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, ends of lines and paragraphs, changes of direction, and halves of surrogate pairs."""


def one_line(text: str) -> str:
    r"""The text with an escape in place of each sign that breaks lines or steers terminals.

    Examples
    --------
    >>> print(one_line("order\nlines\x1b[31m"))
    order\nlines\x1b[31m
    """
    return _STEERING.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)


def lines_text(lines: Iterable[str]) -> str:
    """Lines as one text, of as many lines."""
    return "\n".join(map(one_line, lines))


def listed(names: Sequence[str], most: int) -> str:
    """The first names between commas, and how many more there are.

    Examples
    --------
    >>> listed(["a", "b", "c"], 3), listed(["a", "b", "c"], 2)
    ('a, b, c', 'a, b and 1 more')
    """
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
