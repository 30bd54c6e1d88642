"""The second stage of examples, by the graphs of questions and schemas, and the metric of the head."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.data.layout import Layout
from benchmarks.data.schemas import read_schemas
from benchmarks.examples.example_study import ExampleStudy, find_all, study, training_store
from benchmarks.examples.head_fit import FitSettings, fit_graph_head, fit_head, split_databases
from jar.examples import (
    ExampleRetriever,
    ExampleStore,
    GraphHead,
    GraphReranker,
    GraphSchema,
    StructureExamples,
    StructureHead,
)

Report = Callable[[str], None]
Schemas = Mapping[str, GraphSchema]

PATHS = (8, 32, 64)
"""How many graphs must have a path: other settings than that of the package."""


def schemas_of(root: Path) -> dict[str, GraphSchema]:
    """The schemas of all databases of Spider, with declared keys."""
    tables = defaultdict(list)
    for table in read_schemas(Layout(root, "spider").require("union_tables.json")):
        tables[table.database].append(table)
    return {database: GraphSchema(tuple(those)) for database, those in tables.items()}


def schema_of_asked(asked: ExampleStore, schemas: Schemas) -> Callable[[str], GraphSchema]:
    """The schema that each question is asked of; of a question of several databases the first."""
    by_question: dict[str, GraphSchema] = {}
    for example in asked:
        by_question.setdefault(example.question.strip(), schemas[example.database])
    return lambda question: by_question[question.strip()]


def graph_ways(
    store: ExampleStore, asked: ExampleStore, schemas: Schemas, heads: tuple[StructureHead | None, GraphHead | None]
) -> dict[str, ExampleRetriever]:
    """The options of `StructureExamples` by the name that tables have."""
    head, graph_head = heads
    of = schema_of_asked(asked, schemas)
    made = partial(StructureExamples, store, head)
    graph = GraphReranker(of, schemas, head=graph_head)
    return {
        "`StructureExamples`, Mahalanobis": made(metric="mahalanobis"),
        "`StructureExamples`, Mahalanobis, questions alone": made(metric="mahalanobis", odds=0.0),
        "`StructureExamples`, graph": made(graph=graph),
        "`StructureExamples`, graph, schemas of examples by their SQL": made(graph=GraphReranker(of, head=graph_head)),
        "`StructureExamples`, graph, not distinct": made(graph=graph, distinct=False),
        "`StructureExamples`, graph, questions and graphs alone": made(
            graph=GraphReranker(of, schemas, head=graph_head, odds=0.0), odds=0.0
        ),
    }


def study_graphs(root: Path, report: Report) -> ExampleStudy:
    """Metrics and second stages, fitted on training databases and measured on 27 others of them."""
    store, schemas = training_store(root), schemas_of(root)
    fitted, chosen = split_databases(example.database for example in store)
    lessons, asked = store.of(fitted), store.of(chosen)
    settings = FitSettings()
    head = fit_head(list(lessons), settings, lambda message: None, {})
    of = schema_of_asked(asked, schemas)

    def fitted_graph(paths: int) -> GraphHead:
        return fit_graph_head(list(lessons), schemas, replace(settings, paths=paths), lambda message: None, {})

    graph_head = fitted_graph(settings.paths)
    report("fitted")
    ways: dict[str, ExampleRetriever] = {"`StructureExamples`": StructureExamples(lessons, head)}
    ways["`StructureExamples`, questions alone"] = StructureExamples(lessons, head, odds=0.0)
    ways |= graph_ways(lessons, asked, schemas, (head, graph_head))
    others: dict[str, dict[str, Any]] = {"50 examples": {"among": 50}}
    others |= {f"weight {weight:g}": {"weight": weight} for weight in (0.5, 2.0)}
    for name, options in others.items():
        graph = GraphReranker(of, schemas, head=graph_head, **options)
        ways[f"graph, {name}"] = StructureExamples(lessons, head, graph=graph)
    for paths in PATHS:
        graph = GraphReranker(of, schemas, head=fitted_graph(paths))
        ways[f"graph, paths of {paths} questions"] = StructureExamples(lessons, head, graph=graph)
    return study(lessons, asked, find_all(lessons, asked, ways, report))
