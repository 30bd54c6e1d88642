"""`jar rank INDEX -` and what the shell completes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jar.cli.main import main
from jar.sample import write_sample_lake

QUESTIONS = ["Which clients have loans?", "Which female clients own credit cards?"]


def run(*arguments: object, standard_input: str | None = None) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)), input=standard_input)


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of the bank of the sample lake."""
    folder = tmp_path_factory.mktemp("questions")
    write_sample_lake(folder / "lake")
    assert run("index", folder / "lake" / "bank", "-o", folder / "bank.jar", "--embedder", "static").exit_code == 0
    return folder / "bank.jar"


def test_questions_come_from_standard_input(bank: Path) -> None:
    """One a line, blank lines left out, each answered as it is alone, in the order in which they come."""
    lines = f"{QUESTIONS[0]}\n\n  {QUESTIONS[1]}\r\n"
    documents = [
        json.loads(line) for line in run("rank", bank, "-", "--json", "-k", 2, standard_input=lines).stdout.splitlines()
    ]
    alone = [json.loads(run("rank", bank, question, "--json", "-k", 2).stdout) for question in QUESTIONS]
    assert [document["question"] for document in documents] == QUESTIONS
    for one, other in zip(documents, alone, strict=True):
        assert (one["tables"], one["joins"]) == (other["tables"], other["joins"])
    for form in ((), ("--sql",)):
        texts = run("rank", bank, "-", "-k", 2, *form, standard_input=lines).stdout
        each = [run("rank", bank, question, "-k", 2, *form).stdout for question in QUESTIONS]
        assert texts == "".join(f"{text}\n" for text in each)


def test_no_question_is_told(bank: Path) -> None:
    """Blank lines alone: nothing is answered, and nothing is wrong."""
    result = run("rank", bank, "-", standard_input=" \n\n")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "standard input has no question: write one a line\n"


def test_broken_letters_are_told(bank: Path) -> None:
    """The question is answered, with a sign in the place of what is no UTF-8."""
    command = [sys.executable, "-X", "utf8", "-m", "jar", "rank", str(bank), "-", "--json"]
    ended = subprocess.run(command, input=b"Which loans?\nWhich cli\xffents?\n", capture_output=True)
    assert len(ended.stdout.splitlines()) == 2
    assert b"line 2 of standard input has bytes that are no UTF-8" in ended.stderr
    assert b"line 1" not in ended.stderr


def test_closed_standard_input_is_told(bank: Path) -> None:
    """As daemons have it."""
    shell = ["sh", "-c", 'exec "$@" <&-', "sh", sys.executable, "-m", "jar", "rank", str(bank), "-"]
    ended = subprocess.run(shell, capture_output=True, text=True)
    assert ended.returncode == 2
    assert ended.stderr.splitlines()[-1] == "Error: standard input is closed: there are no questions to read"


def test_answers_come_while_questions_do(bank: Path) -> None:
    """A program that asks waits for the answer before it asks again."""
    command = [sys.executable, "-m", "jar", "rank", str(bank), "-", "--json", "-k", "1"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for question in QUESTIONS:
            process.stdin.write(f"{question}\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["question"] == question
        process.stdin.close()
        assert process.wait(timeout=120) == 0


def test_a_byte_order_mark_is_no_part_of_a_question(bank: Path) -> None:
    """Editors of Windows begin files with one."""
    (answer,) = run("rank", bank, "-", "--json", standard_input=f"\ufeff{QUESTIONS[0]}\n").stdout.splitlines()
    assert json.loads(answer)["question"] == QUESTIONS[0]


@pytest.mark.parametrize("command", [("explain", "{bank}"), ("columns", "{bank}"), ("filter", "{bank}", "bank")])
def test_other_commands_take_one_question(bank: Path, command: tuple[str, ...]) -> None:
    """Those from standard input are for `jar rank`."""
    result = run(*(word.format(bank=bank) for word in command), "-", standard_input=QUESTIONS[0])
    assert result.exit_code == 2
    assert "jar rank INDEX -" in result.stderr


def test_the_worst_answer_is_the_status(bank: Path) -> None:
    """A question without an answer among others is told by status 1; no question is an empty answer."""
    infeasible = ("-k", 2, "--connect", "require", "--require", "bank.card", "--require", "bank.loan")
    infeasible += ("--forbid-join", "bank.card", "bank.loan")
    assert run("rank", bank, "-", *infeasible, standard_input="\n".join(QUESTIONS)).exit_code == 1
    assert (
        run("rank", bank, "-", standard_input="\n").exit_code,
        run("rank", bank, "-", standard_input="").stdout,
    ) == (0, "")


def test_two_readers_of_standard_input_are_refused(bank: Path) -> None:
    """Neither would get what it is for."""
    result = run("rank", bank, "-", "--objective", "crush", "--probes-file", "-", standard_input="x")
    assert result.exit_code == 2
    assert "cannot both come from standard input" in result.stderr


@pytest.mark.parametrize(
    ("shell", "word"), [("bash", "complete -o nosort"), ("zsh", "#compdef jar"), ("fish", "complete --no-files")]
)
def test_each_shell_gets_its_script(shell: str, word: str) -> None:
    """Printed, so that the user decides where it goes."""
    text = run("completion", shell).stdout
    assert word in text
    assert "_JAR_COMPLETE" in text


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("jar ra", {"rank"}),
        ("jar rank --requ", {"--require"}),
        ("jar rank {bank} x --require lo", {"bank.loan"}),
        ("jar rank {bank} x --exclude bank.c", {"bank.card", "bank.client"}),
        ("jar joins {bank} --table dist", {"bank.district"}),
        ("jar rank {bank}.none x --require lo", set()),
        ("jar rank " + __file__ + " x --require lo", set()),
    ],
)
def test_the_shell_completes(bank: Path, words: str, expected: set[str]) -> None:
    """Commands, options and tables of the index that is named before; of a file that is none, nothing."""
    asked = words.format(bank=bank)
    told = {"_JAR_COMPLETE": "bash_complete", "COMP_WORDS": asked, "COMP_CWORD": str(len(asked.split()) - 1)}
    code = "import sys; sys.argv[0] = 'jar'; from jar.__main__ import run; run()"
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **told}, capture_output=True, text=True, timeout=120
    )
    assert {line.partition(",")[2] for line in done.stdout.splitlines() if line} == expected, done.stderr
