"""`GraphReranker`: the best examples ordered again, by how the words of questions hang together with their schemas."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from jar.arrays import Array, IntArray, Vectors, units
from jar.errors import QueryError
from jar.examples.example import Example
from jar.examples.graph_head import GraphHead, shipped_graph_head
from jar.examples.question_graph import GraphSchema
from jar.examples.store import ExampleStore
from joinability import Column, Table

if TYPE_CHECKING:
    from jar.index.index import Index

__all__ = ["GraphReranker", "example_schemas", "index_schema"]

SchemaOf: TypeAlias = GraphSchema | Callable[[str], GraphSchema]
AMONG = 200
"""Examples of a question that are ordered again."""
WEIGHT, ODDS = 1.0, 0.1
"""What the second stage weighs beside the first, and in it the log-odds beside the cosine; by training databases."""
LIKELY = 0.5
"""Joins of an index that score less are left out."""
UNNAMED = "_"


class GraphReranker:
    """The second stage of `StructureExamples`: orders the best examples again by the interaction graph.

    After ReFSQL. The graph of a question has its words, the tables and columns of its schema, and edges for words in a
    row, exact and partial matches of names, columns of tables, keys and joins (`question_graph`). With h, g, b of
    `GraphHead`, which sees paths of this graph, the first `among` examples e by the score s of the first stage are
    worth

        s(e) + weight * (cos(h(question), h(question of e)) + odds * log p(skeleton of e | question))

    and each other one as if its bracket were the least of these.

    Parameters
    ----------
    schema : GraphSchema or callable
        That of the questions that are asked, such as ``index_schema(index, "shop")``; or a function from a question to
        its schema.
    schemas : mapping, optional
        From database to schema, of the examples. Of another database the tables and columns are those that the SQL of
        its examples names.
    head : GraphHead, optional
        By default the one that comes with the package.
    among : int
        How many are ordered again.
    weight, odds : float
        With ``odds=0`` graphs alone are compared, as in the paper.

    Raises
    ------
    QueryError
        When `among` is less than 1, or a weight is negative.
    """

    def __init__(
        self,
        schema: SchemaOf,
        schemas: Mapping[str, GraphSchema] | None = None,
        *,
        head: GraphHead | None = None,
        among: int = AMONG,
        weight: float = WEIGHT,
        odds: float = ODDS,
    ) -> None:
        if among < 1:
            raise QueryError(f"among is {among}; at least 1 example has to be ordered again")
        if not (weight >= 0 and odds >= 0):
            raise QueryError(f"weight and odds must not be negative, got {weight} and {odds}")
        self._schema, self._schemas = schema, dict(schemas or {})
        self.head = shipped_graph_head() if head is None else head
        self.among, self.weight, self.odds = among, weight, odds

    def graphs(self, questions: Sequence[str]) -> Vectors:
        """h of n questions, shape (n, r)."""
        return self.head.graph_vectors(questions, [self._schema_of(question) for question in questions])

    def example_graphs(self, examples: Sequence[Example], schemas: Mapping[str, GraphSchema]) -> Vectors:
        """h of examples, each with the given schema of its database, else that of `schemas`."""
        known = {database.casefold(): schema for database, schema in {**schemas, **self._schemas}.items()}
        of_examples = [known.get(one.database.casefold()) or _schema_of_sql("", [one]) for one in examples]
        return self.head.graph_vectors([example.question for example in examples], of_examples)

    def _schema_of(self, question: str) -> GraphSchema:
        schema = self._schema if isinstance(self._schema, GraphSchema) else self._schema(question)
        if not isinstance(schema, GraphSchema):
            raise QueryError(f"a schema of questions is a GraphSchema, not {type(schema).__name__}")
        return schema


class GraphOrder:
    """A `GraphReranker` over a store: the graphs of examples are made when they are among the best for the first time.

    Parameters
    ----------
    store : ExampleStore
    reranker : GraphReranker
    """

    def __init__(self, store: ExampleStore, reranker: GraphReranker) -> None:
        self._store, self._reranker = store, reranker
        self._skeletons = list(dict.fromkeys(example.skeleton for example in store))
        place = {skeleton: number for number, skeleton in enumerate(self._skeletons)}
        self._which = np.array([place[example.skeleton] for example in store])
        self._vectors = np.zeros((len(store), len(reranker.head.question_offset)), dtype=np.float32)
        self._known = np.zeros(len(store), dtype=np.bool_)
        self._of_sql = example_schemas(store)

    def __call__(self, questions: Sequence[str], scores: Array) -> Array:
        """The scores of both stages, from those of the first, shape (n, N)."""
        among = min(self._reranker.among, len(self._store))
        best: IntArray = np.argsort(-scores, axis=1, kind="stable")[:, :among]
        self._learn(np.unique(best))
        graphs = self._reranker.graphs(questions)
        odds = self._reranker.head.odds_of_vectors(graphs, self._skeletons).astype(np.float64)
        odds -= np.logaddexp.reduce(odds, axis=1, keepdims=True)
        graphs = units(graphs)
        reranked = np.empty_like(scores)
        for row, places in enumerate(best):
            worth = self._vectors[places] @ graphs[row] + self._reranker.odds * odds[row, self._which[places]]
            reranked[row] = scores[row] + self._reranker.weight * worth.min()
            reranked[row, places] = scores[row, places] + self._reranker.weight * worth
        return reranked

    def _learn(self, places: IntArray) -> None:
        new = places[~self._known[places]]
        if len(new):
            examples = [self._store[int(place)] for place in new]
            self._vectors[new] = units(self._reranker.example_graphs(examples, self._of_sql))
            self._known[new] = True


def index_schema(index: Index, database: str | None = None, *, joins: float = LIKELY) -> GraphSchema:
    """The tables of an index, or of one of its databases, with declared keys and the joins that score at least so much.

    Raises
    ------
    QueryError
        When the index has no such database.
    """
    tables = index.contents.tables
    if database is not None:
        wanted = database.casefold()
        chosen = tuple(table for table in tables if table.database.casefold() == wanted)
        if not chosen:
            names = ", ".join(sorted({table.database for table in tables}))
            raise QueryError(f"the index has no database {database!r}; it has {names}")
        tables = chosen
    frame = index.joins(joins)
    frame = frame[frame["kind"] == "column"]
    return GraphSchema(tables, tuple(zip(frame["left"], frame["right"], strict=True)))


def example_schemas(examples: Iterable[Example]) -> dict[str, GraphSchema]:
    """Of each database that is known the tables and columns that the SQL of its examples names, without types."""
    by_database: dict[str, list[Example]] = {}
    for example in examples:
        if example.database:
            by_database.setdefault(example.database.casefold(), []).append(example)
    return {database: _schema_of_sql(database, those) for database, those in by_database.items()}


def _schema_of_sql(database: str, examples: Iterable[Example]) -> GraphSchema:
    tables: dict[str, str] = {}
    columns: dict[str, dict[str, str]] = {}
    for example in examples:
        for table, names in example.structure.used:
            tables.setdefault(table.casefold(), table)
            known = columns.setdefault(table.casefold(), {})
            for name in names:
                known.setdefault(name.casefold(), name)
    return GraphSchema(
        tuple(
            Table(database or UNNAMED, name, tuple(map(Column, columns[key].values()))) for key, name in tables.items()
        )
    )
