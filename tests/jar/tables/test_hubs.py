"""Equation (5a) of docs/ranking.md, beside brute force: what joins count of columns that many tables have."""

from __future__ import annotations

from math import exp, log, log10
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from jar import Catalog, Index, Reranker
from jar.tables.problem import LEAST_BY_VALUES, AssembledProblem, build_problem
from jar.tables.query import Limits
from joinability.scores.score import JoinScore
from tests.jar.conftest import toy_embedder

REGIONS, SITES = 7, 3
DDL = "".join(
    [
        "CREATE TABLE region (region_id INT PRIMARY KEY, title TEXT);",
        *[f"CREATE TABLE part{i} (part{i}_id INT, region_id INT, x{i} TEXT);" for i in range(REGIONS)],
        "CREATE TABLE site (site_id INT PRIMARY KEY, town TEXT);",
        *[f"CREATE TABLE visit{i} (visit{i}_id INT, site_id INT, y{i} TEXT);" for i in range(SITES)],
        "CREATE TABLE own (own_id INT, z TEXT, region_id INT REFERENCES region (region_id));",
        "CREATE TABLE bay (hall INT, rack INT, PRIMARY KEY (hall, rack));",
        "CREATE TABLE pallet (id INT, hall INT, rack INT);",
        "CREATE TABLE lamp (lamp_id INT, hall INT);",
    ]
)


def index_of(catalog: Catalog, path: Path | None = None) -> Index:
    return Index.build(catalog, path=path, embedder=toy_embedder, progress=False)


@pytest.fixture(scope="module")
def index() -> Index:
    return index_of(Catalog.from_ddl(DDL, database="d"))


def assembled(index: Index, score: str = "default") -> tuple[AssembledProblem, list[str]]:
    """The problem of all tables of an index, and the names of its columns."""
    contents = index.contents
    tables = np.arange(len(contents.tables))
    columns = contents.columns_of(tables)
    nothing = np.zeros(len(tables)), np.zeros((0, len(columns)))
    problem = build_problem(contents, tables, columns, *nothing, len(tables), Limits(), JoinScore(score))
    return problem, [contents.column_name(column) for column in columns.tolist()]


def by_hand(index: Index, told: float, *pair: str) -> float:
    """What a join of two columns counts that is told to score so much."""
    if not 0 < told < 1:
        return told
    heads = {name.rpartition(".")[2] for name in pair}
    tables = [{column.name for column in table.columns} for table in index.contents.tables]
    most = max(sum(head in columns for columns in tables) for head in heads)
    odds = log(told / (1 - told)) - 2 * log10(max(most / 2, 1))
    return 1 / (1 + exp(-odds))


def test_what_many_tables_have_counts_less(index: Index) -> None:
    problem, names = assembled(index)
    told, counted = problem.joinability.matrix, problem.problem.joinability
    less = 0
    composite = {frozenset(pair) for pair in problem.composites}
    for k, l in zip(*np.nonzero(told), strict=True):  # noqa: E741
        if frozenset((k, l)) not in composite:
            assert counted[k, l] == pytest.approx(by_hand(index, told[k, l], names[k], names[l]), abs=1e-6)
            less += counted[k, l] < told[k, l] - 1e-3
    assert less > 2 * REGIONS
    assert (counted == counted.T).all()


def test_what_is_certain_and_composite_keys_stay(index: Index) -> None:
    """`hall` is in three tables, and leads a key of two columns."""
    problem, names = assembled(index)
    counted = problem.problem.joinability
    place = {name: k for k, name in enumerate(names)}
    assert counted[place["d.own.region_id"], place["d.region.region_id"]] == 1
    pair = place["d.bay.hall"], place["d.pallet.hall"]
    assert counted[pair] == pytest.approx(problem.composites[pair].score)
    pair = place["d.part0.region_id"], place["d.region.region_id"]
    assert counted[pair] < problem.joinability.matrix[pair] < 1


def test_a_pin_is_certain(index: Index) -> None:
    copy = index_of(Catalog.from_ddl(DDL, database="d"))
    copy.pin_join("d.part0.region_id", "d.region.region_id")
    problem, names = assembled(copy)
    place = {name: k for k, name in enumerate(names)}
    assert problem.problem.joinability[place["d.part0.region_id"], place["d.region.region_id"]] == 1


def test_the_answer_tells_the_score_and_earns_what_counts(index: Index) -> None:
    tables = ["d.part0", "d.region"]
    answer = Reranker(index, relevance="cosine").rank("x0 of a region", 2, require=tables)
    (join,) = answer.joins
    listed = index.joins(table="d.part0").query("left == 'd.region.region_id' or right == 'd.region.region_id'")
    assert [join.score] == pytest.approx(listed["score"].tolist(), abs=1e-6)
    earned = sum(part.join for part in answer.contributions)
    assert earned == pytest.approx(2.5 * by_hand(index, join.score, join.left, join.right), abs=1e-5)


def test_with_rows_all_counts() -> None:
    rng = np.random.default_rng(2)
    frames = {"d.region": pd.DataFrame({"region_id": range(40), "title": [f"r{i}" for i in range(40)]})}
    for i in range(REGIONS):
        frames[f"d.part{i}"] = pd.DataFrame({f"part{i}_id": range(60), "region_id": rng.integers(0, 40, 60)})
    problem, _ = assembled(index_of(Catalog.from_frames(frames)))
    assert (problem.problem.joinability == problem.joinability.matrix).all()


def test_the_score_of_the_paper_knows_no_names(index: Index) -> None:
    problem, _ = assembled(index, "paper")
    assert (problem.problem.joinability == problem.joinability.matrix).all()


def test_a_file_keeps_how_many_tables_have_a_column(tmp_path: Path) -> None:
    made = index_of(Catalog.from_ddl(DDL, database="d"), tmp_path / "d.jar")
    read = Index.load(tmp_path / "d.jar", embedder=toy_embedder)
    assert read.contents.evidence.stored_names is not None
    np.testing.assert_array_equal(read.contents.evidence.named.spread, made.contents.evidence.named.spread)
    one, other = (assembled(index)[0].problem.joinability for index in (read, made))
    np.testing.assert_allclose(one, other, atol=1e-6)


def test_joins_that_values_speak_against_connect_nothing(lake_index: Index) -> None:
    """They are in the list of joins, as guesses."""
    listed = lake_index.joins(0.02)
    weak = listed[(listed["score"] < LEAST_BY_VALUES) & (listed["kind"] == "column")]
    problem, names = assembled(lake_index)
    matrix = problem.joinability.matrix
    place = {name: k for k, name in enumerate(names)}
    assert len(weak)
    assert not lake_index.contents.evidence.silent.any()
    assert ((matrix == 0) | (matrix >= LEAST_BY_VALUES)).all()
    assert not any(matrix[place[left], place[right]] for left, right in zip(weak["left"], weak["right"], strict=True))
