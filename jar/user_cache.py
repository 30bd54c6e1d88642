"""The user's cache folder, in which this package keeps what it can make again."""

from __future__ import annotations

import os
from pathlib import Path


def user_cache(name: str) -> Path | None:
    """``jar-rerank/<name>`` in the user's cache folder (``XDG_CACHE_HOME``, else ``~/.cache``), None without home."""
    try:
        home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    except RuntimeError:
        return None
    return Path(home) / "jar-rerank" / name
