"""Figures of the join scores are measured once for each state of data, settings and code."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from benchmarks.commands import joins as command

FIGURES: dict[str, Any] = {
    "scores": {},
    "graph": {},
    "knowledge": {},
    "calibration": {},
    "sets": {},
    "set_calibration": {},
}


def test_figures_are_measured_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second run reads joins.json; a fresh one, one with an ablation and one on other data measure."""
    measured: list[bool] = []

    def measure(truths: Any, schemas: Any, cache: Any, report: Any, learnt: Any) -> dict[str, Any]:
        measured.append(learnt is not None)
        return dict(FIGURES)

    monkeypatch.setattr(command, "measure_joins", measure)
    monkeypatch.setattr(command, "read_truths", lambda root, report: {"values": None})
    monkeypatch.setattr(command, "training_rows", lambda root: [])
    monkeypatch.setattr(command, "read_lessons", lambda truths, rows, report: {"values": "lessons"})
    (tmp_path / "data" / "spider").mkdir(parents=True)
    (tmp_path / "data" / "spider" / "tables.json").write_text("[]")

    def run(*, ablated: bool = False, fresh: bool = False) -> dict[str, Any]:
        console = Console(file=StringIO())
        return command.run_measure(
            tmp_path / "data", tmp_path / "out", "minilm", lambda message: None, console, ablated=ablated, fresh=fresh
        )

    first = run()
    assert run() == first
    assert measured == [False]
    run(fresh=True)
    run(ablated=True)
    assert measured == [False, False, True]
    (tmp_path / "data" / "spider" / "tables.json").write_text("[ ]")
    assert run(ablated=True) != first
    assert measured == [False, False, True, True]
