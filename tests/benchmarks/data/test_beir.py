"""A folder in the layout of BEIR, from its files to figures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.data.beir import BeirFormatError
from benchmarks.data.dataset_form import Dataset
from benchmarks.data.datasets import load_dataset
from benchmarks.data.layout import MissingDataError

DOCUMENTS: list[dict[str, Any]] = [
    {"_id": "d1", "title": "client", "text": "People.", "metadata": {"database": "bank", "columns": ["id", "name"]}},
    {"_id": "d2", "title": "card", "text": "Cards of clients.", "metadata": {"database": "bank", "columns": ["id"]}},
    {"_id": "d3", "title": "Members", "text": "who came\u2028and when", "metadata": {}},
    {"_id": "d4", "title": "Members", "text": "who left"},
    {"_id": "d5", "title": "", "text": ""},
]
QUESTIONS = [{"_id": "q1", "text": "Which clients have cards?"}, {"_id": "q2", "text": "Who left?"}]
QRELS = "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t2\nq2\td4\t1\nq2\td3\t0\n"


def write(folder: Path, qrels: dict[str, str], questions: list[dict[str, Any]] = QUESTIONS) -> Path:
    """The folder, with these qrels files."""
    (folder / "qrels").mkdir(parents=True)
    for name, entries in (("corpus.jsonl", DOCUMENTS), ("queries.jsonl", questions)):
        lines = [json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries]
        (folder / name).write_text("".join(lines), encoding="utf-8")
    for name, text in qrels.items():
        (folder / "qrels" / name).write_text(text)
    return folder


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    """The data set of the folder "gym"."""
    return load_dataset(f"beir:{write(tmp_path / 'gym', {'test.tsv': QRELS, 'dev.tsv': ''})}", tmp_path)


def test_documents_become_tables(dataset: Dataset) -> None:
    """The database is told or the folder, the name is a title that no other has, and every text is read."""
    assert dataset.name == "beir:gym"
    assert [table.id for table in dataset.catalog] == ["bank.client", "bank.card", "gym.d3", "gym.d4", "gym.d5"]
    assert [table.column_names for table in dataset.catalog] == [
        ["id", "name"],
        ["id"],
        ["who came and when"],
        ["who left"],
        [],
    ]
    assert dataset.catalog["bank.client"].description == "People."
    assert all(table.source is None for table in dataset.catalog)


def test_judged_questions_are_asked(dataset: Dataset) -> None:
    """Gold is what has a score above 0; the heading of the qrels is no question."""
    assert [(question.id, question.gold_tables) for question in dataset.questions] == [
        ("q1", {"bank.client", "bank.card"}),
        ("q2", {"gym.d4"}),
    ]
    assert [question.database for question in dataset.questions] == ["bank", "gym"]
    assert dataset.note == ""


def test_another_file_of_qrels_is_named_by_its_path(tmp_path: Path) -> None:
    """dev.tsv is read where its path is given, and the name of the data set says so."""
    folder = write(tmp_path / "gym", {"test.tsv": QRELS, "dev.tsv": "q2\td3\t1\nq2\td9\t1\n"})
    dataset = load_dataset(f"beir:{folder / 'qrels' / 'dev.tsv'}", tmp_path)
    assert dataset.name == "beir:gym/dev"
    assert [question.gold_tables for question in dataset.questions] == [{"gym.d3", "gym.d9"}]
    assert dataset.note == "1 gold documents are not in the corpus"


def test_a_single_file_of_qrels_needs_no_name(tmp_path: Path) -> None:
    """Where there is one file it is read; of several without test.tsv one has to be chosen."""
    assert load_dataset(f"beir:{write(tmp_path / 'one', {'dev.tsv': QRELS})}", tmp_path).name == "beir:one/dev"
    folder = write(tmp_path / "two", {"dev.tsv": QRELS, "train.tsv": QRELS})
    with pytest.raises(MissingDataError, match=r"no test\.tsv: give one of .*dev\.tsv.*train\.tsv"):
        load_dataset(f"beir:{folder}", tmp_path)


@pytest.mark.parametrize("missing", ["corpus.jsonl", "queries.jsonl", "qrels/test.tsv"])
def test_a_missing_file_is_named(tmp_path: Path, missing: str) -> None:
    """The error names the file and says what the layout is."""
    folder = write(tmp_path / "gym", {"test.tsv": QRELS})
    (folder / missing).unlink()
    with pytest.raises(MissingDataError, match=rf"there is no .*{missing}: a folder in the layout of BEIR has"):
        load_dataset(f"beir:{folder}", tmp_path)


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("corpus.jsonl", '{"_id": "d1", "text": ""}\n{"text": ""}\n', r"corpus\.jsonl, line 2.*_id"),
        ("corpus.jsonl", '{"_id": "d1", "text": ""}\n' * 2, r"line 2: the _id 'd1' is there twice"),
        ("queries.jsonl", "[1", r"queries\.jsonl, line 1"),
        ("queries.jsonl", '{"_id": "q1", "text": "?"}', r"judges 1 questions that queries\.jsonl lacks, such as 'q2'"),
        ("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\n", r"test\.tsv, line 2"),
        ("qrels/test.tsv", "q1\td1\t0\n", "no line with a score above 0"),
    ],
)
def test_a_broken_file_is_told_with_its_line(tmp_path: Path, name: str, text: str, told: str) -> None:
    """What can not be read is an error that says where."""
    folder = write(tmp_path / "gym", {"test.tsv": QRELS})
    (folder / name).write_text(text)
    with pytest.raises(BeirFormatError, match=told):
        load_dataset(f"beir:{folder}", tmp_path)
