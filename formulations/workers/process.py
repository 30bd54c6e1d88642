"""The host's handle on one worker process: start, call with a limit, kill."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from threading import TIMEOUT_MAX, Lock, Timer
from typing import IO, Any

from formulations.errors import SolverError, SolverNotInstalledError
from formulations.workers.engines import NativeEngine
from formulations.workers.frames import Frame, read_frame, write_frame

START_SECONDS = 120.0
"""How long a worker may take to load its engine."""

MOST_CALLS = 200
"""Calls after which a worker makes way for a new one: engines keep some memory of each program (CBC some 20 kB)."""

LAST_WORDS = 2000
"""Bytes of a worker's standard error that a message quotes."""


class EngineTimeoutError(SolverError):
    """The engine did not answer in time, and its worker was stopped."""


class WorkerProcess:
    """A worker with its engine loaded; one call at a time.

    Parameters
    ----------
    engine : NativeEngine
        What it runs.
    limit : float
        Seconds for its start, `START_SECONDS` at most.

    Raises
    ------
    SolverNotInstalledError
        When the engine's library can not be loaded.
    EngineTimeoutError
        When it does not start in time.
    SolverError
        When the process does not start.
    """

    def __init__(self, engine: NativeEngine, limit: float = START_SECONDS) -> None:
        self._engine = engine
        self._guard = Lock()
        self._watching = False
        self._expired = False
        self._calls = 0
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the worker
        command = [sys.executable, "-m", "formulations.workers.worker", engine.name]
        options: dict[str, Any] = {} if os.name == "nt" else {"start_new_session": True}
        try:
            # Unbuffered pipes hold nothing that a forked child of the host could flush into them.
            self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                env=worker_environment(),
                bufsize=0,
                **options,
            )
        except OSError as cause:
            self._errors.close()
            raise SolverError(f"no worker for {engine.title}: {cause}; Python must be able to start itself") from cause
        try:
            self._check_start(max(0.0, min(limit, START_SECONDS)))
        except BaseException:
            self.kill()
            raise

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def alive(self) -> bool:
        """Say whether the process still runs."""
        return not self._expired and self._process.poll() is None

    def spent(self) -> bool:
        """Say whether it has answered as many calls as one worker should."""
        return self._calls >= MOST_CALLS

    def call(self, request: Frame, limit: float | None) -> Frame:
        """Send a request and return the answer.

        Raises
        ------
        EngineTimeoutError
            After `limit` seconds; the process is dead then.
        SolverError
            When the process died, or the engine failed.
        """
        self._calls += 1
        self._errors.seek(0)
        self._errors.truncate()
        with self._watched(limit):
            answer = self._exchange(request, limit)
        if "error" in answer.fields:
            fields = answer.fields
            raise SolverError(
                f"engine {self._engine.name!r} failed: {fields['type']}: {fields['message']}; try another solver"
            )
        return answer

    def kill(self) -> None:
        """End the process now, whatever it does, and free its handles."""
        self.stop()
        self.release()

    def stop(self) -> None:
        """End the process now, and leave the handles to the thread that waits for an answer."""
        self._process.kill()
        self._process.wait()

    def release(self) -> None:
        """Close this process's ends of the pipes, and leave the worker alone."""
        for stream in (self._process.stdin, self._process.stdout, self._errors):
            if stream is not None:
                stream.close()

    def disown(self) -> None:
        """Forget a worker of the parent process, in a forked child."""
        self.release()
        # It is no child of this process; without a return code, Popen would wait for it.
        self._process.returncode = 0

    def _check_start(self, limit: float) -> None:
        with self._watched(limit):
            answer = self._exchange(None, limit)
        if answer.fields.get("error") == "load":
            cause = f"{answer.fields['type']}: {answer.fields['message']}"
            raise SolverNotInstalledError(
                f"engine {self._engine.name!r} does not load ({cause}); install it with: {self._engine.install}"
            )

    def _exchange(self, request: Frame | None, limit: float | None) -> Frame:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            if request is not None:
                write_frame(self._process.stdin, request)
            return read_frame(self._process.stdout)
        except (EOFError, OSError, ValueError) as cause:
            self._process.kill()
            code = self._process.wait()
            if self._expired:
                raise EngineTimeoutError(
                    f"engine {self._engine.name!r} gave no answer within {limit:.3g} s and was stopped; "
                    "raise time_limit, or pass fallback='exact'"
                ) from cause
            raise SolverError(
                f"the worker of engine {self._engine.name!r} ended with code {code}{self._last_words()}; "
                "the next call starts another; or pass fallback='exact'"
            ) from cause

    @contextmanager
    def _watched(self, limit: float | None) -> Iterator[None]:
        """Kill the process when the limit passes, which ends any read or write on its pipes."""
        if limit is None:
            yield
            return
        timer = Timer(min(limit, TIMEOUT_MAX), self._expire)
        timer.daemon = True
        self._watching = True
        timer.start()
        try:
            yield
        finally:
            with self._guard:
                self._watching = False
            timer.cancel()

    def _expire(self) -> None:
        with self._guard:
            if self._watching:
                self._expired = True
                self._process.kill()

    def _last_words(self) -> str:
        """Return the end of what the worker wrote to standard error, to be quoted."""
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, size - LAST_WORDS))
        text = self._errors.read().decode(errors="replace").strip()
        return f" ({text.splitlines()[-1]})" if text else ""


def worker_environment() -> dict[str, str]:
    """Return the host's environment, extended so that the worker imports what the host would."""
    paths = [os.path.abspath(path) for path in sys.path]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONSAFEPATH": "1"}
