"""BIRD: its development set, BirdUnion+ and the questions as CRUSH used them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from benchmarks.data.corpora import Names, read_corpus
from benchmarks.data.dataset_form import Dataset, Question, Weights
from benchmarks.data.dev_questions import dev_dataset, dev_questions, gold_query, read_json
from benchmarks.data.gold_columns import annotated_columns
from benchmarks.data.layout import Layout

BIRD_WEIGHTS = Weights(coarse=3, fine=3, coverage=8, join=1)
BIRD_NOTE = "joins from statistics and ten sample rows of each table, not from all rows"


def bird_dev(root: Path, names: Names) -> Dataset:
    """The development questions over the tables of their databases."""
    dataset = dev_dataset(Layout(root, "bird"), names, BIRD_WEIGHTS)
    return replace(dataset, note=_note(dataset))


def _note(dataset: Dataset) -> str:
    estimated = any(table.statistics is not None for table in dataset.catalog)
    return BIRD_NOTE if estimated else ""


def bird_columns(root: Path, names: Names, half: int | None = None) -> Dataset:
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
            sql=gold_query(entry),
            difficulty=entry.get("difficulty"),
            gold_columns=annotated_columns(entry),
            imagined_schema="\n".join(entry["question_decomposition_hallucinate_schema_bird"]),
        )
        for position, entry in enumerate(read_json(layout.require("crush_questions.json")))
    ]
    databases = sorted({question.database for question in questions})
    corpus = read_corpus(layout, names, set(databases))
    suffix = "" if half is None else ("-tuning", "-held-out")[half]
    kept = databases if half is None else databases[half::2]
    asked = tuple(question for question in questions if question.database in kept)
    dataset = Dataset(f"bird-columns{suffix}", corpus, asked, BIRD_WEIGHTS)
    return replace(dataset, note=_note(dataset))


def bird_union(root: Path, names: Names) -> Dataset:
    """The development questions over the tables of all databases, those of the training set among them."""
    layout = Layout(root, "bird")
    note = f"{BIRD_NOTE}; the databases of the training set have schemas only"
    return Dataset("bird-union", read_corpus(layout, names), tuple(dev_questions(layout)), BIRD_WEIGHTS, note)
