"""Columns beside each other of which one tells by a key which row is meant, and the other of which table it is, by
their names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from joinability.by_name.key_words import Words, about, singular_words
from joinability.names import prefix_free

TYPES = ("type", "typ", "kind", "knd", "class", "cls", "model", "entity", "table", "tbl", "tab", "name", "nam")
"""Last words of names of columns that say of which table a row is meant, in full, in short, or run together with the
word before them."""
ANY_ROW = frozenset("entity obj object rec record ref reference resource row".split())
"""Words that any row may be called by."""
THINGS = ANY_ROW | frozenset("content foreign item origin owner parent source src subject table tab target tbl".split())
"""Words that say how a row is meant, and not of which table."""
_RUN_TOGETHER = re.compile(rf"(\w{{2,}}?)({'|'.join(TYPES)})")


def typed_columns(columns: Sequence[str], titles: Collection[str]) -> Iterator[tuple[int, int]]:
    """Columns of a table that may be a polymorphic reference: the places of the one that tells the type of what is
    meant, and of the one that tells its key.

    Their names agree but for these words: to the letter, or else but for words of `THINGS`. A "name" alone is no type.
    No column is a part of two references. Where a table holds what both names say, the key is that of this table, and
    the type is its own.

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
    >>> list(typed_columns(["source_type", "source_id", "target_type", "target_id"], {}))
    [(0, 1), (2, 3)]
    >>> list(typed_columns(["REFTYP", "REFNO"], {})), list(typed_columns(["linked_table", "linked_record_id"], {}))
    ([(0, 1)], [(0, 1)])
    >>> list(typed_columns(["account_id", "account_type"], {"account"})), list(typed_columns(["name", "owner_id"], {}))
    ([], [])
    """
    words = singular_words(prefix_free(columns))
    types = {
        place: stem
        for place, name in enumerate(words)
        if (stem := _before_type(name)) is not None and "".join(stem) not in titles
    }
    keys = {place: stem for place, name in enumerate(words) if (stem := about(name))}
    for agree in (_are_equal, _are_of_things):
        for place, stem in list(types.items()):
            alike = [other for other in keys if other != place and agree(stem, keys[other])]
            if alike:
                nearest = min(alike, key=lambda other: abs(other - place))
                del types[place], keys[nearest]
                yield place, nearest


def _are_equal(stem: Words, other: Words) -> bool:
    return stem == other


def _are_of_things(stem: Words, other: Words) -> bool:
    """Whether two names are equal but for words of things; where nothing else is left, the key is that of any row, or
    both say how it is meant."""
    one, two = ([word for word in words if word not in THINGS] for words in (stem, other))
    return one == two and bool(one or (stem and other) or not ANY_ROW.isdisjoint(other))


def _before_type(name: Words) -> Words | None:
    """The words of a name before those for a type; None where there are none of these."""
    name = about(name) or name
    end = len(name)
    while end and name[end - 1] in TYPES:
        end -= 1
    if end < len(name):
        return None if name in (("name",), ("nam",)) else name[:end]
    match = _RUN_TOGETHER.fullmatch(name[-1]) if name else None
    return (*name[:-1], match[1]) if match else None
