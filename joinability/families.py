"""Type families: the coarse kinds of column that can join with each other.

The rules on declared types are those of the Spider data set (substrings of the lower-cased type, first match
wins), which the published joinability scores build on; boolean types, SQL's own names, and those of what holds many
values are added.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from joinability.arrays import AnyArray, Flags

Family = Literal["number", "text", "time", "boolean", "other", "opaque"]

FAMILIES: tuple[Family, ...] = ("number", "text", "time", "boolean", "other", "opaque")

KINDS: tuple[str, ...] = ("number", "text", "time", "other", "opaque")
"""Kinds of values, whatever the name of the type; booleans are the numbers 1 and 0. Of "other" the kind is not known;
"opaque" are documents, lists and places, by which no two tables join."""

OF_ONE_KIND = 0.95
"""Share of a column's values that must be of a kind for the column to be of that kind."""

_KIND_OF_FAMILY = np.array([KINDS.index("number" if family == "boolean" else family) for family in FAMILIES])

_OPAQUE = "geometry geography point polygon linestring json variant xml array struct map hstore vector [] <".split()

_RULES: tuple[tuple[Family, tuple[str, ...]], ...] = (
    ("opaque", tuple(_OPAQUE)),
    ("boolean", ("bool", "bit")),
    ("text", ("char", "text", "var", "clob", "string", "uuid", "enum")),
    ("time", ("date", "time", "year", "interval")),
    ("number", ("int", "num", "dec", "real", "double", "float", "money", "serial")),
)


def declared_family(declared: str) -> Family:
    """Family of a declared SQL type; "other" for an unknown or missing one, where profiles go by the values.

    Examples
    --------
    >>> declared_family("VARCHAR(20)"), declared_family("bigint unsigned"), declared_family("")
    ('text', 'number', 'other')
    >>> declared_family("geography(Point, 4326)"), declared_family("INTEGER[]"), declared_family("STRUCT<sku STRING>")
    ('opaque', 'opaque', 'opaque')
    """
    lowered = declared.lower().split("(")[0]
    for family, words in _RULES:
        if any(word in lowered for word in words):
            return family
    return "other"


FRACTIONS = -1
"""In place of a length: numbers with digits behind the point."""

_LENGTH = re.compile(r"(?:^\s*(?:text|string)\s*|(?:char|number|numeric|dec)[^(]*)\(\s*(\d{1,9})\s*(?:,\s*(-?\d+))?")


@lru_cache(maxsize=4096)
def declared_length(declared: str) -> int:
    """How many letters a text, or digits a whole number, may have by its declared SQL type; `FRACTIONS` for other
    numbers, 0 where the type does not say it.

    Examples
    --------
    >>> [declared_length(declared) for declared in ("VARCHAR2(20 CHAR)", "TEXT(2)", "text", "int(11)")]
    [20, 2, 0, 0]
    >>> declared_length("Map(String, DateTime64(3))")
    0
    >>> [declared_length(declared) for declared in ("NUMBER(8)", "DECIMAL(10, 0)", "numeric(14,2)", "DECIMAL")]
    [8, 10, -1, 0]
    """
    told = _LENGTH.search(declared.lower())
    if not told:
        return 0
    return FRACTIONS if told[2] and int(told[2]) > 0 else int(told[1])


def kinds(family: NDArray[np.int8], numeric_share: AnyArray, time_share: AnyArray, known: Flags) -> NDArray[np.int8]:
    """Kind of the values of columns, an index into `KINDS`: by the contents where they are known, else by the family.

    Parameters
    ----------
    family : (C,) array of int8
        Index into `FAMILIES`.
    numeric_share, time_share : (C,) arrays of float
        Shares of the values that read as a number, as a date or time of day.
    known : (C,) array of bool
        Whether there are values.
    """
    number, text, time = (KINDS.index(kind) for kind in ("number", "text", "time"))
    content = np.where(numeric_share >= OF_ONE_KIND, number, np.where(time_share >= OF_ONE_KIND, time, text))
    return np.where(known, content, _KIND_OF_FAMILY[family]).astype(np.int8)


def kinds_fit(left: NDArray[np.int8], right: NDArray[np.int8]) -> Flags:
    """Whether columns may hold the same values: their kinds (`kinds`) are the same, or one of them is not known; those
    of an opaque column are nowhere else.

    Examples
    --------
    >>> number, text, other = (np.int8(KINDS.index(kind)) for kind in ("number", "text", "other"))
    >>> kinds_fit(np.array([number, number, number]), np.array([number, text, other])).tolist()
    [True, False, True]
    """
    unknown, opaque = KINDS.index("other"), KINDS.index("opaque")
    is_opaque = (left == opaque) | (right == opaque)
    return np.asarray(((left == right) | (left == unknown) | (right == unknown)) & ~is_opaque)
