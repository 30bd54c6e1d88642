"""Words of the names of columns and tables, and what they mean together, computed when they are asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from joinability.attributes import cached_property
from joinability.by_name.key_words import (
    Kin,
    Subject,
    Words,
    identifies,
    says_what_it_is_called,
    singular_words,
    subjects,
    tells_a_register,
    unqualified,
)
from joinability.by_name.numbered_names import without_numbers
from joinability.by_name.owned_tables import owned_tables, without_beginning
from joinability.by_name.quantity_words import PLURAL, quantity_of, says_how_many
from joinability.by_name.roles import (
    PEOPLE,
    TITLES,
    deals,
    held_people,
    person_of,
    says_what_somebody_does,
    says_who_leads,
    says_who_recorded,
)
from joinability.evidence.header_forms import HeaderForms
from joinability.evidence.sort_names import SortNames
from joinability.names import name_words, prefix_free, spelled_out, split_key, without_s
from joinability.sparse.sparse_entries import common_entries
from joinability.sparse.sparse_rows import incidence
from joinability.spelling.prefixes import without_prefixes

if TYPE_CHECKING:
    from joinability.arrays import AnyArray, Flags, Indices, Vectors
    from joinability.sparse.sparse_rows import SparseRows

AFTER_TABLE = 0.8
"""What it counts that a column is named after a table, beside the similarity of two names of columns."""
_PEOPLE = [*sorted(PEOPLE), *TITLES]
FIRST_OF_DEALERS = len(PEOPLE) + 1
"""The number of the first of `TITLES` among those whom tables hold."""


@dataclass(frozen=True, eq=False)
class NameForms:
    """The names of C columns of T tables, and what follows from them.

    Attributes
    ----------
    labels : C names of columns, in words
    titles, databases : T names of tables, in words, and of their databases
    table : (C,) array of int, the table of each column
    written : the same C and T names as they are written, optional; by default `labels` and `titles`
    """

    labels: Sequence[str]
    titles: Sequence[str]
    databases: Sequence[str]
    table: Indices
    written: tuple[Sequence[str], Sequence[str]] | None = None

    @cached_property
    def tokens(self) -> SparseRows:
        """Words of "database table column" as they are written, shape (C, V)."""
        labels, titles = self.written or (self.labels, self.titles)
        before = [f"{database} {title}" for database, title in zip(self.databases, titles, strict=True)]
        named = zip(self.table.tolist(), labels, strict=True)
        return incidence([name_words(f"{before[table]} {label}") for table, label in named])

    @cached_property
    def headers(self) -> HeaderForms:
        """The forms of the names as they are."""
        return HeaderForms.of(self.labels, self._owners)

    @cached_property
    def bare_headers(self) -> HeaderForms:
        """The forms of the names without the prefixes that tables share; `headers` where no table has one."""
        return HeaderForms.of(self._bare, self._owners) if self.shortened.any() else self.headers

    @cached_property
    def shortened(self) -> Flags:
        """The columns whose names stand behind a prefix that their table shares, shape (C,)."""
        return np.array([bare != label for bare, label in zip(self._bare, self.labels, strict=True)], dtype=np.bool_)

    def header_similarity(self, left: Indices, right: Indices) -> Vectors:
        """Cosines of the trigrams of p pairs of names, as they are or without prefixes, whichever is greater."""
        similar = self.headers.cosines(left, right)
        at = self.with_prefix(left, right)
        if len(at):
            similar[at] = np.maximum(similar[at], self.bare_headers.cosines(left[at], right[at]))
        return similar

    def with_prefix(self, left: Indices, right: Indices) -> Indices:
        """The places of the pairs in which a name has a prefix: of the others both forms are equal."""
        return np.flatnonzero(self.shortened[left] | self.shortened[right])

    def named_after(self, left: Indices, right: Indices) -> Vectors:
        """Shares of the words of the right columns' tables that the left columns' names have, for p pairs: in the table
        of deals `stage_id` has all of `deal_stages`."""
        tables, (number, words) = self.table[right], self.numbered_words
        named = ratio(
            common_entries(words, number[left], self.table_words, tables), np.diff(self.table_words.indptr)[tables]
        )
        own, rest = np.flatnonzero(self.table[left] == self.owner[tables]), self.owned_words
        if len(own):
            common = common_entries(words, number[left[own]], rest, tables[own])
            named[own] = np.maximum(named[own], ratio(common, np.diff(rest.indptr)[tables[own]]))
        if self.subject_words is self.table_words:
            return named
        beside = np.flatnonzero((self.kin[self.table[left]] == self.kin[tables]) | self.alone[tables])
        tables = tables[beside]
        common = common_entries(words, number[left[beside]], self.subject_words, tables)
        named[beside] = np.maximum(named[beside], ratio(common, np.diff(self.subject_words.indptr)[tables]))
        return named

    @cached_property
    def acts(self) -> Flags:
        """The columns whose names say what somebody does, shape (C,), but for the boss of those whom their table holds:
        he is one of them."""
        leads = np.array(self._told(says_who_leads), dtype=np.bool_)
        return np.array(self._told(says_what_somebody_does), dtype=np.bool_) & ~(leads & (self.people > 0))

    @cached_property
    def recorded(self) -> Flags:
        """The columns whose names tell the user who made a row or changed it, shape (C,)."""
        return np.array(self._told(says_who_recorded), dtype=np.bool_)

    @cached_property
    def deals(self) -> Indices:
        """Those of `TITLES` to whom each column may refer by its name, as `roles.deals` has them, shape (C,)."""
        return np.array(self._told(deals), dtype=np.int64)

    @cached_property
    def quantity(self) -> Indices:
        """A number for the word for a quantity with which the name of each column ends, shape (C,): 0 for none, less
        than 0 where it is the whole name, and `PLURAL` where the name is a plural."""
        told = np.array(self._told(quantity_of), dtype=np.int64)
        plural = {name: says_how_many(name_words(name)) for name in set(self._bare)}
        return np.where([plural[name] for name in self._bare], PLURAL, told)

    @cached_property
    def of_quantities(self) -> Indices:
        """The number of the quantity that the table of each column lists, by its last word as in `quantity`, (C,)."""
        listed = [abs(quantity_of(subject.words)) for subject in self._subjects]
        return np.array(listed, dtype=np.int64)[self.table]

    @cached_property
    def sort_names(self) -> SortNames:
        """What the names tell sorts of."""
        titles = [subject.title for subject in self._subjects]
        return SortNames(self.labels, [titles[table] for table in self.table.tolist()])

    @cached_property
    def called(self) -> Flags:
        """The columns whose names say that they hold what something is called, or where it is, shape (C,)."""
        return np.array(self._told(says_what_it_is_called), dtype=np.bool_)

    @cached_property
    def identifies(self) -> Flags:
        """The columns whose names say that they tell which one is meant, shape (C,)."""
        return np.array(self._told(identifies), dtype=np.bool_)

    @cached_property
    def registered(self) -> Flags:
        """The columns whose names say that they hold numbers of a register, shape (C,)."""
        return np.array(self._told(tells_a_register), dtype=np.bool_)

    @cached_property
    def person(self) -> Indices:
        """A number for the people of which the name of each column names one, as "user_id" does; 0 for none, (C,)."""
        told = {name: _number(person_of(name)) for name in set(self._bare)}
        return np.array([told[name] for name in self._bare], dtype=np.int64)

    def _told(self, by_words: Callable[[Words], int]) -> list[int]:
        """What the words of each column's name tell; each name is read once."""
        names = list(set(self._bare))
        told = dict(zip(names, map(by_words, singular_words(names)), strict=True))
        return [told[name] for name in self._bare]

    @cached_property
    def people(self) -> Indices:
        """The number of the people whom the table of each column holds, as in `person`, shape (C,)."""
        held = [_number(held_people(subject)) for subject in self._subjects]
        return np.array(held, dtype=np.int64)[self.table]

    def similarity(self, left: Indices, right: Indices) -> Vectors:
        """How strongly the names of p pairs of columns suggest a join.

        Names of other columns are not read, until as many have been read in this way as there are columns: then all
        are, once. So a first question does not wait for them, and many questions cost no more than twice as much.
        """
        forms = self
        tables = np.unique(self.table[np.concatenate([left, right])])
        columns = np.flatnonzero(np.isin(self.table, tables))
        if sum(self._read_apart) + len(columns) <= len(self.labels):
            self._read_apart.append(len(columns))
            forms, left, right = self._with(columns), np.searchsorted(columns, left), np.searchsorted(columns, right)
        return name_similarity(
            forms.header_similarity(left, right), forms.named_after(right, left), forms.named_after(left, right)
        )

    @cached_property
    def _read_apart(self) -> list[int]:
        """How many columns had their names read apart, time by time."""
        return []

    def _with(self, columns: Indices) -> NameForms:
        """The names of all columns of some tables, and of the tables in their databases: what names mean follows from
        these."""
        databases = {self.databases[table] for table in np.unique(self.table[columns]).tolist()}
        tables = [table for table, database in enumerate(self.databases) if database in databases]
        return NameForms(
            [self.labels[column] for column in columns.tolist()],
            [self.titles[table] for table in tables],
            [self.databases[table] for table in tables],
            np.searchsorted(tables, self.table[columns]),
        )

    def namesakes(self, columns: Indices, tables: Indices) -> Indices:
        """The column of each table that has the name of each column; of several the first, -1 where there is none.

        Names are without prefixes, and a generic one is that with its table's.

        Parameters
        ----------
        columns, tables : arrays of int
            That broadcast to one shape.
        """
        number, keys, order = self._by_name
        columns, tables = np.broadcast_arrays(columns, tables)
        namesake = np.full(columns.shape, -1, dtype=np.int64)
        asked = np.nonzero((np.bincount(number) > 1)[number][columns])  # most names are those of one column
        wanted = number[columns[asked]] * len(self.titles) + tables[asked]
        place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        namesake[asked] = np.where(keys[place] == wanted, order[place], -1)
        return namesake

    @cached_property
    def _by_name(self) -> tuple[Indices, Indices, Indices]:
        """The number of each name, and of name and table together, sorted, with the columns in that order."""
        number = self.bare_headers.number
        keys = number * len(self.titles) + self.table
        order = np.argsort(keys, kind="stable")
        return number, keys[order], order

    @cached_property
    def words(self) -> SparseRows:
        """Words of the names of columns without prefixes, with the words that they abbreviate, shape (C, U)."""
        number, meanings = self.numbered_words
        return meanings[number]

    @property
    def table_words(self) -> SparseRows:
        """Words of the names of tables, in the singular, shape (T, U)."""
        return self._words[2]

    @property
    def subject_words(self) -> SparseRows:
        """Words of what tables hold, which those beside them may say alone, and where it is one table that holds it all
        of the database, in the singular, shape (T, U); `table_words` itself where no table has others."""
        return self._words[3]

    @property
    def owner(self) -> Indices:
        """The table whose part each table is by its name (`owned_tables`), shape (T,); -1 for none."""
        return self._owned[0]

    @property
    def owned_words(self) -> SparseRows:
        """Words of the rest of such names, shape (T, U)."""
        return self._words[4]

    @cached_property
    def _owned(self) -> tuple[Indices, list[Words]]:
        owner = np.full(len(self.titles), -1, dtype=np.int64)
        rest: list[Words] = [()] * len(self.titles)
        for tables in self._tables_of_databases.values():
            for table, (place, words) in zip(tables, owned_tables([self.titles[one] for one in tables]), strict=True):
                owner[table], rest[table] = tables[place] if words else -1, words
        return owner, rest

    @cached_property
    def kin(self) -> Indices:
        """Tables with one number stand beside each other (`Subject.kin`), shape (T,)."""
        numbers: dict[tuple[str, Kin], int] = {}
        beside = zip(self.databases, self._subjects, strict=True)
        kin = [numbers.setdefault((database, subject.kin), len(numbers)) for database, subject in beside]
        return np.array(kin, dtype=np.int64)

    @cached_property
    def alone(self) -> Flags:
        """The tables that alone in their database hold what they do, whatever stands in front: shape (T,)."""
        held = [(database, subject.words) for database, subject in zip(self.databases, self._subjects, strict=True)]
        names = {(*key, unqualified(title)) for key, title in zip(held, self.titles, strict=True)}
        count = Counter((database, words) for database, words, _ in names)
        return np.array([count[key] == 1 for key in held], dtype=np.bool_)

    @cached_property
    def _tables_of_databases(self) -> dict[str, list[int]]:
        members: dict[str, list[int]] = {}
        for table, database in enumerate(self.databases):
            members.setdefault(database, []).append(table)
        return members

    @cached_property
    def _subjects(self) -> list[Subject]:
        """What each table holds."""
        held: dict[int, Subject] = {}
        for tables in self._tables_of_databases.values():
            held.update(zip(tables, subjects([self.titles[table] for table in tables]), strict=True))
        return [held[table] for table in range(len(self.titles))]

    @property
    def numbered_words(self) -> tuple[Indices, SparseRows]:
        """A number for the words of each column's name (C,), and these words, shape (N, U)."""
        return self._words[:2]

    @cached_property
    def _words(self) -> tuple[Indices, SparseRows, SparseRows, SparseRows, SparseRows]:
        known = [list(map(without_s, name_words(title))) for title in self.titles]
        held = [list(map(without_s, subject.words)) for subject in self._subjects]
        numbers: dict[tuple[str, ...], int] = {}
        number = [numbers.setdefault(name_words(label), len(numbers)) for label in self._bare]
        meanings = incidence([*spelled_out(numbers, chain.from_iterable(known)), *known, *held, *self._owned[1]])
        size, count = len(numbers), len(known)
        names, in_full = meanings[:size], meanings[size : size + count]
        subject, rest = meanings[size + count : size + 2 * count], meanings[size + 2 * count :]
        same = [*map(set, held)] == [*map(set, known)]
        return np.array(number, dtype=np.int64), names, in_full, in_full if same else subject, rest

    @cached_property
    def _owners(self) -> list[str]:
        """The name of each column's table without that of its schema and, where it alone holds what it does, without
        what several tables have in front."""
        own = [title.rpartition(".")[2] for title in self.titles]
        for tables in self._tables_of_databases.values():
            for table, name in zip(tables, prefix_free([own[table] for table in tables]), strict=True):
                if self.alone[table]:
                    own[table] = without_beginning(name, self._subjects[table].beginning)
        return [own[table] for table in self.table.tolist()]

    @cached_property
    def _bare(self) -> list[str]:
        """Names of columns, each without the prefix that those of its table share, and with its key word apart."""
        members: dict[int, list[int]] = {}
        for place, table in enumerate(self.table.tolist()):
            members.setdefault(table, []).append(place)
        bare = list(self.labels)
        words: dict[str, set[str]] = {}
        for database, title in zip(self.databases, self.titles, strict=True):
            words.setdefault(database, set()).update(map(without_s, name_words(title)))
        for tables in self._tables_of_databases.values():
            columns = [members.get(table, []) for table in tables]
            shortened = without_numbers(without_prefixes([[bare[place] for place in places] for places in columns]))
            for place, name in zip(chain.from_iterable(columns), chain.from_iterable(shortened), strict=True):
                bare[place] = name
        known: dict[tuple[str, ...], list[str]] = {}  # sharded tables have equal columns
        for table, places in members.items():
            database = self.databases[table]
            names = (database, *(bare[place] for place in places))
            if names not in known:
                known[names] = [split_key(name, words[database]) for name in prefix_free(names[1:])]
            for place, name in zip(places, known[names], strict=True):
                bare[place] = name
        return bare


def _number(people: str) -> int:
    return _PEOPLE.index(people) + 1 if people else 0


def name_similarity(headers: Vectors, named_after_left: Vectors, named_after_right: Vectors) -> Vectors:
    """How strongly names suggest a join: they are alike, or one is named after the other's table."""
    return np.maximum(headers, AFTER_TABLE * np.maximum(named_after_left, named_after_right))


def ratio(part: Vectors, whole: AnyArray) -> Vectors:
    """`part / max(whole, 1)`: 0 where the whole is empty."""
    return np.asarray(np.divide(part, np.maximum(whole, 1), dtype=np.float32))
