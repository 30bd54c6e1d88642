"""The command from end to end on small data sets: what it writes, what it makes again, what it refuses."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner, Result

from benchmarks.__main__ import main
from benchmarks.commands.run import RUNNERS
from benchmarks.data.datasets import UnknownDatasetError
from benchmarks.pages.measured import Measured
from benchmarks.runs.evaluation import NothingToAskError
from benchmarks.runs.results import ANSWERS, BrokenResultsError, read_results, write_results
from benchmarks.runs.smoke import BOUNDS, SMOKE_SYSTEMS, Bound, bad_figures, check_smoke
from benchmarks.runs.tasks import TASKS
from benchmarks.systems.rows import UnknownSystemError

PRINTS = ["fingerprint", "baseline_fingerprint"]
SYSTEMS = "oracle,dense,jar-f"


def invoke(data: Path, output: Path, *arguments: str) -> Result:
    """``python -m benchmarks run`` with the static embedder."""
    pytest.importorskip("wordllama", reason="the static embedder is an extra")
    command = ["run", "--data", str(data), "--output", str(output), "--embedder", "static", *arguments]
    return CliRunner().invoke(main, command)


@pytest.fixture(scope="module")
def made(public_layout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that a run over four questions left."""
    folder = tmp_path_factory.mktemp("made")
    found = invoke(public_layout, folder, "--datasets", "spider", "--systems", SYSTEMS)
    assert found.exit_code == 0, found.output
    assert "spider: jar-f on 4 questions" in found.stderr
    assert "tables: spider, F1@2" in found.stdout
    return folder


@pytest.fixture
def output(made: Path, tmp_path: Path) -> Path:
    """A copy of it to break."""
    return Path(shutil.copytree(made, tmp_path / "copy"))


def test_a_run_leaves_results_answers_and_comparisons(output: Path) -> None:
    """Each system has a line and a folder, and each but oracle and baseline a comparison."""
    results = read_results(output / "results.jsonl")
    assert [result["system"] for result in results] == SYSTEMS.split(",")
    assert {path.name for path in (output / ANSWERS).iterdir()} == {result["answers"] for result in results}
    assert pd.read_csv(output / "significance.csv")["system"].tolist() == ["jar-f"]


def test_what_is_there_is_not_made_again(output: Path, public_layout: Path) -> None:
    """A second run asks no system, one whose answers were lost asks that one."""
    again = invoke(public_layout, output, "--datasets", "spider", "--systems", SYSTEMS)
    assert "questions" not in again.stderr
    assert "comparing" not in again.stderr
    lost = read_results(output / "results.jsonl")[1]
    shutil.rmtree(output / ANSWERS / lost["answers"])
    after = invoke(public_layout, output, "--datasets", "spider", "--systems", SYSTEMS)
    assert [line.partition("] ")[2] for line in after.stderr.splitlines() if "questions" in line] == [
        "spider: dense on 4 questions"
    ]


def test_tasks_without_their_data_do_not_end_the_others(
    public_layout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The public release has no questions of SpiderUnion: that is told at the end, after what could be run."""
    asked: list[str] = []
    for name in ("tables", "columns", "joins", "solvers"):
        monkeypatch.setitem(RUNNERS, name, lambda *_, name=name: asked.append(name))
    monkeypatch.setitem(TASKS, "tables", replace(TASKS["tables"], datasets=("spider",), systems=("oracle",)))
    monkeypatch.setitem(TASKS, "union", replace(TASKS["union"], datasets=("spider-union",), systems=("oracle",)))
    monkeypatch.setitem(TASKS, "columns", replace(TASKS["columns"], datasets=()))
    found = invoke(public_layout, tmp_path, "--task", "all")
    assert asked == ["tables", "columns", "joins", "solvers"]
    assert found.exit_code == 1
    assert re.search(r"Error: union: \S+ has no union_questions.json", found.stderr)


def test_a_folder_of_beir_is_a_data_set(clinic: Path, tmp_path: Path, public_layout: Path) -> None:
    """beir:PATH runs on the command line like any other, under the other task, too."""
    found = invoke(
        public_layout,
        tmp_path / "out",
        *("--task", "union", "--datasets", f"beir:{clinic}", "--systems", "oracle,dense,jar"),
    )
    assert found.exit_code == 0, found.output
    for result in read_results(tmp_path / "out" / "results.jsonl"):
        assert (result["dataset"], result["metrics"]["CR@3"]) == ("beir:clinic", 100.0)


def test_results_of_other_data_are_not_compared(clinic: Path, tmp_path: Path, public_layout: Path) -> None:
    """A baseline on the questions of yesterday is none for those of today, and has no row beside them."""
    arguments = ("--task", "union", "--datasets", f"beir:{clinic}", "--systems")
    assert invoke(public_layout, tmp_path / "out", *arguments, "dense,jar").exit_code == 0
    (clinic / "queries.jsonl").write_text('{"_id": "p", "text": "Which bills have beds?"}\n')
    (clinic / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\np\t1\t1\np\t2\t1\n")
    again = invoke(public_layout, tmp_path / "out", *arguments, "jar")
    assert again.exit_code == 0, again.output
    assert not (tmp_path / "out" / "significance.csv").read_text().strip()
    assert [result["system"] for result in Measured(tmp_path / "out").groups[0].results] == ["jar"]


def test_other_settings_are_not_compared(output: Path, public_layout: Path) -> None:
    """The answers with fewer candidates stay beside those with all, and each is compared with its own baseline."""
    arguments = ("--datasets", "spider", "--systems", "dense,jar-f")
    invoke(public_layout, output, *arguments)
    invoke(public_layout, output, *arguments, "--candidates", "3")
    results = {result["fingerprint"]: result for result in read_results(output / "results.jsonl")}
    assert [(row["system"], row["candidates"]) for row in results.values() if row["system"] == "jar-f"] == [
        ("jar-f", 20),
        ("jar-f", 3),
    ]
    table = pd.read_csv(output / "significance.csv")
    pairs = {(results[a]["candidates"], results[b]["candidates"]) for a, b in table[PRINTS].to_numpy()}
    assert pairs == {(20, 20), (3, 3)}


def test_what_a_data_set_comes_without_is_left_out(clinic: Path, tmp_path: Path, public_layout: Path) -> None:
    """The systems of a task run on data without sub-queries, too: those that need them are told and left out."""
    for dataset in (f"beir:{clinic}", "spider"):
        found = invoke(public_layout, tmp_path / "out", "--datasets", dataset, "--limit", "1")
        assert found.exit_code == 0, found.output
        assert f"{dataset}: jar+given left out, the data set has no sub-queries" in found.stderr
    systems = {result["system"] for result in read_results(tmp_path / "out" / "results.jsonl")}
    assert systems == {name for name in TASKS["tables"].systems if "+given" not in name}


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("--datasets", "spider,spidre", "--systems", "oracle"), UnknownDatasetError, "unknown data set 'spidre'"),
        (("--task", "columns", "--systems", "oracle", "--datasets", "bird"), NothingToAskError, "gold columns"),
        (("--systems", "oracle,dens"), UnknownSystemError, "unknown system 'dens'"),
    ],
)
def test_what_can_not_be_run_is_told_before_any_work(
    arguments: tuple[str, ...], error: type[Exception], message: str, public_layout: Path, tmp_path: Path
) -> None:
    """An unknown name, or questions that a task can not ask, leave no result and no figure of zero."""
    found = invoke(public_layout, tmp_path, *arguments)
    assert isinstance(found.exception, error)
    assert message in str(found.exception)
    assert not (tmp_path / "results.jsonl").exists()


def test_questions_with_too_few_gold_tables_are_no_data_set(clinic: Path, tmp_path: Path, public_layout: Path) -> None:
    """A folder with a gold table for each question says that the task of several wants more."""
    (clinic / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq\t0\t1\n")
    found = invoke(public_layout, tmp_path / "out", "--datasets", f"beir:{clinic}", "--systems", "oracle")
    assert isinstance(found.exception, NothingToAskError)
    assert "at least 2 gold tables" in str(found.exception)


def test_a_system_named_twice_is_run_once(public_layout: Path, tmp_path: Path) -> None:
    """Results and tables have one row of it."""
    found = invoke(public_layout, tmp_path, "--datasets", "spider,spider", "--systems", "oracle,dense,dense")
    assert found.exit_code == 0
    assert [result["system"] for result in read_results(tmp_path / "results.jsonl")] == ["oracle", "dense"]
    assert found.stdout.split("95 %")[0].count("dense (static)") == 1


def test_a_broken_line_of_results_is_told(output: Path, public_layout: Path) -> None:
    """File, line and remedy, and the file stays as it is."""
    path = output / "results.jsonl"
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], lines[1][:50], lines[2]]) + "\n")
    broken = path.read_text()
    found = invoke(public_layout, output, "--datasets", "spider", "--systems", SYSTEMS)
    assert isinstance(found.exception, BrokenResultsError)
    assert re.search(r"results\.jsonl, line 2: .* remove the line", str(found.exception))
    assert path.read_text() == broken


def test_results_of_a_task_that_is_gone_are_passed_over(output: Path, public_layout: Path) -> None:
    """What an earlier version left is no reason to stop."""
    gone = read_results(output / "results.jsonl")[0] | {"task": "rows", "fingerprint": "of another task"}
    write_results(output / "results.jsonl", [gone])
    assert invoke(public_layout, output, "--datasets", "spider", "--systems", SYSTEMS).exit_code == 0


def test_every_task_has_a_command() -> None:
    """Rankings of tables and columns, joins, and solvers."""
    assert list(RUNNERS) == ["tables", "union", "warehouses", "columns", "joins", "solvers"]


def test_solvers_race(data_folder: Path, tmp_path: Path) -> None:
    """Every solver of the race has a run for each question and size."""
    arguments = ("--task", "solvers", "--datasets", "spider", "--limit", "1")
    assert invoke(data_folder, tmp_path, *arguments).exit_code == 0
    lines = (tmp_path / "solvers" / "runs" / "race.jsonl").read_text().splitlines()
    assert {"exact", "greedy"} <= {json.loads(line)["solver"] for line in lines}
    assert {json.loads(line)["k"] for line in lines} == {2, 5, 10}


def test_a_sound_run_passes_the_smoke_check(output: Path) -> None:
    """Nothing is wrong with files that a run wrote, whatever the quality of dense on four toy questions."""
    found = check_smoke(output, read_results(output / "results.jsonl"))
    assert [fault for fault in found if " is below " not in fault] == []


def test_broken_files_fail_the_smoke_check(output: Path) -> None:
    """Lost answers, a run and a mean that differ, and a missing comparison are each told."""
    results = read_results(output / "results.jsonl")
    _, dense, jar = results
    for result in results[:2]:
        path = output / ANSWERS / result["answers"] / "run-5.trec.gz"
        path.write_bytes((output / ANSWERS / jar["answers"] / "run-2.trec.gz").read_bytes())
    answers = output / ANSWERS / dense["answers"] / "answers.csv"
    answers.write_text("\n".join(answers.read_text().splitlines()[:-1]) + "\n")
    (output / "significance.csv").unlink()
    found = check_smoke(output, results)
    for told in (
        "tables, spider, oracle: recall of the TREC run at 5 is not R@5",
        "tables, spider, dense: answers.csv has not a line for each question and size",
        "significance.csv is not there",
    ):
        assert told in found
    assert not any(fault.startswith("tables, spider, jar-f: recall") for fault in found)


def test_lost_files_fail_the_smoke_check(output: Path) -> None:
    """Each file that is not there is named."""
    results = read_results(output / "results.jsonl")
    for name in ("answers.csv", "qrels.trec", "run-5.trec.gz"):
        (output / ANSWERS / results[0]["answers"] / name).unlink()
        assert f"tables, spider, oracle: {name} is not there" in check_smoke(output, results)


def test_bad_figures_fail_the_smoke_check(output: Path) -> None:
    """A re-ranker as bad as dense, a score above the oracle's and a solver without proof are each told."""
    oracle, dense, jar = read_results(output / "results.jsonl")
    figures = {"F1@2": 60.0, "R@2": 101.0}
    jar |= {"metrics": jar["metrics"] | figures, "statuses": {"@2": {"feasible": 4}}}
    dense |= {"metrics": dense["metrics"] | {"F1@2": 60.0}}
    write_results(output / "results.jsonl", [dense, jar])
    found = "\n".join(check_smoke(output, [oracle, dense, jar]))
    for told in (
        "jar-f: F1@2 60.0 is below 65.0, 5 points above dense",
        "jar-f: F1@2 60.0 is below 70.0",
        "jar-f: R@2 101.0 is above that of the oracle",
        "jar-f: solver without proof at @2: {'feasible': 4}",
        "jar-f: the means of answers.csv are not the metrics",
    ):
        assert told in found


@pytest.mark.parametrize("bound", BOUNDS, ids=lambda bound: f"{bound.task}-{bound.system}-{bound.other}")
def test_each_bound_fires(bound: Bound) -> None:
    """A tenth of a point below it is told with task, system and metric; the bound itself is enough."""
    rival = 20.0 if bound.other else 0.0
    floor = rival + bound.least
    others = {other.metric: 100.0 for other in BOUNDS if other.task == bound.task}

    def faults(figure: float) -> list[str]:
        figures = {bound.system: figure} | ({bound.other: rival} if bound.other else {})
        results = {
            system: {"task": bound.task, "dataset": "toy", "system": system, "metrics": others | {bound.metric: value}}
            for system, value in figures.items()
        }
        return [fault for fault in bad_figures(results) if f" is below {floor:.1f}" in fault]

    assert faults(floor) == []
    (told,) = faults(floor - 0.1)
    assert told.startswith(f"{bound.task}, toy, {bound.system}: {bound.metric} {floor - 0.1:.1f} is below {floor:.1f}")
    assert (bound.other is not None) == told.endswith(f", {bound.least:g} points above {bound.other}")


def test_the_smoke_run_has_the_systems_of_its_bounds() -> None:
    """No bound of the tasks is passed over for want of a system, a metric or a size."""
    for bound in BOUNDS:
        task = TASKS[bound.task]
        systems = SMOKE_SYSTEMS.get(bound.task, task.systems)
        assert {bound.system, bound.other or bound.system} <= set(systems)
        assert bound.metric in {f"{metric}@{size}" for metric in task.metrics for size in task.sizes}


