"""How ids and scores of candidates from elsewhere are read, as the caller says, and what their names mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast, get_args

from jar.errors import QueryError
from jar.index.lookup import table_position
from joinability.short_names import ambiguous

if TYPE_CHECKING:
    from jar.index.contents import IndexContents

Unknown: TypeAlias = Literal["raise", "skip"]
Scores: TypeAlias = Literal["use", "ignore"]

SCORE_WEIGHT = 0.5
"""What scores of a retriever weigh beside the relevance of the index (docs/plug-in.md has how it was chosen)."""
REMEDY = 'Reranker(index, foreign=Foreign(unknown="skip")) leaves such out'
"""What an error about an unknown candidate says of the way out."""


@dataclass(frozen=True)
class Foreign:
    """How ids and scores of candidates are read that come from the caller or from a retriever of the caller.

    Attributes
    ----------
    unknown : "raise" or "skip"
        Whether a candidate that the index does not have is an error, or is left out with a note.
    scores : "use" or "ignore"
        Whether scores count, the greater the better. "ignore" is for distances, and for scores that mean nothing: the
        candidates are taken as ids.
    weight : float
        What scores weigh beside the relevance that the package itself gives to a table, from 0 to 1, where they alone
        count. The surer a retriever is, the more.
    database : str, optional
        The database of names without one: with "bank", ``loan`` is the table ``bank.loan``, unless the index has a
        table of the id ``loan``.
    id_of : callable, optional
        From what the retriever calls a table, which may be a number or another key, to its id, or to None for what is
        no table of the index.

    Raises
    ------
    QueryError
        When an option is none of these.
    """

    unknown: Unknown = "raise"
    scores: Scores = "use"
    database: str | None = None
    id_of: Callable[[Any], str | None] | None = None
    weight: float = SCORE_WEIGHT

    def __post_init__(self) -> None:
        for name, kind in (("unknown", Unknown), ("scores", Scores)):
            if getattr(self, name) not in get_args(kind):
                choices = " or ".join(map(repr, get_args(kind)))
                raise QueryError(f"Foreign({name}=...) is {choices}, not {getattr(self, name)!r}")
        if isinstance(self.weight, bool) or not isinstance(self.weight, (int, float)) or not 0 <= self.weight <= 1:
            raise QueryError(f"Foreign(weight=...) is a number from 0 to 1, not {self.weight!r}")
        if not (self.database is None or isinstance(self.database, str)):
            raise QueryError(f"Foreign(database=...) is the name of a database, not {self.database!r}")
        if not (self.id_of is None or callable(self.id_of)):
            raise QueryError(f"Foreign(id_of=...) is a function from a name to a table id, not {self.id_of!r}")


DEFAULT_FOREIGN = Foreign()
"""Every candidate has to be in the index, and scores count."""


def check_foreign(foreign: Foreign, contents: IndexContents) -> Foreign:
    """The same, when the index has its database.

    Raises
    ------
    QueryError
        When it is no `Foreign`, or the index has no such database, where the message names those that it has.
    """
    if not isinstance(foreign, Foreign):
        raise QueryError(f'foreign is a jar.Foreign, such as Foreign(database="bank"), not {foreign!r}')
    names = {table.database for table in contents.tables}
    if foreign.database not in {None, *names}:
        raise QueryError(f"the index has no database {foreign.database!r}; it has {', '.join(sorted(names))}")
    return foreign


def read_names(
    contents: IndexContents, names: Sequence[object], foreign: Foreign, remedy: str = REMEDY
) -> list[int | None]:
    """Positions in the index of what tables are called elsewhere, see `read_name`.

    Parameters
    ----------
    remedy : str
        What the error says of the way out.

    Raises
    ------
    QueryError
        When one is unknown, and may not be skipped; the message names the nearest.
    """
    positions = [read_name(contents, name, foreign) for name in names]
    if foreign.unknown == "raise" and None in positions:
        name = names[positions.index(None)]
        try:
            id_ = name if foreign.id_of is None else foreign.id_of(name)
            if id_ is None:
                reason = "a candidate names no table" if name is None else f"id_of names no table for {name!r}"
                raise QueryError(reason)
            meant = contents.tables[table_position(contents, cast(str, id_))].id
            raise QueryError(f"the database {foreign.database!r} has no table {id_!r}; did you mean {meant}?")
        except QueryError as error:
            raise QueryError(f"{error}{'' if str(error).endswith('?') else ';'} {remedy}") from None
    return positions


def read_name(contents: IndexContents, name: object, foreign: Foreign) -> int | None:
    """Position in the index of a table by what it is called elsewhere; None for what is unknown.

    An id of the index is that table; any other name is looked for in `Foreign.database`, and where that is not said, is
    the short name of one table alone ("loan" for "bank.loan"), or unknown. Letter case counts where several names
    differ in it alone.

    Raises
    ------
    QueryError
        When `Foreign.id_of` gives neither a text nor None, or what is unknown shall raise and is short for several.
    """
    id_ = name if foreign.id_of is None else foreign.id_of(name)
    if id_ is None:
        return None
    if not isinstance(id_, str) and foreign.id_of is not None:
        raise QueryError(f"id_of gives {id_!r} for {name!r}; it gives a table id, or None for what is no table")
    if not isinstance(id_, str):
        return None
    full = id_ if foreign.database is None else f"{foreign.database}.{id_}"
    for name in (id_, full):
        if (known := contents.table_position.get(name)) is not None:
            return known
    meant = contents.short_names.get(id_, ()) if foreign.database is None else ()
    meant = meant or contents.folded_names.get(full.casefold(), ())
    if len(meant) > 1 and foreign.unknown == "raise":
        raise QueryError(ambiguous("table", id_, [contents.tables[position].id for position in meant]))
    return meant[0] if len(meant) == 1 else None


def name_elsewhere(id_: str, foreign: Foreign) -> str:
    """What a retriever calls a table of the index, as far as `database` says; with `id_of`, its id."""
    if foreign.database is None or foreign.id_of is not None:
        return id_
    return id_.removeprefix(f"{foreign.database}.")
