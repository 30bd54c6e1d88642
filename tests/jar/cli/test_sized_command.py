"""``jar rank -k auto``: as many as the question needs, with the confidence in words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jar import Reranker
from jar.cli import options, rank
from jar.cli.main import main
from jar.columns import search
from jar.sample import QUESTIONS
from jar.sizes import sizing
from joinability.scores.score import LEAST_SHOWN

QUESTION = QUESTIONS[2].text


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample lake, written and indexed by the commands themselves."""
    folder = tmp_path_factory.mktemp("sized")
    assert run("sample", folder / "lake").exit_code == 0
    assert run("index", folder / "lake", "-o", folder / "lake.jar", "--embedder", "static").exit_code == 0
    return folder / "lake.jar"


def test_as_many_as_needed(shop: Path) -> None:
    """With ``-k auto`` the answer tells how sure it is and what else it may be."""
    result = run("rank", shop, QUESTION, "-k", "auto")
    assert result.exit_code == 0
    assert "all the tables that the question needs (" in result.stdout
    assert "this answer holds all the tables" in result.stdout
    assert "the needed tables may also be exactly: " in result.stdout
    assert "all the tables that the question needs (" in run("explain", shop, QUESTION, "-k", "auto").stdout


def test_json_has_the_chances(shop: Path) -> None:
    """Confidence, the chance that nothing fits, and alternatives are part of the document."""
    document = json.loads(run("rank", shop, QUESTION, "--json", "-k", "auto").stdout)
    assert 0 < document["confidence"] < 1
    assert 0 < document["nothing_fits"] < 1
    assert {"tables", "probability"} == document["alternatives"][0].keys()


@pytest.mark.parametrize("wish", [["-k", "auto"], ["--recall", 0.5], ["--max-k", 3]])
def test_why_not_says_what_adding_the_table_would_change(shop: Path, wish: list[object]) -> None:
    """Where the number of tables is open nothing has to make room for it."""
    told = run("explain", shop, QUESTION, *wish, "--why-not", "library.books", "--exclude", "bank.card").stdout
    missing = told.split("\n\n")[-1]
    assert missing.startswith("library.books is needed with a probability of ")
    assert "  to add it would lower the expected F1 of the answer from 0." in missing
    assert "  the probability that all needed tables are there would go from " in missing
    assert "take the place" not in missing
    assert "would take the place of" in run("explain", shop, QUESTION, "-k", 2, "--why-not", "library.books").stdout


def test_explain_bounds_the_tables_by_their_tokens(shop: Path) -> None:
    """As `rank -k auto --max-tokens`; what has no room is told with what adding it would change."""
    bound = ("--recall", 0.99, "--max-tokens", 60)
    asked = Reranker(shop).rank(QUESTION, recall=0.99, max_tokens=60)
    left = next(table for table in Reranker(shop).rank(QUESTION, recall=0.99).tables if table not in asked.tables)
    told = run("explain", shop, QUESTION, *bound, "--why-not", left).stdout
    assert "note: --max-tokens 60 leaves out " in told
    assert f"{left} is needed with a probability of " in told
    refused = run("explain", shop, QUESTION, "-k", 3, "--max-tokens", 60)
    assert refused.exit_code == 2
    assert "give -k auto with it" in refused.output


def test_why_not_names_what_would_connect(shop: Path) -> None:
    """Where the set has to be connected, and the table joins none of it."""
    asked = ("which clients live in Prague", "-k", "auto", "--connect", "require")
    assert run("rank", shop, *asked, "--json").stdout.count("bank.card") == 0
    told = run("explain", shop, *asked, "--why-not", "bank.card").stdout
    assert "  the answer and this table are no connected set; bank.disposition would connect them" in told


def test_why_not_of_what_is_no_candidate(shop: Path) -> None:
    told = run("explain", shop, QUESTION, "-k", "auto", "--candidates", 4, "--why-not", "library.books").stdout
    assert "library.books was no candidate: others are likelier to be needed" in told


def test_recall_and_limits_reach_the_choice(shop: Path) -> None:
    """More recall brings more tables, at most as many as allowed; a number without "auto" stays a number."""
    sizes = [
        len(json.loads(run("rank", shop, QUESTION, "--json", *options).stdout)["tables"])
        for options in (["--recall", 0.5], ["--recall", 0.95], ["--recall", 0.95, "--max-k", 2], ["-k", 4])
    ]
    assert sizes[0] <= sizes[1]
    assert sizes[2:] == [2, 4]


def test_tokens_bound_the_tables_and_the_text(shop: Path) -> None:
    """As `max_tokens` of `rank` does; without --sql, too, and with a note in words of the shell."""
    wide = run("rank", shop, QUESTION, "--recall", 0.99, "--json").stdout
    some = run("rank", shop, QUESTION, "--recall", 0.99, "--max-tokens", 60, "--json")
    asked = Reranker(shop).rank(QUESTION, recall=0.99, max_tokens=60)
    assert json.loads(some.stdout)["tables"] == list(asked.tables)
    assert len(asked.tables) < len(json.loads(wide)["tables"])
    told = run("rank", shop, QUESTION, "--recall", 0.99, "--max-tokens", 60).stdout
    assert "note: --max-tokens 60 leaves out " in told
    text = run("rank", shop, QUESTION, "--recall", 0.99, "--max-tokens", 60, "--sql").stdout
    assert text == asked.to_sql_context(max_tokens=60)


@pytest.mark.parametrize("wish", [[], ["-k", 3]])
def test_tokens_bound_no_number_of_tables(shop: Path, wish: list[object]) -> None:
    refused = run("rank", shop, QUESTION, *wish, "--max-tokens", 60)
    assert refused.exit_code == 2
    told = " ".join(refused.stderr.split())
    assert "--max-tokens says how SQL is written: give --sql, too, or -k auto, whose tables it bounds" in told
    assert "--dialect says how SQL" in run("rank", shop, QUESTION, "-k", "auto", "--dialect", "mysql").stderr


def test_objectives_over_columns_have_a_number(shop: Path) -> None:
    """Without -k their tables are as many as before."""
    assert run("rank", shop, QUESTION, "--objective", "crush").exit_code == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-k", "many"], "'many' is neither a number of tables nor 'auto'"),
        (["-k", 0], "k is a number of tables"),
        (["-k", 2, "--recall", 0.9], "--recall says how many tables there may be: give -k auto with it, not -k 2"),
        (["-k", 2, "--max-k", 3], "--max-k says how many tables there may be: give -k auto with it, not -k 2"),
        (["--recall", 1.5], "above 0 and below 1"),
    ],
)
def test_bad_options_are_refused(shop: Path, options: list[object], message: str) -> None:
    """The error says what is wrong, with the status of bad input."""
    result = run("rank", shop, QUESTION, *options)
    assert result.exit_code == 2
    assert message in result.stderr


def test_an_answer_without_tables_is_an_answer(shop: Path) -> None:
    """Where nothing fits, the output says so, and the status is success."""
    result = run("rank", shop, "What is the weather on Mars?", "-k", "auto")
    assert result.exit_code == 0
    assert "nothing here fits the question" in result.stdout


def test_the_relevance_is_told_and_chosen(shop: Path) -> None:
    """By default the model judges; --relevance says otherwise, and late interaction needs vectors of tokens."""
    explained = {name: run("explain", shop, QUESTION, *options).stdout for name, options in RELEVANCES.items()}
    assert "relevance: learned" in explained["default"]
    assert explained["learned"] == explained["default"]
    assert "relevance: cosine" in explained["cosine"]
    assert json.loads(run("rank", shop, QUESTION, "--json", "--relevance", "cosine").stdout)["relevance"] == "cosine"
    late = run("rank", shop, QUESTION, "--relevance", "late")
    assert (late.exit_code, late.exception is not None) == (2, True)


RELEVANCES = {"default": [], "learned": ["--relevance", "learned"], "cosine": ["--relevance", "cosine"]}


def test_what_the_help_says_by_default_is_what_the_library_has() -> None:
    """The shell has copies of these numbers, since their modules load too much for a help text."""
    assert (rank.AUTO, rank.BY_DEFAULT) == (sizing.AUTO, sizing.DEFAULT_SIZE)
    assert options.BUDGET == search.BUDGET
    shown = CliRunner().invoke(main, ["joins", "--help"]).output
    assert f"[default: {LEAST_SHOWN:g}]" in " ".join(shown.split())
