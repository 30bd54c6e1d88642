"""The command line: clean JSON on standard output, messages on standard error, honest exit statuses."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jar import Index, Reranker
from jar.cli.main import main
from jar.sample import QUESTIONS, write_sample_lake

QUESTION = QUESTIONS[2].text


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample lake, written and indexed by the commands themselves."""
    folder = tmp_path_factory.mktemp("cli")
    assert run("sample", folder / "lake").exit_code == 0
    indexed = run("index", folder / "lake", "-o", folder / "lake.jar", "--embedder", "static")
    assert indexed.exit_code == 0, indexed.output
    assert "21 tables" in indexed.stderr
    return folder / "lake.jar"


def test_rank_prints_tables_joins_and_proof(shop: Path) -> None:
    """The plain answer names tables, joins and the certificate."""
    result = run("rank", shop, QUESTION, "-k", 3)
    assert result.exit_code == 0
    assert "bank.account" in result.stdout
    assert "optimal" in result.stdout


def test_json_is_all_that_standard_output_holds(shop: Path) -> None:
    """`--json` parses as one document with the contract's fields."""
    result = run("rank", shop, QUESTION, "-k", 4, "--json")
    document = json.loads(result.stdout)
    assert document["status"] == "optimal"
    assert len(document["tables"]) == 4
    joins = json.loads(run("joins", shop, "--table", "bank.client", "--json").stdout)
    assert joins
    assert joins[0].keys() >= {"left", "right", "score", "declared"}


def test_explain_and_sql_say_more(shop: Path) -> None:
    """`explain` gives the evidence, `--sql` the schema for a prompt."""
    assert "evidence of the joins" in run("explain", shop, QUESTION, "-k", 4).stdout
    assert "CREATE TABLE district" in run("rank", shop, QUESTION, "-k", 3, "--sql").stdout


def test_why_a_table_is_missing_is_told(shop: Path) -> None:
    """What the best set with it is worth, no more than the answer of the same candidates, and what it would add."""
    wished = ("--why-not", "district", "--why-not", "loan")
    told = run("explain", shop, QUESTION, "-k", 1, "--candidates", 21, *wished).stdout
    missing, chosen = told.split("\n\n")[-2:]
    assert "bank.district would take the place of" in missing
    worth = re.search(r"the set with it has the value ([\d.]+), the answer ([\d.]+)", missing)
    assert worth is not None
    assert float(worth[1]) <= float(worth[2])
    assert "relevance of the table" in missing
    assert chosen.startswith("bank.loan is in the answer, as number 1")
    assert run("explain", shop, QUESTION, "--why-not", "nothing").exit_code == 2


def test_a_page_in_a_new_folder_says_that_it_is_new(shop: Path, tmp_path: Path) -> None:
    """As `jar index -o` does: the path may be misspelt."""
    page = tmp_path / "pagse" / "out.html"
    for told in (f"{page}, in the new folder {page.parent}: bank.", f"{page}: bank."):
        done = run("explain", shop, QUESTION, "-k", 2, "--html", page)
        assert done.exit_code == 0
        assert done.stderr.startswith(told)


def test_a_table_that_is_excluded_is_not_there_as_it_is_excluded(shop: Path) -> None:
    """And one that is none is an error before anything is printed."""
    told = run("explain", shop, QUESTION, "--exclude", "district", "--why-not", "district")
    assert (told.exit_code, told.output.splitlines()[-1]) == (0, "bank.district is excluded")
    assert not run("explain", shop, QUESTION, "--why-not", "nothing").stdout


def test_wishes_reach_the_solver(shop: Path) -> None:
    """Pinned, excluded and vetoed names, sub-queries and candidates are kept."""
    result = run(
        "rank", shop, QUESTION, "-k", 3, "--json", "--require", "bank.district", "--exclude", "bank.loan",
        "--subquery", "client:gender", "--forbid-join", "bank.client", "bank.district", "--solver", "greedy",
    )  # fmt: skip
    document = json.loads(result.stdout)
    assert "bank.district" in document["tables"]
    assert "bank.loan" not in document["tables"]
    assert document["subqueries"] == ["client:gender"]
    assert document["solver"] == "greedy"
    given = run("rank", shop, QUESTION, "-k", 1, "--candidate", "gym.members=0.5", "--json")
    assert json.loads(given.stdout)["tables"] == ["gym.members"]


def test_a_second_index_run_reads_nothing(shop: Path) -> None:
    """Unchanged files are not read again."""
    again = run("index", shop.parent / "lake", "-o", shop, "--embedder", "static")
    assert again.exit_code == 0
    assert "0 read, 21 unchanged" in again.stderr
    assert again.stdout == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("rank", "{shop}", "  "), "the question is empty"),
        (("rank", "{shop}", "x", "--solver", "none"), "unknown solver"),
        (("rank", "{shop}", "x", "--require", "bank.clint"), "did you mean bank.client"),
        (("rank", "{missing}", "x"), "jar index"),
        (("joins", "{shop}", "--table", "nope"), "no table"),
        (("serve", "{missing}"), "there is no index at"),
        (("serve", "{folder}"), "is a folder, not an index file"),
        (("mcp", "{missing}"), "jar index"),
        (("mcp", "{folder}"), "is a folder, not an index file"),
        (("index", "{missing}", "-o", "{folder}/a.jar"), "no file or folder"),
        (("index", "", "-o", "{folder}/a.jar"), "a path is empty"),
        (("index", "{folder}", "-o", "{shop}", "--embedder", "nope"), "unknown embedder"),
        (("index", "{shop}", "-o", "{folder}/a.jar"), "can be indexed: it is an index, which is asked: jar rank"),
        (("solve", "{missing}"), "missing"),
        (("solve", "{shop}"), "lake.jar: is no text in UTF-8"),
        (("rank", "{shop}", "x", "--candidate", "loan=much"), "the score of bank.loan is no number: 'much'"),
        (("rank", "{shop}", "x", "--candidate", "lones=much"), "the index has no table 'lones'"),
        (("rank",), "Missing argument"),
        (("rank", "{shop}", "Which", "clients"), "put a question of several words in quotes"),
        (("solve", "{missing}", "x", "y"), "Got unexpected extra arguments (x y)\n"),
    ],
    ids=str,
)
def test_bad_input_is_exit_status_2_and_one_message(shop: Path, arguments: tuple[str, ...], message: str) -> None:
    """What the user can mend is said on standard error, without a stack trace."""
    names = {"shop": shop, "folder": shop.parent, "missing": shop.parent / "missing.jar"}
    result = run(*(argument.format(**names) for argument in arguments))
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""
    assert "Traceback" not in result.stderr


def test_a_table_that_fails_is_exit_status_1(tmp_path: Path) -> None:
    """The other tables are indexed, the cause is named, the status is not 0."""
    write_sample_lake(tmp_path / "lake")
    (tmp_path / "lake" / "bank" / "broken.parquet").write_bytes(b"PAR1 this is no parquet file")
    result = run("index", tmp_path / "lake", "-o", tmp_path / "lake.jar", "--embedder", "static")
    assert result.exit_code == 1
    assert "not indexed" in result.stderr
    assert "broken" in result.stderr
    assert run("rank", tmp_path / "lake.jar", QUESTION).exit_code == 0


def test_solve_and_solvers_work_without_an_index(tmp_path: Path) -> None:
    """An instance file is solved with the objective that it holds."""
    instance = {
        "ids": ["a", "b", "c"], "relevance": [0.9, 0.5, 0.4], "coverage": [[0.1, 0.2, 0.9]],
        "compatibility": [[0, 2, 0.8]], "size": 2, "require": [], "exclude": [],
        "objective": {"name": "jar", "coarse": 1, "fine": 1, "coverage": 1, "join": 1, "connect": "require"},
    }  # fmt: skip
    path = tmp_path / "instance.json"
    path.write_text(json.dumps(instance))
    solved = json.loads(run("solve", path, "--json").stdout)
    # a and c are the only joined pair: 0.9 + 0.4 + (0.9 + 1) + 0.8
    assert solved["ids"] == ["a", "c"]
    assert solved["value"] == pytest.approx(4.0)
    assert "optimal" in run("solve", path).stdout
    for name in ("exact", "greedy", "local", "enumerate"):
        assert name in run("solvers").stdout
    path.write_text('{"ids": ["a"]}')
    broken = run("solve", path)
    assert broken.exit_code == 2
    path.write_text("not json")
    assert run("solve", path).exit_code == 2


def test_the_installed_command_runs(shop: Path) -> None:
    """`jar` starts from a shell, and its standard output is pure JSON there too."""
    command = Path(sys.executable).parent / "jar"
    done = subprocess.run(
        [str(command), "rank", str(shop), QUESTION, "--json"], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout)["tables"]


def test_solve_takes_columns_too(tmp_path: Path) -> None:
    """An instance of the CRUSH objective is solved by its solvers, and the list says who they are."""
    instance = {
        "relevance": [0, 0, 0], "coverage": [[0.3, 0.2, 0.9]], "compatibility": [], "groups": ["a", "a", "b"],
        "size": 2, "objective": {"name": "crush", "gamma": 2, "sharpness": 0},
    }  # fmt: skip
    path = tmp_path / "columns.json"
    path.write_text(json.dumps(instance))
    for solver in ("exact", "local", "sweep"):
        solved = json.loads(run("solve", path, "--solver", solver, "--json").stdout)
        # 0 and 1 are of one table: 0.3 + 2 + 2; with column 2 there is no link: 0.9. The sweep looks for neither.
        assert solved["value"] == pytest.approx(0.9 if solver == "sweep" else 4.3)
    assert run("solve", path, "--solver", "paper-mip").exit_code != 0
    rows = {line.split()[0]: line for line in run("solvers").stdout.splitlines()}
    assert "jar, crush" in rows["exact"]
    assert "crush" not in rows["paper-mip"]


def test_solve_takes_options_a_fallback_and_a_number_of_sets(tmp_path: Path) -> None:
    """As `formulations.solve` does; a value is a number, null or a word."""
    path = tmp_path / "instance.json"
    path.write_text('{"relevance": [3, 2, 1], "compatibility": [[0, 1, 0.5]], "size": 2}')
    found = json.loads(run("solve", path, "--solutions", "2", "--json").stdout)
    assert [solution["items"] for solution in found] == [[0, 1], [0, 2]]
    limited = run("solve", path, "--option", "node_limit=null", "--option", "gap_limit=0.5", "--json")
    assert json.loads(limited.stdout)["solver"] == "exact"
    refused = ("--solver", "enumerate", "--option", "sets_limit=1")
    assert run("solve", path, *refused).exit_code == 1
    assert json.loads(run("solve", path, *refused, "--fallback", "local", "--json").stdout)["solver"] == (
        "enumerate->local"
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ("--time-limit", "nan"),
        ("--solver", "sweep"),
        ("--solver", "none"),
        ("--solver", "greedy", "--solutions", "2"),
        ("--solutions", "0"),
        ("--option", "node_limit"),
        ("--option", "node_limit=few"),
        ("--option", "nodes=3"),
        ("--option", "solver=mip"),
    ],
    ids=str,
)
def test_what_no_solver_can_do_is_exit_status_2(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """Limits, options and solvers that do not fit the instance, and a folder in its place."""
    path = tmp_path / "instance.json"
    path.write_text('{"relevance": [3, 2, 1], "compatibility": [[0, 1, 0.5]], "size": 2}')
    for place, more in ((path, arguments), (tmp_path, ())):
        result = run("solve", place, *more)
        assert result.exit_code == 2, result.output
        assert result.stdout == ""
        assert "Traceback" not in result.stderr


def test_sql_is_written_as_asked(shop: Path) -> None:
    """`--dialect`, `--max-tokens` and `--sample-values` shape `--sql`, of tables and of columns alike."""
    for command in (("rank", shop, QUESTION, "-k", 3), ("columns", shop, QUESTION, "--budget", 8)):
        text = run(*command, "--sql", "--dialect", "BigQuery", "--sample-values", 2).stdout
        assert " INT64,  -- e.g. " in text
        assert "-- joins" in text
        shorter = run(*command, "--sql", "--max-tokens", 60).stdout
        assert " left out" in shorter
        assert "-- joins" in shorter


def test_dialects_have_the_same_names_when_they_are_read_and_when_they_are_written(tmp_path: Path, shop: Path) -> None:
    """An unknown one is told once, not for each file, with what may be meant."""
    for name in "ab":
        (tmp_path / f"{name}.sql").write_text(f"CREATE TABLE {name} (id INT PRIMARY KEY)")
    out = tmp_path / "out.jar"
    for dialect in ("postgresql", "MariaDB", "sqlserver", "oracle", "sqlite", "duckdb"):
        assert run("index", tmp_path, "-o", out, "--dialect", dialect, "--embedder", "static").exit_code == 0
        assert run("rank", shop, QUESTION, "--sql", "--dialect", dialect).exit_code == 0
    for wrong in (run("index", tmp_path, "-o", out, "--dialect", "postgre"),
                  run("rank", shop, QUESTION, "--sql", "--dialect", "postgre")):  # fmt: skip
        assert wrong.exit_code == 2
        assert wrong.stderr.count("did you mean postgres") == wrong.stderr.count("'postgre'") == 1


def test_notes_stand_beside_sql(shop: str) -> None:
    """On standard error, so that the text goes to a model as it is."""
    told = run("rank", shop, "zzyzx", "-k", 2, "--sql")
    assert told.exit_code == 0
    assert "CREATE TABLE" in told.stdout
    assert "note:" not in told.stdout
    assert told.stderr.startswith("note: no word of the question")


def test_what_says_how_sql_is_written_needs_sql(shop: Path) -> None:
    """Without `--sql` the options have nothing to say: the command stops before it works, and tells so."""
    for command in ("rank", "columns"):
        for option in (("--dialect", "mysql"), ("--max-tokens", 100), ("--sample-values", 1)):
            result = run(command, shop, QUESTION, *option)
            assert result.exit_code == 2
            assert f"{option[0]} says how SQL is written: give --sql, too" in result.stderr
    result = run("rank", shop, QUESTION, "--sql", "--dialect", "cobol")
    assert result.exit_code == 2
    assert "'sqlite', 'postgres'" in result.stderr


def test_two_forms_of_an_answer_are_refused(shop: Path) -> None:
    """Neither would be what the other asks for."""
    result = run("rank", shop, QUESTION, "--json", "--sql", "--dialect", "postgres")
    assert result.exit_code == 2
    assert "--json and --sql are two forms of one answer" in result.stderr


def test_the_shell_has_the_pool_of_python(shop: Path) -> None:
    """Join neighbours included, where no size is given; an unknown candidate is told without a word of Python."""
    document = json.loads(run("rank", shop, QUESTION, "-k", 4, "--json").stdout)
    selection = Reranker(Index.load(shop)).rank(QUESTION, 4)
    assert document["tables"] == list(selection.tables)
    assert document["retrieval"] == dict(selection.retrieval)
    wrong = run("rank", shop, QUESTION, "--candidate", "bank.clint")
    assert wrong.exit_code == 2
    assert "did you mean bank.client" in wrong.stderr
    assert "Foreign" not in wrong.stderr


def test_a_folder_that_is_made_for_an_index_is_told(tmp_path: Path) -> None:
    """It may be a mistyped path; the second time it is there, and nothing is said."""
    (tmp_path / "t.csv").write_text("id\n1\n")
    command = ("index", tmp_path / "t.csv", "-o", tmp_path / "a/b/x.jar", "--embedder", "static")
    told = f"{tmp_path}/a/b/x.jar, in the new folder {tmp_path}/a/b: 1 table (1 read"
    assert told in run(*command).stderr
    assert f"{tmp_path}/a/b/x.jar: 1 table (0 read" in run(*command).stderr


def test_names_of_sources_and_what_was_passed_over_are_told(tmp_path: Path) -> None:
    """The way out of two sources of one name, and a title above the names of a file."""
    for part in ("p1", "p2"):
        (tmp_path / part / "data").mkdir(parents=True)
        (tmp_path / part / "data/t.csv").write_text("Report\nid,name\n1,x\n2,y\n")
    one, other = tmp_path / "p1/data", tmp_path / "p2/data"
    more = ("-o", tmp_path / "x.jar", "--embedder", "static")
    clash = run("index", one, other, *more)
    assert clash.exit_code == 2
    assert f"name their databases, first={one} second={other}" in clash.stderr
    done = run("index", f"first={one}", f"second={other}", *more)
    assert done.exit_code == 0, done.output
    assert "what stands above the names of the columns is passed over: 'Report'" in done.stderr
    assert [table.id for table in Index.load(tmp_path / "x.jar").contents.tables] == ["first.t", "second.t"]


def test_what_an_index_loses_is_told(tmp_path: Path) -> None:
    """A source that the call does not name, and what was stated of tables that are gone."""
    files = {"shop/clients": "client_id,name", "shop/loans": "loan_id,client_id", "farm/cows": "cow_id,name"}
    for name, header in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.csv").write_text(f"{header}\n1,1\n2,2\n")
    target, how = tmp_path / "a.jar", ("--embedder", "distilled")
    assert run("index", tmp_path / "shop", "-o", target, *how).exit_code == 0
    assert run("joins", target, "--pin", "loans.client_id", "clients.client_id").exit_code == 0
    told = run("index", tmp_path / "shop/clients.csv", "-o", tmp_path / "b.jar", *how).stderr
    assert "gone" not in told
    shutil.copy(tmp_path / "shop/loans.csv", tmp_path / "shop/more.csv")
    assert run("index", tmp_path / "shop", "-o", tmp_path / "b.jar").exit_code == 0
    told = run("index", tmp_path / "shop/clients.csv", "-o", tmp_path / "b.jar").stderr
    assert "most of shop is gone, 2 tables: an index holds what one call names" in told
    (tmp_path / "shop/more.csv").unlink()
    (tmp_path / "shop/loans.csv").unlink()
    told = run("index", tmp_path / "shop", "-o", target).stderr
    assert "though stated: pin shop.clients.client_id shop.loans.client_id" in told
    assert "is gone" not in told
    told = run("index", tmp_path / "farm", "-o", target).stderr
    assert "shop is gone with its table: an index holds what one call names" in told
