"""The decorators of this package: kernels are plain Python until their machine code is there.

A kernel is written so that Python and numba run it alike, operation by operation: the answers are the same, and
machine code takes a tenth to a fiftieth of the time. Nothing here imports numba; `formulations.kernels.machine_code`
says when the entries get their machine code.

Work spaces travel as named tuples of arrays. Compiling a function takes longer with each array that it is given, so
small functions take the few arrays and numbers that they use.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Sequence
from functools import update_wrapper
from pathlib import Path
from time import perf_counter
from types import FunctionType
from typing import Any, TypeVar, cast

import numpy as np

Function = TypeVar("Function", bound=Callable[..., Any])

# Options that numba's own code uses, beyond its documented ones: without wrappers for Python and C, compiling takes
# half of the time.
_WORKSPACE: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_KERNEL: dict[str, Any] = _WORKSPACE | {"_nrt": False}
_ENTRY: dict[str, Any] = {"nogil": True, "no_cfunc_wrapper": True}

_inner: dict[Callable[..., Any], dict[str, Any]] = {}
"""The options of the functions that entries call."""


def kernel(function: Function) -> Function:
    """Mark a function that is only called from other kernels and entries, and allocates nothing.

    Its arrays belong to the entry that was called, so that compiled they need no reference counts (which would take
    most of the time: one atomic operation per array and access).
    """
    _inner[function] = _KERNEL
    return function


def workspace(function: Function) -> Function:
    """Mark a function that allocates the work space of the kernels."""
    _inner[function] = _WORKSPACE
    return function


class Entry:
    """A function that the sessions call: plain, or machine code once `compile` was called.

    Attributes
    ----------
    plain : callable
        The function as it is written.
    machine : numba dispatcher, optional
        Its machine code; None: the plain function runs.
    seconds : float
        How long the plain function has run in this process.
    """

    def __init__(self, plain: Callable[..., Any]) -> None:
        self.plain = plain
        self.machine: Any = None
        self.seconds = 0.0
        update_wrapper(self, plain)

    def __call__(self, *arguments: Any) -> Any:
        """Run what there is."""
        if self.machine is not None:
            return self.machine(*arguments)
        start = perf_counter()
        with np.errstate(all="ignore"):  # infinite bounds meet infinite bounds; machine code says nothing of it either
            answer = self.plain(*arguments)
        self.seconds += perf_counter() - start
        return answer


def entry(function: Callable[..., Any]) -> Entry:
    """Make an entry of a function that gets and returns arrays, numbers and tuples of them.

    numba compares its cache with the file of the entry alone; an entry whose closure holds `kernel_digest` is compiled
    again when any file of these folders changes.
    """
    return Entry(function)


def machine_entries(functions: Sequence[Callable[..., Any]]) -> list[Any]:
    """Return entries for numba, with all that they call; each is compiled, or its code read, at its first call.

    The code is kept in the folder that the environment variable ``NUMBA_CACHE_DIR`` names, else beside the source, else
    in the user's cache folder; where none can be written, nowhere.
    """
    import numba

    scopes: dict[str, dict[str, Any]] = {}
    inner = {plain: numba.njit(**options)(_copied(plain, scopes)) for plain, options in _inner.items()}
    copies = [_copied(function, scopes) for function in functions]
    for scope in scopes.values():
        scope |= {name: inner[value] for name, value in scope.items() if _is_inner(value)}
    try:
        return [numba.njit(cache=True, **_ENTRY)(copy) for copy in copies]
    except RuntimeError:
        return [numba.njit(**_ENTRY)(copy) for copy in copies]


def _is_inner(value: Any) -> bool:
    return isinstance(value, FunctionType) and value in _inner


def _copied(function: Callable[..., Any], scopes: dict[str, dict[str, Any]]) -> FunctionType:
    """Return a function with a copy of its module's names, one for each module, in which kernels can be replaced."""
    plain = cast(FunctionType, function)
    name = plain.__module__
    scope = scopes.setdefault(name, dict(vars(sys.modules[name])))
    copy = FunctionType(plain.__code__, scope, plain.__name__, plain.__defaults__, plain.__closure__)
    copy.__qualname__, copy.__annotations__ = plain.__qualname__, plain.__annotations__
    return copy


def kernel_digest(*levels: str) -> int:
    """Return a number that changes with the sources of this folder, and of those of its subfolders that are named."""
    folders = [Path(__file__).parent, *(Path(__file__).parent / level for level in levels)]
    sources = [path for folder in folders for path in sorted(folder.glob("*.py"))]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).digest()
    return int.from_bytes(digest[:7], "big")
