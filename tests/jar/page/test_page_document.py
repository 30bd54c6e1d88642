"""The file of a page: no text in its model can leave its block, and its policy allows one script and one style."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest
from hostile import HOSTILE

from jar.page.document import asset, document, embedded


class Parsed(HTMLParser):
    """The tags of a page, and what is inside its blocks."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.blocks: list[tuple[str, dict[str, str | None], str]] = []
        self._open: tuple[str, dict[str, str | None]] | None = None
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self._open = (tag, dict(attrs))

    def handle_data(self, data: str) -> None:
        if self._open is not None and self._open[0] in {"script", "style"}:
            self.blocks.append((*self._open, data))
            self._open = None


def test_there_are_enough_hostile_texts() -> None:
    """At least fifty, all different."""
    assert len(set(HOSTILE)) == len(HOSTILE) >= 50


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_leaves_its_block(text: str) -> None:
    """The tags of the page are the same whatever a name is, and its script reads the name as it was."""
    plain, html = Parsed(document({"name": "x"})), document({"name": text, text: [text]})
    parsed = Parsed(html)
    assert parsed.tags == plain.tags
    (block,) = (data for tag, attrs, data in parsed.blocks if attrs.get("type") == "application/json")
    assert json.loads(block) == {"name": text, text: [text]}
    assert not re.search("[<>&\u2028\u2029]", block)


def test_the_policy_names_the_style_and_the_script() -> None:
    """Their hashes are those of the blocks as a browser reads them; nothing else runs, loads or is sent."""
    html = document({"question": "</script>"})
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', html)
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    for tag, rule in (("style", "style-src"), ("script", "script-src")):
        blocks = [data for name, attrs, data in Parsed(html).blocks if name == tag and "type" not in attrs]
        assert len(blocks) == 1
        digest = base64.b64encode(hashlib.sha256(blocks[0].encode()).digest()).decode()
        assert rules[rule] == f"'sha256-{digest}'"
    assert rules["default-src"] == rules["connect-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert "unsafe" not in policy


def test_the_script_makes_no_markup() -> None:
    """No script of the package hands a text to a parser of HTML or of code."""
    scripts = "".join(map(asset, ("page.js", "graph.js", "live.js")))
    for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "srcdoc"):
        assert way not in scripts


def test_numbers_that_json_lacks_are_refused() -> None:
    """An infinity never becomes a script's `Infinity`."""
    with pytest.raises(ValueError, match="JSON"):
        embedded({"value": float("inf")})
