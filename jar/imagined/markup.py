"""Marks around what a language model, or the server before it, answers: tags, thoughts, whole pages."""

from __future__ import annotations

import re

_THOUGHTS = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_PAGE = re.compile(r"<(?:!doctype|\?xml|html|head|body|script|style|h1)\b", re.IGNORECASE)
_INLINE = re.compile(r"</?(?:a|b|code|em|i|span|strong|u)(?:\s[^<>\n]{0,200})?>", re.IGNORECASE)
_TAG = re.compile(r"</?(?!br\b)[a-z][\w-]{0,30}(?:\s[^<>\n]{0,200})?/?>", re.IGNORECASE)


def without_thoughts(text: str) -> str:
    """An answer without what the model thought aloud before it, in ``<think>`` and its like."""
    return _THOUGHTS.sub(" ", text)


def is_page(text: str) -> bool:
    """Whether a text is a page of HTML or XML: what a proxy sends where it has no answer.

    Examples
    --------
    >>> is_page("<html><body>502 Bad Gateway</body></html>"), is_page("<schema>client(id)</schema>")
    (True, False)
    """
    return _PAGE.search(text) is not None


def without_tags(text: str) -> str:
    """A text without tags; those of paragraphs, lists and the like end a line, ``<br>`` stays.

    Examples
    --------
    >>> without_tags("<ul><li><b>client</b>(id)</li></ul>").split()
    ['client(id)']
    """
    return _TAG.sub("\n", _INLINE.sub("", text))
