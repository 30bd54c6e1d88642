"""The measurements run from end to end on a small data set; no time is asserted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rich.console import Console

from benchmarks.runs.evaluation import Options
from benchmarks.speed.speed_table import show_speed
from benchmarks.speed.times import measure_speed


def test_everything_is_measured_and_printed(public_layout: Path, tmp_path: Path) -> None:
    """Index, ranking, cold start and solving are measured, every proof holds, and the table shows each figure."""
    pytest.importorskip("wordllama", reason="the static embedder is an extra")
    figures = measure_speed(Options(public_layout, tmp_path, embedder="static"), lambda message: None)
    written = json.loads((tmp_path / "speed.json").read_text())
    assert written["solve"] == figures["solve"]
    assert figures["index"]["first"]["tables"] == figures["rank"]["tables"] == 12
    assert figures["index"]["first"]["failures"] == 0
    assert figures["index"]["first"]["embedding_seconds"] > 0
    assert figures["index"]["unchanged"]["embedding_seconds"] == 0
    assert {"embed", "solve"} <= set(figures["rank"]["stages"])
    for row in figures["solve"]:
        assert row["instances"] == row["proved"] == 4
        assert row["enumerated"] == row["equal"] > 0
    console = Console(width=160, record=True, quiet=False)
    show_speed(figures, console)
    shown = console.export_text()
    assert "peak memory" in shown
    assert "4 of 4" in shown
