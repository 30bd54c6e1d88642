"""The workers of this process: a few of each engine, started on demand and used again.

Thread-safe. A forked child starts workers of its own; all of them end with their process.
"""

from __future__ import annotations

import atexit
import math
import os
from threading import TIMEOUT_MAX, Condition
from time import perf_counter

from formulations.workers.engines import NativeEngine, installed_engine
from formulations.workers.frames import Frame
from formulations.workers.process import EngineTimeoutError, WorkerProcess

MOST_WORKERS = 2
"""Workers of one engine; further callers wait for one of them."""

MOST_THREADS = 256
"""The most threads that an engine is asked for: some hang with more than a machine can start."""

GRACE_SECONDS, GRACE_SHARE = 3.0, 0.1
"""What an engine may take beyond its time limit, plus a share of that limit.

Engines look at the clock between steps, and the steps of a large program are long.
"""


def call_engine(name: str, request: Frame, time_limit: float | None) -> Frame:
    """Run a request on a worker of an engine and return the answer.

    Parameters
    ----------
    name : str
        Name of the engine.
    request : Frame
        What its module understands.
    time_limit : float, optional
        Seconds for all of it: the wait for a worker, its start, and the engine, whose own limit (``time_limit`` of the
        request) is what is left. `grace` seconds later the worker is killed, or the wait given up.

    Raises
    ------
    SolverNotInstalledError
        When the engine is missing, with the install line.
    EngineTimeoutError
        When there was no answer in time.
    SolverError
        When the worker died or the engine failed. The next call works on another worker.
    """
    engine = installed_engine(name)
    pools = _current
    begin = perf_counter()
    limit = None if time_limit is None else time_limit + grace(time_limit)
    worker = pools.take(engine, limit)
    try:
        spent = perf_counter() - begin
        if time_limit is not None:
            request = request._replace(fields={**request.fields, "time_limit": max(0.0, time_limit - spent)})
        answer = worker.call(request, None if limit is None else max(0.0, limit - spent))
    # An interrupted call (Ctrl-C) leaves a worker busy with an answer that nobody waits for.
    except BaseException:
        worker.kill()
        pools.drop(engine, worker)
        if _exiting:
            # A daemon thread whose worker was stopped because the interpreter ends: nobody is left to tell.
            raise SystemExit from None
        raise
    if worker.spent():
        worker.kill()
        pools.drop(engine, worker)
    else:
        pools.give(engine, worker)
    return answer


def grace(time_limit: float) -> float:
    """Return the seconds that an engine may take beyond its limit."""
    return GRACE_SECONDS + GRACE_SHARE * time_limit


def close_engines() -> None:
    """Stop all workers of this process; the next call starts them again. Done at exit, too."""
    _current.close()


def worker_pids(name: str) -> list[int]:
    """Return the process ids of the workers of an engine."""
    return [worker.pid for worker in _current.workers(name)]


class _Pools:
    """Idle and all workers by engine, for one process."""

    def __init__(self) -> None:
        self._change = Condition()
        self._all: dict[str, list[WorkerProcess]] = {}
        self._idle: dict[str, list[WorkerProcess]] = {}
        self._starting: dict[str, int] = {}

    def take(self, engine: NativeEngine, limit: float | None) -> WorkerProcess:
        """Return an idle worker, or a new one, or wait for one, for no more than `limit` seconds.

        Raises
        ------
        EngineTimeoutError
            When the others were busy, or the start of the new one took, for so long.
        """
        name = engine.name
        deadline = math.inf if limit is None else perf_counter() + limit
        with self._change:
            while not self._idle.get(name) and self._count(name) >= MOST_WORKERS:
                left = deadline - perf_counter()
                if left <= 0.0:
                    raise EngineTimeoutError(
                        f"all {MOST_WORKERS} workers of engine {name!r} were busy for {limit:.3g} s; "
                        "raise time_limit, or pass fallback='exact'"
                    )
                self._change.wait(min(left, TIMEOUT_MAX))
            for worker in reversed(self._idle.get(name, [])):
                self._idle[name].remove(worker)
                if worker.alive():
                    return worker
                worker.kill()
                self._all[name].remove(worker)
            self._starting[name] = self._starting.get(name, 0) + 1
        return self._start(engine, deadline - perf_counter())

    def _start(self, engine: NativeEngine, limit: float) -> WorkerProcess:
        worker = None
        try:
            worker = WorkerProcess(engine, limit)
        finally:
            with self._change:
                self._starting[engine.name] -= 1
                if worker is not None:
                    self._all.setdefault(engine.name, []).append(worker)
                self._change.notify()
        return worker

    def _count(self, name: str) -> int:
        return len(self._all.get(name, ())) + self._starting.get(name, 0)

    def give(self, engine: NativeEngine, worker: WorkerProcess) -> None:
        """Put a worker back."""
        with self._change:
            kept = worker in self._all.get(engine.name, ())
            if kept:
                self._idle.setdefault(engine.name, []).append(worker)
            self._change.notify()
        if not kept:
            worker.kill()

    def drop(self, engine: NativeEngine, worker: WorkerProcess) -> None:
        """Forget a worker that is dead, so that another may be started."""
        with self._change:
            if worker in self._all.get(engine.name, ()):
                self._all[engine.name].remove(worker)
            self._change.notify()

    def workers(self, name: str) -> list[WorkerProcess]:
        """Return the workers of an engine, idle or not."""
        with self._change:
            return list(self._all.get(name, ()))

    def close(self) -> None:
        """Kill every worker."""
        with self._change:
            workers = [worker for group in self._all.values() for worker in group]
            idle = [worker for group in self._idle.values() for worker in group]
            self._all.clear()
            self._idle.clear()
            self._change.notify_all()
        for worker in workers:
            worker.stop()
        for worker in idle:
            worker.release()

    def disown(self) -> None:
        """Forget the workers of the parent process, without its locks, which another thread may have held."""
        for group in self._all.values():
            for worker in group:
                worker.disown()


def _at_exit() -> None:
    global _exiting
    _exiting = True
    close_engines()


def _after_fork() -> None:
    """Start afresh in a forked child: its parent's pipes are not its own, and an open copy would keep workers alive."""
    global _current
    _current.disown()
    _current = _Pools()


_current = _Pools()
_exiting = False
atexit.register(_at_exit)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
