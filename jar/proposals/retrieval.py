"""Retrievers: who proposes the candidates of a question, where the package's own first stage does not."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, SupportsIndex, overload

from jar.errors import QueryError
from jar.proposals.foreign import Foreign, name_elsewhere
from jar.proposals.given_tables import GivenTables, read_candidates
from jar.stopwatch import Stopwatch

if TYPE_CHECKING:
    from jar.index.contents import IndexContents

__all__ = ["Proposals", "Retrieval", "Retriever", "check_retriever"]


class Retriever(Protocol):
    """A first stage: proposes candidates for a question.

    One that does better with many questions at once may have a method ``many(questions, count)`` that returns the
    proposals of each. One whose `full_ids` is true knows tables by the ids of the index alone.
    """

    def __call__(self, question: str, count: int, *, exclude: Collection[str] = ()) -> Sequence[tuple[str, float]]:
        """At most `count` pairs (id, score), best first, without the tables in `exclude`; see `Proposals`."""


class Proposals(list[tuple[str, float]]):
    """Candidates that say where they come from; a retriever may return them in place of a plain list.

    Parameters
    ----------
    candidates : iterable of (id, score)
    source : str
        Who proposes them; `Selection.retrieval` tells it.
    note : str
        What was not as asked, in words; it becomes a note of the selection.
    trace : mapping, optional
        How tables were reached, in words, by their ids: ``{"bank.loan": "second hop, after bank.client"}``.
    """

    def __init__(
        self,
        candidates: Iterable[tuple[str, float]],
        source: str = "",
        note: str = "",
        trace: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(candidates)
        self.source = source
        self.note = note
        self.trace = trace or {}

    @overload
    def __getitem__(self, index: SupportsIndex, /) -> tuple[str, float]: ...
    @overload
    def __getitem__(self, index: slice, /) -> Proposals: ...
    def __getitem__(self, index: SupportsIndex | slice, /) -> tuple[str, float] | Proposals:
        """A pair; or some of them, which say the same."""
        if isinstance(index, slice):
            return Proposals(super().__getitem__(index), self.source, self.note, self.trace)
        return super().__getitem__(index)


@dataclass(frozen=True)
class Retrieval:
    """Whose candidates a question has: the caller's for it, else those of a retriever, else nobody's.

    Attributes
    ----------
    contents : IndexContents
    foreign : Foreign
    retriever : Retriever, optional
    """

    contents: IndexContents
    foreign: Foreign
    retriever: Retriever | None = None

    def __call__(
        self, questions: Sequence[str], candidates: Sequence[Any], count: int, exclude: Sequence[int] = ()
    ) -> list[GivenTables | None]:
        """The tables that are proposed for each question, without excluded ones; None where nobody proposes any.

        Parameters
        ----------
        candidates : sequence
            The caller's for each question, or None.
        count : int
            What a retriever is asked for; what it proposes beyond is left out.

        Raises
        ------
        QueryError
            When candidates cannot be read, or `many` of the retriever does not answer each question.
        """
        asked = [text for text, given in zip(questions, candidates, strict=True) if given is None]
        proposed = iter(self._proposed(asked, count, exclude) if self.retriever is not None else [None] * len(asked))
        return [next(proposed) if given is None else self._given(given, exclude) for given in candidates]

    def _given(self, candidates: Any, exclude: Sequence[int]) -> GivenTables:
        """The caller's candidates; those that an adapter has read stay."""
        if isinstance(candidates, GivenTables):
            return candidates.without(exclude)
        return read_candidates(self.contents, candidates, self.foreign, exclude=frozenset(exclude))

    def _proposed(self, questions: Sequence[str], count: int, exclude: Sequence[int]) -> list[GivenTables]:
        if self.retriever is None or not questions:
            return []
        watch = Stopwatch()
        many = getattr(self.retriever, "many", None)
        if callable(many) and len(questions) > 1 and not exclude:
            answers = _checked_list(many(list(questions), count), "many of the retriever")
        else:
            ids = [self.contents.tables[table].id for table in exclude]
            if not getattr(self.retriever, "full_ids", False):
                ids = [name_elsewhere(id_, self.foreign) for id_ in ids]
            answers = [self.retriever(question, count, exclude=tuple(ids)) for question in questions]
        if len(answers) != len(questions):
            raise QueryError(f"the retriever answered {len(answers)} of {len(questions)} questions: one list for each")
        seconds, gone = watch.lap() / len(questions), frozenset(exclude)
        return [
            read_candidates(self.contents, _proposals(answer), self.foreign, "retriever", exclude=gone, bounds=False)
            .without((), count)
            ._replace(seconds=seconds)
            for answer in answers
        ]


def _checked_list(answers: Any, who: str) -> list[Any]:
    if not isinstance(answers, Iterable) or isinstance(answers, str):
        raise QueryError(f"{who} gave {type(answers).__name__}, not a list of candidates for each question")
    return list(answers)


def _proposals(answer: Any) -> Any:
    """What a retriever returned, if it is a list."""
    if isinstance(answer, Coroutine):
        answer.close()
    if not isinstance(answer, Iterable) or isinstance(answer, str):
        raise QueryError(f"the retriever returned {type(answer).__name__}, not a list of ids or of (id, score) pairs")
    return answer


def check_retriever(retriever: Retriever | None) -> Retriever | None:
    """The same, when it can be called as `Retriever` says.

    Raises
    ------
    QueryError
    """
    if retriever is None:
        return None
    form = "a retriever is a function (question, count, *, exclude=()) -> [(id, score), ...]"
    if not callable(retriever):
        raise QueryError(f"{form}, not {type(retriever).__name__}")
    if any(map(inspect.iscoroutinefunction, (retriever, getattr(retriever, "__call__", None)))):  # noqa: B004
        raise QueryError(f"{form}, not a coroutine: let it run to its end, with asyncio.run or in your event loop")
    try:
        inspect.signature(retriever).bind("question", 1, exclude=())
    except TypeError as error:
        raise QueryError(f"{form}; this one cannot be called so: {error}") from None
    except ValueError:  # it does not tell its parameters, as some that are compiled
        return retriever
    return retriever
