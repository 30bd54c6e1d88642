"""Results of another version: left out with a message, never a traceback, and never lost."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner, Result

from benchmarks.__main__ import main
from benchmarks.runs.answers import read_answers, write_answers
from benchmarks.runs.evaluation import Options, run
from benchmarks.runs.results import (
    ANSWERS,
    REPEATED,
    BrokenResultsError,
    read_results,
    write_results,
)
from benchmarks.runs.significance import write_significance
from benchmarks.runs.tasks import TASKS

pytest.importorskip("wordllama", reason="the static embedder is an extra")

SYSTEMS = ("oracle", "dense", "jar-f")


@pytest.fixture(scope="module")
def made(public_layout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that a run over four questions left."""
    folder = tmp_path_factory.mktemp("made")
    run(TASKS["tables"], ["spider"], SYSTEMS, Options(public_layout, folder, embedder="static"), lambda message: None)
    return folder


@pytest.fixture
def output(made: Path, tmp_path: Path) -> Path:
    """A copy of it to break."""
    return Path(shutil.copytree(made, tmp_path / "copy"))


def change(output: Path, system: str, without: str, *, value: Any = None, keep: bool = False) -> dict[str, Any]:
    """Take a field from the line of a system, or change it; the line as it is now."""
    results = read_results(output / "results.jsonl")
    line = next(result for result in results if result["system"] == system)
    del line[without]
    if keep:
        line[without] = value
    (output / "results.jsonl").write_text("".join(json.dumps(result) + "\n" for result in results))
    return line


def report(output: Path, page: Path) -> Result:
    """``python -m benchmarks report``."""
    return CliRunner().invoke(main, ["report", "--output", str(output), "--page", str(page)])


def run_again(data: Path, output: Path, *arguments: str) -> Result:
    """``python -m benchmarks run`` on the same questions."""
    common = ("--data", str(data), "--output", str(output), "--embedder", "static", "--datasets", "spider")
    return CliRunner().invoke(main, ["run", *common, *arguments])


@pytest.mark.parametrize("field", ["system", "metrics", "limit"])
def test_a_line_without_a_field_of_today_is_left_out(field: str, output: Path, public_layout: Path) -> None:
    """The page and another run go on without it; it is told with file and line, and stays in the file."""
    if field == "system":
        text = (output / "results.jsonl").read_text().replace('"system": "jar-f"', '"sistem": "jar-f"')
        (output / "results.jsonl").write_text(text)
        line = next(result for result in read_results(output / "results.jsonl") if "sistem" in result)
    else:
        line = change(output, "jar-f", field)
    told = "results.jsonl, line 3: left out, of another version; remove what is left out"
    found = report(output, output / "page.md")
    assert found.exit_code == 0, found.output
    assert told in found.stderr
    assert "| `dense (static)` |" in (output / "page.md").read_text()
    assert "| `jar-f (static)` |" not in (output / "page.md").read_text()
    again = run_again(public_layout, output, "--systems", "oracle,dense", "--candidates", "4")
    assert again.exit_code == 0, again.output
    assert told in again.stderr
    assert line in read_results(output / "results.jsonl")


def test_lines_with_one_fault_are_told_together(output: Path) -> None:
    """A long file makes a short message; nothing else is told of a file that has only such lines."""
    for system in SYSTEMS:
        change(output, system, "limit")
    found = report(output, output / "page.md")
    assert "lines 1, 2, 3: left out" in found.stderr
    assert "has no results" in str(found.exception)
    assert not (output / "page.md").exists()


@pytest.mark.parametrize("field", sorted(REPEATED))
def test_what_a_run_shows_is_made_again_where_it_is_not_there(field: str, output: Path, public_layout: Path) -> None:
    """A result without answers, intervals or groups is no reason not to run."""
    change(output, "jar-f", field)
    found = run_again(public_layout, output, "--systems", ",".join(SYSTEMS))
    assert found.exit_code == 0, found.output
    assert "spider: jar-f on 4 questions" in found.stderr
    assert "dense on 4 questions" not in found.stderr


def test_a_line_that_is_no_text_is_told(tmp_path: Path) -> None:
    """With file and line, as one that is no JSON."""
    (tmp_path / "results.jsonl").write_bytes(b'{}\n{"task": "\xff"}\n')
    with pytest.raises(BrokenResultsError, match=r"results\.jsonl, line 2: not a result"):
        read_results(tmp_path / "results.jsonl")


@pytest.mark.parametrize("name", ["", "..", ".", None])
def test_only_a_folder_of_answers_goes_with_its_result(name: str | None, tmp_path: Path) -> None:
    """A line that names no folder inside, or the folder of all of them, takes nothing with it."""
    (tmp_path / ANSWERS / "0f").mkdir(parents=True)
    path = tmp_path / "results.jsonl"
    path.write_text(json.dumps({"system": "jar", "answers": name}) + "\n")
    write_results(path, [{"system": "jar", "answers": "1f"}])
    assert (tmp_path / ANSWERS / "0f").is_dir()
    assert path.exists()


@pytest.mark.parametrize("share", [0, 0.1, 0.5])
def test_answers_that_were_cut_are_made_again(share: float, output: Path, public_layout: Path) -> None:
    """Wherever the file was cut; the page tells it, and goes on without them."""
    result = read_results(output / "results.jsonl")[2]
    path = output / ANSWERS / result["answers"] / "answers.csv"
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))])
    found = report(output, output / "page.md")
    assert found.exit_code == 0, found.output
    assert "tables, spider: the answers of jar-f (static) are lost, broken" in found.stderr
    assert "dense (static) are lost" not in found.stderr
    again = run_again(public_layout, output, "--systems", ",".join(SYSTEMS))
    assert again.exit_code == 0, again.output
    assert "jar-f on 4 questions" in again.stderr
    assert "dense on 4 questions" not in again.stderr
    columns = ["question", "size", "items", "F1"]
    made = pd.read_csv(path)[columns]
    path.write_bytes(whole)
    pd.testing.assert_frame_equal(made, pd.read_csv(path)[columns])


def test_a_run_that_stops_among_the_answers_leaves_no_folder(output: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is there is whole: the folder of before, or none."""
    folder = output / ANSWERS / read_results(output / "results.jsonl")[2]["answers"]
    frame = read_answers(folder)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}

    def stop(*arguments: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("benchmarks.runs.answers.write_qrels", stop)
    for place in (folder, output / ANSWERS / "new"):
        with pytest.raises(KeyboardInterrupt):
            write_answers(place, frame, {}, "jar-f")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert not (output / ANSWERS / "new").exists()


def test_comparisons_of_another_version_are_made_again(output: Path) -> None:
    """A table with other columns is none."""
    table = write_significance(output, lambda message: None)
    table.drop(columns="resamples").to_csv(output / "significance.csv", index=False)
    assert report(output, output / "page.md").exit_code == 0
    pd.testing.assert_frame_equal(write_significance(output, lambda message: None), table)
