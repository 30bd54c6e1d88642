"""The data sets: one internal form, and a registry with a row for each."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.columns.gold import annotated_columns, gold_columns, read_schema_columns
from benchmarks.corpora import Names, read_corpus
from benchmarks.gold import gold_tables
from benchmarks.layout import Layout
from benchmarks.schemas import read_signatures
from joinability import Catalog


@dataclass(frozen=True)
class Question:
    """A question with what is known of its answer.

    Attributes
    ----------
    id : str
        Position in the file of questions.
    text, database : str
    gold_tables : frozenset of str
        Ids, case folded.
    subqueries : tuple of str or None
        The decomposition that comes with the data set (a language model's), where there is one.
    sql : str
        The gold query.
    difficulty : str or None
        As the data set grades it.
    gold_columns : frozenset of str
        "database.table.column", case folded; empty where they are not known.
    imagined_schema : str or None
        The schema that a language model imagined for the question, where the data set has one.
    """

    id: str
    text: str
    database: str
    gold_tables: frozenset[str]
    subqueries: tuple[str, ...] | None
    sql: str
    difficulty: str | None = None
    gold_columns: frozenset[str] = frozenset()
    imagined_schema: str | None = None


@dataclass(frozen=True)
class Weights:
    """Weights of the terms of the objective."""

    coarse: float
    fine: float
    coverage: float
    join: float


@dataclass(frozen=True)
class Dataset:
    """A corpus and its questions.

    Attributes
    ----------
    name : str
    catalog : Catalog
    questions : tuple of Question
    weights : Weights
        Those of the JAR paper's runs on this corpus.
    note : str
        What a reader of its figures has to know.
    """

    name: str
    catalog: Catalog
    questions: tuple[Question, ...]
    weights: Weights
    note: str = ""

    def restricted(self, minimum_tables: int = 1, limit: int | None = None) -> Dataset:
        """The same corpus with the questions that need so many tables, at most `limit` of them, evenly spaced."""
        kept = [question for question in self.questions if len(question.gold_tables) >= minimum_tables]
        if limit is not None and limit < len(kept):
            kept = [kept[position * len(kept) // limit] for position in range(limit)]
        return replace(self, questions=tuple(kept))


SPIDER_WEIGHTS = Weights(coarse=10, fine=2, coverage=8, join=1)
BIRD_WEIGHTS = Weights(coarse=3, fine=3, coverage=8, join=1)
BIRD_NOTE = "joins from statistics and ten sample rows of each table, not from all rows"


@dataclass(frozen=True)
class DatasetRow:
    """A row of the registry."""

    name: str
    summary: str
    load: Callable[[Path, Names], Dataset]


def _dev_questions(layout: Layout) -> list[Question]:
    entries = _read(layout.require("dev_questions.json", "dev.json"))
    path = layout.find("dev_decompositions.json")
    decompositions: Sequence[list[str] | None] = _read(path) if path is not None else [None] * len(entries)
    return [
        Question(
            id=str(position),
            text=entry["question"],
            database=entry["db_id"],
            gold_tables=gold_tables(sql := _sql(entry), entry["db_id"]),
            subqueries=None if parts is None else tuple(parts),
            sql=sql,
            difficulty=entry.get("difficulty"),
        )
        for position, (entry, parts) in enumerate(zip(entries, decompositions, strict=True))
    ]


def _dev(layout: Layout, names: Names, weights: Weights, note: str = "") -> Dataset:
    questions = _dev_questions(layout)
    corpus = read_corpus(layout, names, {question.database for question in questions})
    return Dataset(layout.name, corpus, tuple(questions), weights, note)


def _spider(root: Path, names: Names) -> Dataset:
    return _dev(Layout(root, "spider"), names, SPIDER_WEIGHTS)


def _bird(root: Path, names: Names) -> Dataset:
    dataset = _dev(Layout(root, "bird"), names, BIRD_WEIGHTS)
    return replace(dataset, note=_bird_note(dataset))


def _bird_note(dataset: Dataset) -> str:
    estimated = any(table.statistics is not None for table in dataset.catalog)
    return BIRD_NOTE if estimated else ""


def _bird_columns(root: Path, names: Names, half: int | None = None) -> Dataset:
    """BIRD dev as CRUSH used it: an earlier wording of some questions, gold columns, imagined schemas.

    Where a half is asked for, the questions on every second database by name; the corpus stays whole.
    """
    layout = Layout(root, "bird")
    questions = [
        Question(
            id=str(position),
            text=entry["question"],
            database=entry["db_id"],
            gold_tables=frozenset(
                f"{database}.{table}".casefold() for database, table, *_ in entry["schema_elements"] if table
            ),
            subqueries=None,
            sql=_sql(entry),
            difficulty=entry.get("difficulty"),
            gold_columns=annotated_columns(entry),
            imagined_schema="\n".join(entry["question_decomposition_hallucinate_schema_bird"]),
        )
        for position, entry in enumerate(_read(layout.require("crush_questions.json")))
    ]
    databases = sorted({question.database for question in questions})
    corpus = read_corpus(layout, names, set(databases))
    suffix = "" if half is None else ("-tuning", "-held-out")[half]
    kept = databases if half is None else databases[half::2]
    asked = tuple(question for question in questions if question.database in kept)
    dataset = Dataset(f"bird-columns{suffix}", corpus, asked, BIRD_WEIGHTS)
    return replace(dataset, note=_bird_note(dataset))


def _spider_union(root: Path, names: Names) -> Dataset:
    layout = Layout(root, "spider")
    entries = _read(layout.require("union_questions.json"))
    id_of = read_signatures(layout.require("union_tables.json"))
    given = {question.text: question.subqueries for question in _dev_questions(layout)}
    schemas = read_schema_columns(layout.require("union_tables.json"))
    questions = tuple(
        Question(
            id=str(entry["id"]),
            text=entry["utterance"],
            database=entry["db_id"],
            gold_tables=frozenset(id_of[signature].casefold() for signature in entry["rel_schema"]),
            subqueries=given.get(entry["utterance"]),
            sql=entry["query"],
            gold_columns=gold_columns(entry["query"], entry["db_id"], schemas[entry["db_id"]]),
        )
        for entry in entries
    )
    return Dataset("spider-union", read_corpus(layout, names), questions, SPIDER_WEIGHTS)


def _bird_union(root: Path, names: Names) -> Dataset:
    layout = Layout(root, "bird")
    note = f"{BIRD_NOTE}; the databases of the training set have schemas only"
    return Dataset("bird-union", read_corpus(layout, names), tuple(_dev_questions(layout)), BIRD_WEIGHTS, note)


DATASETS: dict[str, DatasetRow] = {
    row.name: row
    for row in (
        DatasetRow("spider", "Spider dev: 1,034 questions over 81 tables, with rows", _spider),
        DatasetRow("bird", "BIRD dev: 1,534 questions over 75 tables, with statistics and sample rows", _bird),
        DatasetRow("spider-union", "SpiderUnion: 658 questions over the 876 tables of 166 databases", _spider_union),
        DatasetRow("bird-union", "BirdUnion+: 1,534 questions over the 597 tables of 80 databases", _bird_union),
        DatasetRow("bird-columns", "BIRD dev as CRUSH used it: 1,534 questions over 798 columns", _bird_columns),
        DatasetRow(
            "bird-columns-tuning", "of it the questions on every second database", partial(_bird_columns, half=0)
        ),
        DatasetRow("bird-columns-held-out", "the questions on the other databases", partial(_bird_columns, half=1)),
    )
}


def load_dataset(name: str, root: Path, names: Names = "original") -> Dataset:
    """A data set by name.

    Parameters
    ----------
    name : str
        A key of `DATASETS`.
    root : Path
        The data folder.
    names : "original" or "natural"
        Whether columns carry natural names beside their own.

    Raises
    ------
    KeyError
        When there is none of that name.
    MissingDataError
        When a file is not there.
    """
    if name not in DATASETS:
        raise KeyError(f"unknown data set {name!r}: choose among {', '.join(DATASETS)}")
    return DATASETS[name].load(root, names)


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _sql(entry: dict[str, Any]) -> str:
    """The gold query, under the name it has in this file."""
    return str(next(entry[key] for key in ("sql", "SQL", "query") if isinstance(entry.get(key), str)))
