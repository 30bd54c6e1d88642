"""A process for each contestant: its imports disturb no other, and one that is too slow is ended."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import time
import traceback
from dataclasses import dataclass
from multiprocessing.pool import Pool

from benchmarks.peers.databases import Database
from benchmarks.peers.pair_answers import Answer
from benchmarks.peers.peer_rows import CONTESTANTS

START_LIMIT = 300.0
"""Seconds for a process to start and to answer a first time, off the clock."""


@dataclass(frozen=True)
class Outcome:
    """An answer with its seconds, or the reason why there is none."""

    answer: Answer
    seconds: float
    failure: str = ""


class Worker:
    """The process of one contestant of `CONTESTANTS`.

    It answers the database `warm_up` once after each start, off the clock, so that imports and caches are there. A
    contestant that fails on it does not run here at all, and is not asked again.
    """

    def __init__(self, name: str, warm_up: Database) -> None:
        self.name, self.warm_up = name, warm_up
        self._pool: Pool | None = None
        self._refusal: Outcome | None = None

    def ask(self, database: Database, limit: float) -> Outcome:
        """The answer on a database, or a failure: an error of the contestant, or the time limit in seconds."""
        if self._pool is None and self._refusal is None:
            self._pool = multiprocessing.get_context("spawn").Pool(1)
            started = self._ask(self._pool, self.warm_up, START_LIMIT)
            if started.failure:
                self._refusal = started
                self.close()
        if self._pool is None:
            return self._refusal or Outcome([], 0.0, "not started")
        return self._ask(self._pool, database, limit)

    def close(self) -> None:
        """End the process."""
        if self._pool is not None:
            self._pool.terminate()
            self._pool = None

    def _ask(self, pool: Pool, database: Database, limit: float) -> Outcome:
        try:
            return pool.apply_async(answer, (self.name, database)).get(limit)
        except multiprocessing.TimeoutError:
            self.close()
            return Outcome([], limit, f"more than {limit:g} s")


def answer(name: str, database: Database) -> Outcome:
    """What a contestant answers in this process; whatever foreign code prints goes nowhere."""
    row = CONTESTANTS[name]
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
        try:
            if row.reads_frames:
                _ = database.frames
            start = time.perf_counter()
            pairs = row.answer(database)
            return Outcome(pairs, time.perf_counter() - start)
        except Exception:  # a contestant is foreign code: whatever it raises is its answer
            return Outcome([], 0.0, traceback.format_exc(limit=-1).strip().splitlines()[-1])
