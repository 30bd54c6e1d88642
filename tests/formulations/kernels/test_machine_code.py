"""Plain Python and machine code give the same answers, and nobody waits for a compiler."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from engine_problems import REAL
from formulation_problems import random_problem
from hypothesis import given, settings
from hypothesis import strategies as st

from formulations import CrushObjective, Instance, JarObjective, Solution, Status, load_problem, solve
from formulations.kernels import machine_code, maker
from formulations.kernels.columns import session as columns
from formulations.kernels.machine_code import Kit
from formulations.kernels.tables import session as tables

DEFAULT_POOL = 60
"""Candidates of a ranking, at most about."""
INSTANCES = [path for path in sorted(REAL.glob("*.json")) if "-n20-" in path.name]


@contextmanager
def plain_python() -> Iterator[None]:
    """Run entries as they are written, and read no machine code."""
    entries = [entry for kit in (tables.KIT, columns.KIT) for entry in kit._entries]
    machine = [entry.machine for entry in entries]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Kit, "settle", lambda *arguments, **options: None)
        for entry in entries:
            entry.machine = None
        try:
            yield
        finally:
            for entry, code in zip(entries, machine, strict=True):
                entry.machine = code


def both_ways(instance: Instance, objective: Any, solver: str, **options: Any) -> tuple[Solution, Solution]:
    """The solutions of plain Python and of machine code, without their seconds."""
    with plain_python():
        plain = solve(instance, objective, solver, **options)
    machine = solve(instance, objective, solver, **options)
    assert tables.KIT.compiled()
    return replace(plain, seconds=0.0), replace(machine, seconds=0.0)


@pytest.mark.parametrize("path", INSTANCES, ids=lambda path: path.stem)
@pytest.mark.parametrize("connect", ["prefer", "require"])
def test_real_questions_have_one_answer(path: Path, connect: Any) -> None:
    """The set, its value, bound and proof are the same to the last bit."""
    instance, objective = load_problem(path)
    assert isinstance(objective, JarObjective)
    plain, machine = both_ways(instance, replace(objective, connect=connect), "exact")
    assert plain == machine
    assert plain.status in (Status.OPTIMAL, Status.INFEASIBLE)


@given(st.integers(5, DEFAULT_POOL), st.integers(0, 4), st.integers(1, 6), st.integers(0, 10_000), st.data())
@settings(max_examples=60, deadline=None)
def test_pools_of_all_default_sizes_have_one_answer(n: int, m: int, size: int, seed: int, data: st.DataObject) -> None:
    """Random problems too, by each solver, in each mode of connectedness."""
    instance, objective = random_problem(n, m, min(n, size), seed)
    connect: Any = data.draw(st.sampled_from(["prefer", "require", "ignore"]))
    solver = data.draw(st.sampled_from(["exact", "greedy", "local"]))
    plain, machine = both_ways(instance, replace(objective, connect=connect), solver)
    assert plain == machine


@pytest.mark.parametrize("solver", ["exact", "greedy", "local", "sweep"])
def test_columns_have_one_answer(solver: str) -> None:
    """The search over columns, too, but for the last bits of exponential functions."""
    generator = np.random.default_rng(7)
    groups = [column // 4 for column in range(40)]
    instance = Instance([0.0] * 40, generator.random((4, 40)), [[0.0] * 40] * 40, 8, groups=groups)
    plain, machine = both_ways(instance, CrushObjective(), solver, time_limit=None)
    assert (plain.items, plain.status) == (machine.items, machine.status)
    assert plain.value == pytest.approx(machine.value, rel=1e-12)


class FakeMaker:
    """A process that is done when it is told so."""

    made: list[FakeMaker]

    def __init__(self, name: str) -> None:
        self.done = self.dead = False
        self.made.append(self)

    def succeeded(self) -> bool:
        return self.done

    def failed(self) -> bool:
        return self.dead


@pytest.fixture
def kit(monkeypatch: pytest.MonkeyPatch) -> Kit:
    """A kit without machine code on the disk, whose `compile` only counts."""
    FakeMaker.made = []
    monkeypatch.setattr(machine_code, "Maker", FakeMaker)
    monkeypatch.setattr(machine_code, "is_kept", lambda name: False)
    kit = Kit("tables", [type(tables.KIT._entries[0])(lambda: 0)], lambda: None)
    kit.calls = 0  # type: ignore[attr-defined]
    monkeypatch.setattr(kit, "compile", lambda: setattr(kit, "calls", kit.calls + 1))  # type: ignore[attr-defined]
    return kit


def counted(kit: Kit) -> tuple[int, int]:
    """Processes started, and times that machine code was read or made here."""
    return len(FakeMaker.made), kit.calls  # type: ignore[attr-defined]


def test_a_usual_question_needs_no_machine_code(kit: Kit) -> None:
    """Nothing is started for one answer of the usual size."""
    kit.settle(tables.operations(random_problem(50, 5, 5, 0)[0]))
    assert counted(kit) == (0, 0)


def test_more_work_has_machine_code_made_beside_it_once_and_reads_it_when_it_is_there(kit: Kit) -> None:
    """The process is started once; until it is done nobody waits, and then the code is read."""
    for _ in range(3):
        kit.settle(machine_code.PLAIN_RATE * machine_code.PAYS)
    assert counted(kit) == (1, 0)
    FakeMaker.made[0].done = True
    kit.settle(0.0)
    assert counted(kit) == (1, 0)  # nothing was spent, and nothing is ahead
    kit.settle(machine_code.PLAIN_RATE * machine_code.PAYS)
    assert counted(kit) == (1, 1)


def test_only_what_takes_longer_than_the_compiler_waits_for_it_and_never_under_a_time_limit(kit: Kit) -> None:
    """A thousand tables under a limit of a second are searched for a second."""
    huge = 2 * machine_code.PLAIN_RATE * machine_code.COMPILER
    kit.settle(huge, time_limit=1.0)
    assert counted(kit) == (1, 0)
    kit.settle(huge)
    assert counted(kit) == (1, 1)


def test_where_no_process_can_make_it_this_one_does_once_it_has_spent_as_much(kit: Kit) -> None:
    """A dead maker is no reason to be slow for ever."""
    kit.settle(machine_code.PLAIN_RATE)
    FakeMaker.made[0].dead = True
    kit.settle(machine_code.PLAIN_RATE)
    assert counted(kit) == (1, 0)
    kit._entries[0].seconds = machine_code.COMPILER
    kit.settle(machine_code.PLAIN_RATE)
    assert counted(kit) == (1, 1)


def test_without_a_compiler_the_search_stays_plain(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    """numba need not be there, and ``NUMBA_DISABLE_JIT`` counts."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    kit.settle(1e15)
    assert counted(kit) == (0, 0)
    monkeypatch.delenv("NUMBA_DISABLE_JIT")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    kit.settle(1e15)
    assert counted(kit) == (0, 0)


def run(code: str, folder: Path, **variables: str) -> str:
    """What a fresh interpreter prints whose machine code, if any, is in a folder."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder), **variables}
    root = Path(__file__).parents[3]
    done = subprocess.run([sys.executable, "-c", code], env=environment, cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


ANSWER = f"""
import json, sys
from formulations import load_problem, solve
solution = solve(*load_problem({str(INSTANCES[0])!r}))
print(json.dumps([solution.items, solution.value, solution.status, "numba" in sys.modules]))
"""


def test_a_first_answer_neither_loads_nor_starts_a_compiler(tmp_path: Path) -> None:
    """In a fresh installation it is the answer of machine code, proved, and nothing is written."""
    items, value, status, loaded = json.loads(run(ANSWER, tmp_path))
    known = solve(*load_problem(INSTANCES[0]))
    assert (tuple(items), value, status, loaded) == (known.items, known.value, "optimal", False)
    assert list(tmp_path.iterdir()) == []


def test_exit_neither_waits_for_the_maker_nor_leaves_it(tmp_path: Path) -> None:
    """A process that ends while another one compiles for it takes that one along."""
    code = """
import os
from formulations.kernels.maker import Maker
maker = Maker("tables")
assert not maker.failed() and not maker.succeeded()
print(maker._process.pid)
"""
    pid = int(run(code, tmp_path))
    gone_within(pid, 10.0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_a_maker_ends_with_a_host_that_is_killed_and_a_fork_leaves_it_alone(tmp_path: Path) -> None:
    """The pipe closes with its host; a forked child neither stops the maker nor waits for it."""
    code = """
import os, signal
from formulations.kernels.tables.session import KIT
KIT.settle(3e7)
child = os.fork()
if child == 0:
    assert KIT._maker is None
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
assert KIT._maker._process.poll() is None
print(KIT._maker._process.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    root = Path(__file__).parents[3]
    done = subprocess.run([sys.executable, "-c", code], env=environment, cwd=root, capture_output=True)
    gone_within(int(done.stdout), 10.0)


def gone_within(pid: int, seconds: float) -> None:
    """Fail unless a process ends by itself."""
    for _ in range(int(seconds * 20)):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    raise AssertionError(f"process {pid} still runs")


def test_a_read_only_installation_leaves_marks_in_the_users_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first folder that can be written is taken, and all of them are looked at."""
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    locked = tmp_path / "file"
    locked.write_text("")
    folders = maker._folders("tables")
    assert folders[-1] == tmp_path / "cache" / "jar"
    monkeypatch.setattr(maker, "_folders", lambda name: [locked / "inside", folders[-1]])
    assert not maker.is_kept("tables")
    maker.mark_kept("tables")
    assert maker.is_kept("tables")
    assert not maker.is_kept("columns")


class FakeMachine:
    """Machine code that is kept in a folder, or nowhere."""

    def __init__(self, cache_path: str | None) -> None:
        self.stats = self
        self.cache_path = cache_path


@pytest.mark.parametrize(("folder", "said"), [("/cache", "kept in /cache"), (None, "not kept: no folder for it")])
def test_compiling_here_is_announced(
    folder: str | None, said: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Who calls `warm_up` in a fresh installation learns why it takes its time, and what becomes of the code; once."""
    marked: list[str] = []
    monkeypatch.setattr(machine_code, "is_kept", lambda name: False)
    monkeypatch.setattr(machine_code, "mark_kept", marked.append)
    monkeypatch.setattr(machine_code, "machine_entries", lambda plain: [FakeMachine(folder) for _ in plain])
    kit = Kit("tables", [type(tables.KIT._entries[0])(lambda: 0)], lambda: None)
    with caplog.at_level(logging.WARNING, "formulations"):
        kit.compile()
        kit.compile()
    (line,) = (record.getMessage() for record in caplog.records)
    assert f"compiling the solvers takes ten to thirty seconds; the machine code is {said}" in line
    assert kit.compiled()
    assert marked == ([] if folder is None else ["tables"])
