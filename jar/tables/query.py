"""What a caller asked, checked: question, sub-queries, candidates, pinned and excluded tables, vetoed joins."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from jar.arrays import Vectors
from jar.errors import QueryError
from jar.index.lookup import are_tables, column_position, full_name, positions_within, table_positions
from jar.text.decomposition import Decomposition, decompose
from jar.text.texts import subquery_text
from joinability.attributes import cached_property
from joinability.cells import valid_text

if TYPE_CHECKING:
    from jar.index.contents import IndexContents
    from jar.text.embedding import Embedder
    from jar.values.known_values import Mention


@dataclass(frozen=True)
class Query:
    """A question as it is read.

    Attributes
    ----------
    question : str
    subqueries : tuple of str
        What the chosen tables shall cover.
    decomposition, note : str
        Who wrote the sub-queries, and what went wrong there.
    mentions : sequence of Mention
        The values that the question names, once they are looked up; none where they do not count.
    """

    question: str
    subqueries: tuple[str, ...]
    decomposition: str = "caller"
    note: str = ""
    mentions: Sequence[Mention] = ()


class Phrases(NamedTuple):
    """Phrases of a question, as `jar.text.decomposition.decompose` finds them, each read with the question in view.

    Attributes
    ----------
    texts : tuple of str
    vectors : array (p, d)
        Unit vectors.
    """

    texts: tuple[str, ...] = ()
    vectors: Vectors = np.zeros((0, 0), dtype=np.float32)


NO_PHRASES = Phrases()


@dataclass(frozen=True)
class EmbeddedQuery:
    """A query with its vectors.

    Attributes
    ----------
    query : Query
    vectors : array (1 + m, d)
        Unit vectors of the question and of its m sub-queries; those that are phrases of it are read in it.
    seconds : float
        What reading and embedding took, as far as the question bears it.
    phrases : Phrases
        The phrases of the question.
    """

    query: Query
    vectors: Vectors
    seconds: float = 0.0
    phrases: Phrases = NO_PHRASES

    @cached_property
    def meanings(self) -> Vectors:
        """Vectors of the question and its phrases that are compared with those of values, shape (1 + p, d)."""
        from jar.values.value_meanings import meaning_vectors

        return meaning_vectors([self.query.question, *self.phrases.texts])


@dataclass(frozen=True)
class Limits:
    """What the caller pins, excludes and vetoes, as positions in the index."""

    require: tuple[int, ...] = ()
    exclude: tuple[int, ...] = ()
    forbid_columns: tuple[tuple[int, int], ...] = ()
    forbid_tables: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Conditions:
    """What a caller says beside the question: limits, and seconds for the solver."""

    limits: Limits = Limits()
    time_limit: float | None = None


@dataclass(frozen=True)
class Ask:
    """A question as it comes from the caller, with what the caller gives for it."""

    question: str
    subqueries: Any = None
    probes: Any = None
    candidates: Any = None


def check_question(question: str) -> str:
    """The question without surrounding blanks, its accents composed as those of names are.

    Raises
    ------
    QueryError
        When it is no text, or empty.
    """
    if not isinstance(question, str):
        raise QueryError(f"a question is a text, not {type(question).__name__}")
    if not question.isprintable():
        question = question.removeprefix("\N{BYTE ORDER MARK}")
        question = valid_text(question)
    if not question.strip():
        raise QueryError("the question is empty: say in words what the tables shall answer")
    return unicodedata.normalize("NFC", question.strip())


def check_subqueries(subqueries: Sequence[str]) -> tuple[str, ...]:
    """Sub-queries without blanks around them, empty and repeated ones left out.

    Raises
    ------
    QueryError
        When it is one text instead of a list of texts.
    """
    if isinstance(subqueries, str) or not all(isinstance(part, str) for part in subqueries):
        raise QueryError('sub-queries are a list of texts, such as ["client:gender", "loan"]')
    return tuple(dict.fromkeys(part.strip() for part in subqueries if part.strip()))


def check_wishes(method: str, wishes: Mapping[str, Any], known: Iterable[str]) -> None:
    """Refuse keywords that `rank` does not have, in a method that passes its own on to `rank`.

    Raises
    ------
    TypeError
        Of the first such keyword; the message lists those that `rank` has.
    """
    names = list(known)
    for name in wishes:
        if name not in names:
            raise TypeError(f"{method}() got an unexpected keyword argument {name!r}; it takes k, {', '.join(names)}")


def check_ask(ask: Ask, unused: Mapping[str, str]) -> Ask:
    """Refuse what a ranker has no use for; returns the ask.

    Parameters
    ----------
    unused : mapping
        Names of `Ask` that the ranker does not use, each with the message of the error.

    Raises
    ------
    QueryError
        When the caller gives one of them.
    """
    for name, reason in unused.items():
        if getattr(ask, name) is not None:
            raise QueryError(reason)
    return ask


def read_asks(
    questions: Iterable[str], given: Mapping[str, Sequence[Any] | None], unused: Mapping[str, str]
) -> list[Ask]:
    """Many questions, each with what the caller gives for it.

    Parameters
    ----------
    given : mapping
        By the names of `Ask`: an entry for each question, or None.

    Raises
    ------
    QueryError
        When the questions are one text, the ranker has no use for what is given, or it has not one entry for each.
    """
    if isinstance(questions, str):
        raise QueryError("rank_many and rank_sizes take a list of questions; for one question use rank")
    if not isinstance(questions, Iterable):
        raise QueryError(f"questions are a list of texts, not {type(questions).__name__}")
    asked = list(questions)
    whole = {name: None if entries is None else list(entries) for name, entries in given.items()}
    check_ask(Ask("", **whole), unused)
    count = len(asked)
    for name, entries in whole.items():
        if entries is not None and len(entries) != count:
            raise QueryError(f"there are {count} questions and {name} for {len(entries)}: give one entry for each")
    return [
        Ask(question, **{name: None if entries is None else entries[place] for name, entries in whole.items()})
        for place, question in enumerate(asked)
    ]


def read_queries(decomposer: Callable[[str], Sequence[str]], asks: Sequence[Ask]) -> list[Query]:
    """Questions with their sub-queries: the caller's, else the decomposer's, all at once where it has a ``many``.

    Raises
    ------
    QueryError
        When a question or a list of sub-queries cannot be used.
    """
    checked = [check_question(ask.question) for ask in asks]
    undecomposed = [question for question, ask in zip(checked, asks, strict=True) if ask.subqueries is None]
    many = getattr(decomposer, "many", None)
    answers = list(many(undecomposed)) if callable(many) else [decomposer(question) for question in undecomposed]
    if len(answers) != len(undecomposed):
        raise QueryError(
            f"the decomposer took {len(answers)} of {len(undecomposed)} questions apart: one list for each"
        )
    decompositions = iter(answers)
    return [
        _decomposed(question, next(decompositions), decomposer)
        if ask.subqueries is None
        else Query(question, _given_subqueries(ask.subqueries))
        for question, ask in zip(checked, asks, strict=True)
    ]


def _given_subqueries(given: Sequence[str]) -> tuple[str, ...]:
    """Those of the caller, of whom blanks alone are a mistake.

    Raises
    ------
    QueryError
        When they cannot be used, or are blank.
    """
    parts = given if isinstance(given, str) else tuple(given)
    subqueries = check_subqueries(parts)
    if parts and not subqueries:
        raise QueryError("the sub-queries are empty: leave them out, or give [] for a question without any")
    return subqueries


def _decomposed(question: str, answer: Sequence[str], decomposer: object) -> Query:
    subqueries = check_subqueries(answer)
    if isinstance(answer, Decomposition):
        return Query(question, subqueries, answer.source, answer.note)
    if decomposer is decompose or getattr(decomposer, "func", None) is decompose:
        return Query(question, subqueries, "default")
    name = getattr(decomposer, "__qualname__", type(decomposer).__qualname__)
    return Query(question, subqueries, f"callable:{name}")


def embed_queries(
    embedder: Embedder, queries: Sequence[Query], spans: Sequence[Sequence[tuple[int, int]]]
) -> list[EmbeddedQuery]:
    """Queries with the vectors of their questions, sub-queries and phrases, all embedded together.

    Phrases are read with the question in view (`Embedder.with_parts`), and so is a sub-query that is one, as those of
    the built-in decomposer are; another one is read alone.

    Parameters
    ----------
    spans : for each query, pairs (start, end) of characters
        Where the phrases are in its question.
    """
    said = [[query.question[start:end] for start, end in own] for query, own in zip(queries, spans, strict=True)]
    alone = [
        subquery_text(part)
        for query, own in zip(queries, said, strict=True)
        for part in query.subqueries
        if part not in own
    ]
    row = {text: place for place, text in enumerate(dict.fromkeys([*(query.question for query in queries), *alone]))}
    parts = [(query.question, span) for query, own in zip(queries, spans, strict=True) for span in own]
    vectors, of_parts = embedder.with_parts(list(row), parts)
    in_view = np.split(of_parts, np.cumsum([len(own) for own in spans])[:-1]) if spans else []
    embedded = []
    for query, own, read in zip(queries, said, in_view, strict=True):
        of = dict(zip(own, read, strict=True))
        asked = [of[part] if part in of else vectors[row[subquery_text(part)]] for part in query.subqueries]
        both = np.stack([vectors[row[query.question]], *asked])
        embedded.append(EmbeddedQuery(query, both, phrases=Phrases(tuple(own), read)))
    return embedded


def check_size(k: int, name: str = "k") -> int:
    """The number of tables asked for, or of candidates.

    Raises
    ------
    QueryError
        When it is no whole number from 1.
    """
    if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or k < 1:
        raise QueryError(f"{name} is a number of tables, a whole number from 1, not {k!r}")
    return int(k)


def check_sizes(sizes: Iterable[int]) -> list[int]:
    """Numbers of tables asked for, repeated ones once.

    Raises
    ------
    QueryError
        When they are no list, or one of them is no whole number from 1.
    """
    if not isinstance(sizes, Iterable) or isinstance(sizes, str):
        raise QueryError(f"sizes are a list of numbers of tables, such as [3, 5], not {sizes!r}")
    return list(dict.fromkeys(map(check_size, sizes)))


def check_weight(name: str, weight: float) -> float:
    """A weight beside that of the embeddings.

    Raises
    ------
    QueryError
        When it is no finite number from 0.
    """
    if isinstance(weight, bool) or not isinstance(weight, (int, float, np.number)) or not 0 <= weight < np.inf:
        raise QueryError(f"{name} is a weight, a number from 0, not {weight!r}")
    return float(weight)


def read_limits(
    contents: IndexContents,
    require: Iterable[str] | None,
    exclude: Iterable[str] | None,
    forbid_joins: Iterable[tuple[str, str]] | None,
) -> Limits:
    """Names of tables and columns to positions; None is an empty list.

    Parameters
    ----------
    exclude : list of str
        Tables, or databases and schemas for all of their tables: "bank", "bank.*".
    forbid_joins : pairs of str
        Two columns "db.table.column" that must not serve as a join, or two tables that must not be joined directly.
        Here and above a short name will do where it is the only one: "loan", "loan.amount".

    Raises
    ------
    QueryError
        When a name is unknown, or a table is both required and excluded.
    """
    required = table_positions(contents, () if require is None else require)
    excluded = positions_within(contents, () if exclude is None else exclude)
    clash = set(required) & set(excluded)
    if clash:
        names = ", ".join(contents.tables[i].id for i in sorted(clash))
        raise QueryError(f"both required and excluded: {names}")
    columns: list[tuple[int, int]] = []
    tables: list[tuple[int, int]] = []
    for pair in () if forbid_joins is None else forbid_joins:
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise QueryError(f'forbid_joins takes pairs ("db.table.column", "db.table.column"), not {pair!r}')
        left, right = (full_name(contents, name) for name in pair)
        if left == right:
            raise QueryError(f"forbid_joins has {left} on both sides; a join is between two tables")
        if are_tables(contents, left, right):
            tables.append((contents.table_position[left], contents.table_position[right]))
        else:
            columns.append((column_position(contents, left), column_position(contents, right)))
    return Limits(required, excluded, tuple(columns), tuple(tables))
