"""Prefixes that run together with the names of columns, as those of AS/400 files do: PMPOLN and PMTERM of POLMST."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from joinability.spelling.vocabulary import PREFIX_SHARE, plain_words

LENGTHS = (4, 3, 2)
"""Letters of such a prefix; the greatest number counts that nearly all tables with a shorter one share, too."""
FEWEST_COLUMNS, FEWEST_TABLES = 4, 3
"""Columns of a table that say so, and prefixes of tables of one database that make a rule of it: two tables begin alike
by chance."""
DIFFERENT = 0.7
"""Share of the first words with a prefix that differ: `customer_id` and `customer_name` begin with one word."""
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
    length, prefixes = _rule([[_first_part(name) for name in columns] for columns in tables])
    return [
        [name[length:] if prefix and _begins(name.lower(), prefix) else name for name in columns]
        for columns, prefix in zip(tables, prefixes, strict=True)
    ]


def _first_part(name: str) -> str:
    return next(iter(plain_words(name)), "")


def _begins(name: str, prefix: str) -> bool:
    """Whether a name begins with a prefix that runs together with what follows."""
    return name.startswith(prefix) and len(_first_part(name)) >= len(prefix) + LEFT


def _rule(tables: Sequence[Sequence[str]]) -> tuple[int, list[str]]:
    """How many letters the prefixes of a database have, and that of each table; "" for none."""
    by_length = {length: [_prefix(parts, length) for parts in tables] for length in LENGTHS}
    shortest = sum(map(bool, by_length[LENGTHS[-1]]))
    for length, prefixes in by_length.items():
        found = [prefix for prefix in prefixes if prefix]
        if len(set(found)) >= FEWEST_TABLES and len(found) >= PREFIX_SHARE * shortest:
            return length, [_prefix(parts, length, fewest=2, share=1.0) or _prefix(parts, length) for parts in tables]
    return 0, [""] * len(tables)


def _prefix(parts: Sequence[str], length: int, fewest: int = FEWEST_COLUMNS, share: float = PREFIX_SHARE) -> str:
    """What so many of the first parts of names begin with; "" for nothing."""
    if len(parts) < fewest:
        return ""
    heads = Counter(part[:length] for part in parts if len(part) >= length + LEFT)
    head, count = heads.most_common(1)[0] if heads else ("", 0)
    different = {part for part in parts if part.startswith(head)}
    return head if count >= share * len(parts) and len(different) >= DIFFERENT * count else ""
