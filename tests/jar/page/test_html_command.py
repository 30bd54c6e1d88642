"""`jar explain --html`: the file, what it refuses, and where nothing is feasible."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jar.cli.main import main
from jar.sample import QUESTIONS

QUESTION = QUESTIONS[0].text


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("html")
    assert run("sample", folder / "lake").exit_code == 0
    assert run("index", folder / "lake", "-o", folder / "lake.jar", "--embedder", "static").exit_code == 0
    return folder / "lake.jar"


def test_the_file_is_written(shop: Path, tmp_path: Path) -> None:
    """Standard output stays empty; standard error names the file and the tables."""
    result = run("explain", shop, QUESTION, "-k", 4, "--html", tmp_path / "out.html")
    assert result.exit_code == 0
    assert result.stdout == ""
    assert "bank.disposition" in result.stderr
    assert "bank.disposition" in (tmp_path / "out.html").read_text(encoding="utf-8")


def test_wishes_of_the_command_are_on_the_page(shop: Path, tmp_path: Path) -> None:
    """--require and --exclude hold for every set."""
    options = ["--require", "gym.members", "--exclude", "bank.card", "--html", tmp_path / "out.html"]
    assert run("explain", shop, QUESTION, *options).exit_code == 0
    text = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert '"id":"gym.members"' in text
    assert '"id":"bank.card"' not in text


def test_what_has_no_page_is_told(shop: Path, tmp_path: Path) -> None:
    """Objectives over columns, --names beside it, and no question."""
    page = tmp_path / "out.html"
    for arguments in (
        [QUESTION, "--objective", "crush", "--html", page],
        ["--names", "--html", page],
        ["--html", page],
    ):
        result = run("explain", shop, *arguments)
        assert result.exit_code == 2
        assert "Error" in result.stderr
    assert not page.exists()


def test_a_folder_that_is_not_there_is_made(shop: Path, tmp_path: Path) -> None:
    """As `jar index --output` makes it."""
    page = tmp_path / "not" / "yet" / "out.html"
    assert run("explain", shop, QUESTION, "--html", page).exit_code == 0
    assert "bank.loan" in page.read_text(encoding="utf-8")


def test_what_cannot_be_written_is_told_in_words(shop: Path, tmp_path: Path) -> None:
    """A file where a folder should be: the path and the reason, without the number of the error or signs around it."""
    (tmp_path / "a\nfile").touch()
    result = run("explain", shop, QUESTION, "--html", tmp_path / "a\nfile" / "out.html")
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"Error: {tmp_path}/a\\nfile")
    assert line.endswith(": not a directory")


def test_no_connected_set_is_a_failure(shop: Path, tmp_path: Path) -> None:
    """As without a page, the exit status says that no set satisfies what was asked; the page is there."""
    needs = ["--require", "gym.members", "--require", "bank.card", "--connect", "require", "-k", "2"]
    assert run("explain", shop, QUESTION, *needs, "--html", tmp_path / "out.html").exit_code == 1
    assert (tmp_path / "out.html").exists()


def test_a_file_of_another_kind_stays(shop: Path, tmp_path: Path) -> None:
    """The index, say, by a slip; an earlier page is written over."""
    before = shop.read_bytes()
    result = run("explain", shop, QUESTION, "--html", shop)
    assert (result.exit_code, shop.read_bytes()) == (2, before)
    assert "left untouched" in result.stderr
    for _ in range(2):
        assert run("explain", shop, QUESTION, "--html", tmp_path / "out.html").exit_code == 0
