"""Races and the journal: who runs when, what is kept, and that nothing is made twice."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import pytest

from benchmarks.solvers import racing
from benchmarks.solvers.cases import Case
from benchmarks.solvers.contestants import (
    Contestant,
    UnknownContestantError,
    parse_contestant,
    parse_contestants,
)
from benchmarks.solvers.journal import Journal, Run, read_runs, run_key, write_csv, write_runs
from benchmarks.solvers.racing import race
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
        asked.append((self.label, case.kind + case.label))
        return answer(self, case)

    monkeypatch.setattr(Contestant, "answer", counting)
    monkeypatch.setattr(racing, "QUICK_SECONDS", 0.0)
    return asked


def run_all(cases: list[Case], path: Path, contestants: list[Contestant] = CONTESTANTS, study: str = "s") -> list[Run]:
    """A race with a fresh look at the journal."""
    return list(race(study, cases, contestants, Journal(path), lambda steps: None))


def test_solvers_take_turns(cases: list[Case], answered: list[tuple[str, str]], tmp_path: Path) -> None:
    """All solvers meet a case before the next one comes, and each is first, second and last as often."""
    runs = run_all(cases[:3], tmp_path / "journal.jsonl")
    assert [solver for solver, _ in answered] == [
        *("exact", "greedy", "local"),
        *("greedy", "local", "exact"),
        *("local", "exact", "greedy"),
    ]
    assert [case for _, case in answered[::3]] == [case.kind + case.label for case in cases[:3]]
    assert all(run.proved for run in runs if run.solver == "exact")
    assert all(run.value <= other.value + 1e-9 for run in runs for other in runs if other.solver == "exact"
               and other.case == run.case)  # fmt: skip


def test_a_second_race_makes_only_what_is_new(
    cases: list[Case], answered: list[tuple[str, str]], tmp_path: Path
) -> None:
    """A stopped race goes on where it was; another limit, study or case is another run."""
    path = tmp_path / "journal.jsonl"
    first = run_all(cases[:2], path)
    answered.clear()
    assert run_all(cases[:3], path)[:6] == first
    assert [case for _, case in answered] == [cases[2].kind + cases[2].label] * 3
    answered.clear()
    run_all(cases[:1], path, parse_contestants("exact@9", 5.0))
    run_all(cases[:1], path, parse_contestants("exact", 5.0), "other study")
    assert len(answered) == 2


def test_a_key_changes_with_what_a_solver_sees(cases: list[Case]) -> None:
    """Case, contestant, limit and study are told apart."""
    exact, cbc, highs = parse_contestants("exact,mip:cbc,mip:highs", 5.0)
    keys = [run_key("s", case, contestant) for case in cases for contestant in (exact, cbc, highs)]
    keys += [run_key("t", cases[0], exact), run_key("s", cases[0], parse_contestant("exact@6", 5.0))]
    assert len(set(keys)) == len(keys)


def test_a_line_that_a_kill_cut_off_is_dropped(cases: list[Case], tmp_path: Path) -> None:
    """The runs before it stay, and the file goes on with whole lines."""
    path = tmp_path / "journal.jsonl"
    runs = run_all(cases[:1], path)
    path.write_text(path.read_text()[:-20])
    assert [Journal(path).find(run.key) for run in runs] == [*runs[:2], None]
    again = run_all(cases[:1], path)
    assert again[:2] == runs[:2]
    assert len(path.read_text().splitlines()) == 3


def test_quick_calls_are_repeated(cases: list[Case], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The median of five counts where the first is quick, one call where it is not."""
    for quick, repeats in ((math.inf, racing.REPEATS), (0.0, 1)):
        monkeypatch.setattr(racing, "QUICK_SECONDS", quick)
        (run,) = run_all(cases[:1], tmp_path / f"{repeats}.jsonl", CONTESTANTS[:1])
        assert run.repeats == repeats
        assert run.first_seconds > 0.0


def test_an_engine_that_fails_is_a_run_with_an_error(
    cases: list[Case], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The race goes on, the message is kept, and the run counts at its limit."""

    def fail(self: Contestant, case: Case) -> object:
        raise SolverError("the worker died")

    monkeypatch.setattr(Contestant, "answer", fail)
    path = tmp_path / "journal.jsonl"
    runs = run_all(cases[:2], path, CONTESTANTS[:1])
    assert [(run.status, run.error, run.repeats, run.counted_seconds) for run in runs] == [
        ("error", "the worker died", 1, 5.0)
    ] * 2
    assert [Journal(path).find(run.key) for run in runs] == runs


def test_runs_survive_their_files(cases: list[Case], tmp_path: Path) -> None:
    """JSON lines give back what was written, infinities too, and the CSV has a line for each run."""
    runs = run_all(cases[:2], tmp_path / "journal.jsonl")
    nothing = [Run(**vars(runs[0]) | {"status": status, "value": -math.inf, "bound": bound, "gap": gap})
               for status, bound, gap in (("infeasible", -math.inf, 0.0), ("unknown", math.inf, math.inf))]  # fmt: skip
    write_runs(tmp_path / "runs.jsonl", [*runs, *nothing])
    assert read_runs(tmp_path / "runs.jsonl") == [*runs, *nothing]
    write_csv(tmp_path / "runs.csv", runs)
    lines = list(csv.DictReader((tmp_path / "runs.csv").open()))
    assert [(line["solver"], float(line["seconds"])) for line in lines] == [(run.solver, run.seconds) for run in runs]
    assert lines[0]["proved"] == "True"


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
