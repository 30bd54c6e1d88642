"""What makes a result stale, and what does not."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

from benchmarks.runs.fingerprints import CODE, ROOT, folder_fingerprint, result_fingerprint
from benchmarks.runs.provenance import provenance


def test_a_fingerprint_changes_with_data_settings_and_code() -> None:
    """The same settings on the same data, made with further code, are another result."""
    settings = {"system": "jar"}
    first = result_fingerprint("data", settings)
    assert first == result_fingerprint("data", dict(settings))
    assert len({first, result_fingerprint("data", {"system": "jar-f"}), result_fingerprint("other", settings)}) == 3
    assert first != result_fingerprint("data", settings, "benchmarks/joins")
    assert all(any((ROOT / folder).rglob("*.py")) for folder in CODE)


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
