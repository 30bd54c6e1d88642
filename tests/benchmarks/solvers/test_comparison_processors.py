"""Processor time: it grows with work, here and in another process, and is not known where a worker came or went."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchmarks.solvers.processors import Meter, worker_seconds

WORK = 0.05


def spin(seconds: float) -> None:
    """Use so much processor time."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_work_counts_and_waiting_does_not() -> None:
    """Processor time of this process is at least that of its work; sleeping adds next to nothing."""
    meter = Meter(())
    time.sleep(0.2)
    waited = meter.seconds(())
    spin(WORK)
    worked = meter.seconds(())
    assert waited is not None
    assert worked is not None
    assert waited < 0.2
    assert worked >= waited + WORK


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the system does not tell")
def test_the_work_of_a_worker_counts() -> None:
    """The time of another process is added, and it is this process's own where the two are one."""
    code = "import time\nwhile time.process_time() < 0.3: pass\nprint(flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as worker:
        assert worker.stdout is not None
        worker.stdout.readline()
        told = worker_seconds([worker.pid])
        meter = Meter([worker.pid])
        assert meter.seconds([]) is None
        assert meter.seconds([worker.pid]) is not None
        worker.kill()
    assert told is not None
    assert told >= 0.28
    assert meter.seconds([worker.pid]) is None
    here = worker_seconds([os.getpid()])
    assert here is not None
    assert abs(here - time.process_time()) < 0.1
