"""The public names keep their form: a change of this snapshot is a change that users notice.

``python -m tests.test_public_names`` writes the snapshot anew; say in the changelog what changed.
"""

from __future__ import annotations

import importlib
import inspect
import json
from pathlib import Path
from typing import Any

import pytest

SNAPSHOT = Path(__file__).with_name("public_names.json")
PACKAGES = (
    "jar",
    "jar.examples",
    "jar.language",
    "jar.multihop",
    "jar.pictures",
    "jar.sample",
    "formulations",
    "joinability",
)


def parameters(function: Any) -> str | None:
    """The parameters of a callable with kinds and defaults but no annotations; None where it has no signature."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    bare = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in signature.parameters.values()]
    named = [
        parameter.replace(default=parameter.default.__name__) if inspect.isroutine(parameter.default) else parameter
        for parameter in bare
    ]
    return str(inspect.Signature(named))


def shape(value: Any) -> Any:
    """What a user can see of a public name: parameters of a function; those of a class and its members."""
    if not inspect.isclass(value):
        return parameters(value) if callable(value) else type(value).__name__
    members = {name: getattr(value, name, None) for name in dir(value) if not name.startswith("_")}
    return {
        "(new)": None if issubclass(value, BaseException) else parameters(value),
        **{name: parameters(member) if callable(member) else "value" for name, member in sorted(members.items())},
    }


def public_names() -> dict[str, dict[str, Any]]:
    """The public names of every package."""
    modules = {package: importlib.import_module(package) for package in PACKAGES}
    return {
        package: {name: shape(getattr(module, name)) for name in sorted(module.__all__)}
        for package, module in modules.items()
    }


@pytest.mark.parametrize("package", PACKAGES)
def test_public_names_are_those_of_the_snapshot(package: str) -> None:
    """Each package offers the names of the snapshot with the same parameters and members, and no others."""
    assert public_names()[package] == json.loads(SNAPSHOT.read_text())[package]


if __name__ == "__main__":
    SNAPSHOT.write_text(json.dumps(public_names(), indent=1) + "\n")
