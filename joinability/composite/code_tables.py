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
NAMED = 0.5
"""Least agreement of the names of a type and a column, for the one to be that of the other."""
COVERED, MANY = 0.8, 4
"""Share of the codes of a type, and number of them, that a column of another name has where no other type has them."""
SHORTEST, IN_ORDER, IN_TWO_LETTERS = 2, 0.9, 0.6
"""Letters of a type that a name may have in their order, at least; what that counts, and of two letters."""


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
    return sorts(words[-1]) or words[-1] in TYPE_WORDS


def tells_codes(name: Words) -> bool:
    """Whether the name of a column says that it holds codes.

    Examples
    --------
    >>> [tells_codes(name) for name in (("code", "value"), ("item", "code"), ("item", "id"), ("description",))]
    [True, True, False, False]
    """
    return name[-1] in CODE_WORDS or (name[-1] not in SURROGATES and bool(identifies(name)))


def agreement(type_code: str, label: Words, column: Named) -> float:
    """How far a type is called like a column, by its code and what this stands for: between 0 and 1.

    Examples
    --------
    >>> status = Named("VEH_STATCD", ("status", "code"), ("rs", "vehicle"))
    >>> agreement("VSTAT", ("vehicle", "status"), status), agreement("VSTAT", (), status), agreement("OWN", (), status)
    (1.0, 0.9, 0.0)
    >>> agreement("CT", (), Named("CLTTYP", ("client", "type"), ("client", "master")))
    0.6
    """
    words = (*column.title, *column.words)
    said = [any(word == own or abbreviates(own, word) or abbreviates(word, own) for own in words) for word in label]
    by_label = sum(said) / len(said) if said else 0.0
    letters = "".join(filter(str.isalpha, type_code.lower()))
    spelled = [*("".join(words[place:]) for place in range(len(words))), column.written.lower()]
    if len(letters) < SHORTEST or not any(_has_in_order(letters, text) for text in spelled):
        return by_label
    return max(by_label, IN_ORDER if len(letters) > SHORTEST else IN_TWO_LETTERS)


def _has_in_order(letters: str, text: str) -> bool:
    rest = iter(text)
    return text[:1] == letters[0] and all(letter in rest for letter in letters)


def type_of(listed: CodeTable, column: Named, distinct: int, common: Mapping[str, int]) -> str | None:
    """The type whose codes a column holds; None where that is not clear.

    It has `CONTAINED` of its values, and its name, which says more of numbers, for these are everywhere; else they are
    texts that it alone has, and `COVERED` of its codes.

    Parameters
    ----------
    distinct : int
        Distinct values of the column.
    common : mapping of str to int
        Those that each type has.
    """
    holding = [code for code, count in common.items() if count >= max(FEWEST, CONTAINED * distinct)]
    named = {code: agreement(code, listed.labels.get(code, ()), column) for code in holding}
    agreeing = [code for code in holding if named[code] >= (NAMED if column.of_texts else IN_ORDER)]
    if agreeing:
        return max(agreeing, key=lambda code: (common[code], named[code], -listed.sizes[code]))
    if len(holding) == 1 and column.of_texts and common[holding[0]] >= max(MANY, COVERED * listed.sizes[holding[0]]):
        return holding[0]
    return None


def lists_codes(types: Sequence[str], codes: Sequence[str]) -> bool:
    """Whether rows of types and codes list each code once under its type, of some types with some codes."""
    pairs = list(zip(types, codes, strict=True))
    several = len(set(types))
    return len(set(pairs)) == len(pairs) >= CODES_PER_TYPE * several and several >= FEWEST_TYPES
