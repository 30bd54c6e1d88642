"""Parts of a company's database, of few tables that refer to one another, with the questions that these answer."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from random import Random

import networkx

from benchmarks.data.dataset_form import Dataset, Question
from benchmarks.data.wild.companies import company_schemas
from joinability import Catalog

SMALLEST, LARGEST = 6, 12
"""Tables of a part, where so many are connected."""


def company_parts(companies: Dataset) -> Iterator[Dataset]:
    """Parts that hold each question of the companies to choose by once: the tables that it needs, and others that
    refer to them or to which they refer, drawn by its id. What refers to a table outside a part declares no key there.
    Questions that no table answers are asked of one part after the other.
    """
    for database in dict.fromkeys(question.database for question in companies.questions):
        asked = [question for question in companies.questions if question.database == database]
        unanswered = [question for question in asked if not question.gold_tables]
        parts = list(_parts_of([question for question in asked if question.gold_tables]))
        for number, (inside, answered) in enumerate(parts):
            tables = [
                replace(table, foreign_keys=tuple(key for key in table.foreign_keys if key.target.casefold() in inside))
                for table in companies.catalog
                if table.id.casefold() in inside
            ]
            questions = (*answered, *unanswered[number :: len(parts)])
            yield replace(companies, catalog=Catalog(tables), questions=questions)


def _parts_of(questions: Sequence[Question]) -> Iterator[tuple[frozenset[str], tuple[Question, ...]]]:
    """The tables of each part of a database, by their ids in lower case, and the questions that it answers."""
    left = list(questions)
    while left:
        inside = _drawn(left[0])
        yield inside, tuple(question for question in left if question.gold_tables <= inside)
        left = [question for question in left if not question.gold_tables <= inside]


def _drawn(question: Question) -> frozenset[str]:
    """The tables of the part of a question, by their ids in lower case."""
    graph = _references(question.database)
    draw = Random(hashlib.md5(f"part {question.id}".encode(), usedforsecurity=False).hexdigest())
    inside, size = set(question.gold_tables), draw.randint(SMALLEST, LARGEST)
    while len(inside) < size:
        near = sorted({other for table in inside for other in graph[table]} - inside)
        if not near:
            break
        inside.add(draw.choice(near))
    return frozenset(inside)


@cache
def _references(database: str) -> networkx.Graph:
    """Which tables of a database refer to which, declared or not."""
    schema = next(schema for schema in company_schemas(held_out=False) if schema.name == database)
    graph = networkx.Graph()
    graph.add_nodes_from(f"{database}.{table}".casefold() for table in schema.rows)
    graph.add_edges_from(
        (f"{database}.{child}".casefold(), f"{database}.{parent}".casefold()) for child, _, parent, _ in schema.keys
    )
    return graph
