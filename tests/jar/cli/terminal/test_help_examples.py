"""Every help ends with examples, and every example runs on the sample lake."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from jar.cli.commands import COMMANDS
from jar.cli.main import main
from jar.cli.terminal.help_examples import EXAMPLES

BY_NAME: dict[str, click.Command] = {"main": main, **{str(command.name): command for command in COMMANDS}}


def examples_of(name: str) -> list[str]:
    """The lines below "Examples:" in the help of a command."""
    arguments = ["--help"] if name == "main" else [name, "--help"]
    text = CliRunner().invoke(main, arguments, terminal_width=60).stdout
    return [line.strip() for line in text.partition("\n  Examples:\n")[2].splitlines()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample lake and its index, and `jar` as a shell finds it."""
    made = tmp_path_factory.mktemp("examples")
    command = made / "bin" / "jar"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m jar "$@"\n')
    command.chmod(0o755)
    run_lines(made, ["jar sample lake", "jar index lake -o lake.jar"])
    return made


def run_lines(folder: Path, lines: list[str]) -> str:
    """What lines print in a shell, one after the other; each has to succeed, or, of a server, to run on."""
    root = Path(__file__).parents[4]
    paths = {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "PYTHONPATH": str(root)}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", "\n".join(lines)],
        cwd=folder, env={**os.environ, **paths}, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{lines}: {done.stderr}"
    return done.stdout


@pytest.mark.parametrize("name", BY_NAME)
def test_every_help_has_examples(name: str) -> None:
    """One or two lines, as they were written: no line is broken, whatever the width."""
    lines = examples_of(name)
    assert lines == list(EXAMPLES[name])
    assert 1 <= len(lines) <= 2
    assert all(len(line) <= 100 for line in lines)


def test_there_are_no_examples_of_commands_that_are_gone() -> None:
    """Every row is of a command."""
    assert set(EXAMPLES) == set(BY_NAME)


@pytest.mark.parametrize("name", BY_NAME)
def test_the_examples_of_a_help_run(name: str, folder: Path) -> None:
    """Each line succeeds in a shell, in the folder of the sample lake."""
    if name == "filter":
        pytest.importorskip("onnxruntime", reason="token vectors are those of MiniLM, an extra")
    if name == "mcp":
        pytest.importorskip("mcp", reason="the server for agents is an extra")
    lines = examples_of(name)
    if name == "serve":
        pytest.importorskip("uvicorn", reason="the server is an extra")
        lines = [f"timeout 6 bash -c {shlex.quote(line)} || test $? = 124" for line in lines]
    printed = run_lines(folder, lines)
    assert printed or name in {"sample", "index", "mcp", "serve"}
