"""References that names of tables and columns alone suggest, for schemas whose rows and keys nobody knows.

A table has a key: the declared one, a column called ``id`` or after the table, or else the column that leads it, if
that is called like a key. Columns of other tables refer to it by its name or that of the table, behind a word for a
role or not. `NAME_KINDS` has the ways, and how often each is right.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from joinability.attributes import cached_property
from joinability.by_name.copy_marks import is_master, is_staged, marked_copies, without_period
from joinability.by_name.key_words import (
    SURROGATES,
    Words,
    about,
    is_number,
    numbers_versions,
    singular_words,
    sorts_something_else,
    subjects,
    titles,
)
from joinability.by_name.keys_of_tables import KeysOfTables
from joinability.by_name.name_kinds import NAME_KINDS, WITHOUT_A_WORD
from joinability.by_name.name_readings import Meanings, NameReadings
from joinability.by_name.numbered_names import without_numbers
from joinability.by_name.own_references import OwnReference, OwnReferences
from joinability.by_name.own_rows import tells_own_row
from joinability.by_name.quantity_words import may_number_a_thing, measures, says_how_many
from joinability.by_name.roles import EMPLOYED, held_people, is_role, people_of
from joinability.by_name.table_names import NUMBER_KIND, Place, TableNames, dimensional
from joinability.by_name.tables_by_name import KeyedTables
from joinability.names import GENERIC, name_words, prefix_free
from joinability.spelling.prefixes import without_prefixes

FEW = 3  # tables that a column leads, for it to be unlikely the key of any
OF_ITS_OWN = (("row",), ("record",))
"""Words before the word for a key of columns that speak of a row of their own table."""
NUMBERED = (("line",), ("row",))
"""What numbers within an order, say, are of: they refer to tables of that very name alone, not to `time_sheet_line`."""
DIMENSION_KEYS = (("key",), ("sk",))
"""Last words of the surrogate keys of a warehouse."""
MOST_WAYS = 50
"""Tables with a key of one name, beyond which a name says nothing of any."""


class NamedReference(NamedTuple):
    """A reference of a child to a parent, its kind and its chance."""

    child: Place
    parent: Place
    kind: str
    chance: float


def named_references(tables: Sequence[TableNames]) -> list[NamedReference]:
    """The references between the tables of one database that their names suggest.

    A column has one kind of reference: the first of `NAME_KINDS` that its name has, or what the tables and their types
    make of it (a bare person may be a numbered one, a lead one of many). Where n tables have such a key, each has

        chance = p_kind * 3 / (2 + n)

    Examples
    --------
    >>> orders = TableNames("orders", ["id", "customer_id", "placed"], [0, 0, 1])
    >>> named_references([orders, TableNames("customers", ["id", "name"], [0, 1])])
    [NamedReference(child=(0, 1), parent=(1, 0), kind='named', chance=0.9)]
    """
    return list(NamedKeys(tables).references())


class NamedKeys:
    """The keys of the tables of a database, by the names under which others refer to them.

    Attributes
    ----------
    tables : sequence of TableNames
    titles : list of words
        What each table holds.
    subjects : list of Subject
    kin : list of Kin or None
        Of each table that stands beside others by its schema or by how its name begins.
    raw, bare : lists of lists of words
        The names of the columns of each table, as they are and without the prefix that they share.
    copies : dict of int to words
        The marks of tables that are copies of others: copies alone refer to them, and columns that name the mark.
    universal : set of words
        Names of columns that nearly all tables have.
    keys : dict of int to int
        The key of each table that has one by its declaration or by its name.
    leaders : dict of int to int
        Of the other tables the columns that lead them, if these are called like keys.
    own_numbers : list of Place
        The columns that number what tables hold beside their keys: `employee_id` beside `id`.
    """

    def __init__(self, tables: Sequence[TableNames]) -> None:
        tables = [table.with_loose_texts() if is_staged(table.name) else table for table in tables]
        self.tables, self.titles = tables, titles([table.name for table in tables])
        self.subjects = subjects([table.name for table in tables])
        several = len({subject.schema for subject in self.subjects}) > 1
        self.kin = [subject.kin if several or subject.beginning else None for subject in self.subjects]
        self.raw = [singular_words(table.columns) for table in tables]
        bare = without_numbers(without_prefixes([table.columns for table in tables]))
        self.bare = [singular_words(prefix_free(columns)) for columns in bare]
        self._cases = [table.case for table in tables]
        self._dimensional = dimensional([table.name for table in tables])
        self._period_of = [without_period(table.name) for table in tables]
        self.copies = marked_copies([table.name for table in tables], self.raw)
        told = KeysOfTables(tables, self.titles, self.subjects, self.raw, self.bare)
        self.universal, self.keys, self.leaders = told.universal, told.keys, told.leaders
        self.own_numbers, self._key_column = told.own_numbers, {**self.leaders, **self.keys}
        self._keyed = KeyedTables(
            *(self.titles, self.subjects, self.kin, self.raw, self.bare, self.keys, self.leaders),
            cases=self._cases,
            dimensional=self._dimensional,
        )
        self._readings = NameReadings(self._keyed)

    def columns(self) -> Iterable[Place]:
        """The keys."""
        return (*self.keys.items(), *self.leaders.items())

    def first_columns(self) -> Iterator[Place]:
        """The first column of each table that not nearly all tables have."""
        for table, names in enumerate(self.raw):
            yield from [(table, column) for column, name in enumerate(names) if name not in self.universal][:1]

    def references(self) -> Iterator[NamedReference]:
        """All references, table by table; then those between columns whose key no table has."""
        siblings = NAME_KINDS["siblings"].chance
        strays: defaultdict[str, dict[int, int]] = defaultdict(dict)
        for child, table in enumerate(self.tables):
            for column in range(len(table.columns)):
                references = self._of_column(child, column)
                yield from references
                bare = self.bare[child][column]
                has_parent = any(reference.chance > siblings for reference in references)
                if not has_parent and self.keys.get(child) != column and self._is_stray(bare):
                    strays["".join(bare)].setdefault(child, column)
        for members in strays.values():
            if len(members) <= MOST_WAYS and len(members) <= max(2, len(self.tables) // 2):
                for left, right in combinations(members.items(), 2):
                    if self._fit(left, right):
                        yield NamedReference(left, right, "siblings", siblings)

    def _is_stray(self, name: Words) -> bool:
        """Whether a name is that of a key elsewhere: of several words, which speak of no row of its own table."""
        is_own = name[:-1] in OF_ITS_OWN or tells_own_row(name)
        return len(name) > 1 and name[-1] in SURROGATES and not is_own

    def _of_column(self, child: int, column: int) -> list[NamedReference]:
        """The references of a column, all of one kind: the first that names a key of another table."""
        bare, raw = self.bare[child][column], self.raw[child][column]
        place, is_key = (child, column), self.keys.get(child) == column
        if not self._may_refer(place):
            return []
        own = self._own_references.get(place)
        if own is not None and own.is_told:
            return []
        meant = self._readings.of(bare, raw, self.kin[child], self._cases[child])
        is_beside = any(kind == "kin" for kind, _ in meant)
        of_people = is_role(about(bare), bare) and any(kind == "person" for kind, _ in meant)
        for kind, tables in meant:
            if keys := self._keys_meant(kind, place, tables, is_beside):
                if of_people and not kind.endswith("person") and all(self._is_apart(table, child) for table, _ in keys):
                    continue
                if kind in ("person", "bare person") and (others := self._others_alike(place, meant, keys, is_beside)):
                    kind, keys = "other person", others
                if kind == "same" and (of_thing := self._keys_of_thing(place, meant, keys, is_beside)):
                    kind, keys = "named", of_thing
                if len(keys) > MOST_WAYS or (is_key and kind not in ("same", "named", "kin", "lead")):
                    return []
                kind = self._narrower(kind, place, keys)
                chance = NAME_KINDS[kind].chance * 3 / (2 + len(keys))
                return [NamedReference(place, key, kind, chance) for key in keys]
        return []

    def _keys_of_thing(self, place: Place, meant: Meanings, same: Sequence[Place], is_beside: bool) -> list[Place]:
        """The keys of tables of what a name says, where those that have its very name are of others: `user_id` is the
        id of users, though it is the key of `user_preferences`, too. None where such a table is beside its own."""
        child, column = place
        thing = about(self.bare[child][column])
        if any(self.titles[table] == thing or self._are_kin(table, child) for table, _ in same):
            return []
        beside = [child, *(table for table, _ in same)]
        named = [table for table in dict(meant).get("named", ()) if self.titles[table] == thing]
        alike = [table for table in named if any(self._are_written_alike(table, other) for other in beside)]
        return self._keys_meant("named", place, alike, is_beside)

    def _others_alike(self, place: Place, meant: Meanings, keys: Sequence[Place], is_beside: bool) -> list[Place]:
        """The keys of other people in tables written like that of a column and near it, where those whom its name
        rather means are in none: who approves is one of the users of a module, where those employed are in another one;
        who drives is employed."""
        child, _ = place
        alike = [table for table, _ in keys if self._are_written_alike(table, child)]
        if any(held_people(self.subjects[table]) in EMPLOYED or not self._is_apart(table, child) for table in alike):
            return []
        others = self._keys_meant("other person", place, dict(meant).get("other person", ()), is_beside)
        others = [key for key in others if self._are_written_alike(key[0], child)]
        return [key for key in others if not self._is_apart(key[0], child)] or ([] if alike else others)

    def _are_kin(self, table: int, other: int) -> bool:
        """Whether two tables stand beside each other."""
        return self.kin[table] is not None and self.kin[table] == self.kin[other]

    def _are_written_alike(self, table: int, other: int) -> bool:
        """Whether the names of the columns of two tables may be written alike: those of one may not say how."""
        one, case = self._cases[table], self._cases[other]
        return one == case or not one or not case

    def _is_apart(self, table: int, other: int) -> bool:
        """Whether a table stands beside others, and not beside that one."""
        return self.kin[table] is not None and self.kin[table] != self.kin[other]

    def own_references(self) -> Iterable[OwnReference]:
        """The references of columns to other rows of their own table, table by table."""
        return self._own_references.values()

    @cached_property
    def _own_references(self) -> dict[Place, OwnReference]:
        """By their columns."""
        search = OwnReferences(
            self.tables,
            self._keyed,
            self._readings,
            may_refer=self._may_refer,
            means_another=lambda kind, child, tables: bool(self._keys_meant(kind, child, tables, is_beside=False)),
            fit=self._fit,
            tell_alike=lambda child, key: bool(self._that_tell_alike(child, [key])),
        )
        return {reference.child: reference for reference in search.all()}

    def _may_refer(self, place: Place) -> bool:
        """Whether a column is none that nearly all tables have, or has a word for a key or for a role."""
        raw = self.raw[place[0]][place[1]]
        return raw not in self.universal or bool(about(raw)) or is_role((), raw)

    def _narrower(self, kind: str, place: Place, keys: Sequence[Place]) -> str:
        """The kind of a reference to some keys, told by what the column holds and by where it stands, too."""
        child, column = place
        if kind == "bare person" and self._that_tell_alike(place, keys):
            return "numbered person"
        if kind == "role bare" and self.tables[child].holds(column).is_code():
            return "role code"
        if kind == "lead" and self.leaders.get(child) == column:
            return "both lead" if len(keys) < FEW else "many lead"
        return kind

    def _means_itself(self, kind: str, place: Place, tables: Sequence[int]) -> bool:
        """Whether a column tells something of its own table, and refers to none of that kind: those whom the table
        holds, its own number in short (the `inv_no` of invoices is none of the inventory), which line of an order it
        is, or how many there are; of a role without a word for a key, what is no number, too."""
        child, column = place
        held = self.tables[child].holds(column)
        if kind in ("short", "last", "first") and about(self.bare[child][column]) in NUMBERED:
            return True
        if kind == "person":
            return about(self.bare[child][column]) == self.titles[child]
        if kind == "short":
            return child in tables and self.keys.get(child) != column
        words = name_words(self.tables[child].columns[column])
        if kind in WITHOUT_A_WORD:
            may_tell_which = held.may_tell_which() if kind == "role bare" else held.is_code()
            return not (may_tell_which and may_number_a_thing(words))
        return kind == "bare" and (says_how_many(words) or (held.kind == NUMBER_KIND and measures(words)))

    def _keys_meant(self, kind: str, place: Place, tables: Sequence[int], is_beside: bool) -> list[Place]:
        """The keys of some tables to which a column may refer by a kind of name, of tables near it where there are
        such; `is_beside` where it names a table beside its own."""
        if self._means_itself(kind, place, tables):
            return []
        keys = self._near(place[0], self._fitting_keys(kind, place, tables))
        keys = self._of_its_layer(place, [key for key in keys if not self._sorts_something_else(place, key)])
        if kind == "same":
            keys = self._of_its_name(place, keys, is_beside)
        if kind in ("same", "role"):
            masters = [key for key in keys if is_master(self.tables[key[0]].name, about(self.bare[key[0]][key[1]]))]
            keys = masters if len(masters) == 1 else keys
        keys = [key for key in keys if self._are_written_alike(key[0], place[0])] or keys
        alike = self._that_tell_alike(place, keys)
        is_unsure = kind in WITHOUT_A_WORD or (kind == "other person" and self._is_bare(place))
        return alike if alike or is_unsure else keys

    def _fitting_keys(self, kind: str, place: Place, tables: Sequence[int]) -> list[Place]:
        """The keys of other tables that hold what a column does; none of its own table in another period, unless the
        name of the column has a number."""
        child, column = place
        of_people = kind.endswith("person") or is_role((), self.raw[child][column])
        keys = [(table, self._key_for(place, table, of_people=of_people)) for table in tables if table != child]
        if self._period_of[child] and not any(char.isdigit() for word in self.raw[child][column] for char in word):
            keys = [key for key in keys if self._period_of[key[0]] != self._period_of[child]]
        return [key for key in keys if self._fit(place, key)]

    def _of_its_layer(self, place: Place, keys: list[Place]) -> list[Place]:
        """Those of some keys that stand in the layer of a column, or that it may mean in another one: none of a staged
        table where another has such a key, none of a copy that the column does not name."""
        child, column = place
        beside = [key for key in keys if self._dimensional[key[0]] is self._dimensional[child]]
        keys = beside or [key for key in keys if not self._is_of_another_layer(place, key)]
        if not is_staged(self.tables[child].name):
            keys = [key for key in keys if not is_staged(self.tables[key[0]].name)] or keys
        if child not in self.copies:
            name = {*self.raw[child][column]}
            keys = [key for key in keys if key[0] not in self.copies or self.copies[key[0]] & name]
        return keys

    def _of_its_name(self, place: Place, keys: list[Place], is_beside: bool) -> list[Place]:
        """Those of some keys of the name of a column that number the same things; where it names a table beside its
        own, those beside it."""
        child, column = place
        if self.keys.get(child) == column:
            keys = [key for key in keys if not self._number_different_things(place, key)]
        return [key for key in keys if self.kin[key[0]] == self.kin[child]] if is_beside else keys

    def _is_of_another_layer(self, child: Place, key: Place) -> bool:
        """Whether a column and a key are of a warehouse and of what it is made of, and do not meet: the surrogate keys
        of a warehouse stand nowhere else, and a date of an order is none of `dim_date`."""
        table, column = child
        if self._dimensional[table] is self._dimensional[key[0]]:
            return False
        if self._dimensional[table]:
            return self.keys.get(table) == column and self.raw[table][column][-1:] in DIMENSION_KEYS
        return self._is_bare(child) or self.raw[key[0]][key[1]][-1:] in DIMENSION_KEYS

    def _key_for(self, place: Place, table: int, *, of_people: bool) -> int:
        """The key of a table to which a column refers: a column of the same name, or of this without words for a role
        (`origin_stop_code`), goes before that which is the key, but for people, whose rows say by whom they were made,
        too."""
        if of_people:
            return self._key_of_people(place, table)
        child, column = place
        for start in range(max(len(self.raw[child][column]) - 1, 1)):
            names = {self.raw[child][column][start:], self.bare[child][column][start:]}
            for other, name in enumerate(self.raw[table]):
                if name in names and not GENERIC.issuperset(name) and (not start or about(name)):
                    return other
        return self._key_column[table]

    def _key_of_people(self, place: Place, table: int) -> int:
        """The key of a table of people to which a column refers: the number that the employed have themselves, as
        `employee_id` beside `id`, where the column is named like this, or holds what it does by its type and not what
        the key does."""
        key, child = self._key_column[table], self.tables[place[0]].holds(place[1])
        numbers = [column for column, name in enumerate(self.bare[table]) if people_of(about(name)) in EMPLOYED]
        numbers = [column for column in numbers if column != key and self._fit(place, (table, column))]
        if people_of(about(self.bare[place[0]][place[1]])) in EMPLOYED:
            return next(iter(numbers), key)
        if child.tells_like(self.tables[table].holds(key)):
            return key
        return next((column for column in numbers if child.tells_like(self.tables[table].holds(column))), key)

    def _number_different_things(self, left: Place, right: Place) -> bool:
        """Whether two keys of one name number what each table holds: `plan_id` of `ins_plan` and of `shift_plan`,
        `hist_id` of histories; not that of `plan` itself."""
        key = self.bare[left[0]][left[1]]
        entity, both = about(key), [self.titles[table] for table, _ in (left, right)]
        if not entity or entity in both:
            return False
        return numbers_versions(key) or all(title[-len(entity) :] == entity for title in both)

    def _near(self, child: int, keys: list[Place]) -> list[Place]:
        """Of several keys those of tables whose names begin like that of the child: sale_order for sale_order_line. Of
        tables of one name those in other schemas than that of the child are copies."""
        near = [key for key in keys if self.titles[key[0]][:1] == self.titles[child][:1]] or keys
        schema, told = self.subjects[child].schema, [(key, self.subjects[key[0]]) for key in near]
        beside = {subject.title for _, subject in told if subject.schema == schema}
        return [key for key, subject in told if subject.schema == schema or subject.title not in beside]

    def _fit(self, child: Place, key: Place) -> bool:
        """Whether two columns may hold the same values, by their types; a number of another module may be a text. What
        has a word for a key may be declared shorter than the key, or as long as a name."""
        left, right = (self.tables[table].holds(column) for table, column in (child, key))
        if left.may_spell(right) and not self._are_written_alike(key[0], child[0]):
            return all(is_number(self.bare[table][column]) for table, column in (child, key))
        return left.may_equal(right) and not (self._is_bare(child) and left.tells_no(right))

    def _that_tell_alike(self, child: Place, keys: Sequence[Place]) -> list[Place]:
        """Those of some keys that hold numbers as a column without a word for a key does, or codes as long as its own,
        which then are no names."""
        if not self._is_bare(child):
            return []
        held, *of_keys = (self.tables[table].holds(column) for table, column in (child, *keys))
        return [key for key, holds in zip(keys, of_keys, strict=True) if held.tells_like(holds)]

    def _is_bare(self, place: Place) -> bool:
        """Whether the name of a column has no word for a key."""
        table, column = place
        return not about(self.bare[table][column])

    def _sorts_something_else(self, child: Place, key: Place) -> bool:
        """Whether a column tells sorts of one thing, and a key those of another."""
        name, of_key = (self.raw[table][column] for table, column in (child, key))
        return sorts_something_else(name, self.titles[child[0]], of_key, self.titles[key[0]])
