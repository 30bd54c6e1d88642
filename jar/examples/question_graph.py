"""`question_graph`: the words of a question, the tables and columns that may answer it, and how these hang together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from jar.examples.question_terms import NUMBER, OTHER, QUOTED, words
from jar.text.stop_words import STOP_WORDS
from joinability import Table
from joinability.attributes import cached_property
from joinability.spelling.vocabulary import plain_words, singular

__all__ = ["GraphSchema", "QuestionGraph", "path_terms", "question_graph"]

TABLE, COLUMN, KEY = "<table>", "<column:{}>", "<key>"
"""Labels of tables, of columns by the family of their type, and of primary keys."""
PATH = "/"
"""Before the term of a path: no run of words of a question begins like it."""
NAMED = "*"
"""Added to the label of a table or column that words of the question name in full."""
SHORTEST = 3
"""Letters of a word that may name a part of a name."""

Edges = Mapping[str, Sequence[int]]
"""The neighbours of a node by relation."""


@dataclass(frozen=True)
class GraphSchema:
    """Tables and columns that a question is asked of, and how they join.

    Attributes
    ----------
    tables : tuple of Table
    joins : tuple of (column id, column id)
        Joins beside the declared keys, such as inferred ones: "db.table.column" refers to "db.table.column".
    """

    tables: tuple[Table, ...]
    joins: tuple[tuple[str, str], ...] = ()

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Of the tables, then of the columns, table by table."""
        columns = [
            KEY if column.name in table.primary_key else COLUMN.format(column.family)
            for table in self.tables
            for column in table.columns
        ]
        return (*[TABLE] * len(self.tables), *columns)

    @cached_property
    def names(self) -> tuple[tuple[tuple[str, ...], ...], ...]:
        """Of each node the ways to say its name, as words in the singular."""
        named: list[tuple[str, ...]] = [(table.name,) for table in self.tables]
        named += [(column.name, column.natural_name or "") for table in self.tables for column in table.columns]
        read = ([tuple(map(singular, plain_words(name))) for name in names] for names in named)
        return tuple(tuple(dict.fromkeys(way for way in ways if way)) for ways in read)

    @cached_property
    def edges(self) -> tuple[tuple[str, int, int], ...]:
        """Relation, from and to: columns belong to tables, keys identify these, and columns refer to columns."""
        tables = {table.id.casefold(): place for place, table in enumerate(self.tables)}
        columns: dict[tuple[str, str], int] = {}
        edges = []
        for table in self.tables:
            for name in table.column_names:
                column = columns[table.id.casefold(), name.casefold()] = len(tables) + len(columns)
                relation = "key" if name in table.primary_key else "of"
                edges += _both(relation, column, tables[table.id.casefold()])
        for source, target in dict.fromkeys((*self._declared, *self._given)):
            if source in columns and target in columns and source[0] != target[0]:
                edges += _both("refers", columns[source], columns[target])
                edges += _both("joins", tables[source[0]], tables[target[0]])
        return tuple(edges)

    @property
    def _declared(self) -> Iterable[tuple[tuple[str, str], tuple[str, str]]]:
        for table in self.tables:
            for key in table.foreign_keys:
                for source, target in zip(key.columns, key.target_columns, strict=False):
                    yield (table.id.casefold(), source.casefold()), (key.target.casefold(), target.casefold())

    @property
    def _given(self) -> Iterable[tuple[tuple[str, str], tuple[str, str]]]:
        for source, target in self.joins:
            yield _split(source), _split(target)


@dataclass(frozen=True)
class QuestionGraph:
    """Nodes with labels, and edges by relation; the words of the question come first.

    Attributes
    ----------
    labels : tuple of str
    edges : tuple of mappings
        Of each node its neighbours by relation.
    starts : tuple of int
        The words of the question, and the tables and columns that they name.
    """

    labels: tuple[str, ...]
    edges: tuple[Edges, ...]
    starts: tuple[int, ...]


def question_graph(question: str, schema: GraphSchema, kept: Collection[str]) -> QuestionGraph:
    """The graph of a question and a schema.

    A word is its own label where it is one of those that are kept, which mean the same over every database, else
    ``_``. Words in a row name a table or column in full ("exact"), or one of them is a word of its name ("partial").
    """
    said = words(question)
    tokens = [singular(word) for word in said]
    count = len(tokens)
    edges = [edge for place in range(count - 1) for edge in _both("next", place, place + 1)]
    named = set()
    for node, ways in enumerate(schema.names, count):
        relation, places = _match(tokens, ways)
        named |= {node} if relation == "exact" else set()
        edges += [edge for place in places for edge in _both(relation, place, node)]
    edges += [(relation, source + count, target + count) for relation, source, target in schema.edges]
    labels = [word if word in kept or word in (QUOTED, NUMBER) else OTHER for word in said]
    labels += [label + NAMED * (node in named) for node, label in enumerate(schema.labels, count)]
    by_node: list[dict[str, list[int]]] = [defaultdict(list) for _ in labels]
    for relation, source, target in edges:
        by_node[source][relation].append(target)
    return QuestionGraph(tuple(labels), tuple(by_node), (*range(count), *sorted(named)))


def path_terms(graph: QuestionGraph) -> Iterator[str]:
    """The labelled paths of up to two edges from the starts of a graph, each as one term; some come more than once.

    With one-hot labels X, the adjacency A_r of each relation r and s the starts, they are the places where the sums
    over s of X, of X (x) A_r X and of X (x) A_r (X (x) A_q X) are not zero: two steps of a relational graph convolution
    without weights, in which the parts of a message stand side by side in place of being added up, and of which only
    the presence counts (for one relation and sums: Wu et al., "Simplifying Graph Convolutional Networks", ICML 2019).
    """

    def steps(node: int) -> Iterator[tuple[str, int]]:
        for relation, targets in graph.edges[node].items():
            for target in targets:
                yield f" {relation} {graph.labels[target]}", target

    messages: dict[int, set[str]] = {}
    for start in graph.starts:
        head = PATH + graph.labels[start]
        yield head
        for step, node in steps(start):
            yield head + step
            if node not in messages:
                messages[node] = {message for message, _ in steps(node)}
            yield from (head + step + message for message in messages[node])


def _match(tokens: Sequence[str], ways: Iterable[Sequence[str]]) -> tuple[str, list[int]]:
    """How words name a node, and which: "exact" for all words of a name in a row, else "partial"."""
    partial: set[int] = set()
    for way in ways:
        size = len(way)
        found = [start for start in range(len(tokens) - size + 1) if tuple(tokens[start : start + size]) == way]
        if found:
            return "exact", sorted({start + step for start in found for step in range(size)})
        parts = {part for part in way if len(part) >= SHORTEST and part not in STOP_WORDS}
        partial |= {place for place, token in enumerate(tokens) if token in parts}
    return "partial", sorted(partial)


def _both(relation: str, source: int, target: int) -> list[tuple[str, int, int]]:
    """An edge, and its inverse."""
    return [(relation, source, target), (f"-{relation}", target, source)]


def _split(column: str) -> tuple[str, str]:
    table, _, name = column.casefold().rpartition(".")
    return table, name
