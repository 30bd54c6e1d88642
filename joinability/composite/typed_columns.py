"""Columns beside each other of which one tells by a key which row is meant, and the other of which table it is, by
their names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from joinability.by_name.key_words import Words, about, singular_words
from joinability.names import prefix_free

TYPES = ("type", "typ", "kind", "knd", "class", "cls", "model", "entity", "table", "tbl", "tab", "name")
"""Last words of names of columns that say of which table a row is meant, in full, in short, or run together with the
word before them."""
THINGS = frozenset(
    "entity foreign item object obj origin owner parent record rec ref reference resource row source src subject target"
    .split()
)  # fmt: skip
"""Words that any row may be called by."""
_RUN_TOGETHER = re.compile(rf"(\w{{2,}}?)({'|'.join(TYPES)})")


def typed_columns(columns: Sequence[str], titles: Collection[str]) -> Iterator[tuple[int, int]]:
    """Columns of a table that may be a polymorphic reference: the places of the one that tells the type of what is
    meant, and of the one that tells its key.

    Their names agree but for these words, or are words for any row alone. Where a table holds what both names say, the
    key is that of this table, and the type is its own.

    Parameters
    ----------
    columns : names
        Of the table, in order.
    titles : words run together
        What the tables of its database hold.

    Examples
    --------
    >>> list(typed_columns(["id", "commentable_type", "commentable_id", "body"], {"post", "comment"}))
    [(1, 2)]
    >>> list(typed_columns(["log_id", "table_name", "record_id"], {"log"}))
    [(1, 2)]
    >>> list(typed_columns(["REFTYP", "REFNO"], {}))
    [(0, 1)]
    >>> list(typed_columns(["account_id", "account_type"], {"account"}))
    []
    """
    words = singular_words(prefix_free(columns))
    types = [(place, stem) for place, name in enumerate(words) if (stem := _before_type(name)) is not None]
    keys = [(place, stem) for place, name in enumerate(words) if (stem := about(name))]
    for type_place, stem in types:
        alike = [place for place, other in keys if place != type_place and _agree(stem, other)]
        if alike and "".join(stem) not in titles:
            yield type_place, min(alike, key=lambda place: abs(place - type_place))


def _agree(stem: Words, other: Words) -> bool:
    return stem == other or (THINGS.issuperset(stem) and THINGS.issuperset(other))


def _before_type(name: Words) -> Words | None:
    """The words of a name before those for a type; None where there are none of these."""
    end = len(name)
    while end and name[end - 1] in TYPES:
        end -= 1
    if end < len(name):
        return name[:end]
    match = _RUN_TOGETHER.fullmatch(name[-1]) if name else None
    return (*name[:-1], match[1]) if match else None
