"""Engines live in workers: what happens to one is an error for one call, and none outlives its host."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from engine_problems import REAL, gone, random_instance, random_objective

from formulations import Instance, JarObjective, SolverError, SolverNotInstalledError, Status, load_problem, solve
from formulations.workers import engines, pool, process
from formulations.workers.frames import Frame
from formulations.workers.pool import close_engines, worker_pids
from formulations.workers.process import EngineTimeoutError

ROOT = Path(__file__).resolve().parents[3]
CALLS = {
    "highs": ("mip", {"engine": "highs"}),
    "cbc": ("mip", {"engine": "cbc"}),
    "cpsat": ("cpsat", {}),
}
PROBLEM = """
import json, os, sys, threading, time
import numpy as np
from formulations import Instance, JarObjective, load_problem, solve
from formulations.workers.pool import worker_pids
joins = np.array([[0, 0.2, 0], [0.2, 0, 0.1], [0, 0.1, 0]])
instance = Instance([3.0, 0.5, 2.0], np.zeros((0, 3)), joins, 2)
def run(solver="mip"):
    return solve(instance, JarObjective(coarse=1, connect="require"), solver, start=None).items
"""


@pytest.fixture(scope="module", autouse=True)
def _no_worker_is_left() -> Iterator[None]:
    yield
    close_engines()


def solve_with(engine: str, problem: tuple[Instance, JarObjective], **options: object) -> tuple[int, ...]:
    solver, chosen = CALLS[engine]
    return solve(*problem, solver, **chosen, **options).items


def worker_of(engine: str, problem: tuple[Instance, JarObjective]) -> int:
    """The process id of the only worker of an engine, started for this."""
    close_engines()
    assert solve_with(engine, problem) == (0, 1, 2)
    (pid,) = worker_pids(engine)
    return pid


def host(script: str) -> subprocess.Popen[str]:
    """A Python process that runs a script: a host of its own, without any guard for ``__main__``."""
    return subprocess.Popen(
        [sys.executable, "-c", PROBLEM + script], cwd=ROOT, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True
    )


def test_engines_load_in_every_order(small: tuple[Instance, JarObjective]) -> None:
    """HiGHS, CBC and CP-SAT serve one session, whichever of them loads first."""
    for order in permutations(CALLS):
        close_engines()
        assert [solve_with(engine, small) for engine in order] == [(0, 1, 2)] * 3


def test_a_worker_is_used_again(small: tuple[Instance, JarObjective]) -> None:
    """Calls one after the other run in one process."""
    pid = worker_of("highs", small)
    for _ in range(3):
        solve_with("highs", small)
    assert worker_pids("highs") == [pid]


def test_a_worker_makes_way_after_many_calls(
    small: tuple[Instance, JarObjective], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What an engine forgets to free does not pile up: after so many calls another worker takes over."""
    monkeypatch.setattr(process, "MOST_CALLS", 3)
    first = worker_of("highs", small)
    assert solve_with("highs", small) == (0, 1, 2)
    assert worker_pids("highs") == [first]
    assert solve_with("highs", small) == (0, 1, 2)
    assert worker_pids("highs") == []
    assert gone(first)
    assert solve_with("highs", small) == (0, 1, 2)
    assert worker_pids("highs") != [first]


@pytest.mark.parametrize("engine", CALLS)
def test_a_worker_killed_between_calls_is_replaced(engine: str, small: tuple[Instance, JarObjective]) -> None:
    """After kill -9 on an idle worker the next call starts another, and nobody notices."""
    pid = worker_of(engine, small)
    os.kill(pid, signal.SIGKILL)
    assert gone(pid)
    assert solve_with(engine, small) == (0, 1, 2)
    assert worker_pids(engine) != [pid]


@pytest.mark.parametrize("engine", CALLS)
def test_a_worker_killed_during_a_call_is_an_error_for_that_call(
    engine: str, small: tuple[Instance, JarObjective]
) -> None:
    """kill -9 in the midst of a call raises `SolverError` with the signal; the next call works."""
    pid = worker_of(engine, small)
    # A stopped process can not answer before it is killed.
    os.kill(pid, signal.SIGSTOP)
    with ThreadPoolExecutor(1) as threads:
        call = threads.submit(solve_with, engine, small)
        time.sleep(0.3)
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(SolverError, match=r"ended with code -9.*next call starts another"):
            call.result(timeout=60)
    assert solve_with(engine, small) == (0, 1, 2)


def test_a_hang_ends_with_the_limit_and_the_grace(
    small: tuple[Instance, JarObjective], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker that does not answer is killed: `EngineTimeoutError` without a start, and the next call works."""
    monkeypatch.setattr(pool, "GRACE_SECONDS", 0.3)
    pid = worker_of("highs", small)
    os.kill(pid, signal.SIGSTOP)
    begin = time.monotonic()
    with pytest.raises(EngineTimeoutError, match=r"no answer within .* stopped; raise time_limit"):
        solve_with("highs", small, time_limit=0.3, start=None)
    assert time.monotonic() - begin < 60.0
    assert gone(pid)
    assert solve_with("highs", small) == (0, 1, 2)


@pytest.mark.parametrize(("solver", "engine"), [("mip", "highs"), ("cpsat", "cpsat"), ("paper-mip", "cbc")])
def test_a_hang_in_the_first_round_leaves_the_start(
    solver: str, engine: str, small: tuple[Instance, JarObjective], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The set that is known is the answer, with its bound."""
    monkeypatch.setattr(pool, "GRACE_SECONDS", 0.3)
    os.kill(worker_of(engine, small), signal.SIGSTOP)
    solution = solve(*small, solver, time_limit=0.3)
    assert len(solution.items) == small[0].size
    assert solution.bound >= solve(*small).value


def test_the_wait_for_a_worker_counts(
    small: tuple[Instance, JarObjective], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where all workers are busy, a call gives up at its limit and leaves the start, or raises without one."""
    monkeypatch.setattr(pool, "GRACE_SECONDS", 0.1)
    monkeypatch.setattr(pool, "MOST_WORKERS", 1)
    pool.close_engines()
    stopped = worker_of("highs", small)
    os.kill(stopped, signal.SIGSTOP)
    with ThreadPoolExecutor(1) as threads:
        busy = threads.submit(pool.call_engine, "highs", Frame({}, {}), None)
        while pool._current._idle["highs"]:
            time.sleep(0.01)
        solution = solve(*small, "mip", time_limit=0.1)
        assert len(solution.items) == small[0].size
        with pytest.raises(EngineTimeoutError, match="all 1 workers of engine 'highs' were busy"):
            solve(*small, "mip", time_limit=0.1, start=None)
        os.kill(stopped, signal.SIGKILL)
        with pytest.raises(SolverError, match="ended with code"):
            busy.result(timeout=60)


def test_the_start_of_a_worker_counts(small: tuple[Instance, JarObjective], monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that takes longer to start than there is time is stopped, and the start of the search is the answer."""
    monkeypatch.setattr(pool, "GRACE_SECONDS", 0.0)
    pool.close_engines()
    solution = solve(*small, "cpsat", time_limit=0.001)
    assert len(solution.items) == small[0].size
    assert worker_pids("cpsat") == []


def test_a_daemon_thread_ends_quietly_with_the_interpreter() -> None:
    """What waits for an engine when the process exits prints no traceback."""
    code = (
        "import threading, time, numpy as np\n"
        "from formulations import Instance, JarObjective, solve\n"
        "from formulations.workers.pool import worker_pids\n"
        "random = np.random.default_rng(1)\n"
        "w = np.triu(random.random((150, 150)), 1)\n"
        "problem = Instance(random.random(150), random.random((3, 150)), w + w.T, 12)\n"
        "run = lambda: solve(problem, JarObjective(join=10), 'mip', start=None)\n"
        "threading.Thread(target=run, daemon=True).start()\n"
        "while not worker_pids('highs'): time.sleep(0.01)\n"
        "time.sleep(0.3)\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    assert ended.stderr == ""


def test_the_fallback_answers_and_is_named(
    small: tuple[Instance, JarObjective], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With ``fallback="exact"`` a hang costs time and nothing else, and the result says who answered."""
    monkeypatch.setattr(pool, "GRACE_SECONDS", 0.3)
    os.kill(worker_of("highs", small), signal.SIGSTOP)
    solution = solve(*small, "mip", time_limit=0.3, start=None, fallback="exact")
    assert solution.solver == "mip->exact"
    assert (solution.items, solution.status) == ((0, 1, 2), Status.OPTIMAL)
    assert solve(*small, "mip", fallback="exact").solver == "mip"


def test_an_engine_that_fails_is_replaced(small: tuple[Instance, JarObjective]) -> None:
    """An exception inside the worker is a `SolverError` with its text, and the next call has a fresh worker."""
    pid = worker_of("highs", small)
    with pytest.raises(SolverError, match=r"engine 'highs' failed: KeyError"):
        pool.call_engine("highs", Frame({}, {}), None)
    assert gone(pid)
    assert solve_with("highs", small) == (0, 1, 2)


def test_a_missing_package_is_named_with_its_install_line(
    small: tuple[Instance, JarObjective], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without its packages an engine raises `SolverNotInstalledError`, and no process is started."""
    monkeypatch.setattr(engines.importlib.util, "find_spec", lambda package: None)
    with pytest.raises(SolverNotInstalledError, match=r"'gurobi' needs mip, gurobipy.*pip install .* gurobipy"):
        pool.call_engine("gurobi", Frame({}, {}), None)
    assert worker_pids("gurobi") == []


def test_a_library_that_does_not_load_is_an_error_with_its_install_line(
    small: tuple[Instance, JarObjective], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A broken library raises `SolverNotInstalledError` with the cause; when it is mended, the next call works."""
    close_engines()
    with monkeypatch.context() as broken:
        broken.setenv("PMIP_HIGHS_LIBRARY", "/nowhere/libhighs.so")
        with pytest.raises(SolverNotInstalledError, match=r"'highs' does not load .*jar-rerank\[mip\]"):
            solve_with("highs", small)
    assert solve_with("highs", small) == (0, 1, 2)


def test_threads_share_a_few_workers() -> None:
    """Many threads at once get the answers that one gets, from two workers of each engine at most."""
    random = np.random.default_rng(4)
    problems = [(random_instance(random), random_objective(random, ("prefer", "ignore"))) for _ in range(24)]
    engines = [list(CALLS)[number % 3] for number in range(len(problems))]
    expected = [solve(*problem, "enumerate").value for problem in problems]

    def value(engine: str, problem: tuple[Instance, JarObjective]) -> float:
        solver, options = CALLS[engine]
        return solve(*problem, solver, **options).value

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(value, engines, problems)) == pytest.approx(expected, abs=1e-6)
    assert all(len(worker_pids(engine)) <= pool.MOST_WORKERS for engine in CALLS)


def test_the_time_limit_is_kept(hard: tuple[Instance, JarObjective]) -> None:
    """An engine that needs minutes stops at its limit; what it found by then, or the fallback proved, holds."""
    begin = time.monotonic()
    solution, best = solve(*hard, "paper-mip", time_limit=1.0), solve(*hard).value
    assert time.monotonic() - begin < 60.0
    assert solution.bound >= best - 1e-6
    assert solution.status is not Status.OPTIMAL or solution.value == solution.bound == pytest.approx(best)


@pytest.mark.parametrize("engine", CALLS)
def test_the_bound_holds_when_time_is_short(engine: str) -> None:
    """An engine that is cut off before it finds anything leaves the start, with a bound above the optimum."""
    problem = load_problem(REAL / "bird-n75-k10-q0404.json")
    solver, options = CALLS[engine]
    solution = solve(*problem, solver, time_limit=0.3, **options)
    assert len(solution.items) == 10
    assert solution.bound >= solve(*problem).value * (1.0 - 1e-6)


def test_no_time_leaves_the_start_with_its_bound(hard: tuple[Instance, JarObjective]) -> None:
    """A limit of zero gives the set that the engine would have started from, with a bound."""
    for solver in ("mip", "cpsat"):
        solution = solve(*hard, solver, time_limit=0.0)
        assert len(solution.items) == hard[0].size
        assert solution.bound >= solve(*hard).value - 1e-6
        assert solve(*hard, solver, time_limit=0.0, start=None).status is Status.UNKNOWN


def test_an_ordinary_exit_leaves_no_worker() -> None:
    """When a script ends, so do its workers."""
    process = host("run(); run('cpsat'); print(json.dumps(worker_pids('highs') + worker_pids('cpsat')))")
    output, _ = process.communicate(timeout=120)
    pids = json.loads(output)
    assert process.returncode == 0
    assert len(pids) == 2
    assert all(gone(pid) for pid in pids)


def test_a_killed_host_leaves_no_worker() -> None:
    """After kill -9 on the host its workers end, the idle one and the one in the midst of a solve."""
    script = """
run()
hard = load_problem("benchmarks/instances/bird-n20-k10-q0130.json")
threading.Thread(target=solve, args=(*hard, "paper-mip"), daemon=True).start()
while not worker_pids("cbc"):
    time.sleep(0.05)
time.sleep(1.0)
print(json.dumps(worker_pids("highs") + worker_pids("cbc")), flush=True)
time.sleep(300)
"""
    process = host(script)
    assert process.stdout is not None
    pids = json.loads(process.stdout.readline())
    assert len(pids) == 2
    assert not any(gone(pid, within=0.2) for pid in pids)
    process.kill()
    process.communicate()
    assert all(gone(pid) for pid in pids)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_starts_workers_of_its_own() -> None:
    """A child does not talk through its parent's pipes, and does not keep its parent's worker alive."""
    script = """
run()
(own,) = worker_pids("highs")
child = os.fork()
if child == 0:
    assert worker_pids("highs") == []
    assert run() == (0, 1)
    print(json.dumps(worker_pids("highs")), flush=True)
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
sleeper = os.fork()
if sleeper == 0:
    time.sleep(300)
assert run() == (0, 1)
assert worker_pids("highs") == [own]
print(json.dumps([own]), flush=True)
print(sleeper, flush=True)
os.kill(os.getpid(), 9)
"""
    process = host(script)
    assert process.stdout is not None
    of_child, of_parent, sleeper = (json.loads(process.stdout.readline()) for _ in range(3))
    process.wait(timeout=60)
    try:
        assert of_child != of_parent
        assert all(gone(pid) for pid in of_child + of_parent)
    finally:
        os.kill(sleeper, signal.SIGKILL)
        process.communicate()


def test_chatter_on_standard_output_does_not_meet_the_answers(tmp_path: Path) -> None:
    """What a library prints in the worker is lost; the protocol is not."""
    chatter = "import os, sys\nprint('banner', flush=True)\nos.write(1, b'from native code')\n"
    (tmp_path / "chatter.py").write_text(chatter)
    (tmp_path / "cffi.py").write_text(
        f"import chatter, sys\nsys.path.remove({str(tmp_path)!r})\ndel sys.modules['cffi']\nimport cffi\n"
        "sys.modules['cffi'] = cffi\n"
    )
    process = host(f"sys.path.insert(0, {str(tmp_path)!r})\nprint(run())")
    output, _ = process.communicate(timeout=120)
    assert output == "(0, 1)\n"
