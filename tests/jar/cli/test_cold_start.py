"""What a first answer from a cold shell loads, and what it does without."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from jar import Catalog, Index
from jar.sample import sample_frames

UNUSED = {"scipy.special", "scipy.optimize", "scipy.linalg", "scipy.stats", "pandas", "numba", "networkx", "sqlglot"}
UNUSED |= {"json_repair", "torch", "sentence_transformers", "asyncio"}
"""Packages of a tenth of a second and more, or of many megabytes, that no ranking needs."""
ENGINES = {"duckdb", "pyarrow"}
"""What reads an index, and is not needed where its contents are mapped."""


@pytest.mark.parametrize("wish", [["-k", "4"], ["-k", "auto"], ["-k", "4", "--json"]], ids=" ".join)
def test_a_ranking_from_a_cold_shell_loads_no_package_that_it_can_do_without(tmp_path: Path, wish: list[str]) -> None:
    Index.build(Catalog.from_frames(sample_frames()), path=tmp_path / "shop.jar", embedder="distilled")
    looked_for = UNUSED | ENGINES
    code = "import sys; from jar.cli.main import main; main(sys.argv[1:], standalone_mode=False)"
    code = f"import atexit, sys; atexit.register(lambda: print(*sorted(set(sys.modules) & {looked_for!r}))); {code}"
    command = [sys.executable, "-c", code, "rank", str(tmp_path / "shop.jar"), "Which clients have loans?", *wish]
    for loaded in (" ".join(sorted(ENGINES)), ""):  # a second answer finds the contents mapped
        answered = subprocess.run(command, capture_output=True, text=True, check=True)
        assert "loan" in answered.stdout
        assert answered.stdout.splitlines()[-1] == loaded
