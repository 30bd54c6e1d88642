"""Every command that a page shows is one: its name, its options and their values are those of the command line."""

from __future__ import annotations

import importlib.util
import re
import shlex
from configparser import ConfigParser
from contextlib import suppress

import click
import pytest

from benchmarks.__main__ import main as benchmarks
from jar.cli.main import main as jar
from tests.docs.pages import NAMES, ROOT, command_lines, spans

OTHERS = {"vllm", "llama-server", "ollama", "sort"}
"""Programs of others, which are not ours to check."""
GROUPS = {"jar": jar, "benchmarks": benchmarks}
WORDS = re.compile(r"^(?:\.venv/bin/)?(?:(?P<jar>jar)|python -m (?P<module>[\w.]+)|pip|make|pytest|vllm|ollama)\b")


def told(line: str) -> list[list[str]]:
    """The commands of a line, without comments, redirections and the folder of the environment."""
    words = shlex.split(line.replace(".venv/bin/", ""), comments=True)
    commands: list[list[str]] = [[]]
    skip = False
    for word in words:
        if word in {"&&", "|", ";"}:
            commands.append([])
        elif word in {"<", ">", "2>"}:
            skip = True
        elif skip:
            skip = False
        else:
            commands[-1].append(word)
    return [command for command in commands if command]


def check_group(name: str, arguments: list[str], *, whole: bool) -> None:
    """A command of a group of click; `whole` where its arguments are there, too, and not only its options."""
    context = click.Context(GROUPS[name], info_name=name)
    if not arguments or arguments[0] == "COMMAND":
        return
    command = GROUPS[name].get_command(context, arguments[0])
    assert command is not None, f"{name} has no command {arguments[0]!r}"
    if not whole:
        own = click.Context(command, info_name=arguments[0], parent=context)
        with suppress(click.BadOptionUsage):  # an option is named without its value
            command.make_parser(own).parse_args(list(arguments[1:]))
        return
    try:
        command.make_context(arguments[0], list(arguments[1:]), parent=context)
    except click.BadParameter as problem:
        if "does not exist" not in str(problem) and "No such file" not in str(problem):
            raise
    except click.exceptions.Exit:
        pass


def check(command: list[str], *, whole: bool = True) -> None:
    """Raise where a command is none."""
    match command:
        case ["jar", *arguments]:
            check_group("jar", arguments, whole=whole)
        case ["python", "-m", "benchmarks", *arguments]:
            check_group("benchmarks", arguments, whole=whole)
        case ["python", "-m", module, *_]:
            assert importlib.util.find_spec(module), f"there is no module {module}"
        case ["pip", "install", *packages]:
            config = ConfigParser()
            config.read(ROOT / "setup.cfg")
            extras = {extra for text in packages for part in re.findall(r"\[(.*)\]", text) for extra in part.split(",")}
            assert extras <= set(config["options.extras_require"]), f"setup.cfg has no extra of {packages}"
        case ["make", *targets]:
            rules = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.M)
            assert {target for target in targets if "=" not in target} <= set(rules)
        case ["pytest", *paths]:
            assert all((ROOT / path).exists() for path in paths)
        case [program, *_]:
            assert program in OTHERS, f"{program!r} is no command that a page shows"


@pytest.mark.parametrize("name", NAMES)
def test_the_commands_of_a_page_are_commands(name: str) -> None:
    """Those in consoles and indented blocks, with the arguments that they need."""
    for line in command_lines((ROOT / name).read_text(encoding="utf-8")):
        if WORDS.match(line):
            for command in told(line):
                check(command)


@pytest.mark.parametrize("name", NAMES)
def test_the_commands_in_sentences_are_commands(name: str) -> None:
    """Those between backticks have options that there are; their arguments may be left to the reader."""
    for span in spans((ROOT / name).read_text(encoding="utf-8")):
        if re.match(r"^(jar [a-z]+\b|(\.venv/bin/)?python -m benchmarks |make [a-z-]+$)", span):
            for command in told(span):
                check(command, whole=False)


@pytest.mark.parametrize(
    "line",
    [
        "jar rnak shop.jar question",
        'jar rank shop.jar "question" --no-such-option',
        'jar rank shop.jar "question" --connect perhaps',
        "jar rank shop.jar",
        "python -m benchmarks nothing",
        "python -m benchmarks.nothing",
        'pip install "jar-rerank[nothing]"',
        "make nothing",
        "pytest tests/nothing.py",
        "rm -rf demo",
    ],
)
def test_a_wrong_command_is_seen(line: str) -> None:
    """The check fails where a page shows what does not work."""
    [command] = told(line)
    with pytest.raises((AssertionError, click.UsageError)):
        check(command)
