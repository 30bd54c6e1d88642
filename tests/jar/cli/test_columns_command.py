"""``jar columns`` and ``jar rank --objective crush`` on the sample lake."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jar.cli.main import main
from jar.sample import QUESTIONS, write_sample_lake

QUESTION = QUESTIONS[0].text
IMAGINED = "client(client_id, gender)\ncard(type)\nloan(amount)"


@pytest.fixture(scope="module")
def index_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    """An index of the sample lake with static vectors."""
    pytest.importorskip("wordllama", reason="the static embedder is an extra")
    folder = tmp_path_factory.mktemp("columns")
    write_sample_lake(folder / "lake")
    path = str(folder / "lake.jar")
    run("index", str(folder / "lake"), "-o", path, "--embedder", "static")
    return path


def run(*arguments: str, status: int = 0, given: str | None = None) -> Result:
    """The result of a command that has to end with a status."""
    result = CliRunner().invoke(main, arguments, input=given)
    assert result.exit_code == status, result.output
    return result


def test_columns_come_by_table(index_file: str) -> None:
    """The budget bounds the columns, and the last line says where the probes come from."""
    plain = json.loads(run("columns", index_file, QUESTION, "--budget", "7", "--json").stdout)
    assert len(plain["columns"]) == plain["budget"] == 7
    assert plain["probe_source"] == "question"
    shown = run("columns", index_file, QUESTION, "--budget", "7").stdout
    assert "chunks of the question" in shown
    assert all(table in shown for table in plain["tables"])


def test_an_imagined_schema_may_be_an_option_a_file_or_the_input(index_file: str, tmp_path: Path) -> None:
    """All three give the same columns."""
    path = tmp_path / "schema.txt"
    path.write_text(IMAGINED)
    ways = (("--probes", IMAGINED), ("--probes-file", str(path)), ("--probes-file", "-"))
    answers = [json.loads(run("columns", index_file, QUESTION, "--json", *way, given=IMAGINED).stdout) for way in ways]
    assert len({json.dumps(answer["columns"]) for answer in answers}) == 1
    assert answers[0]["probe_source"] == "caller"
    assert "bank.client.gender" in [found["column"] for found in answers[0]["columns"]]
    both = run("columns", index_file, QUESTION, "--probes", "a(b)", "--probes-file", str(path), status=2)
    assert "give one" in both.stderr


def test_rank_chooses_columns_with_an_objective_over_them(index_file: str) -> None:
    """k tables with their columns, as text, as SQL with these columns alone, and explained."""
    options = (index_file, QUESTION, "-k", "3", "--objective", "crush", "--budget", "6", "--probes", IMAGINED)
    plain = json.loads(run("rank", *options, "--json").stdout)
    assert len(plain["tables"]) == 3
    assert len(plain["columns"]) == 6
    sql = run("rank", *options, "--sql").stdout
    assert sql.count("CREATE TABLE") == 3
    explained = run("explain", *options).stdout
    assert all(found["column"] in explained for found in plain["columns"])


def test_both_objectives_in_one_call(index_file: str) -> None:
    """Tables with contributions and columns, connected as asked for, as SQL with the chosen columns alone."""
    options = (index_file, QUESTION, "-k", "4", "--objective", "jar+crush", "--probes", IMAGINED)
    plain = json.loads(run("rank", *options, "--json", "--budget", "6", "--connect", "ignore").stdout)
    assert len(plain["columns"]) == 6
    assert sum(entry["join"] for entry in plain["contributions"]) == 0
    sql = run("rank", *options, "--sql").stdout
    assert sql.count("CREATE TABLE") == 4
    assert "-- joins" in sql


def test_the_rule_of_the_paper_has_a_name(index_file: str) -> None:
    """crush-paper sweeps, and --explain names the probe of each column."""
    found = run("columns", index_file, QUESTION, "--objective", "crush-paper", "--budget", "5", "--explain").stdout
    assert "(sweep)" in found


def test_the_prompt_is_shown_and_nothing_is_sent(index_file: str) -> None:
    """Both commands show what a model would be asked to imagine."""
    for command in (("columns",), ("rank", "--objective", "crush")):
        shown = run(command[0], index_file, QUESTION, *command[1:], "--show-prompt").stdout
        assert QUESTION in shown
        assert "schema" in shown


def test_no_prompt_is_shown_without_a_question(index_file: str) -> None:
    """An empty question is bad input for both commands, with or without a model."""
    for command in ("columns", "rank"):
        assert "the question is empty" in run(command, index_file, " ", "--show-prompt", status=2).stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("columns", "--budget", "0"), "budget"),
        (("columns", "--objective", "jar"), "crush"),
        (("columns", "--require", "bank.clint"), "did you mean bank.client"),
        (("columns", "--solver", "simplex"), "unknown solver"),
        (("rank", "--probes", "client(id)"), 'objective="crush"'),
        (("rank", "--budget", "3"), "--objective jar+crush or crush"),
        (("rank", "--objective", "crush", "--subquery", "client"), "probes="),
        (("rank", "--objective", "crush", "--connect", "require"), "--connect"),
        (("columns", "--solver", "paper-mip"), "takes the objective"),
    ],
    ids=str,
)
def test_bad_input_ends_with_status_2(index_file: str, arguments: tuple[str, ...], message: str) -> None:
    """One line says what is wrong, without a stack trace."""
    result = run(arguments[0], index_file, QUESTION, *arguments[1:], status=2)
    assert message in result.stderr
