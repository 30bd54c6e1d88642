"""JSON and its relatives as language models write them: cut short, with single quotes, comments or trailing commas."""

from __future__ import annotations

import re
from typing import TypeAlias

Node: TypeAlias = "str | list[Node] | dict[str, Node]"

DEEPEST = 50
"""Brackets nested deeper than this end the document."""

_TOKEN = re.compile(
    r"""(?P<string>"(?:[^"\\\n]|\\.){0,200}"|'(?:[^'\\\n]|\\.){0,200}')"""
    r"|(?P<open>[\[{])|(?P<close>[\]}])|(?P<comma>,)|(?P<colon>:)"
    r"""|(?P<bare>[^\s\[\]{},:"']+)"""
)
_ESCAPE = re.compile(r"\\(.)")


def read_nested(text: str) -> list[Node]:
    """The documents of a text: each top-level object or list, in order; what is not closed is closed at the end.

    Strings, numbers and words all become texts. Whatever stands between the documents is skipped. Linear in the length.

    Examples
    --------
    >>> read_nested('Sure: {"client": ["id", "name",], "loan": ["amount"')
    [{'client': ['id', 'name'], 'loan': ['amount']}]
    """
    found: list[Node] = []
    stack: list[tuple[list[Node] | dict[str, Node], list[str]]] = []  # the open containers, each with keys in waiting
    expected = True  # a word that follows a word belongs to it, as in VARCHAR (20)
    for token in _TOKEN.finditer(text):
        kind, written = token.lastgroup, token.group()
        if kind == "open":
            node: list[Node] | dict[str, Node] = [] if written == "[" else {}
            if not stack:
                found.append(node)
            elif len(stack) >= DEEPEST:
                return found
            else:
                _add(stack, node)
            stack.append((node, []))
        elif not stack:
            continue
        elif kind == "close":
            _flush(stack)
            stack.pop()
        elif kind == "comma":
            _flush(stack)
        elif kind == "string" or (kind == "bare" and expected):
            plain = _ESCAPE.sub(r"\1", written[1:-1]) if kind == "string" else written
            container, waiting = stack[-1]
            if isinstance(container, dict) and not waiting:
                waiting.append(plain)
            else:
                _add(stack, plain)
        expected = kind in ("open", "comma", "colon")
    while stack:
        _flush(stack)
        stack.pop()
    return found


def _add(stack: list[tuple[list[Node] | dict[str, Node], list[str]]], node: Node) -> None:
    container, waiting = stack[-1]
    if isinstance(container, list):
        container.append(node)
    else:
        container[waiting.pop() if waiting else ""] = node


def _flush(stack: list[tuple[list[Node] | dict[str, Node], list[str]]]) -> None:
    """A key that gets no value, as in the set {"id", "name"}, has an empty one."""
    container, waiting = stack[-1]
    if isinstance(container, dict) and waiting:
        container.setdefault(waiting.pop(), "")
