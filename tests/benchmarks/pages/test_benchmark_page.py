"""The page of the benchmarks is what the results say, beside what was published."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from benchmarks.commands.report import report
from benchmarks.pages.benchmarks_page import write_report
from benchmarks.pages.markdown import MissingMarksError, between
from benchmarks.pages.measured import Measured, NoResultsError, system_name
from benchmarks.pages.readme_table import (
    MARKS,
    README_ROWS,
    MissingFigureError,
    readme_table,
)
from benchmarks.pages.reference import PUBLISHED, SOURCES
from benchmarks.runs.evaluation import Options, run
from benchmarks.runs.results import read_results, write_results
from benchmarks.runs.significance import write_significance
from benchmarks.runs.tasks import TASKS

pytest.importorskip("wordllama", reason="the static embedder is an extra")
pytest.importorskip("matplotlib", reason="plots are an extra")

SYSTEMS = ("oracle", "dense", "jar-f", "jar")


@pytest.fixture(scope="module")
def output(public_layout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with results of two tasks on small data sets."""
    folder = tmp_path_factory.mktemp("measured")
    options = Options(public_layout, folder, embedder="static", candidates=6)
    run(TASKS["tables"], ["spider", "bird"], SYSTEMS, options, lambda message: None)
    run(TASKS["union"], ["bird-union"], ("oracle", "dense", "jar-f"), options, lambda message: None)
    write_significance(folder, lambda message: None)
    return folder


@pytest.fixture(scope="module")
def page(output: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of that folder."""
    path = tmp_path_factory.mktemp("docs") / "benchmarks.md"
    write_report(output, path)
    return path


def table_in(readme: str, figures: dict[str, Any]) -> str:
    """A README with its table written anew."""
    return between(readme, MARKS, readme_table(figures))


def section(text: str, task: str, dataset: str) -> str:
    """The part of the page about a task on a data set."""
    own = text.split(f"\n## {task.capitalize()}:")[1].split("\n## ")[0]
    return own.split(f"\n### {dataset}, ")[1].split("\n### ")[0]


def test_each_result_has_a_row_with_its_metrics(page: Path, output: Path) -> None:
    """Every metric that the table shows is the one in results.jsonl, to one decimal."""
    text = page.read_text()
    for result in read_results(output / "results.jsonl"):
        part = section(text, result["task"], result["dataset"])
        header = next(line for line in part.splitlines() if line.startswith("| system"))
        names = [name.strip() for name in header.strip("|").split("|")]
        row = next(line for line in part.splitlines() if line.startswith(f"| `{system_name(result)}` |"))
        cells = dict(zip(names, (cell.strip() for cell in row.strip("|").split("|")), strict=True))
        assert len(cells) > 2
        assert {n: c for n, c in cells.items() if n != "system"} == {
            name: f"{result['metrics'][name]:.1f}" for name in names if name != "system"
        }


def test_published_rows_stand_in_the_table_of_their_protocol_only(page: Path) -> None:
    """A paper's row is in the table of its task and data set, in italics, and its source below; in no other."""
    text = page.read_text()
    for task, dataset in (("tables", "spider"), ("tables", "bird"), ("union", "bird-union")):
        part = section(text, task, dataset)
        first = part.split("| system | ")[1].split(" ")[0]
        own = [row for row in PUBLISHED if (row.task, row.dataset) == (task, dataset)]
        shown = re.findall(r"^\| \*(.+?)\* \| ([\d.]*) ", part, re.MULTILINE)
        assert shown == [(row.label, f"{row.metrics[first]:.1f}" if first in row.metrics else "") for row in own]
    sources = text.split("## Sources")[1].split("## Runs")[0]
    shown_in = {("tables", "spider"), ("tables", "bird"), ("union", "bird-union")}
    used = {row.source for row in PUBLISHED if (row.task, row.dataset) in shown_in}
    assert {name for name in SOURCES if f"*{name}*" in sources} == used


def test_the_page_claims_no_more_than_is_known(page: Path) -> None:
    """How precision is counted, and which figures have no table."""
    text = " ".join(page.read_text().split())
    assert "Precision at K divides by K, so that an empty place counts as a miss." in text
    assert "traced to a table" not in text
    assert "its paper was not at hand" in text


def test_the_page_says_where_its_figures_come_from(page: Path, output: Path) -> None:
    """Commit, date and the commands of page and runs."""
    text = " ".join(page.read_text().split())
    results = read_results(output / "results.jsonl")
    assert f"at commit {results[0]['commit']}" in text
    assert results[0]["date"][:10] in text
    assert "`python -m benchmarks report --page" in text
    assert "`python -m benchmarks run --task union --datasets bird-union --embedder static --candidates 6`" in text


def test_the_commands_of_the_page_make_its_figures(output: Path, tmp_path: Path) -> None:
    """Whatever is not as usual is an option; systems that the task does not run by itself are named."""
    usual = {"embedder": "minilm", "candidates": 20}
    first = next(result for result in read_results(output / "results.jsonl") if result["system"] == "jar-f") | usual
    changes = [("system", "jar+connect=prefer"), ("decomposition", "given"), ("names", "natural"), ("solver", "local")]
    write_results(tmp_path / "results.jsonl", [first, *(first | {name: value} for name, value in changes)])
    write_report(tmp_path, tmp_path / "benchmarks.md")
    runs = (tmp_path / "benchmarks.md").read_text().split("## Runs")[1]
    start = f"`python -m benchmarks run --task tables --datasets {first['dataset']}"
    assert re.findall(r"^\| (`.+?`) \|", runs, re.MULTILINE) == [
        f"{start}{options}`"
        for options in (
            "",
            " --decomposition given",
            " --names natural",
            " --solver local",
            " --systems jar+connect=prefer",
        )
    ]


def test_settings_that_are_not_as_usual_have_rows_of_their_own(output: Path, tmp_path: Path) -> None:
    """Fewer candidates or another solver take no row of the usual ones, and no name."""
    usual = next(result for result in read_results(output / "results.jsonl") if result["system"] == "jar-f")
    usual |= {"embedder": "minilm", "candidates": 20}
    results = [usual, usual | {"candidates": 3}, usual | {"solver": "greedy"}]
    write_results(tmp_path / "results.jsonl", results)
    assert [system_name(result) for group in Measured(tmp_path).groups for result in group.results] == [
        "jar-f",
        "jar-f (3 candidates)",
        "jar-f (greedy)",
    ]


def test_intervals_and_comparisons_are_shown(page: Path) -> None:
    """The main metric has its interval; each system but the oracle its gain on the baseline with a corrected p."""
    part = section(page.read_text(), "tables", "spider")
    certain = part.split("| system | F1@2 | 95 % | gain on dense")[1].split("Intervals:")[0]
    rows = {line.split("`")[1]: line.strip("|").split("|") for line in certain.splitlines() if line.startswith("| `")}
    assert set(rows) == {f"{name} (static, 6 candidates)" for name in SYSTEMS}
    assert all(re.fullmatch(r"\d+\.\d to \d+\.\d", row[2].strip()) for row in rows.values())
    assert [name for name, row in rows.items() if not row[-1].strip()] == [
        "oracle (static, 6 candidates)",
        "dense (static, 6 candidates)",
    ]


def test_every_image_of_the_page_was_drawn(page: Path) -> None:
    """Recall, latency and gain for each data set of the task `tables`, as PNG files beside the page."""
    images = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", page.read_text())
    assert {f"figures/benchmarks-tables-{d}-{n}.png" for d in ("spider", "bird") for n in ("recall", "latency")} <= {
        *images
    }
    for image in images:
        assert (page.parent / image).read_bytes().startswith(b"\x89PNG")


def test_a_slice_is_called_one(public_layout: Path, tmp_path: Path) -> None:
    """Figures of a part of the questions say so, and the README takes none of them."""
    options = Options(public_layout, tmp_path, embedder="static", limit=2)
    run(TASKS["tables"], ["spider"], ("dense",), options, lambda message: None)
    readme = tmp_path / "README.md"
    readme.write_text(f"{MARKS[0]}\n{MARKS[1]}\n")
    with pytest.raises(MissingFigureError, match="without --limit"):
        write_report(tmp_path, tmp_path / "benchmarks.md", readme)
    write_report(tmp_path, tmp_path / "benchmarks.md")
    assert "### spider, 2 questions, **a slice**" in (tmp_path / "benchmarks.md").read_text()
    assert readme.read_text() == f"{MARKS[0]}\n{MARKS[1]}\n"


def test_a_limit_that_leaves_no_question_out_is_no_slice(public_layout: Path, tmp_path: Path) -> None:
    """Four questions of four are all of them: the result is that of a run without limit, and is not made twice."""
    messages: list[str] = []
    for limit in (4, 50, None):
        options = Options(public_layout, tmp_path, embedder="static", limit=limit)
        run(TASKS["tables"], ["spider"], ("dense",), options, messages.append)
    assert [message for message in messages if "questions" in message] == ["spider: dense on 4 questions"]
    (group,) = Measured(tmp_path).groups
    assert (group.questions, group.limit) == (4, None)


def test_results_of_other_questions_are_not_mixed(output: Path, tmp_path: Path) -> None:
    """The most questions count; a slice has no row beside the rest, and of two rows of a system the newer one stays."""
    results = read_results(output / "results.jsonl")
    slices = [result | {"questions": 1, "limit": 1} for result in results]
    older = [result | {"limit": 2, "date": "2026-01-01", "seconds": -1.0} for result in results]
    write_results(tmp_path / "results.jsonl", [*slices, *older, *results])
    mixed, alone = ([group.results for group in Measured(folder).groups] for folder in (tmp_path, output))
    assert mixed == alone


def test_a_folder_without_results_says_how_to_make_some(tmp_path: Path) -> None:
    """There is no empty page."""
    with pytest.raises(NoResultsError, match="benchmarks run"):
        write_report(tmp_path, tmp_path / "benchmarks.md")
    assert not (tmp_path / "benchmarks.md").exists()


def test_a_readme_that_is_not_there_is_refused(output: Path, tmp_path: Path) -> None:
    """No page is written beside it."""
    paths = {"--output": output, "--page": tmp_path / "page.md", "--readme": tmp_path / "README.md"}
    arguments = [str(part) for pair in paths.items() for part in pair]
    found = CliRunner().invoke(report, arguments)
    assert found.exit_code == 2
    assert "does not exist" in found.output
    assert list(tmp_path.iterdir()) == []


def full_figures() -> dict[str, Any]:
    """Figures of all rows of the README, each system another."""
    systems = {name: {"F1@2": 10.0 + place, "F1@5": 60.04} for place, (_, name) in enumerate(README_ROWS)}
    own = {"questions": 1171, "limit": None, "systems": systems}
    return {"tasks": {"tables": {"spider": own, "bird": own}}}


def test_the_table_of_the_readme_is_written_between_its_marks() -> None:
    """What stands around the marks stays; a second time changes nothing; without marks it is an error."""
    once = table_in(f"before\n{MARKS[0]}\nold\n{MARKS[1]}\nafter", full_figures())
    assert once.startswith(f"before\n{MARKS[0]}\n| | Spider (1,171) | BIRD (1,171) |\n")
    assert "\n| MiniLM ranking | 10.0 / 60.0 | 10.0 / 60.0 |\n" in once
    assert "| published: JAR-F / JAR-G at 2 (with another retriever) | 84.5 / 89.6 | 72.0 / 73.8 |" in once
    assert once.endswith(f"{MARKS[1]}\nafter")
    assert table_in(once, full_figures()) == once
    with pytest.raises(MissingMarksError):
        table_in("no marks", full_figures())


def test_a_row_that_was_not_measured_is_an_error() -> None:
    """The README never shows a figure that no result stands behind."""
    found = json.loads(json.dumps(full_figures()))
    del found["tasks"]["tables"]["bird"]["systems"]["jar"]
    with pytest.raises(MissingFigureError, match=r"'jar' on bird.*--systems jar"):
        readme_table(found)


@pytest.mark.parametrize(
    ("result", "name"),
    [
        ({"system": "jar-f", "decomposition": "default"}, "jar-f"),
        ({"system": "jar-f", "decomposition": "given"}, "jar-f+given"),
        ({"system": "jar-f+given+score=default", "decomposition": "given"}, "jar-f+given+score=default"),
        ({"system": "dense", "decomposition": None, "embedder": "static"}, "dense (static)"),
    ],
)
def test_a_system_is_named_by_what_it_was_given(result: dict[str, Any], name: str) -> None:
    """However the decomposition was asked for, the same system has one name."""
    assert system_name(result) == name
