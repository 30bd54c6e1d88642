"""The keys of the tables of a database, by their declaration or by their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from joinability.attributes import cached_property
from joinability.by_name.copy_marks import is_staged
from joinability.by_name.key_words import (
    KEY_ENDINGS,
    KEYS_APART,
    SURROGATES,
    Subject,
    Words,
    about,
    describes,
    is_unread,
    unqualified,
    words_name_title,
)
from joinability.by_name.roles import EMPLOYED, held_people, people_of
from joinability.by_name.table_names import Place, TableNames, dimensional
from joinability.names import GENERIC, is_key_name

UNIVERSAL = 4
"""Names of tables, and more than half of all, that have a column which therefore is the key of none: a client, a time
stamp."""


@dataclass(frozen=True)
class KeysOfTables:
    """Tells the key of each table.

    Attributes
    ----------
    tables : sequence of TableNames
    titles : sequence of words
        What each table holds.
    subjects : sequence of Subject
    raw, bare : sequences of sequences of words
        The names of the columns of each table, as they are and without the prefix that they share.
    """

    tables: Sequence[TableNames]
    titles: Sequence[Words]
    subjects: Sequence[Subject]
    raw: Sequence[Sequence[Words]]
    bare: Sequence[Sequence[Words]]

    @cached_property
    def keys(self) -> dict[int, int]:
        """The key of each table that has one by its declaration or by its name."""
        return {table: key for table in range(len(self.tables)) if (key := self._key_of(table)) is not None}

    @cached_property
    def leaders(self) -> dict[int, int]:
        """Of the other tables the columns that lead them, if these are called like keys."""
        others = [table for table in range(len(self.tables)) if table not in self.keys]
        return {table: key for table in others if (key := self._leader_of(table)) is not None}

    @cached_property
    def own_numbers(self) -> list[Place]:
        """The columns that number what a table holds beside its key, by their names, as `employee_id` beside `id`; none
        of dimensions, reports and staged tables, which have the numbers of others."""
        layers = dimensional([table.name for table in self.tables])
        return [
            (table, column)
            for table, key in self.keys.items()
            if not layers[table] and not is_staged(self.tables[table].name)
            for column in range(len(self.bare[table]))
            if column != key and self._numbers_its_own(table, about(self.bare[table][column]))
        ]

    def _numbers_its_own(self, table: int, entity: Words) -> bool:
        """Whether what a number is of is what a table holds, or who is employed."""
        are_employed = held_people(self.subjects[table]) in EMPLOYED and people_of(entity) in EMPLOYED
        return bool(entity) and (entity == self.titles[table] or are_employed)

    @cached_property
    def universal(self) -> set[Words]:
        """Names of columns that nearly all tables have."""
        names = [unqualified(table.name) for table in self.tables]
        columns = {(name, column) for name, of_table in zip(names, self.raw, strict=True) for column in of_table}
        counts = Counter(column for _, column in columns)
        least = max(UNIVERSAL, len(set(names)) // 2 + 1)
        return {column for column, count in counts.items() if count >= least and not GENERIC.issuperset(column)}

    def _key_of(self, table: int) -> int | None:
        """The declared key, else the first column with a generic name of a key, else that named after the table."""
        declared = self._declared_key(table)
        if declared:
            return declared[0] if len(declared) == 1 else None
        names = self.bare[table]
        for column, words in enumerate(names):
            generic = len(words) == 1 and words[0] in (*KEY_ENDINGS, *KEYS_APART)
            if generic and (column == 0 or (words == self.raw[table][column] and words[0] in SURROGATES)):
                return column
        title = self.titles[table]
        for column, words in enumerate(names):
            entity = about(words)
            is_first = column == 0 and (words_name_title(entity, title) or entity == title[-len(entity) :])
            if entity and (entity == title or (is_first and words not in self._begin_keys)):
                return column
        if names and "".join(names[0]) == "".join(self.subjects[table].title):
            return 0
        return None

    @cached_property
    def _begin_keys(self) -> set[Words]:
        """The names of one unread word with which declared primary keys of several columns begin: `poln`, `matnr`."""
        keys = {table: self._declared_key(table) for table in range(len(self.tables))}
        begun = {self.bare[table][key[0]] for table, key in keys.items() if len(key) > 1}
        return {words for words in begun if is_unread(words)}

    def _declared_key(self, table: int) -> list[int]:
        """The columns of the declared primary key, but for those that nearly all tables have."""
        columns = self.tables[table].columns
        key = [column for column, name in enumerate(columns) if name in self.tables[table].key]
        return [column for column in key if self.raw[table][column] not in self.universal] or key

    def _leader_of(self, table: int) -> int | None:
        """The first column that not nearly all tables have, if it is called like a key or by no word of English, or if
        another one describes it; none where it is part of a declared key."""
        if self.tables[table].key:
            return None
        for column, name in enumerate(self.raw[table]):
            if name not in self.universal:
                words = self.bare[table][column]
                is_called_key = is_unread(words) or is_key_name("_".join(words)) or describes(self.bare[table], words)
                return column if is_called_key and words not in self._begin_keys else None
        return None
