"""The file of results: a JSON line for each task, data set, system and decomposition."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Result = dict[str, Any]

ANSWERS = "answers"
"""Folder beside the file that holds a folder of answers to each question for each result."""

SETTINGS = ("names", "embedder", "candidates", "solver")
"""Options of a run that change what a system answers, beside its name and its sub-queries."""


class BrokenResultsError(ValueError):
    """A file of results with a line that is none; the message names file and line and says what to do."""


def key(result: Result) -> tuple[Any, ...]:
    """What a result is of; a newer one of the same key takes its place. A slice takes no place of all questions."""
    return (*contender(result), result.get("limit"))


def contender(result: Result) -> tuple[Any, ...]:
    """What stands in a table of results: all of the key but the slice of the questions."""
    return tuple(result.get(name) for name in ("task", "dataset", "system", "decomposition", *SETTINGS))


def results_path(output: Path, part: str = "") -> Path:
    """The file of results of an output folder, or that of a part of a run."""
    return output / (f"results.{part}.jsonl" if part else "results.jsonl")


def read_results(path: Path) -> list[Result]:
    """Results of a file; none where there is no file.

    Raises
    ------
    BrokenResultsError
        When a line can not be read.
    """
    if not path.exists():
        return []
    lines = enumerate(path.read_text(encoding="utf-8").split("\n"), start=1)
    return [_read_line(path, number, line) for number, line in lines if line.strip()]


def _read_line(path: Path, number: int, line: str) -> Result:
    try:
        return dict(json.loads(line))
    except (ValueError, TypeError) as error:
        raise BrokenResultsError(
            f"{path}, line {number}: not a result ({error}); remove the line, and a run makes its result again"
        ) from error


def write_results(path: Path, results: Iterable[Result]) -> None:
    """Write results in one step, each in place of the one of the same key; the others stay.

    The answers to the questions of a result that has been replaced are removed from the folder beside the file.
    """
    known = read_results(path)
    merged = {key(result): result for result in known}
    merged.update((key(result), result) for result in results)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_text("".join(json.dumps(result) + "\n" for result in merged.values()), encoding="utf-8")
    os.replace(partial, path)
    kept = {result.get("answers") for result in merged.values()}
    for old in {result["answers"] for result in known if "answers" in result} - kept:
        shutil.rmtree(path.parent / ANSWERS / old, ignore_errors=True)
