"""What the commands share: options, their types, messages and the console."""

from __future__ import annotations

import os
import shlex
import sys
import time
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from benchmarks.runs.evaluation import Report
from formulations import CrushObjective, JarObjective, warm_up


class Measuring(click.Command):
    """A command that measures answers: all searches run as machine code before it begins.

    Else they would change over in the middle, where another process has made it: late, on a machine that is busy.
    """

    def invoke(self, ctx: click.Context) -> Any:
        """Run it."""
        warm_up(JarObjective())
        warm_up(CrushObjective())
        return super().invoke(ctx)


class OutputPath(click.Path):
    """A folder or a file that can be written; a folder that is not there is made later, not here."""

    def __init__(self, *, folder: bool) -> None:
        super().__init__(path_type=Path, file_okay=not folder, dir_okay=folder)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path."""
        path: Any = super().convert(value, param, ctx)
        place = path if self.dir_okay else path.parent
        nearest = next(part for part in (place, *Path(os.path.abspath(place)).parents) if os.path.lexists(part))
        if not nearest.is_dir():
            self.fail(f"{path} can not be written ({nearest} is no folder): give another place", param, ctx)
        if not os.access(nearest, os.W_OK):
            self.fail(f"{path} can not be written (no permission in {nearest}): give another place", param, ctx)
        return path


class NameList(click.ParamType[list[str]]):
    """Names with commas between them, each once; a list without a name would mean all, and is refused."""

    name = "names"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[str]:
        """The names of a text."""
        if not isinstance(value, str):
            return list(value)
        names = list(dict.fromkeys(part.strip() for part in value.split(",") if part.strip()))
        if not names:
            self.fail("it names nothing: leave it out, or give names with commas", param, ctx)
        return names


class IntegerList(click.ParamType[tuple[int, ...]]):
    """Positive integers with commas between them."""

    name = "numbers"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        """The numbers of a text."""
        try:
            numbers = tuple(int(part) for part in value.split(",")) if isinstance(value, str) else tuple(value)
        except ValueError:
            numbers = (0,)
        if min(numbers) < 1:
            self.fail(f"{value!r} is no list of positive integers such as 2,5,10", param, ctx)
        return numbers


DATA = click.option("--data", help="Folder with spider/ and bird/; else JAR_DATA, else ../shared/data.")
OUTPUT = click.option(
    "--output", type=OutputPath(folder=True), default=Path("build/benchmarks"), show_default=True, help="DIR."
)
WORDNET = click.option(
    "--wordnet", type=click.Path(path_type=Path), default=Path("/usr/share/wordnet"), show_default=True,
    help="The data files of WordNet 3.0.",
)  # fmt: skip
LIMIT = click.option("--limit", type=click.IntRange(1), help="At most so many questions, evenly spaced.")
EMBEDDER = click.option("--embedder", default="minilm", show_default=True)
CANDIDATES = click.option("--candidates", type=click.IntRange(1), default=20, show_default=True)


def clock() -> Report:
    """Messages on standard error with the seconds since now."""
    start = time.perf_counter()
    return lambda message: print(f"[{time.perf_counter() - start:6.1f} s] {message}", file=sys.stderr, flush=True)


def console(width: int = 140) -> Console:
    """The terminal, or text of this width where the output goes elsewhere."""
    return Console(width=None if sys.stdout.isatty() else width)


def shown_command() -> str:
    """What the user typed, without the paths of this machine."""
    words = iter(sys.argv[1:])
    kept: list[str] = []
    for word in words:
        if word in ("--output", "--data", "--report"):
            next(words, None)
        elif not word.startswith(("--output=", "--data=", "--report=")):
            kept.append(word)
    return shlex.join(["python", "-m", "benchmarks", *kept])
