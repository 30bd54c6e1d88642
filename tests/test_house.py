"""The rules of the house hold: who imports whom, how large things get, and what stays unimported."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Set
from functools import cache
from pathlib import Path

import networkx
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
    "onnxruntime",
    "tokenizers",
    "ortools",
    "mip",
    "highspy",
    "duckdb",
    "polars",
    "pyspark",
    "matplotlib",
    "openai",
}
LATE = HEAVY | {"numba", "pandas", "pyarrow", "scipy", "sqlglot", "networkx", "rich", "json_repair", "asyncio"}
"""What neither the packages nor ``jar --version`` need."""
SHARED_NAMES = {"__init__.py", "conftest.py"}
SOURCES = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
FOLDERS = sorted({path.parent for path in SOURCES})
PUBLIC = {"index.build", "rerank.__init__", "rerank.rank", "rerank.rank_many"}
PUBLIC |= {"openai_model.__init__", "sentence_transformers.rank"}
MOST_MODULES = 16
"""Modules of one folder, kernels apart: more of them are a list, not a room."""
MOST_LINES, MOST_FUNCTION_LINES = 400, 60
"""Lines of a file, and of a function."""
MOST_PARAMETERS = 8
"""Parameters of a function of `jar` that is not public and no command: what travels together is grouped."""


def named_sources() -> list[tuple[Path, str]]:
    """Every source with its path from the root of the project."""
    return [(path, str(path.relative_to(ROOT))) for path in SOURCES]


@cache
def parsed(path: Path) -> ast.Module:
    """The syntax tree of a source file, which many tests look at and none changes."""
    return ast.parse(path.read_text())


def imported(tree: ast.AST, *, top_level: bool = False) -> Iterator[str]:
    """Top packages that a module imports, anywhere or at module level outside `if TYPE_CHECKING`."""
    nodes = tree.body if top_level and isinstance(tree, ast.Module) else ast.walk(tree)
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]


def module_name(path: Path) -> str:
    """The dotted name of a source file; a package has the name of its folder."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def edges_between_files() -> frozenset[tuple[str, str]]:
    """Every import of one source by another: at the top, under `if TYPE_CHECKING` and inside functions alike."""
    names = {module_name(path) for path in SOURCES}
    edges = set()
    for path in SOURCES:
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Import):
                targets = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                targets = [f"{node.module}.{alias.name}" for alias in node.names]
                targets = [target if target in names else node.module for target in targets]
            else:
                continue
            edges |= {(module_name(path), target) for target in targets if target in names}
    return frozenset((source, target) for source, target in edges if source != target)


def room(name: str) -> str:
    """The folder of a module, by its name; a file that lies beside the folders of its package stands for itself."""
    parts = name.split(".")
    inside = ROOT.joinpath(*parts).is_dir()
    return ".".join(parts[:2]) if len(parts) > 2 or (inside and len(parts) == 2) else name


def circles(edges: Set[tuple[str, str]]) -> list[list[str]]:
    """The strongly connected parts of more than one member."""
    graph = networkx.DiGraph(edges)
    return sorted(sorted(part) for part in networkx.strongly_connected_components(graph) if len(part) > 1)


def test_no_files_import_each_other_in_a_circle() -> None:
    """What a file needs comes before it, counting imports for types and inside functions."""
    assert circles(edges_between_files()) == []


def test_no_folders_import_each_other_in_a_circle() -> None:
    """Folders have one direction, too."""
    rooms = {(room(source), room(target)) for source, target in edges_between_files()}
    assert circles({(source, target) for source, target in rooms if source != target}) == []


def test_a_folder_is_a_room() -> None:
    """A folder says its purpose in one sentence, and has few enough files to see them all."""
    purposes = {folder: (ast.get_docstring(parsed(folder / "__init__.py")) or "").split("\n")[0] for folder in FOLDERS}
    assert [folder for folder, purpose in purposes.items() if not purpose.endswith(".")] == []
    modules = {folder: [path for path in folder.glob("*.py") if path.stem != "__init__"] for folder in FOLDERS}
    full = [folder for folder, paths in modules.items() if len(paths) > MOST_MODULES and "kernels" not in folder.parts]
    assert full == []


@pytest.mark.parametrize("package", PACKAGES)
def test_a_name_is_used_once_in_a_package(package: str) -> None:
    """No two files of a package have one name; the kernels of tables and of columns are twins."""
    paths = [path for path in SOURCES if path.parts[len(ROOT.parts)] == package and "kernels" not in path.parts]
    counts = Counter(path.stem for path in paths if path.stem not in {"__init__", "__main__"})
    assert [name for name, count in counts.items() if count > 1] == []


def crowded_functions(path: Path) -> list[str]:
    """The functions of a source with too many parameters, commands and those that users call apart."""
    crowded = []
    for node in ast.walk(parsed(path)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            named = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            count = len([argument for argument in named if argument.arg not in {"self", "cls"}])
            command = any("command" in ast.unparse(decorator) for decorator in node.decorator_list)
            if count > MOST_PARAMETERS and not command and f"{path.stem}.{node.name}" not in PUBLIC:
                crowded.append(f"{module_name(path)}.{node.name}")
    return crowded


def test_what_travels_together_is_grouped() -> None:
    """No function of `jar` takes more than eight parameters, those that users call apart."""
    paths = [path for path in SOURCES if path.parts[len(ROOT.parts)] == "jar"]
    assert [function for path in paths for function in crowded_functions(path)] == []


def test_the_house_is_as_contributing_tells() -> None:
    """Every path of the table "to change, go to" is there."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    rows = [row for row in text.split("| to change | go to |")[1].split("\n\n")[0].splitlines() if row.startswith("| ")]
    paths = [path for row in rows for path in re.findall(r"`([\w.]+/[\w./]*)`", row.split("|")[2])]
    assert len(paths) > 100
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_a_package_imports_only_what_it_may() -> None:
    """No module reaches into a package that its own must not know."""
    reaching = []
    for path, name in named_sources():
        package = path.relative_to(ROOT).parts[0]
        forbidden = set(PACKAGES) - {package} - MAY_IMPORT[package]
        reaching += [(name, other) for other in sorted(forbidden.intersection(imported(parsed(path))))]
    assert reaching == []


def test_heavy_packages_are_imported_on_demand() -> None:
    """No module loads an engine, a model or a plotting library when it is imported."""
    heavy = {name: HEAVY.intersection(imported(parsed(path), top_level=True)) for path, name in named_sources()}
    assert {name: packages for name, packages in heavy.items() if packages} == {}


def test_files_and_functions_stay_small() -> None:
    """A file has at most 400 lines and a function at most 60."""
    assert [name for path, name in named_sources() if path.read_text().count("\n") > MOST_LINES] == []
    functions = [
        (name, node)
        for path, name in named_sources()
        for node in ast.walk(parsed(path))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]
    assert len(functions) > len(SOURCES)
    lines = [(name, node.name, (node.end_lineno or node.lineno) - node.lineno + 1) for name, node in functions]
    assert [function for function in lines if function[2] > MOST_FUNCTION_LINES] == []


def test_modules_are_nouns_of_the_field() -> None:
    """No module is called after what it is not about."""
    vague = {"utils", "util", "helpers", "common", "misc", "manager"}
    assert [name for path, name in named_sources() if path.stem in vague] == []


def test_modules_of_tests_have_names_of_their_own() -> None:
    """Folders of tests are no packages, so that two modules of one name cannot be loaded together."""
    counts = Counter(path.name for path in (ROOT / "tests").rglob("*.py") if path.name not in SHARED_NAMES)
    assert [name for name, count in counts.items() if count > 1] == []


def test_nothing_is_pickled() -> None:
    """No source loads or writes pickles, whose reading runs code."""
    offenders = [
        name
        for path, name in named_sources()
        if {"pickle", "joblib", "dill", "cloudpickle", "shelve"} & set(imported(parsed(path)))
        or "allow_pickle=True" in path.read_text()
    ]
    assert not offenders


@pytest.mark.parametrize("package", ["jar", "formulations", "joinability"])
def test_importing_a_package_loads_no_engine(package: str) -> None:
    """`import jar` (and its two layers) leaves torch, duckdb, numba, pandas and every engine unloaded."""
    code = f"import sys, {package}; print(*sorted(set(sys.modules) & {LATE!r}))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert loaded.stdout.split() == []


def test_the_command_line_starts_without_engines() -> None:
    """``jar --version`` and ``jar --help`` load none of them, nor what only some commands need."""
    code = "import sys; from jar.cli.main import main; main(sys.argv[1:], standalone_mode=False); "
    code += f"print(*sorted(set(sys.modules) & {LATE | {'numpy'}!r}))"
    for option in ("--version", "--help"):
        command = [sys.executable, "-c", code, option]
        loaded = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
        assert loaded.stdout.splitlines()[-1].split() == []
