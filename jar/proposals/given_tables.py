"""Candidates that come from elsewhere, as they are read, and what the answer tells of it."""

from __future__ import annotations

import math
import sys
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from jar.arrays import IntArray
from jar.errors import QueryError
from jar.proposals.foreign import DEFAULT_FOREIGN, SCORE_WEIGHT, Foreign, read_names

if TYPE_CHECKING:
    from jar.index.contents import IndexContents

Candidates: TypeAlias = Iterable[str | tuple[str, float | None]] | Mapping[str, float | None]

SHOWN = 3
"""Names that a note lists."""
RISING = 3
"""Scores that rise from the first of so many candidates to the last are taken for distances, and a note says so."""


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
    expand : int, optional
        Join neighbours at most, where it is not for the re-ranker to say.
    weight : float
        See `Foreign`.
    """

    tables: IntArray
    scores: list[float] | None
    origins: tuple[str, ...]
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    bounds: bool = True
    expand: int | None = None
    weight: float = SCORE_WEIGHT

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
    contents: IndexContents,
    candidates: Any,
    foreign: Foreign = DEFAULT_FOREIGN,
    origin: str = "given",
    *,
    exclude: Collection[int] = (),
    bounds: bool = True,
) -> GivenTables:
    """Positions and scores of candidates from elsewhere.

    A table that is listed twice, such as by several chunks of its text, keeps its first place and score. Where only
    some candidates have a score, none counts, and a note says so. A list with the attributes of `jar.Proposals` says
    where its tables come from.

    Parameters
    ----------
    candidates : ids, (id, score) pairs or a mapping
        A score may be None. A Series of pandas is a list of ids; one of numbers has scores, of the ids in its index.
    origin : str
        Where they come from, unless they say so.
    exclude : positions
        Tables that are left out before scores are judged.
    bounds : bool
        See `GivenTables`; then one candidate at least has to be in the index.

    Raises
    ------
    QueryError
        When they are no candidates, an id is unknown (see `Foreign.unknown`), or a score is no finite number.
    """
    if isinstance(candidates, str):
        raise QueryError(f"candidates are a list of ids or of (id, score) pairs, such as [{candidates!r}]")
    if not isinstance(candidates, Iterable):
        raise QueryError(f"candidates are a list of ids or of (id, score) pairs, not {candidates!r}")
    source, note, trace = (_said(candidates, name) for name in ("source", "note", "trace"))
    candidates = _without_pandas(candidates)
    if not isinstance(trace or {}, Mapping):
        raise QueryError(f"the trace of proposals is a mapping from table ids to texts, not {type(trace).__name__}")
    listed = candidates.items() if isinstance(candidates, Mapping) else candidates
    named = [_named_score(candidate, foreign) for candidate in listed]
    positions = read_names(contents, [name for name, _ in named], foreign)
    if bounds and named and not any(position is not None for position in positions):
        raise QueryError(none_is_there([name for name, _ in named]))
    origins = [
        _told(source or origin, trace or {}, "" if position is None else contents.tables[position].id, name)
        for position, (name, _) in zip(positions, named, strict=True)
    ]
    given = given_tables(positions, named, foreign, origins=origins, exclude=exclude)
    return given._replace(notes=(*([str(note)] if note else []), *given.notes), bounds=bounds)


def _without_pandas(candidates: Any) -> Any:
    """What pandas may hold as a list or a mapping; others stay as they are.

    Raises
    ------
    QueryError
        When it is a DataFrame, which does not say what its columns are.
    """
    pandas = sys.modules.get("pandas")
    if pandas is None or not isinstance(candidates, (pandas.Series, pandas.DataFrame)):
        return candidates
    if isinstance(candidates, pandas.DataFrame):
        raise QueryError('candidates are no DataFrame: give ids and scores, frame.set_index("table")["score"]')
    is_number = pandas.api.types.is_numeric_dtype
    are_scores = is_number(candidates) and not is_number(candidates.index)
    return list(candidates.items()) if are_scores else candidates.tolist()


def given_tables(
    positions: Sequence[int | None],
    named: Sequence[tuple[object, float | None]],
    foreign: Foreign,
    *,
    origins: Sequence[str] | None = None,
    exclude: Collection[int] = (),
    expand: int | None = None,
) -> GivenTables:
    """Candidates that are read, each table once, with notes on what is left out and on scores.

    Parameters
    ----------
    positions : sequence
        Of each candidate; None for one that the index does not have.
    named : sequence of (name, score)
        What each is called, and its score, if it has one.
    origins : sequence of str, optional
        Where each comes from.
    exclude : positions
        Tables that are left out, without a note.
    expand : int, optional
        See `GivenTables`.

    Raises
    ------
    QueryError
        When a score is no finite number.
    """
    first: dict[int, int] = {}
    for place, position in enumerate(positions):
        if position is not None and position not in exclude:
            first.setdefault(position, place)
    skipped = dict.fromkeys(
        _shown(name) for (name, _), position in zip(named, positions, strict=True) if position is None
    )
    kept = [_score(*named[place], foreign) for place in first.values()]
    scores, doubts = _usable(kept, foreign)
    return GivenTables(
        np.array(list(first), dtype=np.int64),
        scores,
        tuple("given" if origins is None else origins[place] for place in first.values()),
        (*([_left_out(list(skipped))] if skipped else []), *doubts),
        expand=expand,
        weight=foreign.weight,
    )


def none_is_there(names: Sequence[object]) -> str:
    """That no candidate is in the index, in words."""
    shown = list(dict.fromkeys(map(_shown, names)))
    if len(shown) == 1:
        return f"the only candidate is not in the index: {shown[0]}"
    return f"none of the {len(shown)} candidates is in the index: {_listed(shown)}"


def _said(candidates: Any, name: str) -> Any:
    """What candidates say in an attribute of `jar.Proposals`; methods of that name, as of arrays, do not."""
    value = getattr(candidates, name, None)
    return None if callable(value) else value


def _named_score(candidate: Any, foreign: Foreign) -> tuple[Any, float | None]:
    """What a candidate names and its score, if it has one that counts."""
    if isinstance(candidate, str):
        return candidate, None
    is_pair = isinstance(candidate, Sequence) or (isinstance(candidate, np.ndarray) and candidate.ndim > 0)
    if foreign.id_of is not None and not is_pair:
        return candidate, None
    try:
        name, given = candidate
        score = _score(name, given, foreign)
        if not isinstance(name, str) and foreign.id_of is None:
            raise TypeError(name)
    except QueryError:
        raise
    except (TypeError, ValueError) as error:
        raise QueryError(f"a candidate is a table id or a pair (id, score), not {candidate!r}") from error
    return name, score


def _score(name: object, given: Any, foreign: Foreign) -> float | None:
    """A score, if it counts. Raises `QueryError` where it is not finite, `TypeError` where it is no number."""
    if given is None or foreign.scores == "ignore":
        return None
    try:
        score = float(given)
    except OverflowError:
        score = math.inf
    if not math.isfinite(score):
        raise QueryError(f"the score of candidate {name!r} is {score}: scores are finite numbers")
    return score


def _usable(scores: list[float | None], foreign: Foreign) -> tuple[list[float] | None, list[str]]:
    """The scores, if all candidates have one, and what is to be said of them."""
    known = [score for score in scores if score is not None]
    if foreign.scores == "ignore":
        return None, []
    if len(known) < len(scores):
        some = f"{len(known)} of {len(scores)} candidates have a score: no score counts"
        return None, [some] if known else []
    if len(known) >= RISING and known == sorted(known) and known[0] < known[-1]:
        return known, [
            'the scores rise from the first candidate to the last: if they are distances, say Foreign(scores="ignore")'
        ]
    return known or None, []


def _told(source: str, trace: Mapping[Any, str], id_: str, name: object) -> str:
    """Where a table comes from, and how it was reached, as far as the retriever tells; by its id or its own name."""
    step = trace.get(id_) or (trace.get(name) if isinstance(name, Hashable) else None)
    return f"{source}: {step}" if step else source


def _shown(name: object) -> str:
    return name if isinstance(name, str) else "(no name)" if name is None else repr(name)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:SHOWN]) + (" ..." if len(names) > SHOWN else "")


def _left_out(names: Sequence[str]) -> str:
    count = f"{len(names)} candidates are" if len(names) > 1 else "1 candidate is"
    return f"{count} not in the index and left out: {_listed(names)}"
