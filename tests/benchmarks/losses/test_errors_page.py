"""The command and its page: every question is in one class, every lost question in the file, the worst in full."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from benchmarks.__main__ import main
from benchmarks.data.datasets import load_dataset
from benchmarks.losses.classes import CLASSES
from benchmarks.losses.losses_page import quotation
from benchmarks.losses.recording import check_system, recording_reranker
from benchmarks.runs.evaluation import NothingToAskError, Options, open_index
from benchmarks.runs.vectors import VectorCache
from benchmarks.systems.rows import Setting, UnknownSystemError
from benchmarks.systems.table_systems import find_system

pytest.importorskip("wordllama", reason="the static embedder is an extra")


def run_errors(data: Path, output: Path, *options: str, catch: bool = True) -> Result:
    """What the command does with the small data sets."""
    common = ["--data", str(data), "--output", str(output), "--embedder", "static", "--candidates", "3"]
    return CliRunner().invoke(main, ["errors", *common, *options], catch_exceptions=catch)


def test_the_page_counts_each_question_once(public_layout: Path, tmp_path: Path) -> None:
    """Four questions need several tables; at each size the classes add up to them, and the page says its origin."""
    page = tmp_path / "docs" / "errors.md"
    result = run_errors(public_layout, tmp_path, "--system", "jar,jar-f", "--sizes", "gold,1", "--page", str(page))
    assert result.exit_code == 0, result.output
    text = page.read_text()
    assert "at commit" in " ".join(text.split())  # where the line breaks depends on the length of the path
    assert (
        "python -m benchmarks errors --datasets spider,bird --system jar,jar-f --sizes gold,1 --worst 10 "
        f"--embedder static --candidates 3 --page {page.as_posix()}"
    ) in " ".join(text.split())
    for dataset in ("spider", "bird"):
        for system in ("jar", "jar-f"):
            assert f"## {dataset}, `{system}`, 4 questions" in text
            section = text.split(f"## {dataset}, `{system}`")[1].split("Objective:")[0]
            counts = [line.split("|")[2:4] for line in section.splitlines() if line.startswith("| `")]
            assert [sum(int(row[place]) for row in counts) for place in (0, 1)] == [4, 4]
    names = {row.name for row in CLASSES}
    rows = list(csv.DictReader((tmp_path / "errors" / "spider-jar.csv").open()))
    assert {row["class"] for row in rows} <= names
    lost = int(text.split("## spider, `jar`")[1].split("| **lost** | ")[1].split()[0])
    assert lost == sum(row["size"] == "gold" for row in rows)
    assert text.count("\n### spider ") == lost


def test_a_folder_of_beir_has_losses(clinic: Path, public_layout: Path, tmp_path: Path) -> None:
    """Without gold queries no join is missed; the file is named by the folder, and "+given" is refused."""
    options = ("--datasets", f"beir:{clinic}", "--sizes", "1,2")
    result = run_errors(public_layout, tmp_path, "--system", "jar,jar", *options)
    assert result.exit_code == 0, result.output
    assert result.output.count("beir:clinic, jar: 1 questions at K = 1, K = 2") == 1
    assert [path.name for path in (tmp_path / "errors").iterdir()] == ["beir:clinic-jar.csv"]
    with pytest.raises(UnknownSystemError, match="without decompositions"):
        run_errors(public_layout, tmp_path, "--system", "jar+given", *options, catch=False)


@pytest.mark.parametrize(
    ("datasets", "told"),
    [
        (["spider", "bird"], "Questions and gold queries are quoted from Spider and BIRD (CC BY-SA 4.0)."),
        (["bird-union", "bird"], "Questions and gold queries are quoted from BIRD (CC BY-SA 4.0)."),
        (["beir:a", "beir:b"], "Questions are quoted from `beir:a` and `beir:b`."),
        (
            ["spider-union", "beir:a"],
            "Questions and gold queries are quoted from Spider (CC BY-SA 4.0). Questions are quoted from `beir:a`.",
        ),
    ],
)
def test_the_page_names_whom_it_quotes(datasets: list[str], told: str) -> None:
    """Those that were analysed, and no others."""
    assert quotation(datasets) == told


def test_a_page_about_a_folder_cites_nobody_else(clinic: Path, public_layout: Path, tmp_path: Path) -> None:
    """A limit that leaves no question out makes no slice of it, either."""
    page = tmp_path / "errors.md"
    options = ("--system", "jar", "--datasets", f"beir:{clinic}", "--limit", "5", "--page", str(page))
    assert run_errors(public_layout, tmp_path, *options).exit_code == 0
    text = page.read_text()
    assert "Questions are quoted from `beir:clinic`." in text
    assert "BIRD" not in text
    assert "slice" not in text


def test_questions_with_one_gold_table_are_no_losses(clinic: Path, public_layout: Path, tmp_path: Path) -> None:
    """Where no question needs several tables there is nothing to count, and no share of it."""
    (clinic / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq\t0\t1\n")
    result = run_errors(public_layout, tmp_path, "--system", "jar", "--datasets", f"beir:{clinic}")
    assert isinstance(result.exception, NothingToAskError)


def test_too_few_candidates_are_the_first_thing_to_blame(public_layout: Path, tmp_path: Path) -> None:
    """With as many candidates as tables to choose, three tables of look-alike databases cannot all be among them."""
    system = "jar+words=off+databases=off"
    result = run_errors(public_layout, tmp_path, "--datasets", "spider", "--system", system, "--sizes", "gold")
    assert result.exit_code == 0, result.output
    classes = [line.split("`")[1] for line in result.output.splitlines() if line.startswith("│ `")]
    assert "candidates" in classes


@pytest.mark.parametrize(
    "name", ["jar", "jar+default+score=paper", "jar-f", "jar-d", "jar-g+score=default", "jar+connect=require"]
)
def test_the_recorded_answers_are_those_of_the_system(name: str, public_layout: Path, tmp_path: Path) -> None:
    """What is explained is what the benchmark measures: the same tables, whether they are recorded or not."""
    options = Options(public_layout, tmp_path, embedder="static")
    dataset = load_dataset("spider", public_layout).restricted(2)
    cache = VectorCache("static", tmp_path / "vectors")
    index = open_index(dataset, options, cache)
    row, _ = find_system(name)
    setting = Setting(dataset, index, cache.embedder)
    answers = row.answer(setting, [3])
    recorded = recording_reranker(name, setting).records([question.text for question in dataset.questions], 3)
    assert [record.selection.tables for record in recorded] == answers.tables[3]


@pytest.mark.parametrize("name", ["dense", "oracle", "jar-f+solver=greedy", "jar+retriever=bm25", "jar-x"])
def test_systems_without_a_proven_value_are_refused(name: str) -> None:
    """Only who maximises an objective with proof can be told what it lost."""
    with pytest.raises(UnknownSystemError):
        check_system(name)


def test_sizes_are_gold_or_numbers(public_layout: Path, tmp_path: Path) -> None:
    """Anything else is refused with a message."""
    result = run_errors(public_layout, tmp_path, "--sizes", "gold,none")
    assert result.exit_code == 2
    assert "neither" in result.output
