"""Joins and solvers on the page: what their own commands left in an output folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.commands.joins import HEADS, SHOWN
from benchmarks.pages.grids import Grid
from benchmarks.runs.results import BrokenResultsError
from benchmarks.solvers.bench import FOLDER as SOLVERS
from benchmarks.solvers.comparing import Study, read_study

RACES = ("race", "paper", "agreement")
"""Studies of the solver comparison, the one that `run --task solvers` makes first."""
JOIN_PARTS = {"all": "all databases", "dev": "development databases"}


def join_figures(output: Path) -> Mapping[str, Any] | None:
    """What ``run --task joins`` measured; None where it was not run.

    Raises
    ------
    BrokenResultsError
        When the file is not one of this version.
    """
    path = output / "joins.json"
    if not path.exists():
        return None
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        joins_grid(found)
        return found | {name: found[name] for name in ("commit", "date")}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BrokenResultsError(
            f"{path}: not figures of this version ({error!r}); remove the file, and `run --task joins` makes it again"
        ) from error


def joins_grid(found: Mapping[str, Any]) -> Grid:
    """Each join score on the declared keys of Spider, in percent."""
    rows = [
        (f"`{name}`", f"{label} ({parts[part]['databases']})", *(_cell(parts[part], key) for key in SHOWN))
        for name, parts in found["scores"].items()
        for part, label in JOIN_PARTS.items()
    ]
    note = (
        "Best pair: linked pairs of tables whose best pair of columns is the declared one. Top: precision among as "
        "many pairs as there are keys. Precision and recall: of the edges, pairs with a positive score."
    )
    return Grid("", ("score", "databases", *HEADS), rows, note)


def _cell(figures: Mapping[str, Any], key: str) -> str:
    return f"{figures[key]:,}" if key == "edges" else f"{100 * figures[key]:.1f}"


def solver_study(output: Path) -> Study | None:
    """The comparison of solvers that is shown; None where none was run."""
    studies = (read_study(output / SOLVERS, name) for name in RACES)
    return next((study for study in studies if study is not None and study.findings.runs), None)
