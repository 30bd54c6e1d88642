"""Twins: tables of one name and kind of columns in several schemas or layers of a database, or beside their copies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import combinations

import numpy as np
import numpy.typing as npt

from jar.arrays import Array, IntArray
from jar.lookalikes.clients import CLOSE, MANY, OtherClients, database_keys, have_the_same, numbered_names
from jar.lookalikes.copy_names import TOOLS, CopyName, copy_names
from jar.lookalikes.layers import LAYERS, REFINED, Layered, is_technical, layer_groups
from jar.text.spelled_names import NamedTable
from joinability.attributes import cached_property
from joinability.by_name.copy_marks import COPIES
from joinability.names import name_words
from joinability.spelling.vocabulary import singular

SHARED = 0.8
"""Share of the columns of two tables that both have, from which they are twins: of the narrower, or of the wider where
the name does not say by itself that it is a copy's."""

ROW_HISTORY = frozenset("created create crt updated update upd modified mod changed change chg load audit".split())
"""First words of columns that tell who wrote a row, and when; copies lack them, or have others."""


@dataclass(frozen=True)
class _Place:
    """Where a table stands: its schema, the marks of a copy in its own name, and its layer."""

    database: str
    schema: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    said: frozenset[str]
    layer: int | None = None

    @property
    def marks(self) -> frozenset[str]:
        """The marks of its tables' names that tell of no layer."""
        return frozenset(self.before + self.after) - LAYERS.keys() - TOOLS


@dataclass(frozen=True)
class Schema:
    """A schema that has twins of tables elsewhere.

    Attributes
    ----------
    words : frozenset of str
        Of its name, in the singular.
    is_copy : bool
        Whether its name says that it holds copies.
    level : int
        How refined it is, as its name tells (`jar.lookalikes.layers`).
    own : tuple of int
        Its tables that no other schema has.
    size : int
        Number of its tables.
    """

    words: frozenset[str]
    is_copy: bool
    level: int
    own: tuple[int, ...]
    size: int


@dataclass(frozen=True)
class Twins:
    """The groups of twins among the tables of an index.

    Attributes
    ----------
    groups : tuple of tuples of int
        Two and more tables that are called alike, but for schemas, layers and marks of copies, and share columns.
    schemas : tuple of Schema
        The tables of a schema whose names have marks of copies, or tell a layer, count as a schema of their own.
    schema_of : mapping
        From each table of a group to its place among the schemas.
    copies : mapping
        From each table of a group that marks in its name tell to be a copy to what all copies of one table beside each
        other share.
    layered : frozenset of int
        Tables of groups that are alike as the layers of a warehouse are, with columns of their own.
    """

    groups: tuple[tuple[int, ...], ...]
    schemas: tuple[Schema, ...]
    schema_of: Mapping[int, int]
    copies: Mapping[int, Hashable] = field(default_factory=dict)
    layered: frozenset[int] = frozenset()

    @classmethod
    def of(cls, tables: Sequence[NamedTable]) -> Twins:
        """The twins among the tables: of one name, but for the schema before it, marks of copies and layers."""
        names = copy_names(tables)
        named: dict[tuple[str, str], list[int]] = {}
        keys = database_keys(tables)
        for table, (own, name) in enumerate(zip(tables, names, strict=True)):
            named.setdefault((keys[own.database], "".join(name.root)), []).append(table)
        alike = [group for same in named.values() if len(same) > 1 for group in _alike(tables, names, same)]
        layers, layered = layer_groups(tables, names, alike)
        groups = _merged([*alike, *layered])
        places = [_place(own, names[table], layers.get(table)) for table, own in enumerate(tables)]
        schemas, schema_of = _schemas(places, groups)
        marked = [table for group in alike for table in group if places[table].marks]
        copied = {table: (places[table].database, places[table].schema, names[table].root) for table in marked}
        return cls(groups, schemas, schema_of, copied, frozenset[int]().union(*layered))

    def behind(
        self, said: Collection[str], relevance: Array, excluded: Collection[int] = (), kept: Collection[int] = ()
    ) -> dict[int, tuple[int, ...]]:
        """From each table that stands behind others of its group to those that come first in it.

        There speak for a schema, the first that tells: a table of it that the caller names; words of the question in
        its name; that its name is not that of a place for copies; how refined its layer is; the most relevant of the
        tables that it alone has; how many tables it has. Of `MANY` schemas and more that are equal in all of this, and
        of two that have the same tables, the one of which least is excluded comes first, the first of these, or one
        whose most relevant table leads by more than `CLOSE`; of two others none. Of equal copies of one table the most
        relevant comes first.

        Parameters
        ----------
        said : words
            Of the question, in the singular.
        relevance : array (N,)
            Of all tables.
        excluded : positions
            Tables that none of the others stands behind.
        kept : positions
            Tables that the caller names: they are behind none.
        """
        if not self.groups:
            return {}
        gone, named = frozenset(excluded), frozenset(kept)
        called = {self.schema_of[table] for table in named if table in self.schema_of}
        tables, schema, group, _ = self._flat
        there = ~np.isin(tables, list(gone)) if gone else np.ones(len(tables), dtype=np.bool_)
        best = self._best_of_groups(self._ranks(called, frozenset(said), relevance, gone), there)
        most = np.full(len(self.schemas), -np.inf)
        np.maximum.at(most, schema, relevance[tables])
        lacking = np.bincount(schema[~there], minlength=len(self.schemas))
        first_of = cache(partial(self._first_of_equals, called=called, most=most.tolist(), lacking=lacking.tolist()))
        first = {place: self._first(equal, relevance, first_of) for place, equal in best.items()}
        others = zip(tables[there].tolist(), group[there].tolist(), strict=True)
        return {table: first[place] for table, place in others if table not in first[place] and table not in named}

    def _best_of_groups(self, ranks: IntArray, there: npt.NDArray[np.bool_]) -> dict[int, list[int]]:
        """The twins of each group for whose schemas most speaks, by their ranks, of those that are there."""
        tables, schema, group, starts = self._flat
        of_twins = np.where(there, ranks[schema], -1)
        is_best = there & (of_twins == np.maximum.reduceat(of_twins, starts)[group])
        best: dict[int, list[int]] = {}
        for table, place in zip(tables[is_best].tolist(), group[is_best].tolist(), strict=True):
            best.setdefault(place, []).append(table)
        return best

    def _first(
        self, best: Sequence[int], relevance: Array, first_of: Callable[[tuple[int, ...]], int | None]
    ) -> tuple[int, ...]:
        """Those of the best twins of a group that come first; `first_of` remembers which of equal schemas does."""
        if len(best) > 1 and not self.copies.keys().isdisjoint(best):
            best = self._without_equal_copies(best, relevance)
        chosen = first_of(tuple(self.schema_of[table] for table in best)) if len(best) > 1 else None
        return tuple(best) if chosen is None else (best[chosen],)

    def _first_of_equals(
        self, schemas: tuple[int, ...], called: Collection[int], most: Sequence[float], lacking: Sequence[int]
    ) -> int | None:
        """Which of some schemas, for which equally much speaks, comes first by its place among them; None if none does.

        Parameters
        ----------
        most, lacking : of each schema
            Relevance of its most relevant twin, and the number of those that are excluded.
        """
        if len(schemas) < MANY and (set(schemas) <= set(called) or not self._are_equal(schemas)):
            return None
        leading = max(most[schema] for schema in schemas) - CLOSE
        close = (place for place, schema in enumerate(schemas) if most[schema] >= leading)
        return min(close, key=lambda place: (lacking[schemas[place]], schemas[place]))

    def _ranks(
        self, called: Collection[int], said: frozenset[str], relevance: Array, gone: Collection[int]
    ) -> IntArray:
        """How much speaks for each schema, as a whole number; equally much for those with one number."""
        own, schema = self._own
        there = ~np.isin(own, list(gone)) if gone else np.ones(len(own), dtype=np.bool_)
        best = np.full(len(self.schemas), -np.inf)
        np.maximum.at(best, schema[there], relevance[own[there]])
        claims = [
            (place in called, len(said & schema.words), not schema.is_copy, schema.level, alone, schema.size)
            for place, (schema, alone) in enumerate(zip(self.schemas, best.tolist(), strict=True))
        ]
        ranks = {claim: rank for rank, claim in enumerate(sorted(set(claims)))}
        return np.array([ranks[claim] for claim in claims], dtype=np.int64)

    @cached_property
    def _flat(self) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        """The twins, group by group; the schema and the group of each, and where each group begins."""
        lengths = np.array([len(group) for group in self.groups], dtype=np.int64)
        tables = [table for group in self.groups for table in group]
        schemas = np.array([self.schema_of[table] for table in tables], dtype=np.int64)
        group = np.repeat(np.arange(len(lengths)), lengths)
        return np.array(tables, dtype=np.int64), schemas, group, np.cumsum(lengths) - lengths

    @cached_property
    def _own(self) -> tuple[IntArray, IntArray]:
        """The tables that one schema alone has, schema by schema, and the schema of each."""
        lengths = [len(schema.own) for schema in self.schemas]
        own = np.array([table for schema in self.schemas for table in schema.own], dtype=np.int64)
        return own, np.repeat(np.arange(len(lengths)), lengths)

    def lessened(self, relevance: Array, behind: Mapping[int, tuple[int, ...]], weight: float) -> Array:
        """Relevance of all tables, shape (N,), less a weight for each that stands behind others.

        One that alone comes first is as relevant as the most relevant of those behind it.
        """
        lessened = relevance.copy()
        for table, first in self.behind_one(behind).items():
            lessened[first] = max(lessened[first], relevance[table])
        lessened[list(behind)] -= weight
        return lessened

    def behind_one(self, behind: Mapping[int, tuple[int, ...]]) -> dict[int, int]:
        """Of the tables behind others those behind a single one, and this one."""
        return {table: first[0] for table, first in behind.items() if len(first) == 1}

    def other_clients(
        self, said: Collection[str], relevance: Array, excluded: Collection[int] = (), kept: Collection[int] = ()
    ) -> OtherClients | None:
        """The tables of many schemas that stand behind others, by the parameters of `behind`; None where none do."""
        if not self.of_many:
            return None
        behind = self.behind(said, relevance, excluded, kept)
        away = [table for table in behind if table in self.of_many]
        if not away:
            return None
        first = {self.schema_of[table]: table for one in away for table in behind[one]}
        schemas = {self.schema_of[table]: table for table in sorted(self.of_many, reverse=True)}
        called = {self.schema_of[table] for table in kept if table in self.schema_of}
        is_named = any(place in called or self._is_named(place, said) for place in first)
        return OtherClients(tuple(away), tuple(sorted(first.values())), tuple(sorted(schemas.values())), is_named)

    def _is_named(self, place: int, said: Collection[str]) -> bool:
        """Whether a question says a word of the name of a client's schema that not all of these have."""
        return not (self.schemas[place].words - self._shared_words).isdisjoint(said)

    @cached_property
    def _shared_words(self) -> frozenset[str]:
        """The words in the names of all schemas of many with the same tables."""
        places = {self.schema_of[table] for table in self.of_many}
        return frozenset[str].intersection(*(self.schemas[place].words for place in places))

    def _without_equal_copies(self, tables: Sequence[int], relevance: Array) -> tuple[int, ...]:
        """Some tables, of the copies of one table among them the most relevant alone."""
        best: dict[Hashable, int] = {}
        for table in tables:
            shared = self.copies.get(table, table)
            if shared not in best or relevance[table] > relevance[best[shared]]:
                best[shared] = table
        return tuple(best.values())

    def pairs(self, tables: Collection[int]) -> list[tuple[int, int]]:
        """The pairs of twins among some tables."""
        some = frozenset(tables)
        return [pair for group in self.groups for pair in combinations((one for one in group if one in some), 2)]

    def mixed_pairs(self, tables: Collection[int]) -> list[tuple[int, int]]:
        """The pairs of tables of two schemas, among some tables, that stand beside each other in either schema.

        Of ``a.orders, b.orders, a.clients, b.clients`` these are ``a.orders, b.clients`` and ``b.orders, a.clients``.
        Where one table of one schema's pair is not among the tables, the other schema's has to be; layers of a
        warehouse do not count, for they differ in more than their schema.
        """
        some = frozenset(tables) & self._in_schemas.keys()
        apart = (pair for pair in combinations(sorted(some), 2) if self.schema_of[pair[0]] != self.schema_of[pair[1]])
        mixed = []
        for one, other in apart:
            ones, others = self._in_schemas[one], self._in_schemas[other]
            there, here = ones.get(self.schema_of[other]), others.get(self.schema_of[one])
            if None not in (there, here) and there != other and not some.isdisjoint((there, here)):
                mixed.append((one, other))
        return mixed

    @cached_property
    def of_many(self) -> frozenset[int]:
        """The twins in `MANY` schemas, copies and layers not counted."""
        copies = {table for table, schema in self.schema_of.items() if self.schemas[schema].is_copy}
        originals = ([table for table in group if table not in copies | self.layered] for group in self.groups)
        return frozenset(table for group in originals if len(group) >= MANY for table in group)

    def _are_equal(self, schemas: Sequence[int]) -> bool:
        """Whether these are two schemas that have the same tables."""
        if len(schemas) != 2:
            return False
        one, other = schemas
        shared = self._shared[frozenset(schemas)]
        return have_the_same(shared, self.schemas[one].size, self.schemas[other].size)

    @cached_property
    def _shared(self) -> Counter[frozenset[int]]:
        """How many tables two schemas share that no third one has, by their places."""
        ends = (frozenset(self.schema_of[table] for table in group) for group in self.groups)
        return Counter(pair for pair in ends if len(pair) == 2)

    @cached_property
    def _in_schemas(self) -> dict[int, dict[int, int]]:
        """The tables of the group of each twin, by their schemas; but for layers."""
        groups = [group for group in self.groups if self.layered.isdisjoint(group)]
        return {table: {self.schema_of[twin]: twin for twin in group} for group in groups for table in group}

    def beside(self, tables: Collection[int]) -> dict[int, tuple[int, ...]]:
        """From each of some tables that has twins to those that are not among the tables."""
        chosen = frozenset(tables)
        return {
            table: rest
            for group in self.groups
            for table in group
            if table in chosen and (rest := tuple(twin for twin in group if twin not in chosen))
        }


def _place(table: NamedTable, name: CopyName, layer: Layered | None) -> _Place:
    schema = table.name.rpartition(".")[0]
    said, level = (name.said, None) if layer is None else (name.said | layer.said, layer.level)
    return _Place(table.database, schema, name.before, name.after, said, level)


def _schemas(places: Sequence[_Place], groups: Sequence[Sequence[int]]) -> tuple[tuple[Schema, ...], dict[int, int]]:
    """The schemas that have twins, and which of them each twin is in."""
    twins = {table for group in groups for table in group}
    members: dict[_Place, list[int]] = {}
    for table, place in enumerate(places):
        members.setdefault(place, []).append(table)
    schemas: list[Schema] = []
    schema_of: dict[int, int] = {}
    for place, tables in members.items():
        if not twins.isdisjoint(tables):
            schema_of |= dict.fromkeys(twins.intersection(tables), len(schemas))
            own = tuple(table for table in tables if table not in twins)
            schemas.append(_schema(place, own, len(tables)))
    return tuple(schemas), schema_of


def _schema(place: _Place, own: tuple[int, ...], size: int) -> Schema:
    words = name_words(f"{place.database} {place.schema}")
    level = place.layer
    if level is None:
        copies = COPIES.intersection((*words, *place.before, *place.after))
        level = min((LAYERS[word] for word in copies if word in LAYERS), default=REFINED)
    is_copy = bool(place.marks) or not (COPIES - LAYERS.keys()).isdisjoint(words)
    named = numbered_names(f"{place.database} {place.schema}")
    return Schema(frozenset(map(singular, words)) | named | place.said, is_copy, level, own, size)


def _alike(tables: Sequence[NamedTable], names: Sequence[CopyName], same: Sequence[int]) -> list[list[int]]:
    """The tables that share columns with the first of their group, in groups of different schemas, originals first.

    What is a copy beside an original alone is in no group without one.
    """
    groups: list[tuple[frozenset[str], set[_Place], list[int]]] = []
    for table in sorted(same, key=lambda table: len(names[table].marks) > 0):
        columns = _telling_columns(tables[table])
        place = _place(tables[table], names[table], None)
        for first, places, group in groups:
            least = (min if names[table].is_sure else max)(len(first), len(columns))
            if place not in places and columns and len(first & columns) >= SHARED * least > 0:
                group.append(table)
                places.add(place)
                break
        else:
            groups.append((columns, {place}, [table]))
    return [sorted(group) for _, _, group in groups if len(group) > 1 and any(names[table].is_sure for table in group)]


def _telling_columns(table: NamedTable) -> frozenset[str]:
    """The names of a table's columns, if any without those that tell of the writing and the loading of rows."""
    names = [column.name.casefold() for column in table.columns]
    own = (name for name in names if not is_technical(name) and ROW_HISTORY.isdisjoint(name_words(name)[:1]))
    return frozenset(own) or frozenset(names)


def _merged(groups: Iterable[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """Groups of which those that share a table are one, in the order of their first ones."""
    whole: dict[int, list[int]] = {}
    for group in groups:
        one: list[int] = []
        for table in group:
            for member in whole.get(table, [table]):
                if whole.get(member) is not one:
                    whole[member] = one
                    one.append(member)
    return tuple(tuple(sorted(group)) for group in {id(group): group for group in whole.values()}.values())
