"""Runs from data to results: structure, bounds that any correct system keeps, and what is written."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from benchmarks.pages.reference import PUBLISHED
from benchmarks.runs.answers import average_metrics, read_answers
from benchmarks.runs.evaluation import Options, run
from benchmarks.runs.results import ANSWERS, Result, read_results, write_results
from benchmarks.runs.significance import write_significance
from benchmarks.runs.tasks import TASKS
from benchmarks.systems.rows import UnknownSystemError
from benchmarks.systems.table_systems import SYSTEMS, find_system

RUN_SYSTEMS = ("oracle", "dense", "retriever", "jar-d", "jar-f+given", "jar-g", "jar")


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that the runs of this module share."""
    return tmp_path_factory.mktemp("output")


@pytest.fixture(scope="module")
def results(data_folder: Path, output: Path) -> dict[str, Result]:
    """Results on 30 questions of Spider with the static embedder, which takes seconds."""
    pytest.importorskip("wordllama", reason="the static embedder is an extra")
    options = Options(data_folder, output, limit=30, embedder="static")
    found = run(TASKS["tables"], ["spider"], RUN_SYSTEMS, options, lambda message: None)
    return {result["system"]: result for result in found}


def test_a_line_for_each_system(results: dict[str, Result], output: Path) -> None:
    """results.jsonl holds what the run returned, with everything that a reader needs to repeat it."""
    lines = [json.loads(line) for line in (output / "results.jsonl").read_text().splitlines()]
    assert lines == list(results.values())
    for line in lines:
        assert {"task", "dataset", "system", "metrics", "questions", "embedder", "versions", "commit"} <= set(line)
        assert set(line["metrics"]) == {f"{metric}@{k}" for metric in TASKS["tables"].metrics for k in (2, 5, 10)}
        assert all(0 <= figure <= 100 for figure in line["metrics"].values())


def test_a_folder_of_answers_for_each_system(results: dict[str, Result], output: Path) -> None:
    """Each line names a folder whose answers have the metrics of the line, and there is no folder of anything else."""
    for result in results.values():
        frame = read_answers(output / ANSWERS / result["answers"])
        assert len(frame) == 3 * result["questions"]
        assert average_metrics(frame, TASKS["tables"].metrics) == result["metrics"]
    assert {path.name for path in (output / ANSWERS).iterdir()} == {result["answers"] for result in results.values()}


def test_latency_and_gaps_are_told_where_a_solver_ran(results: dict[str, Result]) -> None:
    """A re-ranker answers one question after the other and proves its sets; the dense ranking answers all at once."""
    assert 0 < results["jar-d"]["latency_ms"]["p50"] <= results["jar-d"]["latency_ms"]["p95"]
    assert results["jar-d"]["gaps"] == 0
    assert not {"latency_ms", "gaps", "statuses"} & set(results["dense"])


def test_intervals_and_groups_belong_to_the_metrics(results: dict[str, Result]) -> None:
    """An interval holds its mean, and the means of groups, weighted with their questions, make the mean of all."""
    for result in results.values():
        for name, (low, high) in result["intervals"].items():
            assert low <= result["metrics"][name] <= high
        groups = result["breakdown"]["gold_tables"]
        assert min(map(int, groups)) >= 2
        assert sum(group["questions"] for group in groups.values()) == 30
        mean = sum(group["questions"] * group["F1@2"] for group in groups.values()) / 30
        assert mean == pytest.approx(result["metrics"]["F1@2"], abs=1e-3)


def test_systems_are_compared_with_the_baseline(results: dict[str, Result], output: Path) -> None:
    """Each system but oracle and baseline has a row whose difference is that of the means, and corrected p."""
    table = write_significance(output, lambda message: None)
    assert set(table["system"]) == set(RUN_SYSTEMS) - {"oracle", "dense"}
    for row in table.to_dict("records"):
        assert row["difference"] == pytest.approx(
            results[row["system"]]["metrics"]["F1@2"] - results["dense"]["metrics"]["F1@2"], abs=1e-3
        )
        assert row["low"] <= row["difference"] <= row["high"]
        assert 0 < row["p"] <= row["p_holm"] <= 1
    assert table.set_index("system")["p"]["jar"] < 0.001


def test_comparisons_are_made_once(results: dict[str, Result], output: Path) -> None:
    """A second time the table is the same and nothing is compared."""
    first, messages = write_significance(output, lambda message: None), list[str]()
    pd.testing.assert_frame_equal(write_significance(output, messages.append), first)
    assert messages == []


def test_without_a_baseline_nothing_is_compared(tmp_path: Path) -> None:
    """A folder without results gives a table without rows, again and again."""
    for _ in range(2):
        assert write_significance(tmp_path, lambda message: None).empty


def test_a_second_run_takes_results_from_the_file(data_folder: Path, results: dict[str, Result], output: Path) -> None:
    """The same run again asks no system, another limit or a fresh run does, and the file keeps the newest of each."""
    messages: list[str] = []
    for options in (
        Options(data_folder, output, limit=30, embedder="static"),
        Options(data_folder, output, limit=30, embedder="static", fresh=True),
        Options(data_folder, output, limit=29, embedder="static"),
        Options(data_folder, output, limit=30, embedder="static"),
    ):
        (again,) = run(TASKS["tables"], ["spider"], ["oracle"], options, messages.append)
        assert again["questions"] == options.limit
    assert [message for message in messages if "oracle" in message] == [
        "spider: oracle on 30 questions",
        "spider: oracle on 29 questions",
    ]
    assert len(read_results(output / "results.jsonl")) == len(results) + 1


def test_no_system_exceeds_the_oracle(results: dict[str, Result]) -> None:
    """With K fixed, the oracle bounds every metric."""
    for result in results.values():
        for name, figure in result["metrics"].items():
            assert figure <= results["oracle"]["metrics"][name]


def test_joins_and_coverage_help(results: dict[str, Result]) -> None:
    """Re-ranking finds pairs of tables that the retriever misses, by far more than chance could explain."""
    f1 = {system: result["metrics"]["F1@2"] for system, result in results.items()}
    assert f1["jar-f+given"] > f1["retriever"] + 3
    assert f1["jar-f+given"] > 70


def test_solver_statuses_are_counted(results: dict[str, Result]) -> None:
    """Each of the 30 questions was solved with proof at each size."""
    assert results["jar-f+given"]["statuses"] == {f"@{k}": {"optimal": 30} for k in (2, 5, 10)}
    assert results["jar-f+given"]["decomposition"] == "given"
    assert results["jar-d"]["decomposition"] == "default"
    assert results["dense"]["decomposition"] is None


def test_a_new_result_takes_the_place_of_the_old(tmp_path: Path) -> None:
    """A result of the same task, data set and system is replaced, the others stay."""
    path = tmp_path / "results.jsonl"
    first, other = ({"task": "tables", "dataset": "spider", "system": name, "metrics": {}} for name in ("dense", "jar"))
    write_results(path, [first, other])
    write_results(path, [first | {"metrics": {"F1@2": 1.0}}])
    assert read_results(path) == [first | {"metrics": {"F1@2": 1.0}}, other]


def test_a_slice_leaves_the_results_of_all_questions(tmp_path: Path) -> None:
    """A quick look with a limit takes nothing from a long run, and another slice of the same length is a newer one."""
    path = tmp_path / "results.jsonl"
    whole = {"task": "tables", "dataset": "spider", "system": "jar", "limit": None, "answers": "whole"}
    write_results(path, [whole])
    write_results(path, [whole | {"limit": 30, "answers": "old"}])
    write_results(path, [whole | {"limit": 30, "answers": "slice"}])
    assert [result["answers"] for result in read_results(path)] == ["whole", "slice"]


def test_answers_go_with_their_result(tmp_path: Path) -> None:
    """The folder of a replaced result is removed, unless another result has it too; that of a kept one stays."""
    path = tmp_path / "results.jsonl"
    lines = [{"system": name, "answers": folder} for name, folder in (("a", "one"), ("b", "two"), ("c", "two"))]
    for line in lines:
        (tmp_path / ANSWERS / line["answers"]).mkdir(parents=True, exist_ok=True)
    write_results(path, lines)
    write_results(path, [{"system": "a", "answers": "three"}, {"system": "b", "answers": "three"}])
    assert [folder.name for folder in (tmp_path / ANSWERS).iterdir()] == ["two"]


@pytest.mark.parametrize("name", ["jar-x", "dense+given", "jar-f+guessed"])
def test_an_unknown_system_is_an_error_before_any_work(name: str, tmp_path: Path) -> None:
    """A name that is not in the registry, or a decomposition that a system does not have, stops the run at once."""
    with pytest.raises(UnknownSystemError, match=r"choose among|did you mean"):
        run(TASKS["tables"], ["spider"], ["dense", name], Options(tmp_path, tmp_path), lambda message: None)
    assert list(tmp_path.iterdir()) == []


def test_the_name_of_a_system_says_its_decomposition() -> None:
    """An ending wins over the option; without one the option decides."""
    assert find_system("jar-f", "given") == (SYSTEMS["jar-f"], "given")
    assert find_system("jar-f+default", "given") == (SYSTEMS["jar-f"], "default")
    assert find_system("jar-f+given") == (SYSTEMS["jar-f"], "given")


def test_reference_figures_belong_to_tasks() -> None:
    """Targets and published figures name tasks, data sets, systems and metrics that exist."""
    places = [(row.task, row.dataset, row.metrics) for row in PUBLISHED]
    for task, dataset, metrics in places:
        assert dataset in TASKS[task].datasets
        assert set(metrics) <= {f"{metric}@{k}" for metric in TASKS[task].metrics for k in TASKS[task].sizes}
