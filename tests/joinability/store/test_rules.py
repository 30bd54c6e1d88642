"""The fingerprint of the rules changes with each file on which joins depend."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import joinability
from joinability.store.rules import fingerprint_of, rules_fingerprint

PACKAGE = Path(joinability.__file__).parent


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package."""
    return shutil.copytree(PACKAGE, tmp_path / "joinability")


def test_a_copy_of_the_package_has_its_rules(package: Path) -> None:
    assert fingerprint_of(package) == rules_fingerprint()


@pytest.mark.parametrize(
    "file", ["names.py", "scores/odds.py", "scores/weights.json", "sparse/strongest.py", "spelling/words.txt.gz"]
)
def test_a_file_that_changes_is_another_rule(package: Path, file: str) -> None:
    """Code, weights and the words of English decide joins."""
    with (package / file).open("ab") as changed:
        changed.write(b"\n")
    assert fingerprint_of(package) != rules_fingerprint()


def test_a_file_beside_the_rules_is_none(package: Path) -> None:
    """How tables are read from files is no rule of joins."""
    (package / "sources" / "files.py").write_text("")
    assert fingerprint_of(package) == rules_fingerprint()
