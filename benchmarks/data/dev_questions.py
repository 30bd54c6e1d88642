"""What Spider and BIRD have in common: the questions of a development set, and the data set that they make."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.data.corpora import Names, read_corpus
from benchmarks.data.dataset_form import Dataset, Question, Weights
from benchmarks.data.gold_tables import gold_tables
from benchmarks.data.layout import Layout


def dev_questions(layout: Layout) -> list[Question]:
    """The questions in the order of the file, with the sub-queries that come with them."""
    entries = read_json(layout.require("dev_questions.json", "dev.json"))
    path = layout.find("dev_decompositions.json")
    decompositions: Sequence[list[str] | None] = read_json(path) if path is not None else [None] * len(entries)
    return [
        Question(
            id=str(position),
            text=entry["question"],
            database=entry["db_id"],
            gold_tables=gold_tables(sql := gold_query(entry), entry["db_id"]),
            subqueries=None if parts is None else tuple(parts),
            sql=sql,
            difficulty=entry.get("difficulty"),
        )
        for position, (entry, parts) in enumerate(zip(entries, decompositions, strict=True))
    ]


def dev_dataset(layout: Layout, names: Names, weights: Weights) -> Dataset:
    """The questions of a development set over the tables of their databases."""
    questions = dev_questions(layout)
    corpus = read_corpus(layout, names, {question.database for question in questions})
    return Dataset(layout.name, corpus, tuple(questions), weights)


def read_json(path: Path) -> Any:
    """The contents of a JSON file."""
    return json.loads(path.read_text(encoding="utf-8"))


def gold_query(entry: dict[str, Any]) -> str:
    """The gold query, under the name it has in this file."""
    return str(next(entry[key] for key in ("sql", "SQL", "query") if isinstance(entry.get(key), str)))
