"""What surrounds the content of a language model's answer: thoughts, tags, fences, comments; and JSON inside it."""

from __future__ import annotations

import json
import re
from typing import Any

LONGEST_REPAIR = 4_000
"""Characters of malformed JSON that are repaired; the time grows with their square."""
MOST_DOCUMENTS = 20
"""JSON documents that are read from one answer."""
MOST_LEVELS = 50
"""Levels of a document; deeper ones are no answer, and walks through them have to end."""
MOST_BLANKS = 40
"""Blanks in a row that are kept, so that no pattern has to step through more of them."""

_THOUGHTS = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_PAGE = re.compile(r"<(?:!doctype|\?xml|html|head|body|script|style|h1)\b", re.IGNORECASE)
_INLINE = re.compile(r"</?(?:a|b|code|em|i|span|strong|u)(?:\s[^<>\n]{0,200})?>", re.IGNORECASE)
_TAG = re.compile(r"</?(?!br\b)[a-z][\w-]{0,30}(?:\s[^<>\n]{0,200})?/?>", re.IGNORECASE)
_COMMENT = re.compile(r"(?s:/\*.{0,2000}?\*/)|(?m:^ *//.*$)|(?<![-|:\w])--(?![-|>]).*")
_FENCE = re.compile(r"(?m)^ *(?:```|~~~).*$")
_BLANKS = re.compile(rf"[^\S\n]{{{MOST_BLANKS},}}")
_CHARACTERS = str.maketrans("\uff08\uff09\uff0c\uff1b\uff1a\x00", "(),;: ", "\ufeff")
_JSON = re.compile(r"[\[{](?=\s*[\"'\[{\]}])")


def without_thoughts(text: str) -> str:
    """An answer without what the model thought aloud before it, in ``<think>`` and its like."""
    return _THOUGHTS.sub(" ", text)


def is_page(text: str) -> bool:
    """Whether a text is a page of HTML or XML, which a proxy sends in place of an answer.

    Examples
    --------
    >>> is_page("<html><body>502 Bad Gateway</body></html>"), is_page("<schema>client(id)</schema>")
    (True, False)
    """
    return _PAGE.search(text) is not None


def plain_text(text: str) -> str:
    """A text without tags, code fences, comments of SQL and C, full-width brackets and long runs of blanks.

    Examples
    --------
    >>> plain_text("<ul><li><b>client</b>(id)</li></ul> -- the key").split()
    ['client(id)']
    """
    text = _TAG.sub("\n", _INLINE.sub("", text)).translate(_CHARACTERS).expandtabs(4).replace("\\_", "_")
    return _COMMENT.sub(" ", _FENCE.sub("", _BLANKS.sub(" " * MOST_BLANKS, "\n".join(text.splitlines()))))


def read_json(text: str) -> list[Any]:
    """The JSON objects and lists of a text, in order; from the first malformed one on, the rest is repaired.

    Single quotes, trailing commas, comments and missing closing brackets are repaired.

    Examples
    --------
    >>> read_json("Sure: {'client': ['id', 'name',], 'loan': ['amount'")
    [{'client': ['id', 'name'], 'loan': ['amount']}]
    """
    documents: list[Any] = []
    position = 0
    for _ in range(MOST_DOCUMENTS):
        opening = _JSON.search(text, position)
        if opening is None:
            break
        try:
            document, position = json.JSONDecoder().raw_decode(text, opening.start())
        except (ValueError, RecursionError):
            return [*documents, *_repaired(text[opening.start() :][:LONGEST_REPAIR])]
        if not _is_deep(document):
            documents.append(document)
    return documents


def _repaired(text: str) -> list[Any]:
    import json_repair

    try:
        document = json_repair.loads(text)
    except (ValueError, RecursionError):
        return []
    return [document] if isinstance(document, (dict, list)) and not _is_deep(document) else []


def _is_deep(document: Any) -> bool:
    level = [document]
    for _ in range(MOST_LEVELS):
        level = [
            inner
            for node in level
            if isinstance(node, (dict, list))
            for inner in (node.values() if isinstance(node, dict) else node)
        ]
        if not level:
            return False
    return True
