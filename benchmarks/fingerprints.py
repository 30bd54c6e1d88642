"""What a result depends on, as a short text: a result with the same fingerprint need not be made again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.datasets import Dataset
from benchmarks.provenance import provenance

PACKAGES = ("benchmarks", "formulations", "jar", "joinability")


def dataset_fingerprint(dataset: Dataset) -> str:
    """Text that changes with the tables, the questions, or the weights."""
    tables = [table.fingerprint() for table in dataset.catalog]
    questions = [
        (
            question.id,
            question.text,
            sorted(question.gold_tables),
            question.subqueries,
            sorted(question.gold_columns),
            question.imagined_schema,
        )
        for question in dataset.questions
    ]
    return _digest([dataset.name, tables, questions, repr(dataset.weights)])


def result_fingerprint(dataset: str, settings: dict[str, Any]) -> str:
    """Text that changes with the data set (its fingerprint), the settings, the sources, or the installed versions."""
    return _digest([dataset, settings, source_fingerprint(*PACKAGES), provenance()["versions"]])


@cache
def source_fingerprint(*packages: str) -> str:
    """Text that changes with the project's own code, any line of which may change a result."""
    root = Path(__file__).parents[1]
    paths: Iterable[Path] = (path for package in packages for path in sorted((root / package).rglob("*")))
    code = [path.read_bytes() for path in paths if path.suffix in {".py", ".sql"}]
    return hashlib.blake2b(b"\0".join(code), digest_size=16).hexdigest()


def _digest(content: Any) -> str:
    return hashlib.blake2b(json.dumps(content, sort_keys=True).encode(), digest_size=16).hexdigest()
