"""Adapters stay short, keep their framework to themselves, and can be installed."""

from __future__ import annotations

import ast
import configparser
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
CORE = {"__init__", "frameworks", "item_names", "items", "lazy_reranker"}
ADAPTERS = [path for path in sorted((ROOT / "jar" / "adapters").glob("*.py")) if path.stem not in CORE]
SOURCES = [
    path for package in ("jar", "formulations", "joinability") for path in sorted((ROOT / package).rglob("*.py"))
]


def packages_of(adapter: Path) -> set[str]:
    """The top packages that an adapter imports inside `from_extra`."""
    blocks = [node for node in ast.parse(adapter.read_text()).body if isinstance(node, ast.With)]
    imports = [node for block in blocks for node in block.body]
    modules = [node.module for node in imports if isinstance(node, ast.ImportFrom) and node.module]
    modules += [alias.name for node in imports if isinstance(node, ast.Import) for alias in node.names]
    return {module.split(".")[0] for module in modules}


@cache
def imported(path: Path) -> frozenset[str]:
    """The top packages that a module imports anywhere."""
    nodes = list(ast.walk(ast.parse(path.read_text())))
    modules = [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
    modules += [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    return frozenset(module.split(".")[0] for module in modules)


@pytest.mark.parametrize("adapter", ADAPTERS, ids=lambda path: path.stem)
def test_an_adapter_is_short(adapter: Path) -> None:
    """It translates types; what is longer belongs into the core."""
    assert len(adapter.read_text().splitlines()) <= 80


@pytest.mark.parametrize("adapter", ADAPTERS, ids=lambda path: path.stem)
def test_a_framework_is_imported_by_its_adapter_alone(adapter: Path) -> None:
    """No other module of the packages knows it; what the package itself needs may be imported anywhere."""
    framework = packages_of(adapter) - {"pydantic", "pyarrow", "pandas"}
    strangers = [path for path in SOURCES if path != adapter and imported(path) & framework]
    assert strangers == []


@pytest.mark.parametrize("adapter", ADAPTERS, ids=lambda path: path.stem)
def test_an_extra_installs_the_framework(adapter: Path) -> None:
    """The extra that the error names is there, and holds the framework below the next major version."""
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg")
    extras = re.findall(r'from_extra\("([\w-]+)"\)', adapter.read_text())
    assert len(extras) == (adapter.stem != "sentence_transformers")
    for extra in extras:
        requirements = setup["options.extras_require"][extra].split("\n")
        assert any("<" in requirement for requirement in requirements)
