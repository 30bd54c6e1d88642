"""Studies from the data to the page: what is measured is shown, kept, judged only in full, and found again."""

from __future__ import annotations

import csv
import json
import sys
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

from benchmarks.__main__ import main
from benchmarks.commands.options import shown_command
from benchmarks.runs.evaluation import Options
from benchmarks.solvers.bench import FULL, SMOKE, Bench, Check
from benchmarks.solvers.comparison import Study, print_study, read_study, run_solvers
from benchmarks.solvers.races import Run
from benchmarks.solvers.solver_page import ONCE, write_report
from benchmarks.solvers.studies import agreement, paper
from benchmarks.solvers.study_rows import UnknownStudyError, chosen_studies

IN_PROCESS = ["scale", "thousand"]


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that the tests of this module share."""
    return tmp_path_factory.mktemp("output")


@pytest.fixture(scope="module")
def studies(public_layout: Path, output: Path) -> dict[str, Study]:
    """The smoke run of the studies that need no engine, on twelve tables."""
    pytest.importorskip("wordllama", reason="the static embedder is an extra")
    options = Options(public_layout, output, embedder="static")
    made = run_solvers(
        options, lambda message: None, Console(file=StringIO()), "solvers", studies=IN_PROCESS, smoke=True
    )
    return {study.name: study for study in made}


def shown(study: Study) -> str:
    """What the terminal shows of a study."""
    console = Console(width=200, record=True, file=StringIO())
    print_study(study, console)
    return console.export_text()


def test_studies_measure_what_they_say(studies: dict[str, Study]) -> None:
    """Every run of exact has a proof, each study that has a target says what it measured, and each has a table."""
    assert list(studies) == IN_PROCESS
    for study in studies.values():
        assert all(run.proved for run in study.findings.runs if run.solver == "exact")
        grid = study.findings.grid
        assert grid.rows
        assert {len(row) for row in grid.rows} == {len(grid.header)}
    assert {run.dataset for run in studies["thousand"].findings.runs} == {"spider", "synthetic"}
    assert {run.solver for run in studies["scale"].findings.runs} == {"exact", "local", "greedy"}
    assert studies["thousand"].findings.checks


def test_targets_are_judged_in_full_runs_only(studies: dict[str, Study]) -> None:
    """A smoke run gives no verdict, in the terminal as on the page; a full one says met or missed."""
    study = studies["thousand"]
    assert "not judged" in shown(study)
    check = replace(study.findings.checks[0], met=False)
    words = shown(replace(study, full=True, findings=replace(study.findings, checks=[check, replace(check, met=True)])))
    assert "missed" in words
    assert "met " in words
    assert "not judged" not in words


def test_what_was_measured_once_stays_on_the_page(studies: dict[str, Study], output: Path, tmp_path: Path) -> None:
    """A page that is written again keeps what stands below the mark."""
    page = tmp_path / "page.md"
    page.write_text(f"old figures\n{ONCE}\n\n## Memory\n")
    for _ in range(2):
        write_report(output / "solvers", page)
        assert page.read_text().count(f"{ONCE}\n\n## Memory\n") == 1
    assert "old figures" not in page.read_text()


def test_a_study_survives_its_files(studies: dict[str, Study], output: Path) -> None:
    """What is read is what was written, and the CSV has the runs of all studies."""
    for name, study in studies.items():
        assert read_study(output / "solvers", name) == study
    assert read_study(output / "solvers", "paper") is None
    lines = list(csv.DictReader((output / "solvers" / "runs.csv").open()))
    assert len(lines) == sum(len(study.findings.runs) for study in studies.values())
    assert {line["study"] for line in lines} == {"scale", "thousand"}


def test_the_page_has_every_table(studies: dict[str, Study], output: Path, tmp_path: Path) -> None:
    """Tables, commands and commits of all studies; targets of full ones; figures that are there; no path."""
    page = tmp_path / "docs" / "solvers-compared.md"
    assert [study.name for study in write_report(output / "solvers", page)] == IN_PROCESS
    text = page.read_text()
    for study in studies.values():
        assert f"## {study.name.capitalize()}: " in text
        assert study.findings.grid.markdown() in text
        assert all(check.target not in text for check in study.findings.checks)
    assert "Not judged, since not run in full: scale" in text
    assert str(output) not in text
    data = json.loads((output / "solvers" / "thousand.json").read_text())
    (output / "solvers" / "thousand.json").write_text(json.dumps(data | {"full": True}))
    write_report(output / "solvers", page)
    assert studies["thousand"].findings.checks[0].target in page.read_text()
    (output / "solvers" / "thousand.json").write_text(json.dumps(data))


def test_the_paper_s_program_is_compared(public_layout: Path, output: Path) -> None:
    """Its proofs, those of its reduction and of exact give one optimum, over columns and without."""
    for package in ("mip", "highspy", "ortools", "wordllama"):
        pytest.importorskip(package, reason="engines and the static embedder are extras")
    plan = replace(SMOKE, paper_questions=((2, 1),), paper_limit=30.0, limit=30.0, questions=1)
    bench = Bench(Options(public_layout, output, embedder="static"), plan, lambda message: None)
    found = paper.measure(bench)
    assert {run.solver for run in found.runs} == {
        *("exact", "mip:highs", "mip:cbc", "cpsat", "paper-mip:cbc", "paper-mip:highs")
    }
    assert all(run.proved for run in found.runs)
    values = [run.value for run in found.runs]
    assert max(values) - min(values) <= 1e-6 * abs(values[0])
    assert "The reduction from columns" in found.grid.note
    same = agreement.measure(bench)
    assert same.checks[0].met
    assert same.checks[0].target.startswith("exact, mip and cpsat")


def test_speed_is_judged_at_one_size() -> None:
    """By hand: medians of 60 s at the limit and of 1 ms are 60,000 times, which is at least 10,000."""
    runs = [replace_solver("exact", 0.001, "optimal"), replace_solver("paper-mip:cbc", 61.0, "feasible")]
    runs.append(replace_solver("mip:cbc", 4.0, "optimal"))
    checks = {check.target: check for check in paper.speed_checks(runs)}
    assert [check.met for check in checks.values()] == [True, True, False]
    first, second, third = checks.values()
    assert first == Check(
        "exact at least 10,000 times as fast as paper-mip:cbc, medians at K = 5",
        "paper-mip:cbc > 60.0 s, exact 1.00 ms: > 60,000",
        True,
    )
    assert second.measured == "mip:cbc 4.00 s, exact 1.00 ms: 4,000"
    assert third.measured == "paper-mip:cbc > 60.0 s, mip:cbc 4.00 s: > 15"


def replace_solver(solver: str, seconds: float, status: str) -> Run:
    """A run over 20 tables with K = 5 and a limit of a minute."""
    return Run(
        study="paper", dataset="d", kind="paper", label="q1", n=20, k=5, solver=solver, exact=True, limit=60.0,
        seconds=seconds, status=status, value=4.0, gap=0.0,
    )  # fmt: skip


def test_the_command_races_what_it_is_asked_for(public_layout: Path, tmp_path: Path) -> None:
    """Solvers, sizes and candidates of the caller, a line for each run, and a page that says nothing of them."""
    pytest.importorskip("wordllama", reason="the static embedder is an extra")
    arguments = [
        *("solvers", "--data", str(public_layout), "--output", str(tmp_path), "--embedder", "static"),
        *("--datasets", "spider", "--questions", "2", "--solvers", "exact,greedy@3", "--sizes", "2,3"),
        *("--candidates", "6", "--time-limit", "5"),
    ]
    result = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert "Limits: exact 5 s, greedy 3 s" in " ".join(result.output.split())
    lines = list(csv.DictReader((tmp_path / "solvers" / "runs.csv").open()))
    assert [(line["k"], line["n"]) for line in lines] == [("2", "6"), ("2", "6"), ("3", "6"), ("3", "6")] * 2
    study = read_study(tmp_path / "solvers", "race")
    assert study is not None
    assert not study.full


def test_wrong_options_are_told(public_layout: Path, tmp_path: Path) -> None:
    """An unknown study, and sizes that are none."""
    with pytest.raises(UnknownStudyError, match="choose among agreement"):
        chosen_studies(["speed"])
    arguments = ["solvers", "--data", str(public_layout), "--output", str(tmp_path), "--sizes", "2,x"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert "no list of positive integers" in result.output


def test_the_shown_command_has_no_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where something is kept on a machine is nobody else's business."""
    monkeypatch.setattr(sys, "argv", ["x", "solvers", "--output", "/a/b", "--data=/c", "--studies", "paper"])
    assert shown_command() == "python -m benchmarks solvers --studies paper"


def test_the_full_plan_covers_the_targets() -> None:
    """At least 200 questions, 30 of them with the paper's program at K = 5, a minute for each."""
    assert FULL.full
    assert not SMOKE.full
    assert FULL.questions >= 200
    assert dict(FULL.paper_questions)[5] * len(FULL.datasets) >= 30
    assert FULL.paper_limit >= 60
    assert max(FULL.union_sizes) >= 876
