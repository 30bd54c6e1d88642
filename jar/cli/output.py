"""How answers are printed: a row for each format, and tables for the terminal."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from jar.answers.selection import Selection
    from jar.cli.options import Command, LanguageChoice
    from joinability import JoinGraph

SUCCESS, FAILURE, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130
"""Exit statuses; the last is what shells give a program that Ctrl-C ended."""


def say(message: str) -> None:
    """One line on standard error, whatever signs the names in it have."""
    from joinability.lines import one_line

    click.echo(one_line(message), err=True)


def json_text(document: Any) -> str:
    """A document as JSON, with a line break at its end."""
    return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def print_json(document: Any) -> None:
    """Print one JSON document."""
    click.echo(json_text(document), nl=False)


@dataclass(frozen=True)
class Format:
    """A flag by which a command prints a selection in another form than text, and the commands that have it.

    `text` makes it of a selection and the arguments of `Selection.to_sql_context`.
    """

    name: str
    help: str
    text: Callable[[Selection, Mapping[str, Any]], str]
    commands: tuple[str, ...] = ("rank", "columns")


JSON_HELP = "One JSON document on standard output."

FORMATS = (
    Format("json", JSON_HELP, lambda selection, _: json_text(selection.to_dict())),
    Format(
        "sql",
        "CREATE TABLE statements and join conditions for a prompt.",
        lambda selection, how: selection.to_sql_context(**how),
    ),
    Format(
        "explain",
        "Which probe asks for each column.",
        lambda selection, _: f"{selection.explain()}\n",
        commands=("columns",),
    ),
)
"""The forms of a selection; one at a time."""


def format_options(command_name: str) -> Callable[[Command], Command]:
    """Add the flags of the formats that a command has; it gets the name of the one asked for, or "text"."""
    rows = [row for row in FORMATS if command_name in row.commands]

    def decorated(command: Command) -> Command:
        @wraps(command)
        def with_format(**values: Any) -> Any:
            chosen = [row.name for row in rows if values.pop(f"as_{row.name}")]
            if len(chosen) > 1:
                raise click.UsageError(f"--{chosen[0]} and --{chosen[1]} are two forms of one answer: give one")
            return command(output=chosen[0] if chosen else "text", **values)

        for row in reversed(rows):
            click.option(f"--{row.name}", f"as_{row.name}", is_flag=True, help=row.help)(with_format)
        return with_format  # type: ignore[return-value]

    return decorated


def print_selection(selection: Selection, output: str, how: Mapping[str, Any], *, one_of_many: bool = False) -> None:
    """Print a selection in a format; `how` are the arguments of `Selection.to_sql_context`.

    One of many is a line of JSON, or a text with an empty line behind it, and is not kept back. Beside SQL, notes go to
    standard error.
    """
    from jar.cli.terminal.answer_view import answer_lines
    from jar.cli.terminal.screen import Screen
    from jar.cli.terminal.shell_words import in_shell_words

    texts = {row.name: row.text for row in FORMATS}
    if one_of_many and output == "json":
        click.echo(json.dumps(selection.to_dict(), ensure_ascii=False, allow_nan=False))
        return
    if output in texts:
        text = texts[output](selection, how)
    else:
        screen = Screen.of_output()
        text = f"{screen.text(answer_lines(selection.plan(), screen))}\n"
    click.echo(text, nl=one_of_many)
    for note in selection.notes if output == "sql" else ():
        say(f"note: {in_shell_words(note)}")


def print_explanation(selection: Selection) -> None:
    """Print an answer with its bars and its trees of joins, then why each table is there."""
    from jar.cli.terminal.explanation_view import explanation_lines
    from jar.cli.terminal.screen import Screen

    screen = Screen.of_output()
    click.echo(screen.text(explanation_lines(selection, screen)))


def print_prompt(index_file: str, question: str, language: LanguageChoice, objective: str, output: str) -> None:
    """Print what a language model would be sent, as JSON or as text."""
    from jar.index.index import Index
    from jar.language.prompts import show
    from jar.tables.query import check_question

    messages = language.prompt(Index.load(index_file), check_question(question), objective)
    if output == "json":
        print_json(messages)
    else:
        click.echo(show(messages))


GRAPH_FORMATS: Mapping[str, Callable[[JoinGraph], str]] = {
    "csv": lambda graph: graph.to_csv(),
    "json": lambda graph: json_text([edge.to_dict() for edge in graph]),
    "mermaid": lambda graph: graph.best().to_mermaid(),
    "dot": lambda graph: graph.best().to_dot(),
}
"""The forms of a join graph beside the table; a diagram has the best join of each two tables."""

TABLE_FORMATS = ("table", "csv", "json")
"""The forms of what is no graph."""

NUMBERS = ("score", "names")
NAMES = ("left", "right", "same columns")


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, empty: str) -> None:
    """A table as wide as the terminal; into a file or a pipe, as wide as it needs to be."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    if not rows:
        click.echo(empty)
        return
    table: Table = Table(box=box.SIMPLE_HEAD if sys.stdout.isatty() else None, pad_edge=False)
    for name in columns:  # long names break, numbers never
        justify: Any = "right" if name in NUMBERS else "left"
        table.add_column(name, overflow="fold", no_wrap=name not in NAMES, justify=justify)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))  # as it stands: names may hold what looks like markup
    if sys.stdout.isatty():
        Console().print(table)
        return
    console = Console(width=100_000, color_system=None)
    with console.capture() as capture:
        console.print(table)
    click.echo("\n".join(line.rstrip() for line in capture.get().splitlines()))
