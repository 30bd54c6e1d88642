"""The pages of the project, and what stands in them: blocks of code, commands, links, headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]

_FENCE = re.compile(
    r"^(?:<!-- not run: (?P<reason>[^\n]*?) -->\n)?```(?P<language>[\w{}-]*)[^\n]*\n(?P<code>.*?)^```$", re.M | re.S
)
_INDENTED = re.compile(r"(?<=\n\n)(?:    [^\n]*\n)+")
_SPAN = re.compile(r"`([^`\n]+)`")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page; `reason` says why it is not run, where a comment above it does."""

    language: str
    code: str
    reason: str | None
    line: int


def blocks(text: str) -> list[Block]:
    """The fenced blocks of a page, in order."""
    return [
        Block(found["language"], found["code"], found["reason"], text.count("\n", 0, found.start("code")) + 1)
        for found in _FENCE.finditer(text)
    ]


def command_lines(text: str) -> Iterator[str]:
    """Lines for a shell: of the blocks that are consoles, and of indented blocks; a line that goes on is one."""
    consoles = [block.code for block in blocks(text) if block.language == "console"]
    indented = [re.sub(r"^    ", "", found, flags=re.M) for found in _INDENTED.findall(_FENCE.sub("", text))]
    for code in (*consoles, *indented):
        yield from code.replace("\\\n", " ").splitlines()


def spans(text: str) -> list[str]:
    """What stands between single backticks, outside of blocks."""
    return _SPAN.findall(_INDENTED.sub("", _FENCE.sub("", text)))


def slugs(text: str) -> set[str]:
    """The anchors of a page's headings, as forges and the site make them of their words."""
    headings = re.findall(r"^#+ +(.+?) *$", _FENCE.sub("", text), re.M)
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings}
