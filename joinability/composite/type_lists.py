"""Tables that list types by number: where a `content_type_id` is 7, the row 7 of `django_content_type` says which
table is meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

from joinability.by_name.key_words import Words, about

if TYPE_CHECKING:
    from joinability.composite.tables_by_value import NamedTable, TablesByValue

FEWEST_NAMED = 2
"""Tables that the rows of such a list name, at least."""
NAMED_SHARE = 0.5
"""Least share of its rows that name one."""


class TypeList(NamedTuple):
    """A table that lists types.

    Attributes
    ----------
    title : words
        What it holds.
    tables : mapping of str to list of NamedTable
        The tables that each of its keys means.
    """

    title: Words
    tables: Mapping[str, Sequence[NamedTable]]

    def named(self, key: str) -> Sequence[NamedTable]:
        """The tables that one of its keys means."""
        return self.tables.get(key, ())

    def is_meant_by(self, name: Words) -> bool:
        """Whether a column with a word for a key refers to it, by its name.

        Examples
        --------
        >>> listed = TypeList(("django", "content", "type"), {})
        >>> [listed.is_meant_by(name) for name in (("content", "type", "id"), ("entity", "type", "id"), ("type",))]
        [True, False, False]
        >>> listed.is_meant_by(("actor", "content", "type", "id"))
        True
        """
        entity = about(name)
        return any(entity[-length:] == self.title[-length:] for length in range(2, len(entity) + 1)) or (
            bool(entity) and entity == self.title[-1:]
        )


def type_list(
    title: Words, keys: Sequence[str], texts: Iterable[Sequence[str]], by_value: TablesByValue
) -> TypeList | None:
    """A table as a list of types, where most of its rows name tables; by one of its texts, or by two, of which the
    first is a module (`blog`, `post` for `blog_post`).

    Parameters
    ----------
    title : words
    keys : of each row
    texts : columns of texts, one for each row
    by_value : TablesByValue

    Examples
    --------
    >>> from joinability.composite.tables_by_value import TablesByValue
    >>> names = ["shop_order", "shop_item", "auth_user", "django_content_type"]
    >>> rows = ["1", "2", "3"], [["shop", "shop", "auth"], ["order", "item", "user"]]
    >>> found = type_list(("content", "type"), *rows, TablesByValue(names, names))
    >>> {key: [table for table, _ in tables] for key, tables in found.tables.items()}
    {'1': [0], '2': [1], '3': [2]}
    >>> type_list(("type",), ["1", "2"], [["red", "blue"]], TablesByValue(names, names)) is None
    True
    """
    best: dict[str, Sequence[NamedTable]] = {}
    for values in _ways(list(texts)):
        named: dict[str, Sequence[NamedTable]] = {}
        for key, value in zip(keys, values, strict=True):
            if tables := [table for table in by_value.named(value) if not table.in_short]:
                named[key] = tables
        best = max(best, named, key=_tells)
    is_list = len(best) >= max(FEWEST_NAMED, NAMED_SHARE * len(keys))
    return TypeList(title, best) if is_list else None


def _tells(named: Mapping[str, Sequence[NamedTable]]) -> tuple[int, int]:
    """How many rows name one table alone, and how many tables these are: a module is that of several."""
    alone = [tables[0].table for tables in named.values() if len(tables) == 1]
    return len(set(alone)), len(alone)


def _ways(texts: Sequence[Sequence[str]]) -> Iterator[Sequence[str]]:
    """The ways in which the texts of rows may name tables: modules and names together, and names alone."""
    for modules, names in permutations(texts, 2):
        yield [f"{module}.{name}" for module, name in zip(modules, names, strict=True)]
    yield from texts
