"""The rules by which joins are scored and names are read, as a fingerprint: what was stored by others is not read."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

FOLDERS = ("by_name", "evidence", "scores", "sparse", "spelling")
MODULES = ("families.py", "names.py", "sketches.py")
ENDINGS = (".py", ".json", ".gz")
"""Ends of the names of the files of rules: code, weights and words."""


@cache
def rules_fingerprint() -> str:
    """A fingerprint of the code, the weights and the words on which joins depend beside what is known of columns."""
    return fingerprint_of(files("joinability"))


def fingerprint_of(package: Traversable) -> str:
    """The fingerprint of the rules in the folder of a package."""
    paths = [package / name for name in MODULES]
    for folder in FOLDERS:
        paths += sorted((package / folder).iterdir(), key=lambda path: path.name)
    digest = hashlib.sha256()
    for path in paths:
        if path.name.endswith(ENDINGS):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
