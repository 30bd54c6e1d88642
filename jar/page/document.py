"""A page as one file: template, style, script and model, under a policy that lets nothing else run or load.

Names, values and questions reach the page as JSON alone, in a block that is no script and in which no sign can end it;
the script shows them as text. The policy allows the one style and the script by their hashes, and no request.
"""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from importlib.resources import files
from typing import Any

ESCAPED = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}
"""Signs that mean something to a reader of HTML or of old scripts, as JSON writes them in strings."""
ALONE = ("page.js",)
"""The script of a page that is a file."""


def document(model: dict[str, Any] | None, scripts: tuple[str, ...] = ALONE, connect: str = "") -> str:
    """The page of a model.

    Parameters
    ----------
    model : dict or None
        What the script shows at once; None where it asks a server.
    scripts : tuple of str
        Files beside this one that make up the script, in their order.
    connect : str
        Where the script may send requests: "'self'" for a page from a server, nowhere by default.
    """
    style, script = asset("page.css"), _script(scripts)
    parts = {
        "policy": policy(style, script, connect),
        "style": style,
        "model": embedded(model),
        "script": script,
    }
    before, *rest = asset("page.html").split("{{")
    return before + "".join(parts[name] + text for name, text in (piece.split("}}", 1) for piece in rest))


def policy_of(scripts: tuple[str, ...] = ALONE, connect: str = "") -> str:
    """The content security policy of the page with these scripts."""
    return policy(asset("page.css"), _script(scripts), connect)


def policy(style: str, script: str, connect: str = "") -> str:
    """The content security policy of a page with one style and one script."""
    rules = {
        "default-src": "'none'",
        "style-src": _hash(style),
        "script-src": _hash(script),
        "img-src": "data:",
        "connect-src": connect or "'none'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def embedded(model: Any) -> str:
    """A model as JSON that no text in it can leave."""
    return json.dumps(model, ensure_ascii=True, allow_nan=False, separators=(",", ":")).translate(ESCAPED)


@cache
def asset(name: str) -> str:
    """The text of a file beside this one."""
    return files("jar.page").joinpath("assets", name).read_text(encoding="utf-8")


def _script(names: tuple[str, ...]) -> str:
    return "\n".join(map(asset, names))


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
