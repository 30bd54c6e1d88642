"""What is off the clock is charged to no answer."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from formulations import Instance, JarObjective, solve, solving
from formulations.off_clock import Clock, off_the_clock


def test_nested_blocks_count_once_and_other_threads_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock stands still inside the outer block, and goes on after it."""
    now = [0.0]
    monkeypatch.setattr("formulations.off_clock.perf_counter", lambda: now[0])
    clock = Clock()
    now[0] = 1.0
    with off_the_clock():
        now[0] = 3.0
        with off_the_clock():
            now[0] = 6.0
        now[0] = 10.0
    now[0] = 11.0
    assert clock.seconds() == 2.0
    seen: list[float] = []

    def elsewhere() -> None:
        other = Clock()
        now[0] = 12.0
        seen.append(other.seconds())

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert seen == [1.0]
    assert clock.seconds() == 3.0


def test_a_solution_does_not_count_the_loading_of_its_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the solver's code takes to load, `seconds` is the time of the solution."""
    load = solving.load_solver

    def slow(name: str, objective: str) -> Any:
        time.sleep(0.2)
        return load(name, objective)

    instance = Instance([1.0, 0.5], [[0.5, 1.0]], [[0.0, 1.0], [1.0, 0.0]], 1)
    solve(instance, JarObjective())
    monkeypatch.setattr(solving, "load_solver", slow)
    start = time.perf_counter()
    solution = solve(instance, JarObjective())
    assert solution.seconds <= time.perf_counter() - start - 0.2
