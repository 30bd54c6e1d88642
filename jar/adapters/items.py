"""What the adapters share: a framework's items become table ids, these are ranked, and become items again."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, TypeVar

from formulations import FormulationError
from jar.answers.sql_context import SqlContext
from jar.errors import JarError, QueryError
from jar.index.lookup import table_position
from joinability import JoinabilityError, condition_text

if TYPE_CHECKING:
    from jar.answers.selection import Selection
    from jar.index.index import Index
    from jar.rerank import Reranker
    from joinability import Table

Item = TypeVar("Item")
Source: TypeAlias = "str | Path | Index | Reranker"
Unknown: TypeAlias = Literal["raise", "skip"]

EXPECTED_ERRORS = (JarError, JoinabilityError, FormulationError, OSError)
"""What a question can raise: each error says what is wrong and what to do, so that its text may be shown."""

KEY = "jar"
"""The one key of an item's metadata under which an adapter writes `Place.metadata`."""

LOGGER = logging.getLogger(__name__)
"""Gets the notes, as most frameworks have no place for them."""

_LOADING = threading.Lock()
_NAME = r'"(?:[^"]|"")+"|`[^`]+`|\[[^\]]+\]|[^\s"`\[\].,:;|(]+'
_STATEMENT = r"(?:CREATE\s+(?:OR\s+REPLACE\s+)?(?:\w+\s+)?(?:TABLE|VIEW)\s+(?:IF\s+NOT\s+EXISTS\s+)?|TABLE\s*:?\s+)?"
_NAMED = re.compile(rf"\s*{_STATEMENT}((?:{_NAME})(?:\.(?:{_NAME}))*)", re.IGNORECASE)


class LazyReranker:
    """A re-ranker that is made when it is first asked for.

    Parameters
    ----------
    source : path, Index or Reranker
        Of an index file, the index is loaded then.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self._reranker: Reranker | None = None

    @property
    def reranker(self) -> Reranker:
        """The re-ranker; threads that ask while it is made wait for it.

        Raises `FileNotFoundError` or `IndexFormatError` as `Index.load` does, and `EmbedderError` as `Reranker` does.
        """
        if self._reranker is None:
            from jar.index.index import Index
            from jar.rerank import Reranker

            with _LOADING:
                if self._reranker is None:
                    source = Index.load(self.source) if isinstance(self.source, (str, Path)) else self.source
                    self._reranker = Reranker(source) if isinstance(source, Index) else source
        return self._reranker

    @property
    def index(self) -> Index:
        """Its index."""
        return self.reranker.index

    @property
    def path(self) -> str:
        """The index file: what an adapter that is saved keeps."""
        return str(self.source if isinstance(self.source, (str, Path)) else self.index.path)


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
        in. Else empty.
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
    k : int
        How many tables are chosen, unless a call says otherwise.
    id_of : callable
        Item to table id; None where it names no table.
    database : str, optional
        The database that the items are about, by default the only one of the index: "loan" is read as "bank.loan" where
        the index has no table "loan", made items and joins are named so, and `retrieve` proposes tables of no other.
    unknown : "raise" or "skip"
        What becomes of an item whose table the index does not have: a `QueryError`, or it is no candidate, with a note.
    score_of : callable, optional
        Item to the retriever's score, in any unit, greater is better. By default, and where a table's first item has
        none, the index says how relevant all of them are.
    make : callable, optional
        (name, CREATE TABLE statement) to an item, for chosen tables that no item names: required ones, and bridges that
        the retriever missed. By default they have no item, and a note names them.
    options
        Further arguments of `Reranker.rank`: `require`, `exclude`, `forbid_joins`, `time_limit`.
    """

    def __init__(
        self,
        source: Source,
        k: int = 5,
        *,
        id_of: Callable[[Item], str | None],
        database: str | None = None,
        unknown: Unknown = "raise",
        score_of: Callable[[Item], float | None] | None = None,
        make: Callable[[str, str], Item] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(source)
        if unknown not in ("raise", "skip"):
            raise QueryError(f'unknown is "raise" or "skip", not {unknown!r}')
        self.k, self.id_of, self.database, self.unknown = k, id_of, database, unknown
        self.score_of, self.make, self.options = score_of, make, options

    def retrieve(self, question: str, k: int | None = None) -> Reranked[Item]:
        """Choose k of the tables that the index itself proposes; each has the item that `make` makes.

        Raises `QueryError` when the index does not have the `database`, or as `Reranker.rank` does.
        """
        exclude = [*self._elsewhere, *self.options.get("exclude", ())]
        options = {**self.options, "exclude": exclude}
        selection = self.reranker.rank(question, self.k if k is None else k, **options)
        made = _chosen(self._made(selection, selection.tables), selection, self.home)
        return Reranked(_scored(made), selection, selection.notes)

    def rerank(
        self,
        question: str,
        items: Iterable[Item],
        k: int | None = None,
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
        found, notes = self._read(items)
        candidates = self._candidates(found)
        if not candidates:
            return Reranked(_scored(found[:limit] if rest else []), None, notes)
        selection = self._among_items.rank(question, self.k if k is None else k, candidates=candidates, **self.options)
        named = {place.table for place in found}
        missing = [table for table in selection.tables if table not in named]
        if missing and self.make is None:
            notes += (f"chosen, but no item names them: {', '.join(missing)}",)
        chosen = _chosen([*found, *self._made(selection, missing)], selection, self.home, limit)
        for note in notes:
            LOGGER.info("%s: %s", question, note)
        others = [place for place in found if place.table not in selection.tables] if rest else []
        return Reranked(_scored([*chosen, *others][:limit]), selection, notes + selection.notes)

    @cached_property
    def home(self) -> str | None:
        """The database whose tables are named without it: the given one, or the only one of the index.

        Raises
        ------
        QueryError
            When the index has no such database.
        """
        names = {table.database for table in self.index.contents.tables}
        if self.database not in {None, *names}:
            raise QueryError(f"the index has no database {self.database!r}; it has {', '.join(sorted(names))}")
        return self.database or (min(names) if len(names) == 1 else None)

    @cached_property
    def _among_items(self) -> Reranker:
        """The re-ranker; without join neighbours of the candidates where nothing makes an item of them."""
        if self.make is not None:
            return self.reranker
        alone = copy(self.reranker)
        alone.expand = 0
        return alone

    @cached_property
    def _elsewhere(self) -> list[str]:
        """The tables of other databases, where items are about one."""
        return [table.id for table in self.index.contents.tables if self.home not in (None, table.database)]

    def _made(self, selection: Selection, tables: Collection[str]) -> list[Place[Item]]:
        """New items for chosen tables."""
        if self.make is None:
            return []
        chosen = [schema for schema in selection.schemas if schema.id in tables]
        made = [self.make(_name(schema, self.home), SqlContext((schema,)).text()) for schema in chosen]
        return [Place(item, schema.id, -1, 0.0) for item, schema in zip(made, chosen, strict=True)]

    def _read(self, items: Iterable[Item]) -> tuple[list[Place[Item]], tuple[str, ...]]:
        """The items with their tables, in the order in which they came, and a note where some name none."""
        known, home = self.index.contents.table_position, self.home
        named = [(item, self.id_of(item)) for item in items]
        ids = [next((id_ for id_ in (name, f"{home}.{name}") if id_ in known), None) for _, name in named]
        found = [Place(item, id_, n, 0.0) for n, ((item, _), id_) in enumerate(zip(named, ids, strict=True))]
        unknown = [name for (_, name), id_ in zip(named, ids, strict=True) if id_ is None]
        if unknown and self.unknown == "raise":
            self._refuse(unknown[0])
        listed = ", ".join(dict.fromkeys(map(repr, unknown)))
        return found, (f"no candidates, as the index does not have their tables: {listed}",) if unknown else ()

    def _refuse(self, name: str | None) -> None:
        remedy = 'Say how items name their tables (id_of=, database=), or leave such items out (unknown="skip")'
        if not name:
            raise QueryError(f"an item names no table. {remedy}")
        try:
            table_position(self.index.contents, name)
        except QueryError as error:
            end = "" if str(error).endswith("?") else "."
            raise QueryError(f"{error}{end} {remedy}") from None

    def _candidates(self, found: Sequence[Place[Item]]) -> list[str] | dict[str, float]:
        """Tables in the order of their first items, with these items' scores where each has one."""
        scores: dict[str, float | None] = {}
        for place in found:
            if place.table is not None:
                scores.setdefault(place.table, None if self.score_of is None else self.score_of(place.item))
        known = {table: score for table, score in scores.items() if score is not None}
        return known if len(known) == len(scores) else list(scores)


def from_metadata(
    id_of: str | Callable[[Item], str | None], metadata: Callable[[Item], Mapping[str, Any]]
) -> Callable[[Item], str | None]:
    """How items name tables, where a user gives a callable or the key of the item's metadata that holds the name."""
    return id_of if callable(id_of) else lambda item: metadata(item).get(id_of)


def named_table(text: str) -> str | None:
    """The table that a text is about: the name after CREATE TABLE or "table", or else the text's first name.

    So "bank.loan", "bank.loan(amount, status)", "bank.loan: amount, status" and 'CREATE TABLE "bank"."loan" (...)' all
    name bank.loan. None where a text starts with no name.
    """
    match = _NAMED.match(text)
    parts = re.findall(_NAME, match.group(1)) if match else []
    return ".".join(_unquoted(part) for part in parts) or None


def conditions_of(selection: Selection, table: str, home: str | None = None) -> list[str]:
    """The conditions "db.a.x = db.b.y" of the joins of an answer that a table takes part in.

    Parameters
    ----------
    home : str, optional
        A database whose tables are written without it.
    """
    names = {schema.id: _name(schema, home) for schema in selection.schemas}
    joins = [join for join in selection.joins if table in (join.left_table, join.right_table)]
    told = [(join, names[join.left_table], names[join.right_table]) for join in joins]
    return [
        condition_text([(f"{left}.{x}", f"{right}.{y}") for x, y in join.column_pairs], join.padded)
        for join, left, right in told
    ]


def _name(table: Table, home: str | None) -> str:
    return table.name if table.database == home else table.id


def _unquoted(name: str) -> str:
    return name[1:-1].replace('""', '"') if name[0] in '"`[' else name


def _chosen(
    found: Sequence[Place[Item]], selection: Selection, home: str | None, limit: int | None = None
) -> list[Place[Item]]:
    """The items of the chosen tables, table by table, with what the answer says of each."""
    groups: dict[str | None, list[Place[Item]]] = {table: [] for table in selection.tables}
    for place in found:
        if place.table in groups:
            groups[place.table].append(place)
    chunks = sorted((number, rank) for rank, group in enumerate(groups.values()) for number in range(len(group)))
    kept = {rank: number + 1 for number, rank in chunks[:limit]}
    told = [
        {"table": table, "rank": rank, "contribution": score, "joins": conditions_of(selection, table, home)}
        for rank, (table, score) in enumerate(zip(selection.tables, selection.scores, strict=True), 1)
    ]
    return [
        replace(place, metadata=told[rank])
        for rank, group in enumerate(groups.values())
        for place in group[: kept.get(rank, 0)]
    ]


def _scored(places: Sequence[Place[Item]]) -> tuple[Place[Item], ...]:
    return tuple(Place(at.item, at.table, at.position, 1 / rank, at.metadata) for rank, at in enumerate(places, 1))
