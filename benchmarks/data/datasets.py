"""The data sets: one internal form, and a registry with a row for each."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.data.beir import BEIR, beir_name, load_beir
from benchmarks.data.corpora import Names, read_corpus
from benchmarks.data.dataset_form import SPIDER_WEIGHTS, Dataset, Question, Weights
from benchmarks.data.gold_columns import annotated_columns, gold_columns, read_schema_columns
from benchmarks.data.gold_tables import gold_tables
from benchmarks.data.layout import Layout
from benchmarks.data.schemas import read_signatures

__all__ = [
    "DATASETS",
    "LICENSED",
    "SPIDER_WEIGHTS",
    "Dataset",
    "DatasetRow",
    "Question",
    "SharedNameError",
    "UnknownDatasetError",
    "Weights",
    "check_datasets",
    "load_dataset",
]

BIRD_WEIGHTS = Weights(coarse=3, fine=3, coverage=8, join=1)
BIRD_NOTE = "joins from statistics and ten sample rows of each table, not from all rows"

LICENSED = {"spider": "Spider", "bird": "BIRD"}
"""What the data sets are taken from, by the first word of their names; both are under CC BY-SA 4.0."""

TRAINING_NOTE = "training questions: weights are chosen by them, so that their figures are no comparison"


class UnknownDatasetError(KeyError):
    """A data set that is not in the registry; the message lists what there is."""


class SharedNameError(ValueError):
    """Two folders whose results would have one name; the message names both."""


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


def _spider_training(root: Path, names: Names) -> Dataset:
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
        DatasetRow(
            "spider-training", "6,726 training questions over the tables of SpiderUnion, to choose by", _spider_training
        ),
    )
}


def load_dataset(name: str, root: Path, names: Names = "original") -> Dataset:
    """A data set by name.

    Parameters
    ----------
    name : str
        A key of `DATASETS`, or "beir:PATH" for a folder in the layout of BEIR (see `benchmarks.data.beir`).
    root : Path
        The data folder.
    names : "original" or "natural"
        Whether columns carry natural names beside their own.

    Raises
    ------
    UnknownDatasetError
        When there is none of that name.
    MissingDataError
        When a file is not there.
    """
    if name.startswith(BEIR):
        return load_beir(Path(name.removeprefix(BEIR)))
    check_datasets([name])
    return DATASETS[name].load(root, names)


def check_datasets(names: Iterable[str], known: Iterable[tuple[str, str]] = ()) -> None:
    """Read nothing, but refuse a name that `load_dataset` does not know, and folders that share a name.

    Parameters
    ----------
    names : iterable of str
        As `load_dataset` takes them.
    known : iterable of (str, str)
        Names and folders of data sets that have results already.

    Raises
    ------
    UnknownDatasetError
        When there is none of that name.
    SharedNameError
        When two folders have one name: the results of one would be taken for those of the other.
    MissingDataError
        When a folder in the layout of BEIR has several files of qrels, and its path names none.
    """
    folders = dict(known)
    for name in names:
        if name.startswith(BEIR):
            label, folder = beir_name(Path(name.removeprefix(BEIR)))
            if (other := folders.setdefault(label, folder)) != folder:
                raise SharedNameError(
                    f"{folder} and {other} have one name, {label!r}, and so would their results: rename one of the "
                    f"folders, or give each an --output of its own"
                )
        elif name not in DATASETS:
            raise UnknownDatasetError(f"unknown data set {name!r}: choose among {', '.join(DATASETS)}, or {BEIR}PATH")


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _sql(entry: dict[str, Any]) -> str:
    """The gold query, under the name it has in this file."""
    return str(next(entry[key] for key in ("sql", "SQL", "query") if isinstance(entry.get(key), str)))
