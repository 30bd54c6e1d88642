"""The graphs of questions and schemas, the second stage by them, and the Mahalanobis metric."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from jar import Index
from jar.errors import QueryError
from jar.examples import ExampleStore, GraphHead, GraphReranker, GraphSchema, StructureExamples, index_schema
from jar.examples.graph_head import shipped_graph_head
from jar.examples.graph_reranker import example_schemas
from jar.examples.question_graph import path_terms, question_graph
from jar.examples.structure_head import shipped_head
from jar.examples.structured import EPSILON
from joinability import Column, ForeignKey, Table
from tests.jar.examples.test_retrievers import ROWS, STORE

SINGER = Table(
    "concert",
    "singer",
    (Column("singer_id", "int"), Column("name", "text"), Column("birth_year", "int"), Column("club_id", "int")),
    ("singer_id",),
    (ForeignKey(("club_id",), "concert.club", ("club_id",)),),
)
CLUB = Table("concert", "club", (Column("club_id", "int"), Column("city", "text")), ("club_id",))
SCHEMA = GraphSchema((SINGER, CLUB))
QUESTIONS = ["How many dogs do we have?", "Names of the singers of each club", "Which dog is the oldest?"]


def _edges(question: str, schema: GraphSchema = SCHEMA) -> set[tuple[str, str, str]]:
    graph = question_graph(question, schema, {"of", "each", "name"})
    return {
        (graph.labels[source], relation, graph.labels[target])
        for source, by_relation in enumerate(graph.edges)
        for relation, targets in by_relation.items()
        for target in targets
    }


def test_edges_of_a_graph() -> None:
    """Names in full, in any number, and words of names; columns of tables, keys and references, each also back."""
    edges = _edges("name of singers by year")
    assert ("name", "exact", "<column:text>*") in edges
    assert ("_", "exact", "<table>*") in edges
    assert ("_", "partial", "<column:number>") in edges  # year: a word of birth_year
    assert ("name", "next", "of") in edges
    assert ("<key>", "key", "<table>*") in edges
    assert ("<column:text>*", "of", "<table>*") in edges
    assert ("<column:number>", "refers", "<key>") in edges
    assert ("<table>*", "joins", "<table>") in edges
    assert all(
        (target, relation[1:] if relation[0] == "-" else f"-{relation}", source) in edges
        for source, relation, target in edges
    )


def test_joins_may_be_inferred() -> None:
    """A given join makes the edges of a declared key; one to a column that is not there makes none."""
    bare = (replace(SINGER, foreign_keys=()), CLUB)
    given = GraphSchema(bare, (("concert.singer.club_id", "concert.club.club_id"), ("concert.singer.x", "a.b.c")))
    assert _edges("clubs", given) == _edges("clubs")
    assert not any("refers" in relation for _, relation, _ in _edges("clubs", GraphSchema(bare)))


def test_paths_against_all_walks() -> None:
    """The terms are those of all walks of no, one and two edges, by brute force."""
    graph = question_graph("Names of the singers of each club", SCHEMA, {"of", "the", "each"})
    walks = {"/" + graph.labels[start] for start in graph.starts}
    for start in graph.starts:
        for first, middles in graph.edges[start].items():
            for middle in middles:
                head = f"/{graph.labels[start]} {first} {graph.labels[middle]}"
                walks.add(head)
                for second, ends in graph.edges[middle].items():
                    walks |= {f"{head} {second} {graph.labels[end]}" for end in ends}
    assert set(path_terms(graph)) == walks


def test_names_of_a_database_do_not_matter() -> None:
    """The same question over renamed tables and columns has the same vector."""
    renamed = GraphSchema(
        (
            Table("zoo", "keeper", (Column("keeper_id", "int"), Column("nick", "text")), ("keeper_id",)),
            Table("zoo", "wolf", (Column("wolf_id", "int"), Column("colour", "text")), ("wolf_id",)),
        )
    )
    other = GraphSchema(
        (
            Table("sea", "sailor", (Column("sailor_id", "int"), Column("nick", "text")), ("sailor_id",)),
            Table("sea", "yacht", (Column("yacht_id", "int"), Column("colour", "text")), ("yacht_id",)),
        )
    )
    pair = shipped_graph_head().graph_vectors(["How many keepers?", "How many sailors?"], [renamed, other])
    np.testing.assert_allclose(pair[0], pair[1])


def test_the_second_stage_by_hand() -> None:
    """What is ordered again gets cosine and log-odds of the graphs, all others the least of these."""
    among, weight, odds, head = 3, 0.7, 0.2, shipped_graph_head()
    reranker = GraphReranker(SCHEMA, {"Concert": SCHEMA}, among=among, weight=weight, odds=odds)
    first, both = StructureExamples(STORE), StructureExamples(STORE, graph=reranker, distinct=False)
    vectors = head.graph_vectors([example.question for example in STORE], [SCHEMA] * len(STORE))
    skeletons = list(dict.fromkeys(example.skeleton for example in STORE))
    for question in QUESTIONS:
        before = first.scores([question])[0]
        graph = head.graph_vectors([question], [SCHEMA])
        logits = head.odds_of_vectors(graph, skeletons)[0]
        share = dict(zip(skeletons, logits - np.log(np.exp(logits).sum()), strict=True))
        best = np.argsort(-before)[:among]
        worth = {
            place: vectors[place] @ graph[0] / np.linalg.norm(vectors[place]) / np.linalg.norm(graph[0])
            + odds * share[STORE[int(place)].skeleton]
            for place in best
        }
        told = [before[place] + weight * worth.get(place, min(worth.values())) for place in range(len(STORE))]
        np.testing.assert_allclose(both.scores([question])[0], told, atol=1e-5)
        assert {one.position for one in both(question, among)} == set(best.tolist())


def test_a_weight_of_zero_is_the_first_stage() -> None:
    """Together, alone and in any order of questions."""
    zero = StructureExamples(STORE, graph=GraphReranker(SCHEMA, weight=0.0))
    assert zero.many(QUESTIONS, 5) == StructureExamples(STORE).many(QUESTIONS, 5)
    graphs = StructureExamples(STORE, graph=GraphReranker(SCHEMA, among=2))
    together = graphs.many(QUESTIONS, 5)
    for question, found in reversed(list(zip(QUESTIONS, together, strict=True))):
        assert [one.position for one in graphs(question, 5)] == [one.position for one in found]


def test_schemas_of_questions_and_examples() -> None:
    """A function tells the schema of a question; where that of an example is not known, SQL tells it."""
    asked: list[str] = []

    def schema_of(question: str) -> GraphSchema:
        asked.append(question)
        return SCHEMA

    StructureExamples(STORE, graph=GraphReranker(schema_of))(QUESTIONS[0])
    assert asked == QUESTIONS[:1]
    told: Mapping[str, GraphSchema] = example_schemas(STORE)
    names = {table.name: set(table.column_names) for table in told["concert"].tables}
    assert names == {"singer": {"name", "country", "age"}, "club": {"name", "age"}}
    nameless = ExampleStore([{"question": question, "sql": sql} for question, sql in ROWS])
    assert StructureExamples(nameless, graph=GraphReranker(SCHEMA))(QUESTIONS[0], 1)[0].position == 0


def test_the_schema_of_an_index(lake_index: Index) -> None:
    """Its tables, or those of a database, with inferred joins; an unknown database is refused."""
    schema = index_schema(lake_index, "BANK")
    assert {table.database for table in schema.tables} == {"bank"}
    assert len(index_schema(lake_index).tables) == len(lake_index)
    assert any(relation == "joins" for relation, _, _ in schema.edges)
    with pytest.raises(QueryError, match=r"no database 'moon'.*bank"):
        index_schema(lake_index, "moon")


@pytest.mark.parametrize("options", [{"among": 0}, {"weight": -1.0}, {"odds": float("nan")}])
def test_what_a_second_stage_refuses(options: dict[str, float]) -> None:
    """Numbers that make no sense, and a schema that is none."""
    with pytest.raises(QueryError):
        GraphReranker(SCHEMA, **options)
    with pytest.raises(QueryError, match="GraphSchema"):
        StructureExamples(STORE, graph=GraphReranker(lambda question: "concert"))("How many?")


def test_distances_against_a_double_loop() -> None:
    """-(h - mu)' diag(var + EPSILON)^-1 (h - mu) / r, by skeleton, dimension for dimension."""
    rows = [*ROWS, ("How many pets live here?", "SELECT COUNT(*) FROM pet")]
    store = ExampleStore([{"question": question, "sql": sql} for question, sql in rows])
    ways = StructureExamples(store, odds=0.0, metric="mahalanobis"), StructureExamples(store, odds=0.0)
    head = shipped_head()

    def h(question: str) -> np.ndarray:
        vector = head.question_vectors([question])[0].astype(np.float64)
        return vector / np.linalg.norm(vector)

    for question in QUESTIONS:
        told, cosines = (way.scores([question])[0] for way in ways)
        for place, example in enumerate(store):
            same = [h(other.question) for other in store if other.skeleton == example.skeleton]
            distance = 0.0
            for dimension, value in enumerate(h(question)):
                values = [vector[dimension] for vector in same]
                mean = sum(values) / len(values)
                variance = sum((one - mean) ** 2 for one in values) / len(values)
                distance += (value - mean) ** 2 / (variance + EPSILON)
            assert told[place] == pytest.approx(-distance / len(h(question)) + 1e-3 * cosines[place], abs=1e-5)
    with pytest.raises(QueryError, match="'cosine', 'mahalanobis'"):
        StructureExamples(store, metric="euclid")


def test_the_graph_head_is_read_as_it_was_written(tmp_path) -> None:
    """It stays a head of graphs, tells where it comes from, and is small."""
    head = shipped_graph_head()
    head.save(tmp_path / "head.npz")
    again = GraphHead.load(tmp_path / "head.npz")
    assert isinstance(again, GraphHead)
    one, other = (some.graph_vectors(QUESTIONS, [SCHEMA] * 3) for some in (head, again))
    np.testing.assert_allclose(one, other, atol=1e-3)
    assert (tmp_path / "head.npz").stat().st_size < 1_000_000
    assert "CC BY-SA" in json.dumps(head.card)
