"""``jar joins``: lists, paths, exports, pins and vetoes."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner, Result

from jar import Catalog, Reranker
from jar.cli.joins import print_paths
from jar.cli.main import main
from jar.index.index import Index
from jar.page.join_facts import join_facts
from joinability import JoinEdge, JoinGraph
from tests.jar.conftest import toy_embedder
from tests.joinability.composite.test_composite import lessons

KEY = ("bank.client.client_id", "bank.disposition.client_id")


@pytest.fixture
def shop(lake_index: Index, tmp_path: Path) -> Path:
    """A copy of the sample index that a test may write to."""
    lake_index.save(tmp_path / "lake.jar")
    return tmp_path / "lake.jar"


def joins(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["joins", *map(str, arguments)])


def test_a_short_way_that_scores_less_says_why_it_is_first(capsys: pytest.CaptureFixture[str]) -> None:
    """The order of ways counts their joins, too: where that differs from the order of the scores, it is told."""
    sure = [JoinEdge("b", "a", (("a_id", "a_id"),), 0.9), JoinEdge("a", "c", (("c_id", "c_id"),), 0.9)]
    ways = JoinGraph(["a", "b", "c"], [JoinEdge("b", "c", (("c_no", "c_id"),), 0.8), *sure]).paths("b", "c")
    print_paths(ways, ("b", "c"), "table")
    told = capsys.readouterr()
    assert [line.split()[0] for line in told.out.splitlines() if " in " in line] == ["0.80", "0.81"]
    assert "a score counts 0.9 times for each of its joins" in told.err
    print_paths(ways[::-1], ("b", "c"), "table")
    assert "short ways come first" not in capsys.readouterr().err


def test_the_table_has_a_line_for_each_join(shop: Path, lake_index: Index) -> None:
    """Score, columns and evidence stand in one line each, as wide as names need; `--limit` says what it cuts."""
    result = joins(shop, "--min-score", 0.5)
    head, *lines = result.stdout.splitlines()
    assert head.split() == ["score", "left", "right", "shared", "unique", "names"]
    assert len(lines) == len(lake_index.joins(0.5))
    first = lake_index.joins().iloc[0]
    assert lines[0].split()[:3] == ["1.00", first["left"], first["right"]]
    cut = joins(shop, "--min-score", 0.5, "--limit", 2)
    assert len(cut.stdout.splitlines()) == 3
    assert f"{len(lines) - 2} more" in cut.stderr
    assert joins(shop, "--min-score", 1, "--table", "library.loans").stdout == "no joins\n"


def test_joins_past_a_third_table_are_listed_and_can_be_vetoed(shop: Path) -> None:
    """Loans and dispositions refer to accounts: the list of joins says that there are such, and which."""
    assert "and past the key of a third table with 2 more: --siblings" in joins(shop, "--table", "bank.loan").stderr
    found = json.loads(joins(shop, "--table", "bank.loan", "--siblings", "--min-score", 0.5, "--json").stdout)
    assert [(edge["left_table"], edge["right_table"]) for edge in found] == [
        ("bank.loan", "bank.disposition"), ("bank.loan", "bank.transaction"),
    ]  # fmt: skip
    assert joins(shop, "--veto", "bank.loan.account_id", "bank.disposition.account_id").exit_code == 0
    left = joins(shop, "--table", "bank.loan", "--siblings", "--min-score", 0.5).stdout
    assert "bank.transaction" in left
    assert "bank.disposition" not in left
    assert "give --table ID" in joins(shop, "--siblings").stderr


def test_joins_of_a_table_are_seen_from_it(shop: Path) -> None:
    """With `--table` the table stands on the left of every line."""
    records = json.loads(joins(shop, "--table", "bank.disposition", "--json").stdout)
    assert len(records) > 2
    assert {record["left_table"] for record in records} == {"bank.disposition"}


def test_formats_hold_the_same_joins(shop: Path) -> None:
    """JSON and CSV list every join; the diagrams draw one for each two tables."""
    records = json.loads(joins(shop, "--format", "json").stdout)
    rows = list(csv.DictReader(io.StringIO(joins(shop, "--format", "csv").stdout)))
    assert [(row["left"], row["right"]) for row in rows] == [(record["left"], record["right"]) for record in records]
    pairs = {frozenset((record["left_table"], record["right_table"])) for record in records}
    assert joins(shop, "--format", "mermaid").stdout.count(" : ") == len(pairs)
    assert joins(shop, "--format", "dot").stdout.count(" -- ") == len(pairs)


def test_a_path_names_its_conditions(shop: Path) -> None:
    """The best way comes first with its conditions; where none leads, the exit status says so."""
    result = joins(shop, "--path", "bank.card", "bank.client")
    assert result.stdout.splitlines()[0].endswith(" in 2 joins  bank.card -> bank.disposition -> bank.client")
    assert "bank.card.disposition_id = bank.disposition.disposition_id" in result.stdout
    (first, *_) = json.loads(joins(shop, "--path", "bank.card", "bank.client", "--json").stdout)
    assert first["tables"] == ["bank.card", "bank.disposition", "bank.client"]
    assert joins(shop, "--path", "bank.card", "bank.client", "--format", "mermaid").stdout.count(" : ") == 2
    assert "no way is likely" not in result.stderr
    assert all(float(line.split()[0]) >= 0.2 for line in result.stdout.splitlines() if " in " in line and "->" in line)
    every = joins(shop, "--path", "bank.card", "bank.client", "--min-score", 0)
    assert every.stdout.count("->") > result.stdout.count("->")
    far = joins(shop, "--path", "bank.card", "library.books")
    assert float(far.stdout.split()[0]) < 0.5
    assert "no way is likely" in far.stderr
    none = joins(shop, "--path", "bank.card", "library.books", "--min-score", 0.9)
    assert none.exit_code == 1
    assert "no joins connect" in none.stderr
    twice = joins(shop, "--path", "bank.card", "card")
    assert twice.exit_code == 2
    assert "--path is between two tables; bank.card is both ends of this one" in twice.stderr
    unknown = joins(shop, "--path", "bank.card", "bank.clients")
    assert unknown.exit_code == 2
    assert "'bank.client'" in unknown.stderr


def test_a_pin_of_a_part_of_a_key_is_told(tmp_path: Path) -> None:
    """A pinned pair counts in place of the key of several columns that it is a part of, and the shell says so."""
    school = tmp_path / "school.jar"
    Index.build(Catalog.from_frames(lessons()), path=school, embedder="distilled")
    key = "school.booking.lesson_room = school.lesson.room AND school.booking.lesson_hour = school.lesson.hour"
    pinned = joins(school, "--pin", "booking.lesson_hour", "lesson.hour")
    assert pinned.exit_code == 0
    assert pinned.stderr.strip().endswith(f"(--unpin takes it back): {key}")
    assert joins(school, "--unpin", "booking.lesson_hour", "lesson.hour").stderr == ""


def test_pins_and_vetoes_are_kept(shop: Path) -> None:
    """What the user states is listed, holds for the next call, and can be taken back."""
    pin = ("bank.client.gender", "bank.loan.status")
    stated = joins(shop, "--veto", *KEY, "--pin", *pin)
    assert stated.stdout.splitlines()[1:] == [f"veto     {KEY[0]}  {KEY[1]}", f"pin      {pin[0]}     {pin[1]}"]
    records = json.loads(joins(shop, "--json").stdout)
    assert set(KEY) not in [{record["left"], record["right"]} for record in records]
    assert [record["pinned"] for record in records if {record["left"], record["right"]} == set(pin)] == [True]
    assert "pinned by user" in joins(shop, "--table", "bank.loan").stdout
    joins(shop, "--unpin", *pin)
    listed = json.loads(joins(shop, "--verdicts", "--json").stdout)
    assert listed == [{"verdict": "veto", "left": KEY[0], "right": KEY[1], "in_index": True}]
    assert joins(shop, "--unpin", *KEY).stdout == "no pins and no vetoes\n"
    wrong = joins(shop, "--unpin", *KEY)
    assert wrong.exit_code == 2
    assert "nothing was said" in wrong.stderr


def test_unions_are_listed_apart(tmp_path: Path) -> None:
    """`--unions` lists tables of one kind with their columns; without it no union is among the joins, nor on a path."""
    frames = {
        f"shop.sales_{year}": pd.DataFrame({"id": range(year, year + 9), "city": list("abcabcabc"), "price": range(9)})
        for year in (2020, 2050)
    }
    index = Index.build(Catalog.from_frames(frames), path=tmp_path / "x.jar", embedder=toy_embedder, progress=False)
    (row,) = index.unions().to_dict("records")
    assert (row["left"], row["right"], row["columns_matched"]) == ("shop.sales_2020", "shop.sales_2050", 3)
    assert row["columns"] == [("id", "id"), ("city", "city"), ("price", "price")]
    head, line = joins(index.path, "--unions").stdout.splitlines()
    assert head.split() == ["score", "left", "right", "same", "columns"]
    assert line.endswith("3 of 3 and 3: id, city, price")
    (record,) = json.loads(joins(index.path, "--unions", "--json").stdout)
    assert (record["kind"], record["columns_matched"]) == ("union", 3)
    assert "same columns: id, city, price" in joins(index.path, "--unions", "--format", "dot").stdout
    assert "union" not in {edge.kind for edge in index.join_graph()}
    assert "union" in {edge.kind for edge in index.join_graph(unions=True)}
    assert index.joins()["kind"].isin(["column", "composite"]).all()


def test_sharded_tables_are_one_union(tmp_path: Path) -> None:
    """A table for each day is listed once, with a word on the others; all of them are there when asked for."""
    day = {"event": [1, 2, 3], "user": ["a", "b", "c"], "seconds": [0.5, 1.5, 2.5]}
    frames = {f"web.events_2024010{n}": pd.DataFrame(day) for n in range(1, 7)}
    index = Index.build(Catalog.from_frames(frames), path=tmp_path / "web.jar", embedder=toy_embedder, progress=False)
    listed = joins(index.path, "--unions")
    assert [line.split()[1:3] for line in listed.stdout.splitlines()[1:]] == [
        ["web.events_20240101", "web.events_20240102"]
    ]
    assert "4 more of sharded tables" in listed.stderr
    assert len(joins(index.path, "--unions", "--limit", "0").stdout.splitlines()) == 1 + 5
    assert len(index.unions()) == 5
    frames["web.events_20240101"] = frames["web.events_20240101"].head(0)  # an empty one says nothing of the others
    frames["web.archive"] = pd.DataFrame(day)
    index = Index.build(Catalog.from_frames(frames), path=index.path, embedder=toy_embedder, progress=False)
    best = index.unions().head(5)
    assert set(best["score"]) == {1.0}
    assert {"web.archive", "web.events_20240102"} in [{row.left, row.right} for row in best.itertuples()]


@pytest.mark.parametrize("least", ["50", "-0.1", "nan"])
@pytest.mark.parametrize("kind", ["joins", "unions"])
def test_a_least_score_that_none_can_have_is_refused(shop: Path, least: str, kind: str) -> None:
    """50 is not half: an error says what scores are, in place of an empty list."""
    options = ["--unions"] if kind == "unions" else []
    done = joins(shop, "--min-score", least, *options)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "scores are numbers between 0 and 1" in done.stderr


def test_unions_follow_the_least_score(shop: Path) -> None:
    """Below 0.6 there are more of them, and all of what the index lists."""
    records = json.loads(joins(shop, "--unions", "--min-score", 0.2, "--json").stdout)
    assert len(records) == len(Index.load(shop).unions(0.2)) > len(json.loads(joins(shop, "--unions", "--json").stdout))


@pytest.mark.parametrize(
    "wrong",
    [
        ("--veto", "bank.nothing.x", "bank.card.type"),
        ("--unpin", "bank.card.type", "bank.loan.status"),
        ("--pin", "bank.client", "bank.loan"),
        ("--format", "dot"),
    ],
)
def test_of_several_statements_all_or_none_are_kept(shop: Path, wrong: tuple[str, ...]) -> None:
    """One that is refused, or a form that they do not have, leaves the index as it was."""
    joins(shop, "--veto", *KEY)
    done = joins(shop, "--unpin", *KEY, "--pin", "bank.client.gender", "bank.loan.status", *wrong)
    assert done.exit_code == 2
    assert Index.load(shop).verdicts()[["verdict", "left", "right"]].to_numpy().tolist() == [["veto", *sorted(KEY)]]


def test_the_last_word_on_a_pair_counts_and_is_told(shop: Path) -> None:
    """A veto may take the place of a pin, and says so; the same word again needs none."""
    assert "takes the place" not in joins(shop, "--pin", *KEY).stderr
    said = joins(shop, "--veto", *reversed(KEY)).stderr
    assert f"this veto takes the place of a pin: {' and '.join(sorted(KEY))}" in said
    assert "takes the place" not in joins(shop, "--veto", *KEY).stderr


def test_tables_without_rows_have_nothing_to_measure(tmp_path: Path) -> None:
    """No share of values is told of them, by any command; where there are rows, all are."""
    ddl = "CREATE TABLE orders (id INTEGER, customer_id INTEGER); CREATE TABLE customers (customer_id INTEGER)"
    schema = Catalog.from_ddl(ddl, database="shop")
    index = Index.build(schema, path=tmp_path / "ddl.jar", embedder="static", progress=False)
    assert index.joins(0)["unmeasured"].tolist() == [True]
    line = joins(tmp_path / "ddl.jar").stdout.splitlines()[1]
    assert "%" not in line
    assert line.endswith("no rows to measure, by name: same")
    selection = Reranker(index).rank("orders of customers", 2)
    said = selection.explain()
    assert "no rows to measure" in said
    assert not any(word in said for word in ("jaccard", "containment", "±"))
    facts = join_facts(selection.joins[0])
    assert facts["said"][-1] == "no rows to measure"
    assert not any("values of" in what or "values that" in what for what, _, _ in facts["shares"])
    rows = {"orders": [1, 2], "customers": [1, 2, 3]}
    frames = {f"shop.{name}": pd.DataFrame({"customer_id": numbers}) for name, numbers in rows.items()}
    Index.build(Catalog.from_frames(frames), path=tmp_path / "rows.jar", embedder="static", progress=False)
    assert "100% | 67%" in joins(tmp_path / "rows.jar").stdout


def test_what_contradicts_itself_is_refused_before_anything_is_kept(shop: Path) -> None:
    """A pair that is pinned and vetoed, in whatever order, and a path with a table that it would not heed."""
    refused = joins(shop, "--pin", *KEY, "--veto", *reversed(KEY))
    assert refused.exit_code == 2
    assert f"{KEY[0]} and {KEY[1]} are stated twice" in refused.stderr
    assert joins(shop, "--verdicts").stdout == "no pins and no vetoes\n"
    assert joins(shop, "--json", "--format", "csv").exit_code == 2
    path = joins(shop, "--path", "bank.loan", "bank.card", "--table", "bank.client")
    assert path.exit_code == 2
    assert "leave out --table" in path.stderr
    of_one = joins(shop, "--verdicts", "--table", "bank.client")
    assert (of_one.exit_code, "of the whole index" in of_one.stderr) == (2, True)


def test_what_speaks_against_a_pin_is_told(tmp_path: Path) -> None:
    """A pin of values of two kinds, and one that multiplies rows, are kept, and the shell says what they are."""
    school = tmp_path / "school.jar"
    rows = {"room": ["R01", "R01", "R02", "R02"], "hour": [8, 9, 8, 9]}
    lessons_ = pd.DataFrame(rows)
    Index.build(Catalog.from_frames({"lesson": lessons_, "booking": lessons_}), path=school, embedder="distilled")
    repeated = joins(school, "--pin", "booking.room", "lesson.room")
    assert repeated.exit_code == 0
    assert "neither column of this pin is unique, so that rows multiply" in repeated.stderr
    assert "in common" not in repeated.stderr
    kinds = joins(school, "--pin", "booking.hour", "lesson.room")
    assert kinds.exit_code == 0
    assert "values of two kinds: main.booking.hour (number) and main.lesson.room (text)" in kinds.stderr
    assert "no value in common: main.booking.hour and main.lesson.room" in kinds.stderr


def test_a_veto_of_two_tables_is_told(shop: Path) -> None:
    """It is on all their joins, which a name that is cut short need not have meant."""
    assert "all joins of two tables: bank.client and bank.loan" in joins(shop, "--veto", "client", "bank.loan").stderr
    assert "of two tables" not in joins(shop, "--veto", *KEY).stderr
