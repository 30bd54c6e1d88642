"""The task "columns": gold columns from queries, protocol, and orders that any correct system keeps."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from benchmarks.data.datasets import DATASETS, load_dataset
from benchmarks.data.gold_columns import gold_columns, read_schema_columns
from benchmarks.data.gold_tables import GoldError
from benchmarks.runs.evaluation import Options, run
from benchmarks.runs.results import Result
from benchmarks.runs.tasks import TASKS
from joinability import Catalog

TASK = TASKS["columns"]
SYSTEMS = (
    "oracle",
    "question",
    "probes+given",
    "paper+given",
    "paper-no-coverage+given",
    "crush",
    "crush+given",
    "crush-no-joins+given",
)
SCHEMA = {
    "client": frozenset({"id", "name", "district"}),
    "card": frozenset({"id", "type", "client_id"}),
}


@pytest.mark.parametrize(
    ("sql", "columns"),
    [
        ("SELECT name FROM client", "client.name"),
        ("SELECT * FROM client", ""),
        ("SELECT count(*) FROM Client WHERE NAME = 'x'", "client.name"),
        (
            "SELECT a.name, b.type FROM client a JOIN card AS b ON a.id = b.client_id",
            "client.name client.id card.type card.client_id",
        ),
        (
            "SELECT name FROM client WHERE id IN (SELECT client_id FROM card WHERE type = 'gold')",
            "client.name client.id card.client_id card.type",
        ),
        ("SELECT name FROM client WHERE id IN (SELECT id FROM card)", "client.name client.id card.id"),
        (
            "SELECT name FROM client c WHERE EXISTS (SELECT 1 FROM card WHERE client_id = c.id)",
            "client.name client.id card.client_id",
        ),
        (
            "SELECT name FROM client c WHERE EXISTS (SELECT 1 FROM card WHERE district = type)",
            "client.name client.district card.type",
        ),
        ("SELECT t.n FROM (SELECT name AS n FROM client) t", "client.name"),
        ("WITH card AS (SELECT id FROM client) SELECT id FROM card", "client.id"),
        ("SELECT type FROM card UNION SELECT name FROM client ORDER BY 1", "card.type client.name"),
        (
            "SELECT name FROM client GROUP BY district HAVING count(id) > 1 ORDER BY max(id)",
            "client.name client.district client.id",
        ),
    ],
)
def test_gold_columns_are_those_that_a_query_names(sql: str, columns: str) -> None:
    """Qualified or not, in subqueries, in parts computed elsewhere; a star names none."""
    assert gold_columns(sql, "Bank", SCHEMA) == {f"bank.{column}" for column in columns.split()}


def test_a_query_that_is_none_is_an_error() -> None:
    """The message quotes it."""
    with pytest.raises(GoldError, match="FROM FROM"):
        gold_columns("SELECT FROM FROM", "bank", SCHEMA)


def test_gold_columns_agree_with_the_annotation_of_crush(data_folder: Path) -> None:
    """On BIRD, columns by the parser and by the annotators are the same for 19 of 20 questions."""
    dataset = load_dataset("bird-columns", data_folder)
    schemas = read_schema_columns(data_folder / "bird" / "union_tables.json")
    asked = dataset.questions[::7]
    same = [
        gold_columns(question.sql, question.database, schemas[question.database]) == question.gold_columns
        for question in asked
    ]
    assert sum(same) >= 0.95 * len(same)
    assert len(dataset.questions) == 1534


def test_the_corpora_are_those_of_crush(data_folder: Path) -> None:
    """The columns of the catalogs are the lines of the files of CRUSH, but for case."""
    for name, folder in (("bird-columns", "bird"), ("spider-union", "spider")):
        lines = (data_folder / folder / "crush_columns.txt").read_text(encoding="utf-8").split("\n")
        dataset = load_dataset(name, data_folder)
        columns = {f"{table.id}.{column.name}".casefold() for table in dataset.catalog for column in table.columns}
        assert columns == {line.strip().casefold() for line in lines if line.strip()}


def test_the_halves_share_no_database(data_folder: Path) -> None:
    """Constants are chosen on other databases than they are reported on, and no question is lost."""
    halves = [load_dataset(name, data_folder) for name in ("bird-columns-tuning", "bird-columns-held-out")]
    databases = [{question.database for question in half.questions} for half in halves]
    assert not databases[0] & databases[1]
    assert sum(len(half.questions) for half in halves) == 1534


@pytest.fixture(scope="module")
def results(data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Result]:
    """Results of some systems on 25 questions of BIRD with the static embedder."""
    pytest.importorskip("wordllama", reason="the static embedder is an extra")
    options = Options(data_folder, tmp_path_factory.mktemp("columns"), limit=25, embedder="static")
    found = run(TASK, ["bird-columns"], SYSTEMS, options, lambda message: None)
    return {result["system"]: result for result in found}


def test_recall_grows_with_the_budget_up_to_the_oracle(results: dict[str, Result]) -> None:
    """No system falls by more than its sets may differ, and none exceeds the gold columns that the corpus has."""
    for result in results.values():
        metrics = result["metrics"]
        assert set(metrics) == {f"R@{k}" for k in TASK.sizes}
        figures = [metrics[f"R@{k}"] for k in TASK.sizes]
        assert all(after >= before - 1.0 for before, after in pairwise(figures))
        assert all(metrics[name] <= results["oracle"]["metrics"][name] for name in metrics)


def test_probes_and_joins_help(results: dict[str, Result]) -> None:
    """By far more than chance could explain, with any embedder."""
    at_ten = {system: result["metrics"]["R@10"] for system, result in results.items()}
    assert at_ten["crush+given"] > at_ten["question"] + 5
    assert at_ten["crush+given"] > at_ten["crush-no-joins+given"]


def test_the_formula_is_solved_with_proof(results: dict[str, Result]) -> None:
    """Each of the 25 questions at each budget, under the default search."""
    assert results["crush+given"]["statuses"] == {f"@{k}": {"optimal": 25} for k in TASK.sizes}


def test_what_a_data_set_has_no_schemas_for_is_left_out(data_folder: Path, tmp_path: Path) -> None:
    """SpiderUnion has no imagined schemas: the run says so."""
    messages: list[str] = []
    options = Options(data_folder, tmp_path, limit=3, embedder="static")
    assert run(TASK, ["spider-union"], ["crush+given"], options, messages.append) == []
    assert any("left out" in message for message in messages)


def test_systems_without_probes_need_no_schemas(
    data_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where "given" is asked of all, those that have no use for it run as ever."""
    pytest.importorskip("wordllama", reason="the static embedder is an extra")
    whole = load_dataset("spider-union", data_folder)
    databases = {question.database for question in whole.questions[:3]}
    few = replace(whole, catalog=Catalog([table for table in whole.catalog if table.database in databases]))
    monkeypatch.setitem(DATASETS, "spider-union", replace(DATASETS["spider-union"], load=lambda root, names: few))
    options = Options(data_folder, tmp_path, limit=3, embedder="static", decomposition="given")
    found = run(TASK, ["spider-union"], ["question", "crush"], options, lambda message: None)
    assert [(result["system"], result["decomposition"]) for result in found] == [("question", None)]


def test_columns_lead_to_tables(data_folder: Path, tmp_path: Path) -> None:
    """Both ways to tables by columns answer with as many tables as asked for, better than the first stage alone."""
    pytest.importorskip("wordllama", reason="the static embedder is an extra")
    options = Options(data_folder, tmp_path, limit=25, embedder="static")
    systems = ["retriever", "crush", "jar-crush", "jar-crush+given"]
    found = run(TASKS["tables"], ["spider"], systems, options, lambda message: None)
    f1 = {result["system"]: result["metrics"]["F1@2"] for result in found}
    assert min(f1["crush"], f1["jar-crush"], f1["jar-crush+given"]) > f1["retriever"] + 3
    assert f1["jar-crush"] != f1["crush"]
