"""Processor time of this process and of workers: on a busy machine it says more than the clock on the wall."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path


class Meter:
    """Processor time from now on.

    Parameters
    ----------
    workers : list of int
        Process ids of the workers whose time counts, too.
    """

    def __init__(self, workers: Sequence[int]) -> None:
        self._workers = tuple(workers)
        self._worker_start = worker_seconds(self._workers)
        self._host_start = time.process_time()

    def seconds(self, workers: Sequence[int]) -> float | None:
        """Seconds since the start, of all threads; None where a worker came or went, or the system does not tell.

        Parameters
        ----------
        workers : list of int
            Those that live now.
        """
        host = time.process_time() - self._host_start
        now = worker_seconds(self._workers)
        if tuple(workers) != self._workers or now is None or self._worker_start is None:
            return None
        return host + now - self._worker_start


def worker_seconds(pids: Sequence[int]) -> float | None:
    """Processor time of other processes, to a hundredth of a second; None where there is no ``/proc`` or no process."""
    try:
        return sum(map(_seconds, pids), start=0.0)
    except OSError:
        return None


def _seconds(pid: int) -> float:
    """Fields 14 and 15 of proc_pid_stat(5), user and system time in ticks; the name in field 2 may have blanks."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
