"""What a run leaves of each question: made and read alike, and the same figures from the TREC files by another tool."""

from __future__ import annotations

import gzip
from pathlib import Path

import ir_measures
import numpy as np
import pandas as pd
import pytest

from benchmarks.data.dataset_form import SPIDER_WEIGHTS, Dataset, Question
from benchmarks.runs.answers import answer_frame, average_metrics, read_answers, summarise_outcomes, write_answers
from benchmarks.runs.tasks import TASKS
from benchmarks.systems.rows import Answers, Outcome
from joinability import Catalog

TASK = TASKS["tables"]
GOLDS = ({"bank.client", "bank.card"}, {"bank.client", "bank.disp", "gym.free visits%"})
ANSWERS = Answers(
    {
        2: [["bank.Client", "bank.Card"], ["gym.free visits%", "bank.Card"]],
        3: [["bank.Client", "gym.Client", "bank.Card"], []],
    },
    outcomes={2: [Outcome(0.001, "optimal", 0.0), Outcome(0.003, "feasible", 0.2)]},
)


@pytest.fixture
def dataset() -> Dataset:
    """Two questions, one of them graded."""
    questions = tuple(
        Question(f"question {place}", "?", "bank", frozenset(gold), None, "", difficulty=("simple", None)[place])
        for place, gold in enumerate(GOLDS)
    )
    return Dataset("bank", Catalog([]), questions, SPIDER_WEIGHTS)


@pytest.fixture
def frame(dataset: Dataset) -> pd.DataFrame:
    """Its answers."""
    return answer_frame(TASK, dataset, ANSWERS)


@pytest.fixture
def folder(dataset: Dataset, frame: pd.DataFrame, tmp_path: Path) -> Path:
    """The folder that was written for them."""
    write_answers(tmp_path / "found", frame, {question.id: TASK.gold(question) for question in dataset.questions}, "me")
    return tmp_path / "found"


def test_a_line_for_each_size_and_question(frame: pd.DataFrame) -> None:
    """Metrics are those of the answer: 2 of 2 at 2, 1 of 3 in 2 places, 2 of 2 in 3 places, and an empty answer."""
    assert frame[["question", "size"]].values.tolist() == [[f"question {q}", k] for k in (2, 3) for q in (0, 1)]
    assert frame["gold_tables"].tolist() == [2, 3, 2, 3]
    assert frame["P"].tolist() == pytest.approx([100, 50, 200 / 3, 0])
    assert frame["R"].tolist() == pytest.approx([100, 100 / 3, 100, 0])
    assert frame["F1"].tolist() == pytest.approx([100, 40, 80, 0])
    assert frame["CR"].tolist() == [100, 0, 100, 0]
    assert frame["ES"].tolist() == [100, 0, 0, 0]


def test_what_is_read_is_what_was_made(frame: pd.DataFrame, folder: Path) -> None:
    """answers.csv keeps lists, numbers and what is missing."""
    pd.testing.assert_frame_equal(read_answers(folder), frame)


def test_a_folder_without_answers_is_an_error(tmp_path: Path) -> None:
    """Nothing is made up for a folder that no run has written."""
    with pytest.raises(FileNotFoundError):
        read_answers(tmp_path)


def test_the_trec_files_give_the_same_figures(frame: pd.DataFrame, folder: Path) -> None:
    """Run and qrels, read by ir-measures from the files, have P and R of the frame, spaces and "%" in names or not."""
    qrels = list(ir_measures.read_trec_qrels(str(folder / "qrels.trec")))
    for size in (2, 3):
        run = list(ir_measures.read_trec_run(str(folder / f"run-{size}.trec.gz")))
        measures = [ir_measures.P @ size, ir_measures.R @ size]
        found = {(row.query_id, row.measure): row.value for row in ir_measures.iter_calc(measures, qrels, run)}
        expected = frame[frame["size"] == size]
        for place, name in enumerate(("question%200", "question%201")):
            assert [100 * found[name, measure] for measure in measures] == pytest.approx(
                expected[["P", "R"]].iloc[place].tolist()
            )


def test_a_run_is_in_the_order_of_the_answer(folder: Path) -> None:
    """Each line has question, Q0, item, rank, score and tag, and the score falls with the rank."""
    lines = gzip.decompress((folder / "run-3.trec.gz").read_bytes()).decode().splitlines()
    assert lines == [
        "question%200 Q0 bank.client 1 3 me@3",
        "question%200 Q0 gym.client 2 2 me@3",
        "question%200 Q0 bank.card 3 1 me@3",
    ]
    assert "question%201 0 gym.free%20visits%25 1\n" in (folder / "qrels.trec").read_text()


def test_means_are_those_of_the_questions(frame: pd.DataFrame) -> None:
    """F1 at 2 is the mean of 100 and 40, complete recall at 3 that of 100 and 0."""
    means = average_metrics(frame, TASK.metrics)
    assert (means["F1@2"], means["CR@3"], means["ES@3"]) == (70.0, 50.0, 0.0)
    assert set(means) == {f"{metric}@{k}" for metric in TASK.metrics for k in (2, 3)}


def test_outcomes_are_counted(frame: pd.DataFrame) -> None:
    """Statuses by size, answers with a gap, and latency where it is known; nothing where it is not."""
    found = summarise_outcomes(frame)
    assert found["statuses"] == {"@2": {"optimal": 1, "feasible": 1}}
    assert found["gaps"] == 1
    assert found["latency_ms"] == {"p50": 2.0, "p95": pytest.approx(np.quantile([1, 3], 0.95))}
    assert summarise_outcomes(frame[frame["size"] == 3]) == {}


def test_the_same_answers_are_the_same_bytes(dataset: Dataset, frame: pd.DataFrame, folder: Path) -> None:
    """Nothing in the files depends on when they were written."""
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    write_answers(folder, frame, {question.id: TASK.gold(question) for question in dataset.questions}, "me")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
