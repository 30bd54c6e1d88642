"""The file of results: a JSON line for each task, data set, system and decomposition."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from benchmarks.data.refusal import RefusalError
from benchmarks.runs.tasks import TASKS

Result = dict[str, Any]

ANSWERS = "answers"
"""Folder beside the file that holds a folder of answers to each question for each result."""
SETTINGS = ("names", "embedder", "candidates", "solver")
"""Options of a run that change what a system answers, beside its name and its sub-queries."""
FIELDS = (
    "task", "dataset", "system", "decomposition", "limit", "names", "embedder", "candidates", "questions", "seconds",
    "metrics", "note", "fingerprint", "commit", "date", "machine", "versions",
)  # fmt: skip
"""What a line has to have to be compared and reported."""
REPEATED = {"answers", "intervals", "breakdown"}
"""What it has to have beside to be shown in place of a run."""


class BrokenResultsError(RefusalError, ValueError):
    """A file with a line that can not be read; the message names file and line and says what to do."""


def key(result: Result) -> tuple[Any, ...]:
    """What a result is of; a newer one of the same key takes its place. A slice takes no place of all questions."""
    return (*contender(result), json.dumps(result.get("limit")))


def contender(result: Result) -> tuple[Any, ...]:
    """What stands in a table of results: all of the key but the slice of the questions."""
    return tuple(result.get(name) for name in ("task", "dataset", "system", "decomposition", *SETTINGS))


def read_results(path: Path) -> list[Result]:
    """Results of a file, whatever they have; none where there is no file.

    Raises
    ------
    BrokenResultsError
        When a line can not be read.
    """
    results = []
    for number, line in enumerate(path.read_bytes().splitlines() if path.exists() else (), start=1):
        try:
            results.append(dict(json.loads(line)))
        except (ValueError, TypeError) as error:
            raise BrokenResultsError(
                f"{path}, line {number}: not a result ({error}); remove the line, and a run makes its result again"
            ) from error
    return results


def read_complete(path: Path, report: Callable[[str], None] | None = None) -> list[Result]:
    """Results of a file that have what every result of today has, the main metric of their task among it.

    The others were written by another version. They stay in the file; `report` is told which they are, and what to do.
    """
    complete, left_out = [], []
    for number, result in enumerate(read_results(path), start=1):
        if set(FIELDS) <= set(result) and result["task"] in TASKS and TASKS[result["task"]].main in result["metrics"]:
            complete.append(result)
        else:
            left_out.append(str(number))
    if left_out and report is not None:
        report(
            f"{path}, line{'s' if len(left_out) > 1 else ''} {', '.join(left_out)}: left out, of another version; "
            "remove what is left out, and a run makes it again"
        )
    return complete


def write_results(path: Path, results: Iterable[Result]) -> None:
    """Write results in one step, each in place of that of the same key; the others stay, whatever they have.

    The answers to the questions of a result that has been replaced are removed from the folder beside the file.
    """
    known = read_results(path)
    merged = list({key(result): result for result in [*known, *results]}.values())
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_text("".join(json.dumps(result) + "\n" for result in merged), encoding="utf-8")
    os.replace(partial, path)
    before, kept = ({str(result.get("answers", "")) for result in part} for part in (known, merged))
    for old in filter(str.isalnum, before - kept):
        shutil.rmtree(path.parent / ANSWERS / old, ignore_errors=True)
