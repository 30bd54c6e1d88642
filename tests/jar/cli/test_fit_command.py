"""``jar fit``: a log learned from, told of, taken back; what is refused."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jar.cli.main import main
from jar.index.index import Index
from jar.rerank import Reranker
from tests.jar.conftest import toy_embedder
from tests.jar.fitting.fitting_shop import ASKED, questions, shop_catalog


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of an index of the shop."""
    path = tmp_path_factory.mktemp("fitted") / "shop.jar"
    Index.build(shop_catalog(), path=path, embedder="static", progress=False)
    return path


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [*map(str, arguments)])


def written(path: Path, header: Sequence[str], rows: Sequence[Sequence[str]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def test_a_log_is_learned_from_told_of_and_forgotten(shop: Path, tmp_path: Path) -> None:
    """The report is on standard output, as text or JSON; without a log the command says what the index is fitted to."""
    rows = [
        (text, f"SELECT count(*) FROM {table.removeprefix('shop.')} WHERE id > {number}")
        for number, (text, table) in enumerate(questions(ASKED))
    ]
    log = written(tmp_path / "log.csv", ("question", "sql"), [*rows, ("Who?", "SELECT * FROM nowhere")])
    assert run("fit", shop).stdout == "not fitted to logged questions\n"
    result = run("fit", shop, log)
    assert result.exit_code == 0
    assert result.stdout.startswith("fitted to 40 questions that need 5 tables, in ")
    assert "row 42: the index has no table 'nowhere'" in result.stdout
    assert "fitted to 40 logged questions on " in run("fit", shop).stdout
    assert "relevance is fitted to 40 logged questions" in run("explain", shop, rows[0][0]).stdout
    ddl = tmp_path / "shop.sql"
    ddl.write_text("\n".join(f"CREATE TABLE {name} (id INTEGER);" for name in ("kd_stamm", "bw_kopf")))
    other = tmp_path / "copy.jar"
    Index.load(shop).save(other)
    gone = "though fitted to logged questions: shop.fi_beleg, shop.mat_1, shop.wrk"
    assert gone in run("index", ddl, "-o", other, "--embedder", "static").stderr
    document = json.loads(run("fit", shop, log, "--json").stdout)
    assert document["left_out"] == [{"row": 42, "cause": "the index has no table 'nowhere'"}]
    assert run("fit", shop, "--undo").exit_code == 0
    assert run("fit", shop).stdout == "not fitted to logged questions\n"
    assert "nothing to undo" in run("fit", shop, "--undo").stderr


def test_what_cannot_be_learned_from_is_refused(shop: Path, tmp_path: Path) -> None:
    """Few rows, no log, a dialect that there is not, two wishes at once: a line, status 2, and the index as it was."""
    log = written(tmp_path / "log.csv", ("question", "tables"), [("How many customers?", "shop.kd_stamm")])
    for arguments, message in (
        ([log], "too little to learn from: 1 questions can be used"),
        ([written(tmp_path / "other.csv", ("a", "b"), [])], "needs a first row that names its columns"),
        ([tmp_path / "none.csv"], "none.csv"),
        ([log, "--dialect", "klingon"], "klingon"),
        ([log, "--undo"], "leave LOG out"),
    ):
        result = run("fit", shop, *arguments)
        assert result.exit_code == 2, result.output
        assert message in result.stderr
        assert "Traceback" not in result.stderr
    assert run("fit", shop).stdout == "not fitted to logged questions\n"


def test_a_refusal_is_told_line_by_line(shop: Path, tmp_path: Path) -> None:
    """What is left out has a line each, with its row."""
    result = run("fit", shop, written(tmp_path / "log.csv", ("question", "tables"), [("Who?", "nowhere")]))
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: too little to learn from")
    assert result.stderr.splitlines()[1:] == ["1 left out:", "  row 2: the index has no table 'nowhere'"]


def test_a_fit_is_told_and_forgotten_without_the_embedder(tmp_path: Path) -> None:
    """The shell cannot have the callable that made an index; the status is a JSON document, too."""
    path = tmp_path / "shop.jar"
    Index.build(shop_catalog(), path=path, embedder=toy_embedder, progress=False)
    assert json.loads(run("fit", path, "--json").stdout) == {"fitted": False}
    assert "nothing to undo" in run("fit", path, "--undo").stderr
    reranker = Reranker(Index.load(path, embedder=toy_embedder))
    asked = list(questions(ASKED))
    reranker.fit([text for text, _ in asked], [[table] for _, table in asked])
    status = json.loads(run("fit", path, "--json").stdout)
    assert status["fitted"] is True
    assert status["summary"].startswith("fitted to 40 logged questions")
    assert all({"gain", "low", "high"} == set(gain) for gain in status["gains"].values())
    assert run("fit", path, "--undo").exit_code == 0
    assert json.loads(run("fit", path, "--json").stdout) == {"fitted": False}
