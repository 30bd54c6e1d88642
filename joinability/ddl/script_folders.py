"""Which DDL scripts of a folder are parts of one database: a script for each table, migrations, keys by themselves."""

from __future__ import annotations

import re
import shlex
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import networkx as nx

from joinability.lines import listed
from joinability.paths import shown

if TYPE_CHECKING:
    from joinability.schema import Table

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


def databases_in(scripts: Mapping[Path, str], known: Iterable[Sequence[Path]] = ()) -> list[list[Path]]:
    """Scripts below one folder that are parts of one database, in the order in which they run; the most first. A script
    of its own is in none.

    All of a folder are where three in four create one table at most, as tools and repositories have them, or where one
    changes a table that another one creates, or refers to it; that one may be in another folder. Those that create the
    same tables are not.

    Parameters
    ----------
    known : groups of scripts
        Those that were parts of one database before: they stay together unless they create the same tables.
    """
    told = {script: Told.by(text) for script, text in scripts.items()}
    together: nx.Graph[Path] = nx.Graph()
    together.add_edges_from(_needed(told))
    stay = [group for group in known if _create_nothing_twice([told[script] for script in group])]
    for group in stay:
        nx.add_path(together, group)
    needed = {script.parent for script in together}
    for folder in {script.parent for script in told}:
        inside = {script: one for script, one in told.items() if script.parent == folder}
        if _create_nothing_twice(inside.values()) and (folder in needed or _a_table_each(inside.values())):
            nx.add_path(together, inside)
    staying = {script for group in stay for script in group}
    parts = [part for part in nx.connected_components(together) if len(part) > 1 or part <= staying]
    groups = [sorted(part, key=_by_number) for part in parts]
    return sorted(groups, key=lambda group: (-len(group), _by_number(group[0])))


def shared_schemas(read: Mapping[str, tuple[Path, Iterable[Table]]]) -> list[str]:
    """A note on the schemas that tables of several DDL files name, and that become one database.

    Parameters
    ----------
    read : mapping
        The file and the tables by the name of each database that files without a given name have.
    """
    named: dict[str, list[str]] = {}
    for name, (_, tables) in read.items():
        for database in {table.database for table in tables}:
            named.setdefault(database, []).append(name)
    shared = {database: names for database, names in named.items() if len(names) > 1}
    if not shared:
        return []
    first, second, *more = next(iter(shared.values()))
    sources = " ".join(shlex.quote(f"{name}={shown(read[name][0])}") for name in (first, second))
    return [
        f"several files have tables of the same schema ({', '.join(sorted(shared))}), which is taken for one database; "
        f"if it is not, name them: {sources}{' ...' if more else ''}"
    ]


def several_databases(read: Mapping[str, tuple[Path, Iterable[Table]]], given: Collection[Path]) -> Iterator[str]:
    """A note on each folder whose scripts are taken for databases of their own, and may be parts of one.

    Parameters
    ----------
    read : mapping
        As for `shared_schemas`.
    given : collection of Path
        The sources: of a script that is one of them there is no doubt.
    """
    folders: dict[Path, list[str]] = {}
    for name, (file, tables) in read.items():
        if file not in given and {table.database for table in tables} == {name}:
            folders.setdefault(file.parent, []).append(name)
    for folder, names in folders.items():
        if len(names) > 1:
            source = shlex.quote(f"{folder.name}={shown(folder)}")
            yield (
                f"the {len(names)} scripts in {shown(folder)} are taken for databases of their own "
                f"({listed(names, 5)}); if they are parts of one, name it: {source}"
            )


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
