"""`Screen`: what standard output can show, and styled lines printed on it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from joinability.lines import one_line

SIGNS = "█▓▒░├└─│…"
"""What is shown where the encoding has it."""
LEAST_WIDTH = 30
"""Narrower terminals are written on as if they were so wide."""


class Span(NamedTuple):
    """A part of a line, and its style as `rich` names it."""

    text: str
    style: str = ""


Line = tuple[Span, ...]


@dataclass(frozen=True)
class Screen:
    """What standard output can show.

    Attributes
    ----------
    width : int or None
        Columns of a terminal; None where it is none, so that nothing is shortened.
    colours : bool
    blocks : bool
        Whether its encoding has the signs of `SIGNS`.
    """

    width: int | None = None
    colours: bool = False
    blocks: bool = True

    @classmethod
    def of_output(cls) -> Screen:
        """That of this process: colours only on a terminal, and not where NO_COLOR is set (no-color.org) or TERM is
        "dumb"."""
        encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
        try:
            SIGNS.encode(encoding)
            blocks = True
        except (UnicodeEncodeError, LookupError):
            blocks = False
        if not sys.stdout.isatty():
            return cls(blocks=blocks)
        plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
        return cls(max(shutil.get_terminal_size().columns, LEAST_WIDTH), not plain, blocks)

    def text(self, lines: Iterable[Line]) -> str:
        """Lines as one text, with the escapes of their styles where there are colours; no sign of a name breaks or
        steers."""
        plain = [tuple(Span(one_line(span.text), span.style) for span in line) for line in lines]
        if not self.colours:
            return "\n".join("".join(span.text for span in line).rstrip() for line in plain)
        return "\n".join("".join(map(_styled, line)) for line in plain)


def _styled(span: Span) -> str:
    from rich.color import ColorSystem
    from rich.style import Style

    if not span.style or not span.text.strip():
        return span.text
    return Style.parse(span.style).render(span.text, color_system=ColorSystem.STANDARD)
