"""How items of frameworks name their tables: a key of their metadata, or the text itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Generic, TypeVar

Item = TypeVar("Item")

_NAME = r'"(?:[^"]|"")+"|`[^`]+`|\[[^\]]+\]|[^\s"`\[\].,:;|(]+'
_COMMENTS = r"(?:\s+|--[^\n]*(?:\n|\Z)|/\*.*?\*/)*"
_STATEMENT = r"(?:CREATE\s+(?:\w+\s+){0,4}?(?:TABLE|VIEW)\s+(?:IF\s+NOT\s+EXISTS\s+)?|TABLE\s*:?\s+)?"
_NAMED = re.compile(rf"{_COMMENTS}{_STATEMENT}((?:{_NAME})(?:\.(?:{_NAME}))*)", re.IGNORECASE | re.DOTALL)
_ENDS = (": ", " |", "(")
"""What may follow a name in a text."""
LONGEST_ID = 300
"""Characters of a text that may be an id as a whole."""


@dataclass(frozen=True)
class MetadataKey(Generic[Item]):
    """Reads the name of an item's table from its metadata, under a key."""

    key: str
    metadata: Callable[[Item], Mapping[str, Any]]

    def __call__(self, item: Item) -> Any:
        """The name; None where there is none."""
        return self.metadata(item).get(self.key)

    def told(self, item: Item) -> str:
        """Where the name of an item was looked for, for an error."""
        keys = ", ".join(map(repr, self.metadata(item))) or "no key"
        return f"the key {self.key!r} was looked for in its metadata, which has {keys}"


def from_metadata(
    id_of: str | Callable[[Item], Any], metadata: Callable[[Item], Mapping[str, Any]] = attrgetter("metadata")
) -> Callable[[Item], Any]:
    """How items name tables, where a user gives a callable or the key of the item's metadata that holds the name."""
    return id_of if callable(id_of) else MetadataKey(id_of, metadata)


def named_table(text: str) -> str | None:
    """The table that a text is about: the name after CREATE TABLE or "table", or else the text's first name.

    So "bank.loan", "bank.loan(amount, status)", "bank.loan: amount, status" and 'CREATE TABLE "bank"."loan" (...)' all
    name bank.loan. Comments of SQL before the name are passed over. None where a text starts with no name.
    """
    match = _NAMED.match(text)
    parts = re.findall(_NAME, match.group(1)) if match else []
    return ".".join(_unquoted(part) for part in parts) or None


def possible_names(text: Any) -> tuple[str, ...]:
    """What may be the name in a text: the whole of its first line or its beginning, if an id has blanks; `named_table`.

    The first that the index has is meant. None for what is no text.
    """
    if not isinstance(text, str):
        return ()
    line = text.strip().partition("\n")[0].strip()
    whole = [line, *(line.partition(end)[0].strip() for end in _ENDS)]
    names = [name for name in whole if name and len(name) <= LONGEST_ID]
    named = named_table(text)
    return tuple(dict.fromkeys([*names, named] if named else names))


def _unquoted(name: str) -> str:
    return name[1:-1].replace('""', '"') if name[0] in '"`[' else name
