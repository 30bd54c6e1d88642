"""Tables that values name, as "Post" and "App\\Models\\Post" name `posts`, and "PO" `purchase_orders`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from joinability.by_name.key_words import Words, singular_words, subjects, titles
from joinability.names import abbreviates

_SEPARATORS = re.compile(r"[\\/.:]+")
"""What stands between the name of a module and that of a class."""
SHORTEST = 3
"""Letters of the short form of a word, at least."""


class NamedTable(NamedTuple):
    """A table that a value may name, in full or in short."""

    table: int
    in_short: bool


class TablesByValue:
    """The tables of one database by what values may call them.

    Parameters
    ----------
    names : sequence of str
        Of the tables, as "schema.table" where they have a schema; tables are numbered in this order.
    in_words : sequence of str
        The same in words.

    Attributes
    ----------
    titles : frozenset of str
        What the tables hold, in words run together.
    words : list of words
        What each table holds.

    Examples
    --------
    >>> names = ["blog.posts", "purchase_orders", "INVMST", "stg_posts"]
    >>> tables = TablesByValue(names, [*names[:2], "invoice_master", "stg_posts"])
    >>> [[table for table, in_short in tables.named(value)] for value in ("Post", "b::Post", "PO", "Invoice", "paid")]
    [[0], [0], [1], [2], []]
    """

    def __init__(self, names: Sequence[str], in_words: Sequence[str]) -> None:
        own = [name.rpartition(".")[2] for name in names]
        held = [subject.words for subject in subjects(in_words)]
        self.words = titles([name.rpartition(".")[2] for name in in_words])
        self._forms = [_by_words(words) for words in (singular_words(own), self.words, held)]
        self.titles = frozenset(self._forms[1])

    def named(self, value: str) -> list[NamedTable]:
        """The tables that a value may mean: those whose names say most of it; several where they say the same."""
        parts = [part for part in _SEPARATORS.split(value.strip()) if part]
        for text in (" ".join(parts), parts[-1] if parts else ""):
            words = "".join(singular_words([text])[0])
            for form in self._forms:
                if tables := form.get(words):
                    return [NamedTable(table, in_short=False) for table in tables]
        return [NamedTable(table, in_short=True) for table in self._shortened(value.strip().lower())]

    def _shortened(self, value: str) -> list[int]:
        """The table whose name a value is short for: by the first letters of its words, or by those of its only one."""
        if not value.isalpha():
            return []
        by_initials = [
            table
            for table, words in enumerate(self.words)
            if len(words) > 1 and value == "".join(word[0] for word in words)
        ]
        by_letters = [
            table for table, words in enumerate(self.words) if len(words) == 1 and abbreviates(value, words[0])
        ]
        meant = by_initials or (by_letters if len(value) >= SHORTEST else [])
        return meant if len(meant) == 1 else []


def _by_words(names: Sequence[Words]) -> Mapping[str, Sequence[int]]:
    tables: defaultdict[str, list[int]] = defaultdict(list)
    for table, words in enumerate(names):
        if words:
            tables["".join(words)].append(table)
    return dict(tables)
