"""Names in lines of text: whatever signs a name has, it breaks no line and steers no terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

LISTED = 5
"""So many files of which one thing is told are named."""

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


def told_once(told: Iterable[tuple[str, str]]) -> list[str]:
    """What is told of files, (path, text), with those of one text together.

    Examples
    --------
    >>> told_once([("a/x.zip", "no table in a .zip file"), ("a/y.zip", "no table in a .zip file")])
    ['a/x.zip, a/y.zip: no table in a .zip file']
    """
    by_text: dict[str, list[str]] = {}
    for path, text in told:
        by_text.setdefault(text, []).append(path)
    return [f"{listed(paths, LISTED)}: {text}" for text, paths in by_text.items()]
