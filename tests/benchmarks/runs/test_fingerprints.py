"""What makes a result stale, and what does not."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

from benchmarks.runs.fingerprints import ROOT, folder_fingerprint, module_files, module_fingerprint, result_fingerprint
from benchmarks.runs.provenance import provenance


def names(module: str) -> set[str]:
    """The files of a module, from the root of the project."""
    return {path.relative_to(ROOT).as_posix() for path in module_files(module)}


def test_whatever_makes_answers_counts() -> None:
    """Data sets, gold, systems, tasks and metrics are among the files of a run, however deep they are imported."""
    made = {"datasets", "gold", "samples", "systems/joined", "systems/registry", "tasks", "metrics", "columns/systems"}
    assert {f"benchmarks/{name}.py" for name in made} <= names("benchmarks.runs.evaluation")


def test_whatever_shows_results_does_not_count() -> None:
    """Terminal tables, the command line and the comparison of solvers leave results as they are."""
    shown = {"tables", "run_command", "pipeline", "__main__", "comparison/report", "errors/page"}
    files = names("benchmarks.runs.evaluation")
    assert all((ROOT / f"benchmarks/{name}.py").exists() for name in shown)
    assert not {f"benchmarks/{name}.py" for name in shown} & files


def test_an_import_inside_a_function_counts() -> None:
    """The module of joins imports its plots, and the command line imports the lake where it needs it."""
    assert "benchmarks/plots/reliability.py" in names("benchmarks.commands.joins")
    assert "benchmarks/lake/lakes.py" in names("benchmarks.__main__")


def test_modules_have_fingerprints_of_their_own() -> None:
    """The same settings on the same data, made by something else, are another result."""
    assert module_fingerprint("benchmarks.runs.evaluation") != module_fingerprint("benchmarks.commands.joins")
    settings = {"system": "jar"}
    first = result_fingerprint("data", settings)
    assert first == result_fingerprint("data", dict(settings))
    assert len({first, result_fingerprint("data", {"system": "jar-f"}), result_fingerprint("other", settings)}) == 3
    assert first != result_fingerprint("data", settings, "benchmarks.commands.joins")


def test_a_folder_changes_with_content_and_names(tmp_path: Path) -> None:
    """A changed byte, a new name and a new file each change it; the order of writing does not."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a").write_text("1")
    found = [folder_fingerprint(tmp_path)]
    (tmp_path / "deep" / "a").write_text("2")
    found.append(folder_fingerprint(tmp_path))
    (tmp_path / "deep" / "a").rename(tmp_path / "deep" / "b")
    found.append(folder_fingerprint(tmp_path))
    (tmp_path / "c").write_text("")
    found.append(folder_fingerprint(tmp_path))
    assert len(set(found)) == 4
    (tmp_path / "c").unlink()
    (tmp_path / "deep" / "b").rename(tmp_path / "deep" / "a")
    (tmp_path / "deep" / "a").write_text("1")
    assert folder_fingerprint(tmp_path) == found[0]


def test_a_result_has_the_time_at_which_it_was_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not that of the first result of its process."""
    first = provenance()
    later = datetime.fromisoformat(first["date"]) + timedelta(hours=2)
    monkeypatch.setattr("benchmarks.runs.provenance.datetime", SimpleNamespace(now=lambda zone: later))
    assert provenance() == first | {"date": later.isoformat()}
