"""Indexing that reads no table, or with a size that is none, says why and writes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.jar.cli.test_cli import run

RAGGED = "a,b\n1,2\n1,2,3,4\n"


def test_no_index_of_no_table_is_written(tmp_path: Path) -> None:
    """Where there is none: one that is there loses what is gone."""
    (tmp_path / "ragged.csv").write_text(RAGGED)
    answer = run("index", tmp_path / "ragged.csv", "-o", tmp_path / "x.jar", "--embedder", "distilled")
    assert answer.exit_code == 1
    assert "a row has 4 values" in answer.stderr
    assert "no index was written" in answer.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["ragged.csv"]


def test_an_index_of_what_can_be_read_is_written(tmp_path: Path) -> None:
    """Beside what can not."""
    (tmp_path / "ragged.csv").write_text(RAGGED)
    (tmp_path / "fine.csv").write_text("a,b\n1,2\n")
    answer = run("index", tmp_path, "-o", tmp_path / "x.jar", "--embedder", "distilled")
    assert answer.exit_code == 1
    assert (tmp_path / "x.jar").exists()


@pytest.mark.parametrize("limit", ["lots", "", "-1GB", "1 apple"])
def test_a_memory_limit_is_a_size(tmp_path: Path, limit: str) -> None:
    """And any other text is refused before anything is read."""
    (tmp_path / "fine.csv").write_text("a,b\n1,2\n")
    answer = run("index", tmp_path, "-o", tmp_path / "x.jar", "--memory-limit", limit)
    assert answer.exit_code == 2
    assert f"is a size, such as 500MB or 1GB, not {limit!r}" in answer.stderr
    assert not (tmp_path / "x.jar").exists()
