"""The rules of the house hold: who imports whom, how large things get, and what stays unimported."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("formulations", "joinability", "jar", "benchmarks")
MAY_IMPORT = {
    "formulations": set(),
    "joinability": set(),
    "jar": {"formulations", "joinability"},
    "benchmarks": {"formulations", "joinability", "jar"},
}
HEAVY = {
    "torch",
    "sentence_transformers",
    "transformers",
    "wordllama",
    "ortools",
    "mip",
    "highspy",
    "duckdb",
    "polars",
    "pyspark",
    "matplotlib",
    "openai",
}
SHARED_NAMES = {"__init__.py", "conftest.py"}
SOURCES = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
NAMES = [str(path.relative_to(ROOT)) for path in SOURCES]


def imported(tree: ast.AST, *, top_level: bool = False) -> Iterator[str]:
    """Top packages that a module imports, anywhere or at module level outside `if TYPE_CHECKING`."""
    nodes = tree.body if top_level and isinstance(tree, ast.Module) else ast.walk(tree)
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]


@pytest.mark.parametrize("path", SOURCES, ids=NAMES)
def test_a_package_imports_only_what_it_may(path: Path) -> None:
    """No module reaches into a package that its own must not know."""
    package = path.relative_to(ROOT).parts[0]
    forbidden = set(PACKAGES) - {package} - MAY_IMPORT[package]
    assert forbidden.isdisjoint(imported(ast.parse(path.read_text())))


@pytest.mark.parametrize("path", SOURCES, ids=NAMES)
def test_heavy_packages_are_imported_on_demand(path: Path) -> None:
    """No module loads an engine, a model or a plotting library when it is imported."""
    assert HEAVY.isdisjoint(imported(ast.parse(path.read_text()), top_level=True))


@pytest.mark.parametrize("path", SOURCES, ids=NAMES)
def test_files_and_functions_stay_small(path: Path) -> None:
    """A file has at most 400 lines and a function at most 60."""
    text = path.read_text()
    assert text.count("\n") <= 400
    functions = [n for n in ast.walk(ast.parse(text)) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))]
    long = [f.name for f in functions if (f.end_lineno or f.lineno) - f.lineno + 1 > 60]
    assert not long


@pytest.mark.parametrize("path", SOURCES, ids=NAMES)
def test_modules_are_nouns_of_the_field(path: Path) -> None:
    """No module is called after what it is not about."""
    assert path.stem not in {"utils", "util", "helpers", "common", "misc", "manager"}


def test_modules_of_tests_have_names_of_their_own() -> None:
    """Folders of tests are no packages, so that two modules of one name cannot be loaded together."""
    counts = Counter(path.name for path in (ROOT / "tests").rglob("*.py") if path.name not in SHARED_NAMES)
    assert [name for name, count in counts.items() if count > 1] == []


def test_nothing_is_pickled() -> None:
    """No source loads or writes pickles, whose reading runs code."""
    offenders = [
        name
        for path, name in zip(SOURCES, NAMES, strict=True)
        if {"pickle", "joblib", "dill", "cloudpickle", "shelve"} & set(imported(ast.parse(path.read_text())))
        or "allow_pickle=True" in path.read_text()
    ]
    assert not offenders


@pytest.mark.parametrize("package", ["jar", "formulations", "joinability"])
def test_importing_a_package_loads_no_engine(package: str) -> None:
    """`import jar` (and its two layers) leaves torch, duckdb, numba, pandas and every engine unloaded."""
    unwanted = HEAVY | {"numba", "pandas", "pyarrow", "sqlglot", "scipy.optimize", "networkx", "rich"}
    code = f"import sys, {package}; print(*sorted(set(sys.modules) & {unwanted!r}))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert loaded.stdout.split() == []
