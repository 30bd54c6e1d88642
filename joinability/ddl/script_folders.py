"""Folders of DDL scripts that are parts of one database: a script for each table, or for each change."""

from __future__ import annotations

import re
from collections.abc import Iterable

FEWEST, MOST = 3, 0.75
"""Scripts that may be parts of one database, at least, and the share of them that create one table at most."""
CREATES_TABLE = re.compile(r"\bcreate\s+(?:\w+\s+){0,3}?table\b", re.IGNORECASE)


def create_a_table_each(scripts: Iterable[str]) -> bool:
    """Whether most of some texts create one table at most, as the scripts of tools and of repositories do.

    Examples
    --------
    >>> one, two = "CREATE TABLE a (x INT)", "create table b (x INT); create or replace table c (x INT)"
    >>> create_a_table_each([one, one, one, two]), create_a_table_each([one, two, two]), create_a_table_each([one])
    (True, False, False)
    """
    counts = [len(CREATES_TABLE.findall(script)) for script in scripts]
    few = sum(count <= 1 for count in counts)
    return len(counts) >= FEWEST and few >= MOST * len(counts) and sum(counts) > 1


def by_number(name: str) -> list[tuple[int, str]]:
    """A name with the numbers in it as such, to sort by: V2 stands before V10."""
    return [(int(digits or 0), text.casefold()) for digits, text in re.findall(r"(\d*)(\D*)", name)]
