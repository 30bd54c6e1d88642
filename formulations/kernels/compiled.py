"""The numba decorators of this package, typed, and a cache that notices a change in any kernel file.

Work spaces travel as named tuples of arrays. Compiling a function takes longer with each array that it is given, so
small functions take the few arrays and numbers that they use.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core.event import Event, Listener, register

Function = TypeVar("Function", bound=Callable[..., Any])

# Options that numba's own code uses, beyond its documented ones: without wrappers for Python and C, compiling takes
# half of the time.
_WORKSPACE: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_KERNEL: dict[str, Any] = _WORKSPACE | {"_nrt": False}
_ENTRY: dict[str, Any] = {"cache": True, "nogil": True, "no_cfunc_wrapper": True}

LOGGER = logging.getLogger("formulations")


class _Announcement(Listener):
    """Says that entries are being compiled, so that nobody takes the wait for a hang; once for all of a folder."""

    def __init__(self) -> None:
        self.awaited: list[Any] = []

    def on_start(self, event: Event) -> None:
        """Log the first compilation of an entry; one that is loaded from disk is none."""
        dispatcher = event.data["dispatcher"]
        if any(dispatcher is awaited for awaited in self.awaited):
            self.awaited.clear()
            folder = dispatcher.stats.cache_path
            kept = f"kept in {folder}" if folder else "not kept: no folder for it can be written, set NUMBA_CACHE_DIR"
            LOGGER.warning("compiling the solvers takes ten to thirty seconds; the machine code is %s", kept)

    def on_end(self, event: Event) -> None:
        """Say nothing: the answer follows."""


_announcement = _Announcement()
register("numba:compile", _announcement)  # type: ignore[no-untyped-call]


def kernel(function: Function) -> Function:
    """Compile a function that is only called from other compiled functions, and allocates nothing.

    Its arrays belong to the entry that was called, so they need no reference counts (which would take most of the
    time: one atomic operation per array and access). Python itself must not call it: there is no wrapper to catch the
    call, and the process dies.
    """
    return cast(Function, numba.njit(**_KERNEL)(function))


def workspace(function: Function) -> Function:
    """Compile a function that allocates the work space of the kernels."""
    return cast(Function, numba.njit(**_WORKSPACE)(function))


def entry(function: Function) -> Function:
    """Compile a function that Python calls, and keep the machine code on disk.

    numba compares the cache with the file of the entry alone; an entry whose closure holds `kernel_digest` is compiled
    again when any file of these folders changes. The code is kept in the folder that the environment variable
    ``NUMBA_CACHE_DIR`` names, else beside the source, else in the user's cache folder; where none can be written, every
    process compiles anew.
    """
    try:
        dispatcher = numba.njit(**_ENTRY)(function)
    except RuntimeError:
        dispatcher = numba.njit(**(_ENTRY | {"cache": False}))(function)
    _announcement.awaited.append(dispatcher)
    return cast(Function, dispatcher)


def kernel_digest(*levels: str) -> int:
    """Return a number that changes with the sources of this folder, and of those of its subfolders that are named."""
    folders = [Path(__file__).parent, *(Path(__file__).parent / level for level in levels)]
    sources = [path for folder in folders for path in sorted(folder.glob("*.py"))]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).digest()
    return int.from_bytes(digest[:7], "big")
