"""When the entries of a search get their machine code: as soon as it pays, and nobody waits for a compiler.

Where numba is not installed (it comes with the extra ``compiled``), they stay plain Python, and nothing is said.

A search starts as plain Python, which answers the usual question in some hundredths of a second; reading machine code
takes half a second, and compiling it for the first time ten to thirty. So

- machine code is read once plain Python has taken, or is going to take, `PAYS` seconds, if it was made before;
- else another process makes it and keeps it on the disk, while plain Python goes on; a search that is under way changes
  over between two slices of its work;
- a compiler is waited for only where plain Python would take longer.
"""

from __future__ import annotations

import importlib.util
import logging
import os
from collections.abc import Callable, Sequence
from threading import RLock

from formulations.kernels.compiled import Entry, machine_entries
from formulations.kernels.maker import Maker, is_kept, mark_kept
from formulations.off_clock import off_the_clock

PAYS = 0.5
"""Seconds of plain Python in a process from which on machine code is wanted: reading it takes about as long."""

COMPILER = 30.0
"""Seconds of plain Python for which a compiler is waited for: it takes about as long."""

PLAIN_RATE, MACHINE_RATE = 3e6, 1e9
"""Elementary operations per second, at least about."""

LOGGER = logging.getLogger("formulations")


class Kit:
    """The entries of one search, and the state of their machine code in this process.

    Parameters
    ----------
    name : str
        The folder of its kernels.
    entries : sequence of Entry
    rehearse : callable
        Runs each entry on a small problem, so that its machine code is read, or compiled.
    """

    def __init__(self, name: str, entries: Sequence[Entry], rehearse: Callable[[], None]) -> None:
        self._name, self._entries, self._rehearse = name, tuple(entries), rehearse
        self._lock = RLock()
        self._maker: Maker | None = None
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._after_fork)

    def compiled(self) -> bool:
        """Whether the entries run as machine code."""
        return self._entries[0].machine is not None

    def rate(self) -> float:
        """About how many elementary operations a second takes."""
        return MACHINE_RATE if self.compiled() else PLAIN_RATE

    def settle(self, operations: float, time_limit: float | None = None) -> None:
        """Read the machine code, or have it made, where that pays with `operations` ahead, as far as the limit lets."""
        if self.compiled():
            return
        ahead = operations / PLAIN_RATE
        ahead = ahead if time_limit is None else min(ahead, time_limit)
        spent = sum(entry.seconds for entry in self._entries) + ahead
        if spent < PAYS or not has_compiler() or not self._lock.acquire(blocking=False):
            return
        try:
            hopeless = self._maker is not None and self._maker.failed()
            if self._is_made() or ahead > COMPILER or (hopeless and spent > COMPILER):
                self.compile()
            elif self._maker is None:
                self._maker = Maker(self._name)
        finally:
            self._lock.release()

    def compile(self) -> None:
        """Read the machine code, or make it now; a no-op without a compiler."""
        with off_the_clock(), self._lock:
            if self.compiled() or not has_compiler():
                return
            made = machine_entries([entry.plain for entry in self._entries])
            kept = [machine.stats.cache_path for machine in made]
            if not self._is_made():
                where = f"kept in {kept[0]}" if all(kept) else "not kept: no folder for it can be written, "
                where += "" if all(kept) else "set NUMBA_CACHE_DIR"
                LOGGER.warning("compiling the solvers takes ten to thirty seconds; the machine code is %s", where)
            for entry, machine in zip(self._entries, made, strict=True):
                entry.machine = machine
            self._rehearse()
            if all(kept):
                mark_kept(self._name)

    def _is_made(self) -> bool:
        return (self._maker is not None and self._maker.succeeded()) or is_kept(self._name)

    def _after_fork(self) -> None:
        """Start afresh in a forked child: another thread may have held the lock, and the maker is its parent's."""
        self._lock = RLock()
        if self._maker is not None:
            self._maker.disown()
            self._maker = None


def has_compiler() -> bool:
    """Whether numba is installed, and not told to compile nothing."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0") and importlib.util.find_spec("numba") is not None
