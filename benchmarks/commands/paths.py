"""What is refused before any work: folders and files that can not be written, and lists of names that name nothing."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import click

FOLDERS = ("answers", "indexes", "vectors", "solvers", "speed", "lake")
FILES = ("results.jsonl", "significance.csv", "joins.json", "speed.json")


class OutputFolder(click.Path):
    """A folder that is there and can be written, or that can be made; nothing is made here."""

    def __init__(self) -> None:
        super().__init__(path_type=Path, file_okay=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path."""
        folder = super().convert(value, param, ctx)
        if cause := unwritable(folder):
            self.fail(f"{folder} can not be written ({cause}): give another folder", param, ctx)
        if cause := misplaced(folder):
            self.fail(f"{cause}: remove it or give another folder", param, ctx)
        return folder


class OutputFile(click.Path):
    """A file that can be written, in a folder that is there or can be made."""

    def __init__(self) -> None:
        super().__init__(path_type=Path, dir_okay=False, writable=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path."""
        path = super().convert(value, param, ctx)
        if cause := unwritable(path.parent):
            self.fail(f"{path} can not be written ({cause}): give another file", param, ctx)
        return path


def some_names(context: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """The value of an option that takes names with commas; one without a name would mean all."""
    if value is not None and not value.replace(",", " ").strip():
        raise click.BadParameter("it names nothing: leave it out, or give names with commas", context, param)
    return value


def misplaced(folder: Path) -> str:
    """What of an output folder is a file where a folder is written, or a folder where a file is; empty for nothing."""
    for name in FOLDERS:
        if os.path.lexists(folder / name) and not (folder / name).is_dir():
            return f"{folder / name} is no folder"
    for name in FILES:
        if (folder / name).is_dir():
            return f"{folder / name} is no file"
    return ""


def unwritable(folder: Path) -> str:
    """Why no file can be made in a folder, or in the nearest one above it that is there; empty where one can."""
    there = next(path for path in (folder, *Path(os.path.abspath(folder)).parents) if os.path.lexists(path))
    if not there.is_dir():
        return f"{there} is no folder"
    try:
        with tempfile.TemporaryFile(dir=there):
            return ""
    except OSError as error:
        return f"{there}: {error.strerror}"
