"""What the adapters share: a framework's items become table ids, these are ranked, and become items again."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, TypeVar

from formulations import FormulationError
from jar.adapters.item_names import MetadataKey, from_metadata, named_table, possible_names
from jar.adapters.lazy_reranker import LazyReranker, Source
from jar.answers.sql_context import SqlContext
from jar.errors import JarError, QueryError
from jar.index.lookup import positions_within
from jar.proposals.foreign import DEFAULT_FOREIGN, Foreign, Unknown, check_foreign, read_name, read_names
from jar.proposals.given_tables import given_tables
from jar.sizes.sizing import AUTO
from jar.tables.query import check_size
from joinability import JoinabilityError
from joinability.attributes import cached_property

__all__ = [
    "ItemReranker",
    "LazyReranker",
    "Place",
    "Reranked",
    "Size",
    "Source",
    "from_metadata",
    "named_table",
    "possible_names",
]

if TYPE_CHECKING:
    from jar.answers.selection import Selection
    from joinability import Table

Item = TypeVar("Item")
Size: TypeAlias = int | Literal["auto"]
"""How many tables are chosen: a number, or as many as the question needs."""

EXPECTED_ERRORS = (JarError, JoinabilityError, FormulationError, OSError)
"""What a question can raise: each error says what is wrong and what to do, so that its text may be shown."""

KEY = "jar"
"""The one key of an item's metadata under which an adapter writes `Place.metadata`."""

LOGGER = logging.getLogger(__name__)
"""Gets the notes, as most frameworks have no place for them."""

LISTS = ("require", "exclude", "forbid_joins")
"""Options that are lists."""
OPTIONS = (*LISTS, "time_limit")
"""Options of `Reranker.rank` that an adapter passes on with each question."""
NAMED = ("id_of", "database", "unknown", "score_of", "make")
"""Further options of `ItemReranker`."""
REMEDY = 'say how items name their tables (id_of=, database=), or leave such items out (unknown="skip")'
"""What the error about an unknown table says of the way out."""


def check_options(
    options: Mapping[str, Any], known: Collection[str] = OPTIONS, named: Collection[str] = ()
) -> dict[str, Any]:
    """The options of every call, lists read once. `named` are the adapter's further options: an error lists them, too.

    Raises
    ------
    QueryError
        When one is unknown, or a text stands in place of a list.
    """
    for name, value in options.items():
        if name not in known:
            raise QueryError(f"there is no option {name!r} here; there are {', '.join(sorted({*known, *named}))}")
        if name in LISTS and (isinstance(value, str) or not isinstance(value, Iterable)):
            raise QueryError(f"{name} is a list, such as [{value!r}]")
    if "k" in options:
        _check_size(options["k"])
    return {name: tuple(value) if name in LISTS else value for name, value in options.items()}


def _check_size(k: Size) -> Size:
    return k if k == AUTO else check_size(k)


@dataclass(frozen=True)
class Place(Generic[Item]):
    """An item at its place in the answer.

    Attributes
    ----------
    item : Item
        The framework's object, as it was given.
    table : str or None
        Id of its table; None where the index has none.
    position : int
        Its place in the list that was given, from 0; -1 for an item that `make` made.
    score : float
        1 / its place in the answer, from 1: strictly decreasing, as frameworks sort by it.
    metadata : dict
        Of an item of a chosen table: `table`; `rank`, the table's place, from 1; `contribution`, what the table adds
        to the value, where a later table may add more than an earlier one; `joins`, the conditions that it takes part
        in; `stands_for`, the sharded tables that it stands for, where there are any. Else empty.
    """

    item: Item
    table: str | None
    position: int
    score: float
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Reranked(Generic[Item]):
    """Items in their new order, the answer that gave it (None where no item names a table), what was not as asked."""

    places: tuple[Place[Item], ...]
    selection: Selection | None
    notes: tuple[str, ...] = ()


class ItemReranker(LazyReranker, Generic[Item]):
    """Chooses tables among a framework's items, and returns the items of the chosen tables, best first.

    Parameters
    ----------
    source : path, Index or Reranker
        An index file is loaded when the first question comes.
    k : int or "auto"
        How many tables are chosen, unless a call says otherwise; "auto" for as many as the question needs.
    id_of : callable
        Item to table id, or to several possible ones, of which the first that the index has is meant; None where it
        names no table. The `Foreign` of a given re-ranker reads them.
    database : str, optional
        The database that the items are about, by default that of the re-ranker's `Foreign`, or the only one of the
        index: "loan" is read as "bank.loan" where the index has no table "loan", made items and joins are named so, and
        `retrieve` proposes tables of no other.
    unknown : "raise" or "skip", optional
        What becomes of an item whose table the index does not have: a `QueryError`, or it is no candidate, with a note.
        By default as the re-ranker's `Foreign` says.
    score_of : callable, optional
        Item to the retriever's score, in any unit, greater is better. By default, and where a table's first item has
        none, the index says how relevant all of them are.
    make : callable, optional
        (name, CREATE TABLE statement) to an item, for chosen tables that no item names: required ones, and bridges that
        the retriever missed. By default they have no item, and a note names them.
    options
        Further arguments of `Reranker.rank`: `require`, `exclude`, `forbid_joins`, `time_limit`.

    Raises
    ------
    QueryError
        When an option is unknown or cannot be used.
    """

    def __init__(
        self,
        source: Source,
        k: Size = 5,
        *,
        id_of: Callable[[Item], Any],
        database: str | None = None,
        unknown: Unknown | None = None,
        score_of: Callable[[Item], float | None] | None = None,
        make: Callable[[str, str], Item] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(source)
        for name, function in (("id_of", id_of), ("score_of", score_of), ("make", make)):
            if not callable(function) and (name == "id_of" or function is not None):
                raise QueryError(f"{name} is a function, not {function!r}")
        Foreign(unknown or "raise", database=database)
        self.k, self.id_of, self.database, self.unknown = _check_size(k), id_of, database, unknown
        self.score_of, self.make, self.options = score_of, make, check_options(options, named=NAMED)

    def retrieve(self, question: str, k: Size | None = None) -> Reranked[Item]:
        """Choose k of the tables that the index itself proposes; each has the item that `make` makes.

        Raises `QueryError` when the index does not have the `database`, or as `Reranker.rank` does.
        """
        exclude = [*self._elsewhere, *self.options.get("exclude", ())]
        options = {**self.options, "exclude": exclude}
        selection = self.reranker.rank(question, self.k if k is None else k, **options)
        made = _chosen(self._made_for(selection, selection.tables), selection, self.home)
        return _reranked(question, made, selection)

    def rerank(
        self,
        question: str,
        items: Iterable[Item],
        k: Size | None = None,
        *,
        limit: int | None = None,
        rest: bool = False,
    ) -> Reranked[Item]:
        """Choose k tables among those that the items name, and put the items in that order.

        Items of one table, such as chunks of its description, are one candidate, at the place of the first; they stay
        together, in the order in which they came.

        Parameters
        ----------
        limit : int, optional
            Items at most: every chosen table keeps its first item before one keeps its second.
        rest : bool
            Whether the other items follow, in the order in which they came; else they are left out.

        Raises
        ------
        QueryError
            When an item names no table of the index and `unknown` is "raise", or as `Reranker.rank` raises.
        """
        listed, contents = list(items), self.index.contents
        names = [self._name_of(item) for item in listed]
        positions = read_names(contents, names, self.foreign, self._remedy(listed, names))
        places = [
            Place(item, None if position is None else contents.tables[position].id, place, 0.0)
            for place, (item, position) in enumerate(zip(listed, positions, strict=True))
        ]
        scores = [None if self.score_of is None else self.score_of(item) for item in listed]
        # Where nothing makes an item of them, join neighbours would take places of tables that have one.
        given: Any = given_tables(
            positions,
            list(zip(names, scores, strict=True)),
            self.foreign,
            exclude=positions_within(contents, self.options.get("exclude", ())),
            expand=None if self.make else 0,
        )
        if not len(given.tables):
            return _reranked(question, places[:limit] if rest else [], None, given.notes)
        selection = self.reranker.rank(question, self.k if k is None else k, candidates=given, **self.options)
        named = {place.table for place in places}
        missing = [table for table in selection.tables if table not in named]
        notes = (f"chosen, but no item names them: {', '.join(missing)}",) if missing and self.make is None else ()
        chosen = _chosen([*places, *self._made_for(selection, missing)], selection, self.home, limit)
        others = [place for place in places if place.table not in selection.tables] if rest else []
        return _reranked(question, [*chosen, *others][:limit], selection, notes)

    @cached_property
    def foreign(self) -> Foreign:
        """How names of tables are read: as the re-ranker does, unless this adapter was given other options.

        Raises
        ------
        QueryError
            When the index has no such database.
        """
        wishes = getattr(self.reranker, "foreign", DEFAULT_FOREIGN)
        names = {table.database for table in self.index.contents.tables}
        only = min(names) if len(names) == 1 else None
        database, unknown = self.database or wishes.database or only, self.unknown or wishes.unknown
        return check_foreign(replace(wishes, database=database, unknown=unknown), self.index.contents)

    @property
    def home(self) -> str | None:
        """The database whose tables are named without it: the given one, or the only one of the index."""
        return self.foreign.database

    @cached_property
    def _elsewhere(self) -> list[str]:
        """The tables of other databases, where items are about one."""
        return [table.id for table in self.index.contents.tables if self.home not in (None, table.database)]

    def _name_of(self, item: Item) -> Any:
        """The name of an item's table: the first possible name that the index has, else the last possible one."""
        name = self.id_of(item)
        if not isinstance(name, tuple):
            return name
        known = (one for one in name if read_name(self.index.contents, one, self.foreign) is not None)
        return next(known, name[-1] if name else None)

    def _remedy(self, items: Sequence[Item], names: Sequence[Any]) -> str:
        """What an error about unknown tables says of the way out, and of the first item without a name."""
        nameless = next((item for item, name in zip(items, names, strict=True) if name is None), None)
        if nameless is None or not isinstance(self.id_of, MetadataKey):
            return REMEDY
        return f"{REMEDY}; {self.id_of.told(nameless)}"

    def _made_for(self, selection: Selection, tables: Collection[str]) -> list[Place[Item]]:
        """New items for chosen tables."""
        if self.make is None:
            return []
        chosen = [schema for schema in selection.schemas if schema.id in tables]
        texts = [SqlContext((schema,), families=selection.families).text() for schema in chosen]
        made = [self.make(_name(schema, self.home), text) for schema, text in zip(chosen, texts, strict=True)]
        return [Place(item, schema.id, -1, 0.0) for item, schema in zip(made, chosen, strict=True)]


def conditions_of(selection: Selection, table: str, home: str | None = None) -> list[str]:
    """The conditions "db.a.x = db.b.y" of the joins of an answer that a table takes part in, doubts in brackets.

    Parameters
    ----------
    home : str, optional
        A database whose tables are written without it.
    """
    names = {schema.id: _name(schema, home) for schema in selection.schemas}
    joins = [join for join in selection.joins if table in (join.left_table, join.right_table)]
    named = [(join, names[join.left_table], names[join.right_table]) for join in joins]
    return [
        join.condition_with(partial("{}.{}".format, left), partial("{}.{}".format, right))
        + (f" ({join.doubt})" if join.doubt else "")
        for join, left, right in named
    ]


def _name(table: Table, home: str | None) -> str:
    return table.name if table.database == home else table.id


def _chosen(
    places: Sequence[Place[Item]], selection: Selection, home: str | None, limit: int | None = None
) -> list[Place[Item]]:
    """The items of the chosen tables, table by table, with what the answer says of each."""
    groups: dict[str | None, list[Place[Item]]] = {table: [] for table in selection.tables}
    for place in places:
        if place.table in groups:
            groups[place.table].append(place)
    chunks = sorted((number, rank) for rank, group in enumerate(groups.values()) for number in range(len(group)))
    kept = {rank: number + 1 for number, rank in chunks[:limit]}
    chosen = [
        {"table": table, "rank": rank, "contribution": score, "joins": conditions_of(selection, table, home)}
        | ({"stands_for": list(selection.families[table])} if table in selection.families else {})
        for rank, (table, score) in enumerate(zip(selection.tables, selection.scores, strict=True), 1)
    ]
    return [
        replace(place, metadata=chosen[rank])
        for rank, group in enumerate(groups.values())
        for place in group[: kept.get(rank, 0)]
    ]


def _reranked(
    question: str, places: Sequence[Place[Item]], selection: Selection | None, notes: tuple[str, ...] = ()
) -> Reranked[Item]:
    """An answer with its scores and with all notes, which go to the log as well."""
    all_notes = notes + (() if selection is None else selection.notes)
    for note in all_notes:
        LOGGER.info("%s: %s", question, note)
    scored = (Place(at.item, at.table, at.position, 1 / rank, at.metadata) for rank, at in enumerate(places, 1))
    return Reranked(tuple(scored), selection, all_notes)
