"""Notes in the words of the shell: they name parameters of Python, for which commands have options."""

from __future__ import annotations

import re

OPTIONS = {
    "connect": "--connect",
    "k": "-k",
    "recall": "--recall",
    "max_k": "--max-k",
    "max_tokens": "--max-tokens",
    "candidates": "--candidates",
}
"""The option of each parameter that a note may name."""
GIVEN = re.compile(rf"\b({'|'.join(OPTIONS)})=(?:\"([^\"]*)\"|([\d.]*\d))")


def in_shell_words(note: str) -> str:
    """A note whose parameters are options: ``--connect require`` for ``connect="require"``."""
    return GIVEN.sub(lambda given: f"{OPTIONS[given[1]]} {given[2] or given[3]}", note)
