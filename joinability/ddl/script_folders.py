"""Which DDL scripts of a folder are parts of one database: a script for each table, migrations, keys by themselves."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import networkx as nx

FEWEST, MOST = 3, 0.75
"""Scripts that may be parts of one database by their number of tables, at least, and the share of them that create one
table at most."""
_PART = r"(?:[\w$#]+|\"[^\"]+\"|`[^`]+`|\[[^\]]+\])"
_NAME = rf"({_PART}(?:\s*\.\s*{_PART})*)"
_CREATED = re.compile(rf"\bcreate\s+(?:\w+\s+){{0,3}}?table\s+(?:if\s+not\s+exists\s+)?{_NAME}", re.IGNORECASE)
_CHANGED = re.compile(rf"\b(?:alter|drop|rename)\s+table\s+(?:if\s+exists\s+|only\s+)*{_NAME}", re.IGNORECASE)
_REFERRED = re.compile(rf"\breferences\s+{_NAME}", re.IGNORECASE)


class Told(NamedTuple):
    """The tables that a script seems to create, to change, and to refer to, by the parts of their names."""

    created: frozenset[tuple[str, ...]]
    changed: frozenset[tuple[str, ...]]
    referred: frozenset[tuple[str, ...]]

    @classmethod
    def by(cls, script: str) -> Told:
        """What a text tells.

        Examples
        --------
        >>> told = Told.by('CREATE TABLE "A b" (x INT REFERENCES dbo.[Users]); ALTER TABLE ONLY c ADD y INT')
        >>> sorted(told.created), sorted(told.changed), sorted(told.referred)
        ([('a b',)], [('c',)], [('dbo', 'users')])
        """
        return cls(*(frozenset(map(_parts, known.findall(script))) for known in (_CREATED, _CHANGED, _REFERRED)))

    @property
    def elsewhere(self) -> frozenset[tuple[str, ...]]:
        """The tables of other scripts without which this one cannot be read in full. A name with a schema in a
        reference says where its table is."""
        plain = {name for name in self.referred if len(name) == 1}
        return (self.changed | plain) - self.created


def databases_in(scripts: Mapping[Path, str]) -> list[list[Path]]:
    """Scripts below one folder that are parts of one database, two at least, in the order in which they run; the most
    first. A script of its own is in none.

    All of a folder are where three in four create one table at most, as tools and repositories have them, or where one
    changes a table that another one creates, or refers to it; that one may be in another folder. Those that create the
    same tables are not.
    """
    told = {script: Told.by(text) for script, text in scripts.items()}
    together: nx.Graph[Path] = nx.Graph()
    together.add_edges_from(_needed(told))
    needed = {script.parent for script in together}
    for folder in {script.parent for script in told}:
        inside = {script: one for script, one in told.items() if script.parent == folder}
        if _create_nothing_twice(inside.values()) and (folder in needed or _a_table_each(inside.values())):
            nx.add_path(together, inside)
    groups = [sorted(group, key=_by_number) for group in nx.connected_components(together) if len(group) > 1]
    return sorted(groups, key=lambda group: (-len(group), _by_number(group[0])))


def _by_number(script: Path) -> list[list[tuple[int, str]]]:
    """The folder and the name of a script with the numbers in them as such, to sort by: V2 stands before V10."""
    return [
        [(int(digits or 0), text.casefold()) for digits, text in re.findall(r"(\d*)(\D*)", name)]
        for name in (script.parent.as_posix(), script.name)
    ]


def _parts(name: str) -> tuple[str, ...]:
    return tuple(part.strip("\"`[]").casefold() for part in re.findall(_PART, name))


def _create_nothing_twice(scripts: Collection[Told]) -> bool:
    """Whether no two scripts create the same table, unless another one drops it."""
    changed = {name for script in scripts for name in script.changed - script.created}
    created = [name for script in scripts for name in script.created - changed]
    return len(created) == len(set(created))


def _a_table_each(scripts: Iterable[Told]) -> bool:
    counts = [len(script.created) for script in scripts]
    few = sum(count <= 1 for count in counts)
    return len(counts) >= FEWEST and few >= MOST * len(counts) and sum(counts) > 1


def _needed(told: Mapping[Path, Told]) -> Iterable[tuple[Path, Path]]:
    """Each script with one that creates a table which it needs: the one in its folder, or else the only one."""
    creators: defaultdict[tuple[str, ...], list[Path]] = defaultdict(list)
    for script, one in told.items():
        for name in one.created:
            creators[name].append(script)
    for script, one in told.items():
        for name in one.elsewhere:
            near = [other for other in creators[name] if other.parent == script.parent] or creators[name]
            if len(near) == 1:
                yield script, near[0]
