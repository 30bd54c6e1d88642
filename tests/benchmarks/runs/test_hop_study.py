"""The study of several hops: what it counts, and what it writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from benchmarks.__main__ import main
from benchmarks.pages.markdown import MissingMarksError
from benchmarks.pages.multihop_page import write_hop_tables
from benchmarks.runs.hop_study import HOPS, RERANKED, STUDIED

PAGE = """# Hops

<!-- static: written by `python -m benchmarks hops` -->
<!-- /static -->

<!-- static: written by `python -m benchmarks hops --reranked` -->
<!-- /static -->

The end.
"""


def invoke(data: Path, output: Path, *arguments: str) -> Result:
    """``python -m benchmarks hops`` with the static embedder, on eight questions over twelve tables."""
    pytest.importorskip("wordllama", reason="the static embedder is an extra")
    command = ["hops", "--data", str(data), "--datasets", "spider", "--embedder", "static", "--output", str(output)]
    return CliRunner().invoke(main, [*command, *arguments])


def test_each_way_is_measured_and_the_page_has_the_tables(public_layout: Path, tmp_path: Path) -> None:
    """One hop, and rewriters, forms and hops; an oracle in the paper's form loses nothing within five tables."""
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    found = invoke(public_layout, tmp_path, "--page", str(page))
    assert found.exit_code == 0, found.output
    (study,) = json.loads((tmp_path / "hops-static.json").read_text())
    assert (study["questions"], study["gold_tables"]) == (8, {"1": 4, "3": 4})
    assert len(study["figures"]) == 1 + len(STUDIED) * len(HOPS)
    by_way = {(row["rewriter"], row["form"], row["hops"]): row for row in study["figures"]}
    assert by_way["oracle", "paper", 4]["recall"]["5"] == 100
    assert by_way["", "", 1]["p"] is None
    for row in study["figures"]:
        assert row["recall"]["5"] == pytest.approx((row["by_gold"]["1"] + row["by_gold"]["3"]) / 2)
    text = page.read_text()
    assert "spider, 8 questions, static vectors" in text
    assert text.endswith("The end.\n")
    assert text.count("| oracle |") == 2 * len(HOPS)


def test_the_re_ranker_is_compared_with_itself_behind_several_hops(public_layout: Path, tmp_path: Path) -> None:
    """By paired tests against the first row, whose figures are those of the task."""
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    found = invoke(public_layout, tmp_path, "--reranked", "--page", str(page))
    assert found.exit_code == 0, found.output
    (study,) = json.loads((tmp_path / "reranked-static.json").read_text())
    assert [row["system"] for row in study["figures"]] == list(RERANKED)
    assert study["figures"][0]["p"] == {}
    assert set(study["figures"][1]["p"]) == {"3", "5", "10"}
    run = ["run", "--task", "union", "--data", str(public_layout), "--datasets", "spider", "--systems", "jar"]
    made = CliRunner().invoke(main, [*run, "--embedder", "static", "--output", str(tmp_path)])
    assert made.exit_code == 0, made.output
    (result,) = map(json.loads, (tmp_path / "results.jsonl").read_text().splitlines())
    for k, recall in study["figures"][0]["recall"].items():
        assert recall == pytest.approx(result["metrics"][f"CR@{k}"], abs=0.1)
    assert "jar+retriever=multihop" in page.read_text()


def test_a_page_without_marks_is_left_alone(public_layout: Path, tmp_path: Path) -> None:
    """The error says what to put there."""
    page = tmp_path / "page.md"
    page.write_text("# Hops\n")
    found = invoke(public_layout, tmp_path, "--reranked", "--page", str(page))
    assert isinstance(found.exception, MissingMarksError)
    assert page.read_text() == "# Hops\n"
    write_hop_tables(page, [])
    assert page.read_text() == "# Hops\n"
