"""Proves where machine code is kept, and that a change of any source is noticed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from formulations.kernels import compiled

ROOT = Path(__file__).resolve().parents[3]
BROKEN = """
import sys
from numba.core import caching
class NoFolder:
    @classmethod
    def from_function(cls, function, path):
        return None
def without(*names):
    kept = [locator for locator in caching.CacheImpl._locator_classes if not any(n in locator.__name__ for n in names)]
    caching.CacheImpl._locator_classes = kept
without(*sys.argv[1:])
from formulations.kernels.tables import entries
from formulations.kernels.compiled import machine_entries
print(machine_entries([entries.run.plain])[0].stats.cache_path)
"""


def cache_folder(tmp_path: Path, *missing: str, **variables: str) -> str:
    """Where a process keeps machine code in which some of numba's places for it are missing."""
    environment = {"PATH": "/usr/bin", "HOME": str(tmp_path), "PYTHONPATH": str(ROOT), **variables}
    command = [sys.executable, "-c", BROKEN, *missing]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()


def test_machine_code_is_kept_beside_the_source(tmp_path: Path) -> None:
    """Where the package's folder can be written, it goes with the package."""
    assert Path(cache_folder(tmp_path)) == ROOT / "formulations" / "kernels" / "tables" / "__pycache__"


def test_the_environment_can_name_a_folder(tmp_path: Path) -> None:
    """``NUMBA_CACHE_DIR`` comes first."""
    assert cache_folder(tmp_path, NUMBA_CACHE_DIR=str(tmp_path / "here")).startswith(str(tmp_path / "here"))


@pytest.mark.skipif(sys.platform != "linux", reason="the user's cache folder has another place elsewhere")
def test_machine_code_is_kept_for_the_user_where_the_package_can_not_be_written(tmp_path: Path) -> None:
    """An installation that belongs to another user costs each user one compilation."""
    assert cache_folder(tmp_path, "InTree").startswith(str(tmp_path / ".cache"))


def test_without_any_folder_the_search_still_loads(tmp_path: Path) -> None:
    """Nothing is kept then."""
    assert cache_folder(tmp_path, "InTree", "UserWide", "Zip", "IPython") == "None"


def test_a_change_of_any_source_changes_the_digest(tmp_path: Path) -> None:
    """The number differs when a file of a further folder has another content."""
    source = tmp_path / "kernel.py"
    digests = []
    for text in ("a = 1", "a = 2", "a = 1"):
        source.write_text(text)
        digests.append(compiled.kernel_digest(tmp_path))
    assert digests[0] == digests[2] != digests[1]
    assert np.int64(digests[0]) > 0
