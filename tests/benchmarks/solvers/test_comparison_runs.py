"""Races: who runs when, what a run says, and contestants by name."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchmarks.runs.results import BrokenResultsError
from benchmarks.solvers import races
from benchmarks.solvers.cases import Case
from benchmarks.solvers.contestants import (
    Contestant,
    UnknownContestantError,
    parse_contestant,
    parse_contestants,
)
from benchmarks.solvers.races import REPEATS, processor_seconds, race, read_runs
from benchmarks.solvers.synthetic import synthetic_cases
from formulations import SolverError, UnknownSolverError

CONTESTANTS = parse_contestants("exact,greedy,local", 5.0)


@pytest.fixture
def cases() -> list[Case]:
    """Four small cases."""
    return list(synthetic_cases(2, 12, 3, ("sparse-flat-light-prefer", "dense-flat-light-require")))


@pytest.fixture
def answered(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Solver and case of each call, in order."""
    asked: list[tuple[str, str]] = []
    answer = Contestant.answer

    def counting(self: Contestant, case: Case) -> object:
        if case.label != "warm-up":
            asked.append((self.label, case.kind + case.label))
        return answer(self, case)

    monkeypatch.setattr(Contestant, "answer", counting)
    monkeypatch.setattr(races, "QUICK_SECONDS", 0.0)
    return asked


def test_solvers_take_turns(cases: list[Case], answered: list[tuple[str, str]]) -> None:
    """All solvers meet a case before the next one comes, and each is first, second and last as often."""
    runs = list(race("s", cases[:3], CONTESTANTS))
    assert [solver for solver, _ in answered] == [
        *("exact", "greedy", "local"),
        *("greedy", "local", "exact"),
        *("local", "exact", "greedy"),
    ]
    assert [case for _, case in answered[::3]] == [case.kind + case.label for case in cases[:3]]
    assert all(run.proved for run in runs if run.solver == "exact")
    assert all(run.value <= other.value + 1e-9 for run in runs for other in runs if other.solver == "exact"
               and other.case == run.case)  # fmt: skip


def test_quick_calls_are_repeated(
    cases: list[Case], answered: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five calls where the first is quick, one where it is not."""
    list(race("s", cases[:1], CONTESTANTS[:1]))
    assert len(answered) == 1
    monkeypatch.setattr(races, "QUICK_SECONDS", math.inf)
    list(race("s", cases[:1], CONTESTANTS[:1]))
    assert len(answered) == 1 + REPEATS


def test_an_engine_that_fails_is_a_run_with_an_error(
    cases: list[Case], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The race goes on, the message is kept, also in a file, and the run counts at its limit."""

    def fail(self: Contestant, case: Case) -> object:
        raise SolverError("the worker died")

    monkeypatch.setattr(Contestant, "warm_up", lambda self: None)
    monkeypatch.setattr(Contestant, "answer", fail)
    runs = list(race("s", cases[:2], CONTESTANTS[:1]))
    assert [(run.status, run.error, run.counted_seconds) for run in runs] == [("error", "the worker died", 5.0)] * 2
    (tmp_path / "runs.jsonl").write_text("".join(run.to_json() + "\n" for run in runs))
    assert read_runs(tmp_path / "runs.jsonl") == runs


def test_a_line_that_is_no_run_is_told(tmp_path: Path) -> None:
    """File and line."""
    (tmp_path / "runs.jsonl").write_text('{"key": "0", "seconds": 1.0}\n')
    with pytest.raises(BrokenResultsError, match=r"runs\.jsonl, line 1: not a run of this version"):
        read_runs(tmp_path / "runs.jsonl")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the system does not tell")
def test_the_work_of_a_worker_counts() -> None:
    """Processor time of another process is added, waiting is not; it is not known where a worker has ended."""
    code = "import time\nwhile time.process_time() < 0.3: pass\nprint(flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as worker:
        assert worker.stdout is not None
        worker.stdout.readline()
        before = time.process_time()
        assert processor_seconds([worker.pid]) - before >= 0.28
        worker.kill()
    assert math.isnan(processor_seconds([worker.pid]))
    assert abs(processor_seconds([os.getpid()]) - 2 * time.process_time()) < 0.1


def test_contestants_by_name() -> None:
    """Engine and limit are optional; a solver named twice runs once."""
    found = parse_contestants("exact, mip,paper-mip@60,mip:cbc@2.5,mip:highs", 10.0)
    cold = parse_contestants("cpsat:cold,mip:cold@3,mip:cbc:cold", 10.0)
    assert [contestant.label for contestant in cold] == ["cpsat:cold", "mip:highs:cold", "mip:cbc:cold"]
    assert cold[1].options == {"engine": "highs", "start": None}
    assert [(contestant.label, contestant.time_limit) for contestant in found] == [
        ("exact", 10.0),
        ("mip:highs", 10.0),
        ("paper-mip:cbc", 60.0),
        ("mip:cbc", 2.5),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("exact:cbc", "choose among exact$"),
        ("exact:cold", "choose among exact$"),
        ("paper-mip:cold", "choose among paper-mip:highs, paper-mip:cbc"),
        ("mip:cplex", "choose among mip:highs.*mip:cbc:cold"),
        ("mip:cbc:highs", "choose among mip:highs"),
        ("cpsat:highs", "choose among cpsat, cpsat:cold"),
        ("exact@soon", "no time limit in seconds"),
        ("exact@0", "no time limit in seconds"),
    ],
)
def test_a_wrong_contestant_is_told(text: str, message: str) -> None:
    """The message says what is wrong, and what there is."""
    with pytest.raises(UnknownContestantError, match=message):
        parse_contestant(text, 1.0)


def test_an_unknown_solver_is_told() -> None:
    """As everywhere: with the known names."""
    with pytest.raises(UnknownSolverError, match="known solvers: exact"):
        parse_contestant("simplex", 1.0)
