"""From a language model's answer to sub-queries, however it was written.

Asked for a JSON array, models answer with one, or with objects, a Python list, a numbered list, bullets with reasons,
or a line with commas, often inside a fence or between sentences, some after thinking aloud. All of these are read. What
has none of these forms (an apology, an essay, an error page) gives no sub-query.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from jar.imagined.markup import read_json, without_thoughts
from jar.text.decomposition import MAXIMUM
from joinability.cells import valid_text

__all__ = ["parse_subqueries"]

READ = 20_000
"""Characters of an answer that are looked at; sub-queries take a few hundred."""

LONGEST_LINE = 2000
"""Characters of a line, or of an entry of a list, that are looked at."""

LONGEST = 120
"""Characters of a sub-query at most; longer ones are sentences about it."""

WORDS = 12
"""Words of a sub-query at most, and below of each side of "concept:attribute", and of a line without a list's mark."""

SIDE_WORDS = 5

_ITEM = re.compile(r"(?:[-*+•‣◦–]|\(?\d{1,2}[.):]|\(?[a-zA-Z][.)])\s+(?P<text>\S.*)")
_LABEL = re.compile(
    r"(?:(?:here are )?(?:the )?(?:sub[- ]?)(?:quer(?:y|ies)|questions?)|decomposition|answer|output)\s*\d*\s*[:=]\s*",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"[*`\"“”«»]|^[\s'‘_#>]+|[\s'’_]+$")
_REASON = re.compile(r"\s+(?:[-–—]{1,2}|//|#|\(|because\b)\s*.*", re.DOTALL)
_ARROW = re.compile(r"\s*(?:->|=>|→|⇒)\s*")
_SCHEMA = re.compile(r"(?P<table>[\w. -]{0,60}\w)\((?P<columns>[^()]{1,400})\)")
_IDENTIFIER = re.compile(r"[^\W\d][\w-]*(?:\.[\w-]+)+")
_CODE = re.compile(r"[{}\[\]<>]")
_PAIR = re.compile(r"[^:]*\w[^:]*:[^:]*\w[^:]*")

_LISTS = {"subqueries", "subquery", "queries", "subquestions", "decomposition", "answer", "result", "output"}
_CONCEPTS = ("concept", "table", "entity", "subject")
_ATTRIBUTES = ("attribute", "attributes", "column", "columns", "field", "fields", "property")
_TEXTS = ("subquery", "sub_query", "sub-query", "query", "text", "name")


def parse_subqueries(text: str) -> list[str]:
    """Sub-queries of an answer.

    Returns
    -------
    list of str
        At most `MAXIMUM`, in their order, without regard to case no two alike, each at most `LONGEST` characters in
        one line; empty where the answer holds none.

    Examples
    --------
    >>> parse_subqueries('Sure! ["client:gender", "loan"]')
    ['client:gender', 'loan']
    >>> parse_subqueries("1. **client: gender** - only women are asked for\\n2. `loan`")
    ['client:gender', 'loan']
    >>> parse_subqueries("I am sorry, I cannot help with that.")
    []
    """
    answer = valid_text(without_thoughts(text)[:READ])
    raw = _from_json(answer) or _from_lines(answer)
    subqueries: dict[str, str] = {}
    for entry in raw:
        for subquery in _clean(entry):
            subqueries.setdefault(subquery.casefold(), subquery)
    return list(subqueries.values())[:MAXIMUM]


def _from_json(answer: str) -> list[str]:
    """Texts of the first JSON document in the answer that holds any; a text that was cut off at the end is none."""
    cut = re.sub(r",\s*\"[^\"\n]{0,200}\Z", "", answer.rstrip())
    return next((texts for document in read_json(cut) if (texts := list(_texts(document)))), [])


def _texts(value: Any) -> Iterator[str]:
    """Sub-queries in a JSON value: texts, lists of them, objects with a concept and attributes, or of either kind."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for entry in value:
            yield from _texts(entry)
    elif isinstance(value, dict):
        yield from _object_texts({str(key).strip().casefold(): entry for key, entry in value.items()})


def _object_texts(entries: dict[str, Any]) -> Iterator[str]:
    if "error" in entries:
        return
    wrapped = [entry for key, entry in entries.items() if re.sub(r"[^a-z]", "", key) in _LISTS]
    concept = next((entries[key] for key in _CONCEPTS if isinstance(entries.get(key), str)), None)
    if concept is not None:
        yield from _pairs(concept, next((entries[key] for key in _ATTRIBUTES if entries.get(key)), None))
    elif wrapped:
        for entry in wrapped:
            yield from _texts(entry)
    elif any(isinstance(entries.get(key), str) for key in _TEXTS):
        yield next(entries[key] for key in _TEXTS if isinstance(entries.get(key), str))
    else:
        for key, entry in entries.items():
            yield from _pairs(key, entry)


def _pairs(concept: str, attributes: Any) -> Iterator[str]:
    """``concept:attribute`` for each attribute, or the concept alone."""
    names = [attributes] if isinstance(attributes, str) else attributes if isinstance(attributes, list) else []
    named = [name for name in names if isinstance(name, str) and name.strip()]
    yield from (f"{concept}:{name}" for name in named) if named else (concept,)


def _from_lines(answer: str) -> list[str]:
    lines = [line.strip()[:LONGEST_LINE] for line in answer.splitlines()]
    lines = [line for line in lines if line and not line.startswith("```")]
    items = [match["text"] for line in lines if (match := _ITEM.fullmatch(line))]
    if items:
        return [_LABEL.sub("", item, count=1) if _LABEL.match(item) else item for item in items]
    labelled = [line[match.end() :] for line in lines if (match := _LABEL.match(line)) and match.end() < len(line)]
    if labelled:
        return _split(labelled[0]) if len(labelled) == 1 else labelled
    if len(lines) == 1:
        parts = _split(lines[0])
        return parts if all(map(_short, parts)) and any(map(_PAIR.fullmatch, parts)) else []
    short = [line for line in lines if _short(line)]
    return short if any(map(_PAIR.fullmatch, short)) or len(short) == len(lines) > 1 else []


def _split(line: str) -> list[str]:
    return [part.strip() for part in re.split(r"[,;|]", line) if part.strip()]


def _short(line: str) -> bool:
    """Whether a line reads like a sub-query and not like a sentence."""
    return len(line.split()) <= SIDE_WORDS and not line.endswith((".", "!", "?", ":"))


def _clean(entry: str) -> Iterator[str]:
    """A sub-query without marks, quotes and reasons; a table with its columns becomes one for each column."""
    text = " ".join(_MARKUP.sub("", _MARKUP.sub("", entry[:LONGEST_LINE])).split())
    schema = _SCHEMA.fullmatch(text)
    if schema:
        for column in schema["columns"].split(","):
            yield from _clean(f"{schema['table']}:{column}")
        return
    sides = _ARROW.split(text)
    text = next((side for side in sides if _PAIR.fullmatch(side)), sides[0])
    text = _REASON.sub("", text).strip(" .,;:!-'")
    if _IDENTIFIER.fullmatch(text):
        text = text.replace(".", ":")
    concept, colon, attribute = (part.strip() for part in text.partition(":"))
    if colon and len(attribute.split()) > SIDE_WORDS:
        attribute = ""  # a sentence about the concept
    text = f"{concept}:{attribute}" if attribute else concept
    if len(text) > LONGEST or len(text.split()) > WORDS or _CODE.search(text):
        return
    if any(map(str.isalnum, text)) and text.isprintable():
        yield text
