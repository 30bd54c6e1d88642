"""Texts of training databases: questions, sub-queries, and every text that an index keeps of tables and columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.data.datasets import load_dataset
from benchmarks.data.wild.damage import damage_names
from benchmarks.joins.truth import KNOWLEDGE
from jar.text.decomposition import decompose
from jar.text.spelled_names import spell
from jar.text.texts import column_text, name_text, schema_text, subquery_text, table_text
from joinability import Catalog, Table

SEEDS = (0, 1)
"""Of the damaged copies."""
SPIDER, BIRD = "spider", "bird"


@dataclass(frozen=True)
class Lesson:
    """A text, its kind, and the database that it is of; "" for texts that are of none."""

    text: str
    kind: str
    database: str = ""


def schema_lessons(root: Path) -> list[Lesson]:
    """The texts of Spider's training questions and databases, of damaged copies of these, and of BIRD's training
    databases, which are here without questions. No database with a question of a development set is among them.
    """
    spider = load_dataset("spider-training", root)
    asked = {question.database for question in spider.questions}
    spider = replace(spider, catalog=_known(spider.catalog, asked))
    bird = load_dataset("bird-union", root)
    others = {table.database for table in bird.catalog} - {question.database for question in bird.questions}
    lessons = list(_questions((question.text, question.database) for question in spider.questions))
    lessons += _schemas(list(spider.catalog), SPIDER)
    lessons += _schemas(list(_known(bird.catalog, others)), BIRD)
    for seed in SEEDS:
        copy = damage_names(spider, seed)
        lessons += _schemas(list(copy.catalog), SPIDER)
    return list({(lesson.text, lesson.database): lesson for lesson in lessons}.values())


def _known(catalog: Catalog, databases: set[str]) -> Catalog:
    """The tables of some databases, without rows."""
    return Catalog([KNOWLEDGE["schema"](table) for table in catalog if table.database in databases])


def _questions(questions: Iterable[tuple[str, str]]) -> Iterator[Lesson]:
    for text, database in questions:
        yield Lesson(text, "question", f"{SPIDER}:{database}")
        for chunk in decompose(text):
            yield Lesson(subquery_text(chunk), "subquery", f"{SPIDER}:{database}")


def _schemas(tables: Sequence[Table], source: str) -> Iterator[Lesson]:
    for table in spell(tables):
        database = f"{source}:{table.table.database}"
        yield Lesson(table_text(table), "table", database)
        yield Lesson(name_text(table), "name", database)
        for place, column in enumerate(table.table.columns):
            yield Lesson(column_text(table, place), "column", database)
            yield Lesson(schema_text(table.table, column), "schema", database)
