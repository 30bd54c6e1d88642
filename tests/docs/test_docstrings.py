"""Every example in a docstring prints what stands below it."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def _with_examples() -> list[str]:
    """The modules with examples; adapters have their pages, which `tests/jar/adapters/test_adapter_pages.py` runs."""
    files = (
        path for package in ("formulations", "jar", "joinability") for path in sorted((ROOT / package).rglob("*.py"))
    )
    places = [
        path.relative_to(ROOT).with_suffix("") for path in files if "    >>> " in path.read_text(encoding="utf-8")
    ]
    return [".".join(place.parts) for place in places if "adapters" not in place.parts]


@pytest.mark.parametrize("name", _with_examples())
def test_examples_print_what_stands_below_them(name: str) -> None:
    module = importlib.import_module(name.removesuffix(".__init__"))
    result = doctest.testmod(module, optionflags=FLAGS)
    assert (result.attempted > 0, result.failed) == (True, 0)
