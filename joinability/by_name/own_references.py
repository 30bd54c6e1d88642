"""References of columns to other rows of their own table, by names: `manager_id` of employees, `parent_region_id`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from joinability.by_name.key_words import KEY_ENDINGS, about
from joinability.by_name.name_kinds import BEHIND_OTHERS, WITHOUT_A_WORD
from joinability.by_name.name_readings import NameReadings
from joinability.by_name.own_rows import (
    key_word,
    tells_own_row,
    tells_parent,
    tells_who_introduced,
    without_start,
)
from joinability.by_name.quantity_words import may_number_a_thing
from joinability.by_name.roles import names_role, people_of, says_who_leads
from joinability.by_name.table_names import Place, TableNames
from joinability.by_name.tables_by_name import KeyedTables
from joinability.names import name_words

OWN_ROW = "own row"
"""The kind of a name that says how another row of its table stands to it."""


class OwnReference(NamedTuple):
    """A reference of a column to another row of its own table.

    Attributes
    ----------
    child, parent : places
    is_told : bool
        Its name and its type tell it; else its values have to.
    """

    child: Place
    parent: Place
    is_told: bool


@dataclass(frozen=True)
class OwnReferences:
    """Looks for them among the tables of one database.

    Attributes
    ----------
    tables : sequence of TableNames
    keyed : KeyedTables
        Of the same tables.
    readings : NameReadings
        What their columns may mean.
    may_refer : callable
        Whether a column refers to anything.
    means_another : callable
        Whether a column means the key of another one of some tables, by a kind of name.
    fit, tell_alike : callables
        Whether a column and a key may hold the same values by their types, and whether these say that they do.
    """

    tables: Sequence[TableNames]
    keyed: KeyedTables
    readings: NameReadings
    may_refer: Callable[[Place], bool]
    means_another: Callable[[str, Place, Sequence[int]], bool]
    fit: Callable[[Place, Place], bool]
    tell_alike: Callable[[Place, Place], bool]

    def all(self) -> Iterator[OwnReference]:
        """The references, table by table; none in tables whose key is that of another one."""
        keyed = self.keyed
        held = {title[-length:] for title in keyed.titles for length in range(1, len(title) + 1)}
        for table, key in sorted({**keyed.leaders, **keyed.keys}.items()):
            entity = about(keyed.bare[table][key])
            if entity in held and entity != keyed.titles[table][-len(entity) :]:
                continue
            for column in range(len(keyed.bare[table])):
                if column != key and self.may_refer((table, column)):
                    yield from self._of_column((table, column), (table, key))

    def _of_column(self, child: Place, key: Place) -> Iterator[OwnReference]:
        """The reference of a column to the key of its table, or to another column that numbers its rows."""
        other = self._numbering(*child)
        if other is not None and other != key and self.fit(child, other):
            yield OwnReference(child, other, is_told=True)
        elif self.fit(child, key) and (kind := self._kind(child, key)):
            has_key_word = bool(about(self.keyed.bare[child[0]][child[1]]))
            yield OwnReference(child, key, kind == "role" or has_key_word or self.tell_alike(child, key))
        elif self.fit(child, key) and tells_parent(self.keyed.bare[child[0]][child[1]]) and not self._means_any(child):
            yield OwnReference(child, key, is_told=False)

    def _numbering(self, table: int, column: int) -> Place | None:
        """The column that the name of another one has behind a word for another row, or for a role among people:
        `code` of `parent_code`."""
        names, title = self.keyed.bare[table], self.keyed.titles[table]
        first, *rest = names[column] or ("",)
        is_of_role = names_role(first) and len(rest) > 1 and people_of(title) != ""
        if not rest or rest[-1] not in KEY_ENDINGS or not (is_of_role or tells_own_row((first, "id"), title)):
            return None
        return next(((table, place) for place, name in enumerate(names) if name == tuple(rest)), None)

    def _kind(self, child: Place, key: Place) -> str:
        """The kind of name by which a column may refer to the key of its table: one behind other words, or `OWN_ROW`;
        "" for none."""
        table, column = child
        bare, of_key = self.keyed.bare[table][column], self.keyed.bare[table][key[1]]
        keyed, title = self.keyed, self.keyed.titles[table]
        if tells_who_introduced(bare, title):
            return OWN_ROW
        for kind, tables in self.readings.of(bare, keyed.raw[table][column], keyed.kin[table], keyed.cases[table]):
            if kind in BEHIND_OTHERS and table in tables and self._may_mean_its_own(kind, child, tables):
                return kind
            if self.means_another(kind, child, tables):
                return ""
        if about(bare) and key_word(bare) != key_word(of_key):
            return ""
        words = without_start(about(bare) or bare, about(of_key))
        leads = names_role(title[-1]) and says_who_leads(bare)
        return OWN_ROW if leads or tells_own_row((*words, "id") if about(bare) else words, title) else ""

    def _means_any(self, child: Place) -> bool:
        """Whether a column may mean the key of another table."""
        table, column = child
        keyed = self.keyed
        bare, raw = keyed.bare[table][column], keyed.raw[table][column]
        meant = self.readings.of(bare, raw, keyed.kin[table], keyed.cases[table])
        return any(self.means_another(kind, child, tables) for kind, tables in meant)

    def _may_mean_its_own(self, kind: str, child: Place, tables: Sequence[int]) -> bool:
        """Whether a column that names its own table behind other words may mean another of its rows: one that counts
        or measures does not, nor the number of those whom it holds, and of tables of people that means itself which
        says least of what they are."""
        table, column = child
        if kind.endswith("person"):
            titles = self.keyed.titles
            is_plainest = all(len(titles[table]) <= len(titles[other]) for other in tables)
            entity = about(self.keyed.bare[table][column])
            numbers_rows = entity == titles[table] or (len(entity) == 1 and people_of(entity) != "")
            return is_plainest and not numbers_rows
        return kind not in WITHOUT_A_WORD or may_number_a_thing(name_words(self.tables[table].columns[column]))
