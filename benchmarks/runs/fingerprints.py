"""What a result depends on, as a short text: a result with the same fingerprint need not be made again."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.data.dataset_form import Dataset
from benchmarks.runs.provenance import provenance

ROOT = Path(__file__).parents[2]
CODE = ("formulations", "jar", "joinability", "benchmarks/data", "benchmarks/systems", "benchmarks/runs")
"""Any line of these may change a result."""


def dataset_fingerprint(dataset: Dataset) -> str:
    """Text that changes with the tables, the questions, or the weights."""
    tables = [table.fingerprint() for table in dataset.catalog]
    questions = [
        (
            *(question.id, question.text, sorted(question.gold_tables), question.subqueries),
            *(sorted(question.gold_columns), question.imagined_schema),
        )
        for question in dataset.questions
    ]
    return _digest([dataset.name, tables, questions, repr(dataset.weights)])


def folder_fingerprint(folder: Path) -> str:
    """Text that changes with any file in a folder, or its name."""
    digest = hashlib.blake2b(digest_size=16)
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        content = hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest()
        digest.update(f"{path.relative_to(folder).as_posix()}\0{content}\0".encode())
    return digest.hexdigest()


def result_fingerprint(dataset: str, settings: dict[str, Any], *rooms: str) -> str:
    """Text that changes with the data, the settings, the code, or the installed versions.

    Parameters
    ----------
    dataset : str
        Fingerprint of the data.
    settings : dict
    rooms : str
        Further folders whose code makes the result, beside `CODE`: a change of a page leaves results as they are.
    """
    return _digest([dataset, settings, source_fingerprint(*CODE, *rooms), provenance()["versions"]])


@cache
def source_fingerprint(*folders: str) -> str:
    """Text that changes with any line of code in these folders of the project."""
    paths = (path for folder in folders for path in sorted((ROOT / folder).rglob("*")))
    code = [path.read_bytes() for path in paths if path.suffix in {".py", ".sql"}]
    return hashlib.blake2b(b"\0".join(code), digest_size=16).hexdigest()


def _digest(content: Any) -> str:
    return hashlib.blake2b(json.dumps(content, sort_keys=True).encode(), digest_size=16).hexdigest()
