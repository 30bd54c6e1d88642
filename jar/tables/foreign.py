"""Candidates that come from elsewhere: how their ids and scores are read, and what the answer tells of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from jar.arrays import IntArray
from jar.errors import QueryError
from jar.index.lookup import table_position

if TYPE_CHECKING:
    from jar.index.contents import IndexContents

Candidates: TypeAlias = Iterable[str | tuple[str, float | None]] | Mapping[str, float | None]

Unknown = Literal["raise", "skip"]
Scores = Literal["use", "ignore"]

SHOWN = 3
"""Names that a note lists."""
RISING = 5
"""Scores that rise from the first of so many candidates to the last are taken for distances, and a note says so."""


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
    database : str, optional
        The database of names without one: with "bank", ``loan`` is the table ``bank.loan``.
    id_of : callable, optional
        From what the retriever calls a table to its id, or to None for what is no table of the index.

    Raises
    ------
    QueryError
        When an option is none of these.
    """

    unknown: Unknown = "raise"
    scores: Scores = "use"
    database: str | None = None
    id_of: Callable[[str], str | None] | None = None

    def __post_init__(self) -> None:
        for name, kind in (("unknown", Unknown), ("scores", Scores)):
            if getattr(self, name) not in get_args(kind):
                choices = " or ".join(map(repr, get_args(kind)))
                raise QueryError(f"Foreign({name}=...) is {choices}, not {getattr(self, name)!r}")
        if not (self.database is None or isinstance(self.database, str)):
            raise QueryError(f"Foreign(database=...) is the name of a database, not {self.database!r}")
        if not (self.id_of is None or callable(self.id_of)):
            raise QueryError(f"Foreign(id_of=...) is a function from a name to a table id, not {self.id_of!r}")


DEFAULT_FOREIGN = Foreign()
"""Every candidate has to be in the index, and scores count."""


class GivenTables(NamedTuple):
    """Tables that the caller or a retriever proposes.

    Attributes
    ----------
    tables : array (n,)
        Positions in the index, in their order, each once.
    scores : list of n floats, optional
        None where the order and the ids are all that counts.
    origins : tuple of n str
        What the answer tells of how each came in.
    notes : tuple of str
        What was not as asked, in words.
    seconds : float
        What the retriever took.
    bounds : bool
        Whether the choice is among these tables (and their join neighbours), or others fill up a small number.
    """

    tables: IntArray
    scores: list[float] | None
    origins: tuple[str, ...]
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    bounds: bool = True

    def without(self, exclude: Iterable[int], most: int | None = None) -> GivenTables:
        """The same without some tables, and of the others the first `most`."""
        gone = set(exclude)
        kept = [place for place, table in enumerate(self.tables.tolist()) if table not in gone][:most]
        scores = None if self.scores is None else [self.scores[place] for place in kept]
        return self._replace(
            tables=self.tables[np.array(kept, dtype=np.int64)],
            scores=scores or None,
            origins=tuple(self.origins[place] for place in kept),
        )


def read_candidates(
    contents: IndexContents, candidates: Any, foreign: Foreign = DEFAULT_FOREIGN, origin: str = "given"
) -> GivenTables:
    """Positions and scores of candidates from elsewhere.

    A table that is listed twice, such as by several chunks of its text, keeps its first place and score. Where only
    some candidates have a score, none counts, and a note says so. A list with the attributes of `jar.Proposals` says
    where its tables come from.

    Parameters
    ----------
    candidates : ids, (id, score) pairs or a mapping
        A score may be None.
    origin : str
        Where they come from, unless they say so.

    Raises
    ------
    QueryError
        When they are no candidates, an id is unknown (see `Foreign.unknown`), or a score is no finite number.
    """
    if isinstance(candidates, str):
        raise QueryError(f"candidates are a list of ids or of (id, score) pairs, such as [{candidates!r}]")
    if not isinstance(candidates, Iterable):
        raise QueryError(f"candidates are a list of ids or of (id, score) pairs, not {candidates!r}")
    source, trace = getattr(candidates, "source", "") or origin, getattr(candidates, "trace", None) or {}
    notes = [note] if (note := getattr(candidates, "note", "")) else []
    if not isinstance(trace, Mapping):
        raise QueryError(f"the trace of proposals is a mapping from table ids to texts, not {type(trace).__name__}")
    found: dict[int, tuple[str, float | None]] = {}
    skipped: dict[str, None] = {}
    for candidate in candidates.items() if isinstance(candidates, Mapping) else candidates:
        name, score = _named_score(candidate, foreign)
        position = _position(contents, name, foreign)
        if position is None:
            skipped[name] = None
        else:
            found.setdefault(position, (name, score))
    scores, doubts = _usable([score for _, score in found.values()], foreign)
    origins = tuple(_told(source, trace, contents.tables[table].id, name) for table, (name, _) in found.items())
    notes += [_left_out(list(skipped))] if skipped else []
    return GivenTables(np.array(list(found), dtype=np.int64), scores, origins, (*notes, *doubts))


def name_elsewhere(id_: str, foreign: Foreign) -> str:
    """What a retriever calls a table of the index, as far as `database` says; with `id_of`, its id."""
    if foreign.database is None or foreign.id_of is not None:
        return id_
    return id_.removeprefix(f"{foreign.database}.")


def _position(contents: IndexContents, name: str, foreign: Foreign) -> int | None:
    """Position in the index of what a retriever names; None for what is unknown and may be skipped."""
    id_ = name if foreign.id_of is None else foreign.id_of(name)
    if isinstance(id_, str):
        for known in ([] if foreign.database is None else [f"{foreign.database}.{id_}"]) + [id_]:
            if known in contents.table_position:
                return contents.table_position[known]
    if foreign.unknown == "skip":
        return None
    try:
        return table_position(contents, name if id_ is None else id_)
    except QueryError as error:
        raise QueryError(f'{error}; Reranker(index, foreign=Foreign(unknown="skip")) leaves such out') from None


def _named_score(candidate: Any, foreign: Foreign) -> tuple[str, float | None]:
    """What a candidate names and its score, if it has one that counts."""
    if isinstance(candidate, str):
        return candidate, None
    try:
        name, given = candidate
        score = None if given is None or foreign.scores == "ignore" else float(given)
        if not isinstance(name, str):
            raise TypeError(name)
    except (TypeError, ValueError) as error:
        raise QueryError(f"a candidate is a table id or a pair (id, score), not {candidate!r}") from error
    if score is not None and not math.isfinite(score):
        raise QueryError(f"the score of candidate {name!r} is {score}: scores are finite numbers")
    return name, score


def _usable(scores: list[float | None], foreign: Foreign) -> tuple[list[float] | None, list[str]]:
    """The scores, if all candidates have one, and what is to be said of them."""
    known = [score for score in scores if score is not None]
    if len(known) < len(scores):
        some = f"{len(known)} of {len(scores)} candidates have a score: none counts"
        return None, [some] if known else []
    if len(known) >= RISING and known == sorted(known) and known[0] < known[-1]:
        return known, [
            'the scores rise from the first candidate to the last: if they are distances, say Foreign(scores="ignore")'
        ]
    return known or None, []


def _told(source: str, trace: Mapping[str, str], id_: str, name: str) -> str:
    """Where a table comes from, and how it was reached, as far as the retriever tells; by its id or its own name."""
    step = trace.get(id_) or trace.get(name)
    return f"{source}: {step}" if step else source


def _left_out(names: list[str]) -> str:
    shown = ", ".join(names[:SHOWN]) + (" ..." if len(names) > SHOWN else "")
    count = f"{len(names)} candidates are" if len(names) > 1 else "1 candidate is"
    return f"{count} not in the index and left out: {shown}"
