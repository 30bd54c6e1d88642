"""Joins and solvers have a part of the page where they were run, made of what their commands left."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from benchmarks.commands.report import report
from benchmarks.joins.joinability_page import SHOWN, joins_part
from benchmarks.runs.evaluation import Options
from benchmarks.runs.results import BrokenResultsError, write_results
from benchmarks.solvers.bench import FOLDER, SMOKE, Bench
from benchmarks.solvers.comparison import Study, write_study
from benchmarks.solvers.contestants import parse_contestants
from benchmarks.solvers.solver_page import race_part
from benchmarks.solvers.studies.custom import tell
from benchmarks.solvers.synthetic import synthetic_cases

ABOUT = {"commit": "abc1234", "date": "2030-01-02T03:04:05+00:00"}


def joins_file(folder: Path) -> None:
    """What `run --task joins` leaves, with figures that can be told apart."""
    figures: dict[str, Any] = {name: 0.1234 + place / 10 for place, name in enumerate(SHOWN)}
    figures |= {"edges": 1234, "databases": 156}
    scores = {"paper": {"all": figures, "dev": figures | {"databases": 19, "best_pair": 0.9876}}}
    (folder / "joins.json").write_text(json.dumps({"scores": scores, **ABOUT}))


def test_join_scores_are_shown_in_percent(tmp_path: Path) -> None:
    """A row for all and for the development databases; edges are a number."""
    assert joins_part(tmp_path) is None
    joins_file(tmp_path)
    part = joins_part(tmp_path)
    assert part is not None
    (grid,) = part.grids
    assert [row[:3] for row in grid.rows] == [
        ("`paper`", "all databases (156)", "12.3"),
        ("`paper`", "development databases (19)", "98.8"),
    ]
    assert grid.rows[0][grid.header.index("edges")] == "1,234"


def test_joins_and_solvers_have_their_parts(tmp_path: Path) -> None:
    """With a race and join figures beside the results, the page has both, a profile, and the runs that made them."""
    pytest.importorskip("matplotlib", reason="plots are an extra")
    output = tmp_path / "build"
    cases = synthetic_cases(2, 12, 3, ("sparse-flat-light-prefer",))
    bench = Bench(Options(tmp_path, output, embedder="static"), SMOKE, lambda message: None)
    assert race_part(output, tmp_path / "docs") is None
    runs = bench.race("race", cases, 2, parse_contestants("exact,greedy", 5.0))
    study = Study("race", tell(runs), "python -m benchmarks solvers", True, {**ABOUT, "seconds": 1.0})
    page = tmp_path / "docs" / "benchmarks.md"
    write_study(output / FOLDER, study)
    joins_file(output)
    result = {"task": "tables", "dataset": "spider", "system": "dense", "decomposition": None, "limit": None}
    result |= {"names": "original", "embedder": "minilm", "candidates": 20, "questions": 459, "seconds": 1.0}
    result |= {"metrics": {"F1@2": 73.2}, "note": "", "fingerprint": "0", "versions": {"python": "3"}, **ABOUT}
    result |= {"machine": {"system": "Linux-6", "processor": "x86_64", "cores": 2}}
    write_results(output / "results.jsonl", [result])
    assert CliRunner().invoke(report, ["--output", str(output), "--page", str(page)]).exit_code == 0
    text = page.read_text()
    assert "## Joins: " in text
    assert "| `paper` | all databases (156) | 12.3 |" in text
    assert "| exact | 2 | 2 |" in text.split("## Solvers: ")[1]
    assert (page.parent / "figures" / "benchmarks-solvers-profile.png").read_bytes().startswith(b"\x89PNG")
    rows = text.split("## Runs")[1]
    assert "`python -m benchmarks run --task joins`" in rows
    assert "`python -m benchmarks solvers`" in rows
    assert "2 cores, Linux on x86_64" in rows


def test_joins_and_studies_of_another_version_are_told(tmp_path: Path) -> None:
    """The message names the file, and says what to do."""
    (tmp_path / FOLDER).mkdir()
    (tmp_path / "joins.json").write_text('{"scores": {"paper": {"all": {}}}}')
    (tmp_path / FOLDER / "race.json").write_text('{"name": "race"}')
    with pytest.raises(BrokenResultsError, match=r"joins\.json: not figures of this version .*; remove the file"):
        joins_part(tmp_path)
    with pytest.raises(BrokenResultsError, match=r"race\.json: not a study of this version .*; remove the file"):
        race_part(tmp_path, tmp_path)
