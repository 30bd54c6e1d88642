"""What a result depends on, as a short text: a result with the same fingerprint need not be made again."""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.data.datasets import Dataset
from benchmarks.runs.provenance import provenance

ROOT = Path(__file__).parents[2]
ROOT_PACKAGE = "benchmarks"
PACKAGES = ("formulations", "jar", "joinability")
"""Any line of these may change a result."""


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


def folder_fingerprint(folder: Path) -> str:
    """Text that changes with any file in a folder, or its name."""
    digest = hashlib.blake2b(digest_size=16)
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        content = hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest()
        digest.update(f"{path.relative_to(folder).as_posix()}\0{content}\0".encode())
    return digest.hexdigest()


def result_fingerprint(dataset: str, settings: dict[str, Any], module: str = "benchmarks.runs.evaluation") -> str:
    """Text that changes with the data, the settings, the code, or the installed versions.

    Parameters
    ----------
    dataset : str
        Fingerprint of the data.
    settings : dict
    module : str
        What makes the result. It and all of the benchmarks that it imports count, beside the packages themselves: a
        change of a report leaves results as they are.
    """
    code = [source_fingerprint(*PACKAGES), module_fingerprint(module)]
    return _digest([dataset, settings, code, provenance()["versions"]])


@cache
def source_fingerprint(*packages: str) -> str:
    """Text that changes with any line of code of these packages."""
    paths: Iterable[Path] = (path for package in packages for path in sorted((ROOT / package).rglob("*")))
    code = [path.read_bytes() for path in paths if path.suffix in {".py", ".sql"}]
    return hashlib.blake2b(b"\0".join(code), digest_size=16).hexdigest()


@cache
def module_fingerprint(module: str) -> str:
    """Text that changes with any line of the files of a module (see `module_files`)."""
    code = [path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() for path in module_files(module)]
    return hashlib.blake2b(b"\0".join(code), digest_size=16).hexdigest()


def module_files(module: str) -> list[Path]:
    """A module of the benchmarks with those of them that it imports, and so on, sorted."""
    found: set[Path] = set()
    waiting = [module]
    while waiting:
        new = set(_files(waiting.pop())) - found
        found |= new
        waiting += [name for path in new for name in _imports(path)]
    return sorted(found)


def _files(module: str) -> list[Path]:
    """The file of a module, with those of the packages that it is in; none for a name that is no module."""
    parts = module.split(".")
    packages = (ROOT.joinpath(*parts[:end], "__init__.py") for end in range(1, len(parts) + 1))
    return [path for path in (*packages, ROOT.joinpath(*parts).with_suffix(".py")) if path.is_file()]


def _imports(path: Path) -> Iterable[str]:
    """What a file imports of the benchmarks, at any place in it; a name out of a package may be a module."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        else:
            continue
        yield from (name for name in names if name.partition(".")[0] == ROOT_PACKAGE)


def _digest(content: Any) -> str:
    return hashlib.blake2b(json.dumps(content, sort_keys=True).encode(), digest_size=16).hexdigest()
