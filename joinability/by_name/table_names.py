"""What is known of a table without rows: its name, those of its columns, and their declared types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from joinability.families import FRACTIONS, KINDS
from joinability.names import name_words

NUMBER_KIND, TEXT_KIND, UNKNOWN_KIND, OPAQUE_KIND = KINDS.index("number"), KINDS.index("text"), -1, -2
"""Kinds of columns that hold numbers or texts, that may hold any values, and values that no other column has (see
`joinability.families`)."""
LONGEST_CODE, UUID = 20, 36
"""Letters that a text column may hold at most by its declared type, for it to be one of codes and not of names; and
those of a UUID."""
DIMENSIONAL = frozenset("agg dim dimension dwh fact fct".split())
"""First or last words of the names of tables of a warehouse."""

Place = tuple[int, int]
"""A column by the places of its table and of itself in the table."""


class Holds(NamedTuple):
    """What a column holds, by its declared type.

    Attributes
    ----------
    kind : int
        `UNKNOWN_KIND` fits all but `OPAQUE_KIND`, which fits none.
    length : int
        How many letters its texts may have, or how many digits its numbers; 0 where that is not known.

    Examples
    --------
    >>> number, code, name = Holds(NUMBER_KIND), Holds(TEXT_KIND, 2), Holds(TEXT_KIND, 60)
    >>> [number.may_equal(other) for other in (number, code, Holds(UNKNOWN_KIND))]
    [True, False, True]
    >>> [name.tells_no(key) for key in (code, name, Holds(TEXT_KIND))], Holds(TEXT_KIND, 10).tells_no(code)
    ([True, False, False], False)
    >>> number.tells_like(Holds(NUMBER_KIND, 8)), code.tells_like(code), name.tells_like(name), code.tells_like(name)
    (True, True, False, False)
    """

    kind: int
    length: int = 0

    def may_equal(self, other: Holds) -> bool:
        """Whether two columns may hold the same values, by their kinds."""
        is_opaque = OPAQUE_KIND in (self.kind, other.kind)
        return not is_opaque and (self.kind == other.kind or UNKNOWN_KIND in (self.kind, other.kind))

    def tells_no(self, key: Holds) -> bool:
        """Whether the column is no place for the values of a key: texts that are too short for these, or may be names
        where these are none, as that of a country is no code; numbers of more digits, or of fewer."""
        if 0 in (self.length, key.length):
            return False
        is_name = self.length > max(key.length, LONGEST_CODE)
        return self.length < key.length or is_name or (self.kind == NUMBER_KIND and self.length > key.length)

    def is_code(self) -> bool:
        """Whether the column holds texts that are too short for names, or UUIDs."""
        return self.kind == TEXT_KIND and (0 < self.length <= LONGEST_CODE or self.length == UUID)

    def may_tell_which(self) -> bool:
        """Whether the column may tell by a number or a code which thing is meant, and not by what it is called."""
        return self.kind == NUMBER_KIND or self.is_code()

    def tells_like(self, key: Holds) -> bool:
        """Whether the column and a key both hold codes of one length, or numbers, of one length where both say it."""
        is_unknown = self.kind == NUMBER_KIND == key.kind and 0 in (self.length, key.length)
        return self.may_tell_which() and (self == key or is_unknown)


class TableNames(NamedTuple):
    """What is known of a table without rows.

    Attributes
    ----------
    name : str
    columns : names
    kinds : numbers
        What each column holds; columns of different kinds do not refer to each other.
    key : names
        The declared primary key; () where it is not known.
    lengths : numbers
        How many letters or digits the values of each column may have by its declared type, as `declared_length` tells
        it; () where it is known of none.
    """

    name: str
    columns: Sequence[str]
    kinds: Sequence[int]
    key: Sequence[str] = ()
    lengths: Sequence[int] = ()

    def holds(self, column: int) -> Holds:
        """What a column holds; numbers with digits behind the point are elsewhere by chance alone."""
        length = self.lengths[column] if self.lengths else 0
        return Holds(OPAQUE_KIND) if length == FRACTIONS else Holds(self.kinds[column], length)


def is_dimensional(table: str) -> bool:
    """Whether a table is of a warehouse, by the first or the last word of its name.

    Examples
    --------
    >>> [is_dimensional(name) for name in ("dim_customer", "dwh.FactSales", "sales_fact", "customers", "dimensions")]
    [True, True, True, False, False]
    """
    words = name_words(table.rpartition(".")[2])
    return not DIMENSIONAL.isdisjoint(words[:1] + words[-1:])
