"""What an output folder holds, in the order of a page: results by task and data set, comparisons, answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import pandas as pd

from benchmarks.data.refusal import RefusalError
from benchmarks.runs.answers import whole_answers
from benchmarks.runs.evaluation import Options, Report
from benchmarks.runs.results import SETTINGS, Result, contender, read_complete
from benchmarks.runs.significance import read_comparisons
from benchmarks.runs.tasks import TASKS, TaskRow


class NoResultsError(RefusalError, FileNotFoundError):
    """There is nothing to report; the message says how to make it."""


@dataclass(frozen=True)
class Group:
    """The results of one task on one data set, in the order of the task's systems.

    `compared` has the row of ``significance.csv`` of a result by its fingerprint.
    """

    task: TaskRow
    dataset: str
    results: list[Result]
    compared: Mapping[str, Mapping[str, Any]]
    output: Path

    @property
    def questions(self) -> int:
        """How many were asked."""
        return int(self.results[0]["questions"])

    @property
    def limit(self) -> int | None:
        """The slice of the questions that was asked; None for all."""
        limits = [result["limit"] for result in self.results if result["limit"] is not None]
        return max(limits, default=None)

    def result(self, system: str) -> Result | None:
        """The first result of a system of the registry; None where it was not run."""
        return next((result for result in self.results if result["system"] == system), None)

    def answers(self, result: Result) -> pd.DataFrame | None:
        """The answers behind a result (see `benchmarks.runs.answers.answer_frame`); None where there are none."""
        return whole_answers(self.output, result)


@dataclass(frozen=True)
class Measured:
    """An output folder; `report` is told which results are left out, and why."""

    output: Path
    report: Report | None = None

    @cached_property
    def groups(self) -> list[Group]:
        """The results by task and data set, in the order of the tasks.

        Of a data set those with the most questions count, of these those of the newest data, and of two of the same
        system the newer one: means over other questions do not belong in one table.

        Raises
        ------
        NoResultsError
            When the folder has none.
        """
        results = read_complete(self.output / "results.jsonl", self.report)
        if not results:
            raise NoResultsError(
                f"{self.output} has no results: make them with `python -m benchmarks run --output {self.output}`"
            )
        groups = []
        for task in TASKS.values():
            of_task = [result for result in results if result["task"] == task.name]
            for dataset in dict.fromkeys([*task.datasets, *(result["dataset"] for result in of_task)]):
                if candidates := [result for result in of_task if result["dataset"] == dataset]:
                    shown = _comparable(task, candidates)
                    groups.append(Group(task, dataset, shown, self.compared, self.output))
                    self._report_lost_answers(groups[-1])
        return groups

    def groups_of(self, results: Sequence[Result]) -> list[Group]:
        """These results alone by task and data set, in their own order."""
        return [
            Group(TASKS[task], dataset, list(members), self.compared, self.output)
            for (task, dataset), members in groupby(results, key=itemgetter("task", "dataset"))
        ]

    def _report_lost_answers(self, group: Group) -> None:
        for result in group.results:
            if self.report is not None and "answers" in result and group.answers(result) is None:
                self.report(
                    f"{group.task.name}, {group.dataset}: the answers of {system_name(result)} are lost, broken or of "
                    f"another version: what is drawn from them is left out; a run makes them again"
                )

    @cached_property
    def compared(self) -> dict[str, dict[str, Any]]:
        """Rows of ``significance.csv`` by the fingerprint of the compared result."""
        return {str(row["fingerprint"]): row for row in read_comparisons(self.output)}


def _comparable(task: TaskRow, results: Sequence[Result]) -> list[Result]:
    """The results on the most questions, of the newest data; the newest of each system, in the order of the task."""
    most = max(result["questions"] for result in results)
    whole = sorted((result for result in results if result["questions"] == most), key=lambda row: str(row["date"]))
    newest = {contender(row): row for row in whole if row.get("data") == whole[-1].get("data")}
    place = {system: rank for rank, system in enumerate(task.systems)}
    return sorted(newest.values(), key=lambda row: place.get(row["system"], len(place)))


def system_name(result: Result) -> str:
    """The system with "+given" where it had the sub-queries of the data set, and what is not as usual in brackets."""
    name = result["system"].replace("+default", "")
    if result["decomposition"] == "given" and "+given" not in name:
        name += "+given"
    special = [f"{value} candidates" if key == "candidates" else value for key, value in unusual(result).items()]
    return f"{name} ({', '.join(special)})" if special else name


def unusual(result: Result) -> dict[str, Any]:
    """The settings of a result that are not those of a run without options."""
    usual = {field.name: field.default for field in fields(Options)}
    return {name: result[name] for name in SETTINGS if result.get(name, usual[name]) != usual[name]}
