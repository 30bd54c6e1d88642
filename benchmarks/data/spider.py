"""Spider: its development set, SpiderUnion and its training questions."""

from __future__ import annotations

import csv
from pathlib import Path

from benchmarks.data.corpora import Names, read_corpus
from benchmarks.data.dataset_form import SPIDER_WEIGHTS, Dataset, Question
from benchmarks.data.dev_questions import dev_dataset, dev_questions, read_json
from benchmarks.data.gold_columns import gold_columns, read_schema_columns
from benchmarks.data.gold_tables import gold_tables
from benchmarks.data.layout import Layout
from benchmarks.data.schemas import read_signatures

TRAINING_NOTE = "training questions: weights are chosen by them, so that their figures are no comparison"


def spider_dev(root: Path, names: Names) -> Dataset:
    """The development questions over the tables of their databases, with rows."""
    return dev_dataset(Layout(root, "spider"), names, SPIDER_WEIGHTS)


def spider_union(root: Path, names: Names) -> Dataset:
    """The questions of SpiderUnion over the tables of all databases."""
    layout = Layout(root, "spider")
    entries = read_json(layout.require("union_questions.json"))
    id_of = read_signatures(layout.require("union_tables.json"))
    given = {question.text: question.subqueries for question in dev_questions(layout)}
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


def spider_training(root: Path, names: Names) -> Dataset:
    """The questions on other databases than the development set's, over the corpus of SpiderUnion."""
    layout = Layout(root, "spider")
    with layout.require("train_questions.csv").open(newline="", encoding="utf-8") as file:
        questions = tuple(
            Question(
                id=str(position),
                text=row["question"],
                database=row["database"],
                gold_tables=gold_tables(row["sql"], row["database"]),
                subqueries=None,
                sql=row["sql"],
            )
            for position, row in enumerate(csv.DictReader(file))
        )
    return Dataset("spider-training", read_corpus(layout, names), questions, SPIDER_WEIGHTS, TRAINING_NOTE)
