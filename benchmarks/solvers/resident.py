"""Resident memory over many solves: ``python -m benchmarks.solvers.resident SOLVER COUNT...`` prints JSON.

A process of its own, so that what others left behind is not counted.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

from benchmarks.solvers.contestants import parse_contestant
from formulations import load_problem
from formulations.instance import Instance
from formulations.workers.pool import worker_pids

INSTANCES = Path(__file__).parents[1] / "instances"
LIMIT = 60.0


@dataclass(frozen=True)
class Reading:
    """Megabytes of the process, and of its worker where it has one, after so many solves."""

    solves: int
    host: float
    worker: float | None


def measure_resident(label: str, solves: tuple[int, ...]) -> list[Reading]:
    """Readings from a fresh process.

    Parameters
    ----------
    label : str
        Of a contestant.
    solves : tuple of int
        After how many solves memory is read, ascending.
    """
    command = [sys.executable, "-m", "benchmarks.solvers.resident", label, *map(str, solves)]
    shown = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=Path(__file__).parents[2])
    return [Reading(**reading) for reading in json.loads(shown.stdout.splitlines()[-1])]


def read_over(label: str, solves: list[int]) -> list[Reading]:
    """Solve the instances in turn in this process, and read its memory after so many solves."""
    contestant = parse_contestant(label, LIMIT)
    problems: cycle[tuple[Instance, Any]] = cycle(
        [load_problem(path) for path in sorted(INSTANCES.glob("*-n20-*.json"))]
    )
    contestant.warm_up()
    readings: list[Reading] = []
    done = 0
    for count in solves:
        for _ in range(count - done):
            contestant.solve(*next(problems))
        done = count
        gc.collect()
        pids = [] if contestant.worker_engine is None else worker_pids(contestant.worker_engine)
        readings.append(Reading(done, resident(os.getpid()), sum(map(resident, pids)) if pids else None))
    return readings


def resident(pid: int) -> float:
    """Resident memory of a process in megabytes, as ``ps`` tells it; not on Windows."""
    shown = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True)
    return round(int(shown.stdout) / 1024, 1)


if __name__ == "__main__":
    print(json.dumps([asdict(reading) for reading in read_over(sys.argv[1], [int(text) for text in sys.argv[2:]])]))
