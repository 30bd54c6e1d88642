"""With what a figure was made: versions, commit, machine, date."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import datetime, timezone
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

PACKAGES = (
    "jar-rerank", "numpy", "scipy", "numba", "duckdb", "sqlglot", "torch", "sentence-transformers", "wordllama",
    "ir-measures", "bm25s", "PyStemmer", "schemagate", "mip", "cbcbox", "highspy", "ortools",
)  # fmt: skip


def provenance() -> dict[str, Any]:
    """Versions of Python and of the packages that are there, commit, machine, and the time in UTC."""
    return _of_process() | {"date": datetime.now(timezone.utc).isoformat(timespec="seconds")}


@cache
def _of_process() -> dict[str, Any]:
    """What stays as it is while a process runs."""
    return {
        "versions": {"python": platform.python_version()} | _installed(),
        "commit": _commit(),
        "machine": {"system": platform.platform(), "processor": platform.machine(), "cores": os.cpu_count()},
    }


def load_average() -> float | None:
    """Processes that want a core, averaged over the last minute; None where the system does not tell."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def _installed() -> dict[str, str]:
    installed = {}
    for package in PACKAGES:
        try:
            installed[package] = version(package)
        except PackageNotFoundError:  # an extra that is not installed has no version
            continue
    return installed


def _commit() -> str | None:
    """Short hash of the checkout, with "+" where files differ from it; None outside a checkout."""
    command = ["git", "describe", "--always", "--dirty=+", "--exclude", "*"]
    try:
        shown = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return shown.stdout.strip()
