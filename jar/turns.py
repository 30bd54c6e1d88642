"""Turns at a file within one process: many threads read it together, or one writes it alone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Condition
from weakref import WeakValueDictionary

PATIENCE = 60.0
"""Seconds that a thread waits for its turn."""


class Turns:
    """The turns at one file."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._readers = 0
        self._written = False

    @contextmanager
    def taken(self, *, write: bool) -> Iterator[bool]:
        """Wait for a turn, and have it; tells whether it came in time.

        Who reads may read once more meanwhile, but must not write.
        """
        with self._changed:
            came = self._changed.wait_for(
                lambda: not self._written and not (write and self._readers), timeout=PATIENCE
            )
            if came and write:
                self._written = True
            elif came:
                self._readers += 1
        try:
            yield came
        finally:
            with self._changed:
                if came and write:
                    self._written = False
                elif came:
                    self._readers -= 1
                self._changed.notify_all()


_turns: WeakValueDictionary[str, Turns] = WeakValueDictionary()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_turns.clear)  # whoever had a turn is not forked


def turns_at(path: Path) -> Turns:
    """The turns at a file, the same for all that ask while somebody has one."""
    return _turns.setdefault(os.path.realpath(path), Turns())
