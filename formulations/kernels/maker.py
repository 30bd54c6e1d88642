"""Another process that makes machine code and keeps it on the disk, and the marks that say what is kept there."""

from __future__ import annotations

import atexit
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from pathlib import Path

from formulations.kernels.compiled import kernel_digest
from formulations.workers.process import worker_environment


class Maker:
    """A process that compiles one search, at low priority; it ends with the process that started it."""

    def __init__(self, name: str) -> None:
        self._owner = os.getpid()
        self._process = _started(name)
        atexit.register(self.stop)

    def succeeded(self) -> bool:
        """Whether it is done, and the machine code is on the disk."""
        return self._process is not None and self._process.poll() == 0

    def failed(self) -> bool:
        """Whether it did not start, died, or could keep nothing."""
        return self._process is None or self._process.poll() not in (None, 0)

    def stop(self) -> None:
        """End it now; a no-op in a fork of the process that started it."""
        if self._process is not None and self._owner == os.getpid():
            self._process.kill()
            self._process.wait()
            self._close()

    def disown(self) -> None:
        """Forget the process, in a fork of the one that started it."""
        if self._process is not None:
            self._close()
            self._process.returncode = 0  # it is no child of this process, and Popen would wait for it
            self._process = None

    def _close(self) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.close()


def _started(name: str) -> subprocess.Popen[bytes] | None:
    command = [sys.executable, "-m", "formulations.kernels.making", name]
    try:
        return subprocess.Popen(  # noqa: S603 - our own interpreter and module
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=worker_environment(),
            bufsize=0,
            start_new_session=os.name != "nt",
        )
    except OSError:
        return None


def is_kept(name: str) -> bool:
    """Whether a process of this machine has left the machine code of a search, as its sources are now, on the disk."""
    return any((folder / _mark(name)).exists() for folder in _folders(name))


def mark_kept(name: str) -> None:
    """Note that the machine code of a search is on the disk, in the first folder that can be written, if any."""
    for folder in _folders(name):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / _mark(name)).touch()
        except OSError:
            continue
        return


@contextmanager
def one_at_a_time(name: str) -> Iterator[None]:
    """Wait until no other process of this user makes the machine code of a search, where files can be locked."""
    try:
        import fcntl

        lock = (_folders(name)[-1] / f"{_mark(name)}.lock").open("wb")
    except (ImportError, OSError):
        yield
        return
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@cache
def _mark(name: str) -> str:
    """A file name that changes with all that machine code depends on."""
    digest = kernel_digest(name)
    return f"jar-{name}-{digest:014x}-numba{version('numba')}-{sys.implementation.cache_tag}-{platform.node()}.made"


def _folders(name: str) -> list[Path]:
    """Where marks are: in the folder that is named for numba; else beside the sources, else in the user's cache."""
    named = os.environ.get("NUMBA_CACHE_DIR")
    if named:
        return [Path(named)]
    user = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return [Path(__file__).parent / name / "__pycache__", Path(user) / "jar"]
