"""What the set model learns from: Spider's training questions, asked of databases put together in several ways.

Each setting shows the same databases as a corpus of another kind: alone, many together, known by samples, with damaged
names, or merged into one database without rows. One question in eight is asked of a corpus without its database as
well: nothing there answers it.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.data.dataset_form import Dataset, Question
from benchmarks.data.spider import spider_training
from benchmarks.data.wild.damage import damage_names
from benchmarks.howmany.set_fitting import SetLesson
from benchmarks.joins.truth import KNOWLEDGE
from jar import Catalog, Index, Reranker
from jar.sizes.table_evidence import evidence_of
from jar.tables.query import Ask, Conditions, read_queries
from jar.text.embedding import Embedder

SEED = 17
UNANSWERED = 8
"""One question in so many is asked of a corpus that has no answer, too."""
HELD_OUT = 4
"""One database in so many has no part in a fit that is measured."""

Report = Callable[[str], None]


@dataclass(frozen=True)
class LessonSetting:
    """How databases are put together.

    Attributes
    ----------
    group : int
        Databases of a corpus.
    knowledge : str
        A key of `KNOWLEDGE`.
    damaged, merged : bool
        Whether names are damaged; whether the databases of a corpus become one, without declared keys.
    """

    group: int
    knowledge: str = "values"
    damaged: bool = False
    merged: bool = False


SETTINGS = {
    "within": LessonSetting(1),
    "five": LessonSetting(5),
    "sixteen": LessonSetting(16),
    "samples": LessonSetting(5, "samples"),
    "damaged": LessonSetting(5, damaged=True),
    "merged": LessonSetting(8, "schema", merged=True),
}
"""By name."""


def is_held_out(database: str) -> bool:
    """Whether a database has no part in a fit that is measured; by its name alone."""
    return _number(database) % HELD_OUT == 0


def read_set_lessons(root: Path, embedder: Embedder, each: int, report: Report) -> list[SetLesson]:
    """The lessons of all settings, about `each` questions of every one, other ones in each setting."""
    lessons: list[SetLesson] = []
    whole = spider_training(root, "original")
    for place, (name, setting) in enumerate(SETTINGS.items()):
        step = max(1, len(whole.questions) // each)
        dataset = replace(whole, questions=whole.questions[place % step :: step])
        lessons += setting_lessons(dataset, name, setting, embedder)
        report(f"{name}: {len(lessons)} lessons")
    return lessons


def setting_lessons(dataset: Dataset, name: str, setting: LessonSetting, embedder: Embedder) -> list[SetLesson]:
    """The lessons of one setting."""
    if setting.damaged:
        dataset = damage_names(dataset)
    known = Catalog(map(KNOWLEDGE[setting.knowledge], dataset.catalog))
    databases = sorted({question.database for question in dataset.questions}, key=lambda one: (_number(one, name), one))
    groups = [databases[start : start + setting.group] for start in range(0, len(databases), setting.group)]
    lessons = []
    for place, group in enumerate(groups):
        tables = [table for table in known if table.database in group]
        catalog, ids = _merged(tables) if setting.merged else (Catalog(tables), {})
        before = groups[place - 1] if len(groups) > 1 else []
        asked = [_renamed(question, ids) for question in dataset.questions if question.database in group]
        strange = [question for question in dataset.questions if question.database in before][::UNANSWERED]
        nowhere = [replace(question, gold_tables=frozenset()) for question in strange]
        lessons += corpus_lessons(catalog, [*asked, *nowhere], name, embedder)
    return lessons


def corpus_lessons(
    catalog: Catalog, questions: Sequence[Question], setting: str, embedder: Embedder
) -> list[SetLesson]:
    """The candidates of each question over a corpus, as the package comes, and which of them are needed."""
    with tempfile.TemporaryDirectory() as folder:
        index = Index.build(catalog, path=Path(folder) / "corpus.jar", embedder=embedder, progress=False)
        return index_lessons(index, questions, setting, embedder)


def index_lessons(
    index: Index, questions: Sequence[Question], setting: str, embedder: Embedder
) -> list[SetLesson]:
    """The same over an index."""
    sized = Reranker(index, embedder=embedder)._sized_ranker()
    tables = sized.tables
    names = [table.id.casefold() for table in index.contents.tables]
    queries = tables.embedded(read_queries(tables.decomposer, [Ask(question.text) for question in questions]))
    lessons = []
    for question, query in zip(questions, queries, strict=True):
        problem = sized.problem(query, Conditions())
        evidence = evidence_of(tables.relevance, problem)
        gold = np.array([names[table] in question.gold_tables for table in problem.tables.tolist()])
        lessons.append(SetLesson(evidence, gold, len(question.gold_tables), question.database, setting))
    return lessons


def _merged(tables: Iterable[object]) -> tuple[Catalog, dict[str, str]]:
    """Tables of several databases as one without declared keys, and the new ids by the old ones, case folded."""
    listed = list(Catalog(tables))  # type: ignore[arg-type]
    names = Counter(table.name.casefold() for table in listed)
    merged, ids = [], {}
    for table in listed:
        name = table.name if names[table.name.casefold()] == 1 else f"{table.database}__{table.name}"
        merged.append(replace(table, database="warehouse", name=name, foreign_keys=()))
        ids[table.id.casefold()] = merged[-1].id.casefold()
    return Catalog(merged), ids


def _renamed(question: Question, ids: dict[str, str]) -> Question:
    return replace(question, gold_tables=frozenset(ids.get(table, table) for table in question.gold_tables))


def _number(*names: str) -> int:
    """A number that follows from names and the seed alone."""
    return int(hashlib.md5("\0".join((str(SEED), *names)).encode(), usedforsecurity=False).hexdigest(), 16)
