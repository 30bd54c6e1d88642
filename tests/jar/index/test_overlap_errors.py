"""Estimates carry their standard errors: in lists of joins, the graph, exports, explanations, the command line."""

from __future__ import annotations

import csv
import io
import math

import duckdb
import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from jar import Catalog, Index, Reranker
from jar.cli.main import main
from joinability import ColumnStatistics, TableStatistics

SHARES = ("jaccard", "containment_left", "containment_right")


def letters(texts: list[str]) -> np.ndarray:
    """An embedder that needs no model."""
    return np.array([[len(text), *(text.count(letter) for letter in "aeiou")] for text in texts], dtype=np.float32)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """Two databases, between which sketches tell, and a file whose values are all known."""
    folder = tmp_path_factory.mktemp("estimates")
    for name, query in {
        "shop": "CREATE TABLE client AS SELECT 'c' || range AS client_code, range % 7 AS rank FROM range(20000)",
        "bank": "CREATE TABLE loan AS SELECT 'c' || (range + 5000) AS client_code FROM range(30000)",
    }.items():
        with duckdb.connect(str(folder / f"{name}.duckdb")) as connection:
            connection.execute(query)
    exact = pd.DataFrame({"rank": range(7), "title": list("abcdefg")})
    catalog = Catalog.from_frames({"files.rank": exact, "files.copy": exact})
    for name in ("shop", "bank"):
        catalog += Catalog.from_database(f"duckdb:///{folder}/{name}.duckdb")
    return Index.build(catalog, path=folder / "lake.jar", embedder=letters, progress=False)


def test_a_frame_has_the_errors_of_estimates(index: Index) -> None:
    """Each share is within three of its standard errors of the truth; what was counted has errors of 0."""
    frame = index.joins().set_index(["left", "right"])
    told = frame.loc[("shop.client.client_code", "bank.loan.client_code")]
    truth = {"jaccard": 15 / 35, "containment_left": 15 / 20, "containment_right": 15 / 30}
    assert told["estimated"]
    for name in SHARES:
        assert 0 < told[f"{name}_error"] < 0.1
        assert abs(told[name] - truth[name]) < 3 * told[f"{name}_error"]
    counted = frame.loc[("files.rank.title", "files.copy.title")]
    assert not counted["estimated"]
    assert [counted[f"{name}_error"] for name in SHARES] == [0, 0, 0]


def test_the_graph_turns_errors_with_their_sides(index: Index) -> None:
    """Seen from the other table an edge has the errors of its sides exchanged; CSV has them, too."""
    graph = index.join_graph(0)
    (edge,) = graph.between("shop.client", "bank.loan")
    (turned,) = graph.between("bank.loan", "shop.client")
    assert turned.evidence["containment_left_error"] == edge.evidence["containment_right_error"] > 0
    assert turned.evidence["containment_right_error"] == edge.evidence["containment_left_error"] > 0
    assert edge.evidence["containment_left_error"] != edge.evidence["containment_right_error"]
    rows = {row["left"] + row["right"]: row for row in csv.DictReader(io.StringIO(graph.to_csv()))}
    written = rows["shop.client.client_codebank.loan.client_code"]
    assert float(written["jaccard_error"]) == pytest.approx(edge.evidence["jaccard_error"])


def test_the_command_line_shows_errors(index: Index) -> None:
    """An estimated share stands with its standard error, a counted one alone."""
    shown = CliRunner().invoke(main, ["joins", str(index.path), "--min-score", "0"]).stdout.splitlines()
    (estimated,) = [line for line in shown if "bank.loan.client_code" in line]
    (counted,) = [line for line in shown if "files.rank.title" in line]
    assert estimated.count(" ±") == 2
    assert "from samples" in estimated
    assert "±" not in counted


def test_an_explanation_shows_errors(index: Index) -> None:
    """The evidence of an estimated join has its errors behind the shares, and no line of them alone."""
    reranker = Reranker(index)
    text = reranker.rank("client loan", k=2, candidates=["shop.client", "bank.loan"]).explain()
    (line,) = [line for line in text.splitlines() if "client_code: score" in line]
    assert line.count(" ±0.") == 3
    assert "error" not in line


def test_statistics_of_the_owner_have_errors() -> None:
    """Shares that rest on a sample of values have the error of the draw; of an unknown column, one half."""
    whole = pd.DataFrame({"code": [f"c{n}" for n in range(100)]})
    sample = tuple(f"c{n}" for n in range(6)) + tuple(f"d{n}" for n in range(4))
    statistics = {
        "b.part": TableStatistics(row_count=40, columns={"code": ColumnStatistics(distinct=40, sample_values=sample)}),
        "b.silent": TableStatistics(row_count=40, columns={"code": ColumnStatistics(distinct=40)}),
    }
    frames = {"a.whole": whole, "b.part": whole, "b.silent": whole}
    index = Index.build(Catalog.from_frames(frames, statistics=statistics), embedder=letters, progress=False)
    frame = index.joins().set_index(["left", "right"])
    part = frame.loc[("a.whole.code", "b.part.code")]
    assert part["containment_right"] == pytest.approx(0.6)
    assert part["containment_right_error"] == pytest.approx(math.sqrt(0.6 * 0.4 / 10 * (1 - 10 / 40)), rel=1e-5)
    silent = index.contents.evidence.pairs([0], [2])
    assert [getattr(silent, f"{name}_error").tolist() for name in SHARES] == [[0.5]] * 3
