"""What the columns of a table have in front of their names: `CU_` of CUSTOMER; or PM of POLMST, which runs together
with them, as in files of AS/400: PMPOLN and PMTERM."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from joinability.spelling.common_words import stands_in
from joinability.spelling.vocabulary import plain_words
from joinability.spelling.word_forms import is_common

PREFIX_SHARE, PREFIX_LETTERS, PREFIX_NAMES = 0.8, 4, 3
"""A prefix is shared by this part of a table's columns, has at most so many letters, and that of so many columns."""
OWN_PREFIX_SHARE = 0.4
"""Part of the columns that share a prefix of letters of the table's name, such as `LT_` of `LOCN_TYP`."""
LENGTHS = (4, 3, 2)
"""Letters of such a prefix; the greatest number counts that nearly all tables with a shorter one share, too."""
FEWEST_COLUMNS, FEWEST_TABLES = 4, 3
"""Columns of a table that say so, and prefixes of tables of one database that make a rule of it: two tables begin alike
by chance."""
DIFFERENT = 0.7
"""Share of the first words with a prefix that differ: `customer_id` and `customer_name` begin with one word."""
_HEAD = re.compile(r"[A-Za-z]+\d*_(?=\w)")
LEFT = 2
"""Characters of a name that a prefix leaves, at least."""


def without_prefixes(tables: Sequence[Sequence[str]]) -> list[list[str]]:
    """The names of the columns of the tables of one database, without what runs together with them in front.

    A prefix is what nearly all columns of a table begin with, where tables have prefixes of one length, each its own.

    Examples
    --------
    >>> policies, claims = ["pmpoln", "pmterm", "pmlob", "pmstat"], ["CLPOLN", "CLCLMN", "CLLDAT", "CLSTAT"]
    >>> agents = ["agcode", "agname", "agcity", "agfax"]
    >>> without_prefixes([policies, claims, agents])[1], without_prefixes([policies, agents])[0][:2]
    (['POLN', 'CLMN', 'LDAT', 'STAT'], ['pmpoln', 'pmterm'])
    """
    prefixes = begin_together(tables)
    return [
        [name[len(prefix) :] if prefix and _begins(name.lower(), prefix) else name for name in columns]
        for columns, prefix in zip(tables, prefixes, strict=True)
    ]


def begin_together(tables: Sequence[Sequence[str]]) -> list[str]:
    """What runs together with the names of the columns of each table in front, in lower case; "" for nothing."""
    return _rule([[_first_part(name) for name in columns] for columns in tables])


def shared_prefix(columns: Sequence[str], table: str = "") -> str:
    """What most columns of a table put in front of their names, with its underscore and in lower case; "" for nothing.

    A word, and a prefix of more than four letters, is only taken for one where it stands in the table's own name. Two
    or three letters of that name need be in front of fewer columns.

    Examples
    --------
    >>> shared_prefix(["cu_id", "cu_name", "cu_city"]), shared_prefix(["loan_date", "loan_city", "loan_sum"])
    ('cu_', '')
    >>> shared_prefix(["LT_CD", "LT_DESC", "LT_FL", "CRT_BY", "CRT_DT"], "LOCN_TYP")
    'lt_'
    """
    heads = Counter(match.group().lower() for column in columns if (match := _HEAD.match(column)))
    if len(columns) < PREFIX_NAMES or not heads:
        return ""
    head, count = heads.most_common(1)[0]
    bare = head[:-1]
    is_all = count == len(columns) and any(_is_short_for(bare, part) for part in plain_words(table))
    is_prefix = bare in plain_words(table) or (len(bare) <= PREFIX_LETTERS and (is_all or not is_word(bare)))
    is_of_table = len(bare) < PREFIX_LETTERS and not is_word(bare) and stands_in(bare, table.lower())
    least = max(PREFIX_NAMES, OWN_PREFIX_SHARE * len(columns)) if is_of_table else PREFIX_SHARE * len(columns)
    return head if is_prefix and count >= least else ""


def is_word(prefix: str) -> bool:
    """Whether letters in front of names are a frequent word of three letters and more."""
    return len(prefix) > 2 and is_common(prefix)


def _is_short_for(short: str, part: str) -> bool:
    """Whether letters are in a longer part of a name, and begin like it."""
    return len(short) < len(part) and short[:1] == part[:1] and stands_in(short, part)


def _first_part(name: str) -> str:
    return next(iter(plain_words(name)), "")


def _begins(name: str, prefix: str) -> bool:
    """Whether a name begins with a prefix that runs together with what follows."""
    return name.startswith(prefix) and len(_first_part(name)) >= len(prefix) + LEFT


def _rule(tables: Sequence[Sequence[str]]) -> list[str]:
    """The prefix of each table, all of one length; "" for none."""
    by_length = {length: [_prefix(parts, length) for parts in tables] for length in LENGTHS}
    shortest = sum(map(bool, by_length[LENGTHS[-1]]))
    for length, prefixes in by_length.items():
        found = [prefix for prefix in prefixes if prefix]
        if len(set(found)) >= FEWEST_TABLES and len(found) >= PREFIX_SHARE * shortest:
            return [_prefix(parts, length, fewest=2, share=1.0) or _prefix(parts, length) for parts in tables]
    return [""] * len(tables)


def _prefix(parts: Sequence[str], length: int, fewest: int = FEWEST_COLUMNS, share: float = PREFIX_SHARE) -> str:
    """What so many of the first parts of names begin with; "" for nothing, or where they begin with more."""
    if len(parts) < fewest:
        return ""
    heads = Counter(part[:length] for part in parts if len(part) >= length + LEFT)
    head, count = heads.most_common(1)[0] if heads else ("", 0)
    is_longer = count > 0 and len({part[: length + 1] for part in parts if part.startswith(head)}) == 1
    different = {part for part in parts if part.startswith(head)}
    is_prefix = count >= share * len(parts) and len(different) >= DIFFERENT * count
    return head if is_prefix and not is_longer else ""
