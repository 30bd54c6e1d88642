"""The user's cache folder, in which this package keeps what it can make again."""

from __future__ import annotations

import os
from pathlib import Path


def user_cache(name: str) -> Path | None:
    """``jar-rerank/<name>`` in the user's cache folder (``XDG_CACHE_HOME``, else ``~/.cache``), None without home.

    A relative path in ``XDG_CACHE_HOME`` does not count, as the XDG Base Directory Specification has it.
    """
    told = Path(os.environ.get("XDG_CACHE_HOME", ""))
    try:
        home = told if told.is_absolute() else Path.home() / ".cache"
    except RuntimeError:
        return None
    return home / "jar-rerank" / name
