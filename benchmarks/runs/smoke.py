"""What a smoke run has to be: files that parse and agree with each other, and quality within wide bounds; no times."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.runs.answers import average_metrics, whole_answers
from benchmarks.runs.results import ANSWERS, Result, read_complete
from benchmarks.runs.significance import NAME
from benchmarks.runs.tasks import TASKS
from benchmarks.runs.trec import QRELS, run_name, trec_recall

SMOKE_SYSTEMS = {
    "tables": ("oracle", "dense", "jar-f+given", "jar-f"),
    "union": ("oracle", "dense", "jar-f"),
    "columns": ("oracle", "question", "paper+given", "crush+given"),
}
"""Systems of a smoke run; those of the task where there is no entry."""


@dataclass(frozen=True)
class Bound:
    """A figure of a system at least so many points above that of another system, or above zero."""

    task: str
    metric: str
    system: str
    least: float
    other: str | None = None


BOUNDS = (
    Bound("tables", "F1@2", "jar-f+given", 5.0, "dense"),
    Bound("tables", "F1@2", "jar-f", 5.0, "dense"),
    Bound("tables", "F1@2", "jar-f+given", 70.0),
    Bound("tables", "F1@2", "jar-f", 70.0),
    Bound("tables", "F1@2", "dense", 55.0),
    Bound("tables", "F1@2", "oracle", 90.0),
    Bound("union", "CR@3", "jar-f", 5.0, "dense"),
    Bound("union", "CR@5", "jar-f", 65.0),
    Bound("union", "CR@20", "oracle", 100.0),
    Bound("columns", "R@10", "paper+given", 5.0, "question"),
    Bound("columns", "R@10", "crush+given", 55.0),
)
"""Wide enough for the questions of a smoke run with MiniLM, those of union and columns also with the static embedder,
and too narrow for a system that is broken. Of other slices of forty questions one in twenty may break a bound between
two systems; shorter ones and other embedders more often."""

ROUNDING, MEAN_ROUNDING = 1e-6, 1e-3


def check_smoke(output: Path, results: Sequence[Result]) -> list[str]:
    """What is wrong with the results of a run and with the files that they left; empty where nothing is.

    Bounds on systems that were not run are passed over.
    """
    written = {result["fingerprint"]: result for result in read_complete(output / "results.jsonl")}
    faults = [f"{_name(result)}: not in results.jsonl" for result in results if result["fingerprint"] not in written]
    for result in results:
        faults += [f"{_name(result)}: {fault}" for fault in _faults(output, result)]
    if not (output / NAME).is_file():
        faults.append(f"{NAME} is not there")
    for dataset in dict.fromkeys(result["dataset"] for result in results):
        faults += bad_figures({result["system"]: result for result in results if result["dataset"] == dataset})
    return faults


def _faults(output: Path, result: Result) -> Iterator[str]:
    """What is wrong with the files of one result."""
    task, folder = TASKS[result["task"]], output / ANSWERS / result["answers"]
    names = ("answers.csv", QRELS, *(run_name(size) for size in task.sizes))
    if lost := [name for name in names if not (folder / name).is_file()]:
        yield from (f"{name} is not there" for name in lost)
        return
    frame = whole_answers(output, result)
    if frame is None:
        yield "answers.csv has not a line for each question and size"
    elif average_metrics(frame, task.metrics) != result["metrics"]:
        yield "the means of answers.csv are not the metrics"
    for size in task.sizes:
        if abs(100 * trec_recall(folder, size) - result["metrics"][f"R@{size}"]) > MEAN_ROUNDING:
            yield f"recall of the TREC run at {size} is not R@{size}"
    for name, (low, high) in result["intervals"].items():
        if not low - ROUNDING <= result["metrics"][name] <= high + ROUNDING:
            yield f"the interval of {name} does not hold it"
    for size, statuses in result.get("statuses", {}).items():
        if set(statuses) - {"optimal", "infeasible"} and task.unit == "tables":
            yield f"solver without proof at {size}: {statuses}"


def bad_figures(results: dict[str, Result]) -> Iterator[str]:
    """Bounds that the results of one data set, by system, break, and metrics above those of the oracle."""
    for bound in BOUNDS:
        if bound.system not in results or results[bound.system]["task"] != bound.task:
            continue
        if bound.other is not None and bound.other not in results:
            continue
        figure = results[bound.system]["metrics"][bound.metric]
        floor = bound.least + (0 if bound.other is None else results[bound.other]["metrics"][bound.metric])
        if figure < floor - ROUNDING:
            above = "" if bound.other is None else f", {bound.least:g} points above {bound.other}"
            yield f"{_name(results[bound.system])}: {bound.metric} {figure:.1f} is below {floor:.1f}{above}"
    for result in results.values():
        for name, figure in result["metrics"].items():
            if "oracle" in results and figure > results["oracle"]["metrics"][name] + ROUNDING:
                yield f"{_name(result)}: {name} {figure:.1f} is above that of the oracle"


def _name(result: Result) -> str:
    return f"{result['task']}, {result['dataset']}, {result['system']}"
