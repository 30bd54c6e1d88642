"""What is known of a table without rows: its name, those of its columns, and their declared types."""

from __future__ import annotations

from collections import Counter
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
DIMENSIONS = frozenset("dim dimension dwh".split())
"""First, second or last words of the names of tables that a warehouse has."""
DIMENSIONAL = DIMENSIONS.union("agg fact fct mart rpt".split())
"""The same, and those of the tables beside these."""
REPORTS = frozenset("report rpt".split())
"""First words of the names of those that report what others hold."""
OF_MODULE = 3
"""Tables that are written alike, at least, for this to be the way of a module."""
CASES = ("", "lower", "mixed", "upper")
"""How names may be written."""

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

    def may_spell(self, key: Holds) -> bool:
        """Whether the column may hold the numbers of a key as texts.

        Examples
        --------
        >>> number = Holds(NUMBER_KIND)
        >>> Holds(TEXT_KIND, 10).may_spell(number), Holds(TEXT_KIND, 60).may_spell(number), number.may_spell(number)
        (True, False, False)
        """
        return self.kind == TEXT_KIND and key.kind == NUMBER_KIND and self.length <= LONGEST_CODE

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
    case : str
        How the names of its columns are written, as `case_of` tells it, where that is the way of a module; else "".
    """

    name: str
    columns: Sequence[str]
    kinds: Sequence[int]
    key: Sequence[str] = ()
    lengths: Sequence[int] = ()
    case: str = ""

    def holds(self, column: int) -> Holds:
        """What a column holds; numbers with digits behind the point are elsewhere by chance alone."""
        length = self.lengths[column] if self.lengths else 0
        return Holds(OPAQUE_KIND) if length == FRACTIONS else Holds(self.kinds[column], length)

    def with_loose_texts(self) -> TableNames:
        """The table as if its texts might be numbers: what was loaded from elsewhere has no types yet."""
        return self._replace(kinds=[UNKNOWN_KIND if kind == TEXT_KIND else kind for kind in self.kinds])


def case_of(names: Sequence[str]) -> str:
    """How names are written: "mixed" where capitals stand within a third of them, else "upper" where most are capitals,
    or "lower" where most are small letters, and some have an underscore; else "", as single words say little.

    Examples
    --------
    >>> [case_of(names) for names in (["POLNO", "CLTNO"], ["id", "policy_no"], ["id", "policyNo"], ["id", "name"])]
    ['upper', 'lower', 'mixed', '']
    """
    upper = sum(name.isupper() for name in names)
    lower = sum(name.islower() for name in names)
    mixed = sum(name.upper() != name.lower() for name in names) - upper - lower
    if 3 * mixed >= max(len(names), 1):
        return "mixed"
    if upper > lower:
        return "upper"
    return "lower" if lower > upper and any("_" in name for name in names) else ""


def of_modules(cases: Sequence[str]) -> list[str]:
    """How the tables of one database are written, but for what too few are: it makes no module.

    Examples
    --------
    >>> of_modules(["upper", "lower", "lower", "lower", ""])
    ['', 'lower', 'lower', 'lower', '']
    """
    count = Counter(cases)
    return [case if count[case] >= OF_MODULE else "" for case in cases]


def dimensional(tables: Sequence[str]) -> list[bool]:
    """Which tables of a database are of a warehouse, by the first two or the last words of their names: reports, and
    others where a table is a dimension, as an `agg_type` may be one of aggregates.

    Examples
    --------
    >>> dimensional(["rpt_dim_customer", "dwh.FactSales", "sales_fact", "customers", "dimensions"])
    [True, True, True, False, False]
    >>> dimensional(["agg_type", "quarry", "rpt_branch_month"])
    [False, False, True]
    """
    told = [name_words(table.rpartition(".")[2]) for table in tables]
    ends = [{*words[:2], *words[-1:]} for words in told]
    has_dimensions = any(not DIMENSIONS.isdisjoint(words) for words in ends)
    return [
        words[0] in REPORTS or (has_dimensions and not DIMENSIONAL.isdisjoint(of_table))
        for words, of_table in zip(told, ends, strict=True)
    ]
