"""What the names of columns may mean: the tables whose keys they may be, by the kinds of `NAME_KINDS`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import TypeAlias

from joinability.by_name.key_words import (
    SAME_THINGS,
    SURROGATES,
    Kin,
    Words,
    about,
    as_one_word,
    before_of,
    before_role,
    sorts_something,
)
from joinability.by_name.name_kinds import NAME_KINDS, WITHOUT_A_WORD
from joinability.by_name.own_rows import TOWARDS
from joinability.by_name.roles import (
    EMPLOYED,
    is_plainly_somebody,
    names_job,
    names_profession,
    people_of,
    who_is_meant,
)
from joinability.by_name.tables_by_name import KeyedTables, TablesByName
from joinability.names import GENERIC, name_words, sorts
from joinability.spelling.known_systems import OF_SHORT, SYSTEMS

LONGEST_SHORT = 4
"""Letters of a name of a system that stands for other things as well (`OF_SHORT`), for it to be none, at most."""
SHORTEST_TAIL = 3
"""Letters of the name of a table behind those of an area, at least, for a column to be called like it."""
EVERYDAY = GENERIC.union("date description note reference ref remark text txt".split())
"""Words of columns of any table, which name none of an area."""
BEFORE_ROLES = {"same": "role", "lead": "role lead", "named": "role", "last": "role last", "kin": "role kin"}
"""Kinds of references, and what they become where a word for a role stands behind the name of the key."""
Meanings: TypeAlias = tuple[tuple[str, tuple[int, ...]], ...]
"""Kinds of references, each with some tables."""


class NameReadings:
    """Reads names of columns among the tables of a database, each name once.

    Parameters
    ----------
    tables : KeyedTables
    """

    def __init__(self, tables: KeyedTables) -> None:
        self._tables = tables
        self._by_name = TablesByName.of(tables)
        self._people = self._by_name.people_in(tables.cases)
        self._people_of_systems: dict[str, list[str]] = {}
        for people, held in self._by_name.people.items():
            for system in {system_of(tables.kin[table]) for table in held} - {""}:
                self._people_of_systems.setdefault(system, []).append(people)
        self._meanings: dict[tuple[Words, Words, Kin | None, str], Meanings] = {}

    def of(self, bare: Words, raw: Words, kin: Kin | None, case: str) -> Meanings:
        """The tables whose key a name may mean, in the order of `NAME_KINDS`; a name is read once for tables beside
        each other.

        Parameters
        ----------
        bare, raw : words
            The name without the prefix that the columns of its table share, and as it is.
        kin : Kin or None
            What its table has in common with those beside it.
        case : str
            How the names of its table are written: who acts is rather in a table that is written alike.
        """
        meanings = self._meanings.get((bare, raw, kin, case))
        if meanings is None:
            by_kind: dict[str, dict[int, None]] = {kind: {} for kind in NAME_KINDS}
            for kind, tables in self._readings(bare, raw, kin, case):
                by_kind[kind].update(dict.fromkeys(tables))
            near = ((kind, self._of_system(kind, tuple(tables), kin)) for kind, tables in by_kind.items())
            meanings = tuple((kind, tables) for kind, tables in near if tables)
            self._meanings[bare, raw, kin, case] = meanings
        return meanings

    def _of_system(self, kind: str, tables: tuple[int, ...], kin: Kin | None) -> tuple[int, ...]:
        """Some tables to which a name may refer: those of the same copied system, where there are such. By what
        somebody does, and by names without a word for a key, what was copied from a system refers to nothing else."""
        system = system_of(kin)
        inside = tuple(table for table in tables if system_of(self._tables.kin[table]) == system)
        is_closed = system and (kind.endswith("person") or kind == "bare" or kind in WITHOUT_A_WORD)
        return inside if inside or is_closed else tables

    def _readings(self, bare: Words, raw: Words, kin: Kin | None, case: str) -> Iterator[tuple[str, Sequence[int]]]:
        """The tables whose key a name may mean, and the kind of reference that this would be."""
        yield from self._by_keys(bare, raw)
        yield from self._by_people(bare, raw, kin, case)
        yield from self._by_titles(bare, raw, kin)
        yield from self._by_what_is_before_a_role(before_role(bare), before_role(raw), kin)

    def _by_what_is_before_a_role(
        self, bare: Words, raw: Words, kin: Kin | None
    ) -> Iterator[tuple[str, Sequence[int]]]:
        """The readings of the name of a key, behind which a word for its role stood; none of ()."""
        for kind, tables in chain(self._by_keys(bare, raw), self._by_titles(bare, raw, kin)) if bare and raw else ():
            if kind in BEFORE_ROLES:
                yield BEFORE_ROLES[kind], tables

    def _by_keys(self, bare: Words, raw: Words) -> Iterator[tuple[str, Sequence[int]]]:
        """The readings of a name as that of a key, behind a word for its role or not."""
        by_name = self._by_name
        for name in (bare, raw):
            yield "same", by_name.key.get(as_one_word(name), ())
            yield "lead", by_name.leader.get(as_one_word(name), ())
            for cut in range(1, len(name)):
                keyed = by_name.key.get(as_one_word(name[cut:]), ())
                yield "role", self._without_other_owners(name[:cut], keyed)
                yield "role lead", by_name.leader.get(as_one_word(name[cut:]), ())

    def _by_people(
        self, bare: Words, raw: Words, kin: Kin | None, case: str
    ) -> Iterator[tuple[str, Sequence[int]]]:
        """The readings of a name as that of people, with a word for a key or without."""
        near = self._people_of_systems.get(system_of(kin), ())
        for name in (bare, raw):
            if GENERIC.issuperset(name):
                continue
            there = near or (() if names_job(name) else self._people.get(case, ()))
            meant = who_is_meant(name, there) or who_is_meant(name, self._by_name.people)
            kind = "person" if is_plainly_somebody(name, meant) else "bare person"
            yield kind, self._by_name.those_among(meant)
            if not names_profession(name):
                yield "other person", self._by_name.those_among(self._others_meant(name, meant, near, case))
            employed = people_of(about(name))
            if employed in EMPLOYED and employed not in self._by_name.people:
                yield "person", self._by_name.those_among(EMPLOYED)

    def _others_meant(
        self, name: Words, meant: Collection[str], near: Collection[str], case: str
    ) -> frozenset[str]:
        """Those whom a name may mean beside some people, rather in tables written alike; persons may be anybody."""
        alike, everywhere = (
            [people for people in those if people not in meant and people != "person"]
            for those in (near or self._people.get(case, ()), self._by_name.people)
        )
        return who_is_meant(name, alike) or who_is_meant(name, everywhere)

    def _by_titles(self, bare: Words, raw: Words, kin: Kin | None) -> Iterator[tuple[str, Sequence[int]]]:
        """The readings of a name as that of a table, with a word for a key or without."""
        by_name = self._by_name
        for name in (bare, raw):
            entity = about(name)
            if GENERIC.issuperset(name):
                continue
            same = SAME_THINGS.get((entity or name)[-1], "")
            yield "role" if entity else "role bare", by_name.in_full.get(same, ())
            if not entity:
                whole, thing = ("".join(words) for words in (name, before_of(name)))
                yield "bare", by_name.title.get(whole if whole in by_name.title else thing, ())
                if kin:
                    yield "bare", by_name.kin.get((kin, whole), ())
                yield from self._by_ends(name)
                continue
            if kin:
                yield "kin", by_name.kin.get((kin, "".join(entity)), ())
            named, alone = by_name.title.get("".join(entity), ()), self._that_alone_holds(entity)
            yield "named", named
            if all(self._tables.dimensional[table] for table in named):
                yield "named" if named else "last", alone
            if before_of(entity) != entity:
                yield "role", by_name.title.get("".join(before_of(entity)), ())
            yield "short", by_name.abbreviated(entity)
            yield "last" if len(entity) == 1 else "role last", self._in_an_area(entity[-1])
            for cut in range(1, len(entity)):
                yield "role last", self._that_alone_holds(entity[cut:])
                if kin:
                    yield "role kin", by_name.kin.get((kin, "".join(entity[cut:])), ())
                yield "role", by_name.title.get("".join(entity[cut:]), ())
                if not TOWARDS.issuperset(entity[cut:]):
                    yield "role short", self._without_other_owners(entity[:cut], by_name.abbreviated(entity[cut:]))
            if name[-1] in SURROGATES:
                yield "last", by_name.last_words.get("".join(entity), ())
                yield "first", by_name.first_words.get("".join(entity), ())
                for cut in range(1, len(entity)):
                    yield "role last", by_name.last_words.get("".join(entity[cut:]), ())

    def _that_alone_holds(self, entity: Words) -> list[int]:
        """The table of an area that alone in its database holds something: `rs_vehicle`, and no other has vehicles but
        for a dimension of a warehouse."""
        held = [table for table in self._by_name.held.get("".join(entity), ()) if not self._tables.dimensional[table]]
        return held if len(held) == 1 and self._tables.subjects[held[0]].beginning else []

    def _by_ends(self, name: Words) -> Iterator[tuple[str, Sequence[int]]]:
        """The readings of a name without a word for a key by how it ends: as a table, where it may tell one by a number
        or a code, or as a key before its word for a key, or in short, where it may by a code. A type of fuel is none
        of branches."""
        by_name = self._by_name
        for cut in range(len(name)):
            end, word = name[cut:], "".join(name[cut:])
            if cut:
                yield "role bare", by_name.title.get(word, ())
            if len(end) > 1 or not sorts(end[0]):
                yield "role bare", by_name.last_words.get(word, ())
                yield "role code", by_name.stem.get(word, ())
            yield "short code", by_name.abbreviated(end)
        yield "short code", self._in_an_area(name[-1])

    def _in_an_area(self, word: str) -> Sequence[int]:
        """The one table that is called like a word behind the letters of an area, if there is one."""
        tables = self._by_name.tails.get(word, ())
        says_it = len(tables) == 1 and len(word) >= SHORTEST_TAIL and not (sorts(word) or word in EVERYDAY)
        return tables if says_it else ()

    def _without_other_owners(self, owner: Words, tables: Sequence[int]) -> Sequence[int]:
        """Some tables without those that belong to another table than `owner`, where this is the name of a table.

        `account_state` belongs to the table of accounts, so that `meter_state_id` does not refer to it where there is a
        table of meters; nor does `meter_type_code` refer to the `type_code` of `account_type`, whatever is a table.
        """
        titles, last_words = self._by_name.title, self._by_name.last_words
        if not titles.get("".join(owner)) and not last_words.get("".join(owner)):
            return tables
        starts = [self._tables.titles[table][:-1] for table in tables]
        return [
            table
            for table, start in zip(tables, starts, strict=True)
            if start[-len(owner) :] == owner or not (titles.get("".join(start)) or self._sorts_something(table))
        ]

    def _sorts_something(self, table: int) -> bool:
        """Whether the key of a table tells sorts of something that its name does not say."""
        tables = self._tables
        return table in tables.keys and sorts_something(tables.bare[table][tables.keys[table]], tables.titles[table])


@lru_cache(maxsize=1 << 14)
def system_of(kin: Kin | None) -> str:
    """The well-known system whose copies some tables are, by what they have in common; "" for none.

    Examples
    --------
    >>> system_of(("lake", ("stripe",))), system_of(("zendesk_raw", ())), system_of(("lake", ("order",)))
    ('stripe', 'zendesk', '')
    """
    schema, beginning = kin or ("", ())
    said = (word for word in (*name_words(schema), *beginning) if word in SYSTEMS)
    return next((word for word in said if word not in OF_SHORT or len(word) > LONGEST_SHORT), "")
