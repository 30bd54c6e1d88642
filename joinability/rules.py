"""The rules by which joins are scored and names are read, as a fingerprint: what was stored by others is not read."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files

FOLDERS = ("by_name", "evidence", "scores", "sparse", "spelling")
MODULES = ("families.py", "names.py", "sketches.py")


@cache
def rules_fingerprint() -> str:
    """A fingerprint of the code and of the weights on which joins depend beside what is known of columns."""
    package = files("joinability")
    paths = [package / name for name in MODULES]
    for folder in FOLDERS:
        paths += sorted((package / folder).iterdir(), key=lambda path: path.name)
    digest = hashlib.sha256()
    for path in paths:
        if path.name.endswith((".py", ".json")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
