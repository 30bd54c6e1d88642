"""An explanation as lines: the answer with its bars and trees, then why each table is there."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from jar.cli.terminal.answer_view import opening_lines
from jar.cli.terminal.screen import Line, Screen, Span
from jar.cli.terminal.shell_words import in_shell_words

if TYPE_CHECKING:
    from jar.answers.selection import Selection

HEADS = re.compile(r" {0,2}\d+\. |evidence of the joins|joins$|sub-queries|probes|note: |not connected")
"""How lines begin that open a part of an explanation."""


def explanation_lines(selection: Selection, screen: Screen) -> Iterator[Line]:
    """The answer, then the lines of `Selection.explain` below its question."""
    plan = selection.plan()
    yield from opening_lines(plan, screen)
    yield ()
    lines = selection.explain().split("\n")
    for line in lines[len(plan.question.splitlines()) + 1 :]:
        style = "bold" if HEADS.match(line) else ""
        told = in_shell_words(line) if line.startswith("note: ") else line
        yield from ((Span(part, style),) for part in _broken(told, screen.width))


def _broken(line: str, width: int | None) -> list[str]:
    """A line in as many as a terminal needs, each of the others indented a little more."""
    if width is None or len(line) <= width:
        return [line]
    indent = " " * (len(line) - len(line.lstrip()))
    return textwrap.wrap(
        line.strip(), width, initial_indent=indent, subsequent_indent=f"{indent}    ", break_on_hyphens=False
    )
