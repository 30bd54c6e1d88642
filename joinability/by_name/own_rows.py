"""Words of names of columns that tell another row of their own table: its parent, what it replaces, what it copies."""

from __future__ import annotations

from joinability.by_name.key_words import Words, about
from joinability.spelling.common_words import ABBREVIATIONS

STANDINGS = frozenset(
    "amended amends ancestor cloned copied corrected corrects derived duplicate followup merged next original parent "
    "preceded precedes preceding predecessor prev previous prior renewal renewed renews replaced replacement replaces "
    "reply report reversal reversed reverses root split succeeded succeeding succeeds successor superior superseded "
    "supersedes "
    "nachfolger uebergeordnet uebergeordnete vorgaenger vorgesetzte vorgesetzter vorgänger übergeordnet übergeordnete "
    "precedent suivant superieur anterior padre siguiente precedente successivo".split()
)
"""How a row may stand to another one of its table, in five languages."""
OF_WHAT_IS_NO_ROW = frozenset(
    "as best count date day kind month number out place sort time type unit value year".split()
)
"""Words before "of" that tell a number, a day or a sort."""
TOWARDS = frozenset("by for from in into of on to".split())
"""What stands behind them, before the other row."""


def tells_own_row(name: Words) -> bool:
    """Whether the name of a column, with a word for a key or without, says how another row of its table stands to it,
    and not what this is.

    Examples
    --------
    >>> [tells_own_row(name) for name in (("parent", "id"), ("report", "to"), ("duplicate", "of"), ("prnt", "cd"))]
    [True, True, True, True]
    >>> [tells_own_row(name) for name in (("parent", "account", "id"), ("id",), ("copy", "of"), ("best", "of"))]
    [False, False, True, False]
    """
    entity = about(name) or name
    words = entity[:-1] if entity[-1:] and entity[-1] in TOWARDS else entity
    if not words:
        return False
    is_of = entity[-1] == "of" and OF_WHAT_IS_NO_ROW.isdisjoint(words)
    return is_of or all(ABBREVIATIONS.get(word, word) in STANDINGS for word in words)


def without_start(words: Words, start: Words) -> Words:
    """Words without those that they begin with, where more follow.

    Examples
    --------
    >>> without_start(("cost", "center", "parent", "code"), ("cost", "center")), without_start(("parent",), ("parent",))
    (('parent', 'code'), ('parent',))
    """
    return words[len(start) :] if words[: len(start)] == start != words else words
