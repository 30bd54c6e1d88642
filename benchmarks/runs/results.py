"""The file of results: a JSON line for each task, data set, system and decomposition."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
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
    values = [result.get(name) for name in ("task", "dataset", "system", "decomposition", *SETTINGS)]
    return tuple(json.dumps(value) if isinstance(value, (list, dict)) else value for value in values)


def results_path(output: Path, part: str = "") -> Path:
    """The file of results of an output folder, or that of a part of a run."""
    return output / (f"results.{part}.jsonl" if part else "results.jsonl")


def read_results(path: Path) -> list[Result]:
    """Results of a file, whatever they have; none where there is no file.

    Raises
    ------
    BrokenResultsError
        When a line can not be read.
    """
    return [result for _, result in _numbered(path)]


def read_complete(path: Path, report: Callable[[str], None] | None = None) -> list[Result]:
    """Results of a file that have what every result of today has.

    The others were written by another version. They stay in the file; those of a task that is gone are passed over.

    Parameters
    ----------
    report : callable, optional
        Told which lines are left out, what they lack, and what to do.

    Raises
    ------
    BrokenResultsError
        When a line can not be read.
    """
    complete: list[Result] = []
    incomplete: dict[str, list[str]] = {}
    for number, result in _numbered(path):
        if isinstance(task := result.get("task"), str) and task not in TASKS:
            continue
        if lacking := _lacking(result):
            incomplete.setdefault(", ".join(lacking), []).append(str(number))
        else:
            complete.append(result)
    for names, numbers in incomplete.items():
        if report is not None:
            report(
                f"{path}, line{'s' if len(numbers) > 1 else ''} {', '.join(numbers)}: left out, of another version: no "
                f"{names}; remove what is left out, and a run makes it again"
            )
    return complete


def _lacking(result: Result) -> list[str]:
    """What a result of a known task does not have: fields of today, or the main metric of its task."""
    main = TASKS[result["task"]].main
    return [name for name in FIELDS if name not in result] or [main] * (main not in result["metrics"])


def _numbered(path: Path) -> Iterator[tuple[int, Result]]:
    """Results with the numbers of their lines."""
    if path.exists():
        for number, line in enumerate(path.read_bytes().split(b"\n"), start=1):
            if line.strip():
                yield number, _read_line(path, number, line)


def _read_line(path: Path, number: int, line: bytes) -> Result:
    try:
        return dict(json.loads(line))
    except (ValueError, TypeError) as error:
        raise BrokenResultsError(
            f"{path}, line {number}: not a result ({error}); remove the line, and a run makes its result again"
        ) from error


def write_results(path: Path, results: Iterable[Result]) -> None:
    """Write results in one step, each in place of those of the same key; the others stay, whatever they have.

    The answers to the questions of a result that has been replaced are removed from the folder beside the file.
    """
    known = read_results(path)
    new = {key(result): result for result in results}
    places = {key(result): place for place, result in reversed([*enumerate(known)]) if key(result) in new}
    merged = [
        new[key(result)] if key(result) in places else result
        for place, result in enumerate(known)
        if places.get(key(result), place) == place
    ]
    merged += [result for place, result in new.items() if place not in places]
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_text("".join(json.dumps(result) + "\n" for result in merged), encoding="utf-8")
    os.replace(partial, path)
    before, kept = ({str(result.get("answers", "")) for result in part} for part in (known, merged))
    for old in filter(str.isalnum, before - kept):
        shutil.rmtree(path.parent / ANSWERS / old, ignore_errors=True)
