"""A process for each contestant: its imports disturb no other, and one that is too slow is ended."""

from __future__ import annotations

import contextlib
import os
import time
import traceback
from dataclasses import dataclass
from multiprocessing import get_context
from typing import TYPE_CHECKING

from benchmarks.peers.databases import Database
from benchmarks.peers.pair_answers import Answer
from benchmarks.peers.peer_rows import CONTESTANTS

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

START_LIMIT = 300.0
"""Seconds for a process to start and to answer a first time, off the clock."""


@dataclass(frozen=True)
class Outcome:
    """An answer with its seconds, or the reason why there is none."""

    answer: Answer
    seconds: float
    failure: str = ""


class Worker:
    """The process of one contestant.

    Parameters
    ----------
    name : str
        Key of `CONTESTANTS`.
    warm_up : Database
        Answered once after each start, off the clock, so that imports and caches are there. A contestant that fails
        on it does not run here at all, and is not asked again.
    """

    def __init__(self, name: str, warm_up: Database) -> None:
        self.name = name
        self.warm_up = warm_up
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._refusal: Outcome | None = None

    def ask(self, database: Database, limit: float) -> Outcome:
        """The answer on a database, or a failure: an error of the contestant, or the time limit in seconds."""
        if self._refusal is not None:
            return self._refusal
        if self._process is None:
            self._start()
            started = self._ask(self.warm_up, START_LIMIT)
            if started.failure:
                self._refusal = started
                self.close()
                return started
        return self._ask(database, limit)

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.terminate()
            self._process.join()
        self._process = self._pipe = None

    def _start(self) -> None:
        context = get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(self.name, theirs), daemon=True)
        self._process.start()
        theirs.close()

    def _ask(self, database: Database, limit: float) -> Outcome:
        assert self._pipe is not None
        try:
            self._pipe.send(database)
            if not self._pipe.poll(limit):
                self.close()
                return Outcome([], limit, f"more than {limit:g} s")
            outcome = self._pipe.recv()
        except (EOFError, OSError) as error:
            self.close()
            return Outcome([], 0.0, f"its process ended: {type(error).__name__}")
        assert isinstance(outcome, Outcome)
        return outcome


def _serve(name: str, pipe: Connection) -> None:
    """Answer databases until the pipe closes."""
    contestant = CONTESTANTS[name]
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
        while True:
            try:
                database: Database = pipe.recv()
            except EOFError:
                return
            pipe.send(_answer(contestant.answer, database, contestant.reads_frames))


def _answer(answer: object, database: Database, reads_frames: bool) -> Outcome:
    assert callable(answer)
    try:
        if reads_frames:
            _ = database.frames
        start = time.perf_counter()
        pairs = answer(database)
        return Outcome(pairs, time.perf_counter() - start)
    except Exception:  # a contestant is foreign code: whatever it raises is its answer
        return Outcome([], 0.0, traceback.format_exc(limit=-1).strip().splitlines()[-1])
