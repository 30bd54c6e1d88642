"""Type families: the coarse kinds of column that can join with each other.

The rules on declared types are those of the Spider data set (substrings of the lower-cased type, first match
wins), which the published joinability scores build on; boolean types and SQL's own names are added.
"""

from __future__ import annotations

from typing import Literal

Family = Literal["number", "text", "time", "boolean", "other"]

FAMILIES: tuple[Family, ...] = ("number", "text", "time", "boolean", "other")

_RULES: tuple[tuple[Family, tuple[str, ...]], ...] = (
    ("boolean", ("bool", "bit")),
    ("text", ("char", "text", "var", "clob", "string", "uuid", "enum")),
    ("time", ("date", "time", "year", "interval")),
    ("number", ("int", "num", "dec", "real", "double", "float", "money", "serial")),
)


def declared_family(declared: str) -> Family:
    """Family of a declared SQL type; "other" for an unknown one, and for none: profiles then go by the contents.

    Examples
    --------
    >>> declared_family("VARCHAR(20)"), declared_family("bigint unsigned"), declared_family("")
    ('text', 'number', 'other')
    """
    lowered = declared.lower().split("(")[0]
    for family, words in _RULES:
        if any(word in lowered for word in words):
            return family
    return "other"
