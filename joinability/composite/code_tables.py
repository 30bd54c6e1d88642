"""Tables that list the codes of many columns, each under its type: `CODTBL` with `CODTYP` and `CODVAL`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from joinability.by_name.key_words import SURROGATES, Words, identifies
from joinability.names import abbreviates, sorts

TYPE_WORDS = frozenset("domain enum field group key list set table".split())
"""Last words of the columns that tell the types, beside those for sorts."""
CODE_WORDS = frozenset("entry item option value".split())
"""Last words of the columns that hold the codes, beside those that identify."""
BESIDE = frozenset("code cd key no".split())
"""Words for keys behind such a word: `type_code`."""
FEWEST_TYPES, CODES_PER_TYPE = 3, 1.5
"""Types of such a table, and codes under each in the mean, at least."""
CONTAINED, FEWEST = 0.9, 2
"""Least share of the values of a column that are codes of its type, and least number of them."""
WHOLE, FEWEST_OF_WHOLE = 0.8, 3
"""Least share of the codes of a type that a column has, and least number of them, for its other values to be orphans
where nearly all rows have codes."""
NAMED = 0.6
"""Least agreement of the names of a type and a column, for the one to be that of the other."""
SHORTEST, IN_ORDER, IN_TWO_LETTERS = 2, 0.9, 0.6
"""Signs of a type that a name may have in their order, at least; what that counts, and of two signs."""
REPEATED = 0.1
"""Share of the rows of a list that may repeat others, as codes do that differ in case where that counts for nothing."""


class CodeTable(NamedTuple):
    """A table with the codes of each type.

    Attributes
    ----------
    type_column, code_column : int
        Positions in the evidence.
    sizes : mapping of str to int
        How many codes each type has.
    labels : mapping of str to words
        What each type is called, where another table says it.
    """

    type_column: int
    code_column: int
    sizes: Mapping[str, int]
    labels: Mapping[str, Words]


class Named(NamedTuple):
    """A column that may hold codes, in words.

    Attributes
    ----------
    written : str
    words, title : words
        Of its name and of what its table holds.
    of_texts : bool
        It holds texts, of which at least one is no number.
    """

    written: str
    words: Words
    title: Words
    of_texts: bool = True


def tells_types(name: Words) -> bool:
    """Whether the name of a column says that it tells the type of a code.

    Examples
    --------
    >>> [tells_types(name) for name in (("code", "type"), ("cod", "typ"), ("domain", "code"), ("customer", "id"))]
    [True, True, True, False]
    """
    words = [word for word in name if word not in BESIDE] or list(name)
    return bool(words) and (sorts(words[-1]) or words[-1] in TYPE_WORDS)


def tells_codes(name: Words) -> bool:
    """Whether the name of a column says that it holds codes.

    Examples
    --------
    >>> [tells_codes(name) for name in (("code", "value"), ("item", "code"), ("item", "id"), ("description",))]
    [True, True, False, False]
    """
    return bool(name) and (name[-1] in CODE_WORDS or (name[-1] not in SURROGATES and bool(identifies(name))))


def agreement(type_code: str, label: Words, column: Named) -> float:
    """How far a type is called like a column, by its code and what this stands for: between 0 and 1.

    Examples
    --------
    >>> status = Named("vehstatcd", ("status", "code"), ("rs", "vehicle"))
    >>> agreement("VSTAT", ("vehicle", "status"), status), agreement("VSTAT", (), status), agreement("OWN", (), status)
    (1.0, 0.9, 0.0)
    >>> agreement("CT", (), Named("clttyp", ("client", "type"), ("client", "master")))
    0.6
    """
    words = (*column.title, *column.words)
    signs = "".join(filter(str.isalnum, type_code.lower()))
    if signs and signs in (column.written, "".join(words), "".join(column.words)):
        return 1.0
    said = [any(word == own or abbreviates(own, word) or abbreviates(word, own) for own in words) for word in label]
    by_label = sum(said) / len(said) if said else 0.0
    spelled = [*("".join(words[place:]) for place in range(len(words))), column.written]
    if len(signs) < SHORTEST or not any(_has_in_order(signs, text) for text in spelled):
        return by_label
    return max(by_label, IN_ORDER if len(signs) > SHORTEST else IN_TWO_LETTERS)


def _has_in_order(signs: str, text: str) -> bool:
    rest = iter(text)
    return text[:1] == signs[0] and all(sign in rest for sign in signs)


def type_of(listed: CodeTable, column: Named, distinct: int, common: Mapping[str, int]) -> str | None:
    """The type whose codes a column holds; None where that is not clear.

    It has `CONTAINED` of its values, or nearly all of its codes are among them: whether the others are orphans, of
    which a few rows have many, rows tell. And it has its name, which says more of numbers, for these are everywhere.

    Parameters
    ----------
    distinct : int
        Distinct values of the column.
    common : mapping of str to int
        Those that each type has.
    """
    named = {code: agreement(code, listed.labels.get(code, ()), column) for code in common}
    agreeing = [
        code
        for code, count in common.items()
        if (contains(count, distinct) or has_whole(count, listed.sizes[code]))
        and named[code] >= (NAMED if column.of_texts else IN_ORDER)
    ]
    return max(agreeing, key=lambda code: (named[code], common[code], -listed.sizes[code]), default=None)


def contains(count: int, distinct: int) -> bool:
    """Whether so many of the values of a column are codes of a type that it holds nothing else."""
    return count >= max(FEWEST, CONTAINED * distinct)


def has_whole(count: int, size: int) -> bool:
    """Whether so many codes are nearly all of a type with a number of codes."""
    return count >= max(FEWEST_OF_WHOLE, WHOLE * size)


def lists_codes(types: Sequence[str], codes: Sequence[str]) -> bool:
    """Whether rows of types and codes list codes under their types, of some types with some codes, hardly one twice."""
    pairs, several = set(zip(types, codes, strict=True)), len(set(types))
    return len(pairs) >= max(CODES_PER_TYPE * several, (1 - REPEATED) * len(types)) and several >= FEWEST_TYPES
