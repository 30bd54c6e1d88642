"""Parts of a company's database, of few tables that refer to one another, with the questions that these answer."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
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
    """
    for database in dict.fromkeys(question.database for question in companies.questions):
        left = [question for question in companies.questions if question.database == database and question.gold_tables]
        while left:
            inside = _drawn(left[0])
            tables = [table for table in companies.catalog if table.id.casefold() in inside]
            kept = [
                replace(table, foreign_keys=tuple(key for key in table.foreign_keys if key.target.casefold() in inside))
                for table in tables
            ]
            answered = tuple(question for question in left if question.gold_tables <= inside)
            yield replace(companies, catalog=Catalog(kept), questions=answered)
            left = [question for question in left if question not in answered]


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
