"""Paths: the state of a file, the text by which messages and ids call it, and the files of a folder."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from joinability.credentials import address_without_credentials
from joinability.errors import CatalogError

NOT_LISTED = (".", "~$")
"""How the names of files begin that are no data: hidden files, and Excel's locks beside open workbooks."""


def file_state(path: Path) -> str:
    """Path, size and time of change of a file."""
    try:
        state = path.stat()
    except OSError:  # a missing file is a state of its own; reading it raises the error
        return f"{path}:absent"
    return f"{path}:{state.st_size}:{state.st_mtime_ns}"


def path_list(paths: object) -> list[Any]:
    """One path, or several, as a list.

    Raises
    ------
    CatalogError
        When they are neither, or one is empty.
    """
    listed = list(paths) if isinstance(paths, Iterable) and not isinstance(paths, str) else [paths]
    for path in listed:
        if not isinstance(path, (str, os.PathLike)):
            given = type(path).__name__
            raise CatalogError(f"files and folders are given by their paths, such as 'data/', not by {given}")
        if not os.fspath(path):
            raise CatalogError("a path is empty: give that of a file or folder; the current folder is '.'")
    return listed


def full_path(path: str | os.PathLike[str]) -> Path:
    """A path from the root on, without `..`: one file has one, wherever it is named from."""
    return Path(os.path.abspath(path))


def shown(path: Path | str) -> str:
    r"""A path as text that can be printed and stored: undecodable bytes become escapes, such as "\\udcff"."""
    return str(path).encode("utf-8", "backslashreplace").decode("utf-8")


def shown_source(path: Path) -> str:
    """The path of a source as text. A path that does not exist may be a database address: credentials are removed."""
    return shown(path) if path.exists() else address_without_credentials(shown(path))


class FilesBelow(NamedTuple):
    """The files of a folder, the (path, cause) of folders in it that cannot be listed, and of links that are passed
    over."""

    files: list[Path]
    unlisted: list[tuple[str, str]]
    again: list[tuple[str, str]]


def files_below(folder: Path) -> FilesBelow:
    """The files below a folder except hidden ones and locks of Excel, each once: a link to another one of them, or to
    what an earlier link leads to, is told instead, as is one to another folder."""
    files: list[Path] = []
    errors: list[OSError] = []
    linked: list[Path] = []
    for here, folders, names in os.walk(folder, onerror=errors.append):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        linked += [Path(here, name) for name in folders if Path(here, name).is_symlink()]
        files += [Path(here, name) for name in sorted(names) if not name.startswith(NOT_LISTED)]
    unlisted = [(shown(str(error.filename)), error.strerror or str(error)) for error in errors]
    again = [(shown(folder), "a link to a folder, which is not followed: name that folder, too") for folder in linked]
    links = [file for file in files if file.is_symlink()]
    if not links:
        return FilesBelow(files, unlisted, again)
    first = {os.path.realpath(file): file for file in files if not file.is_symlink()}
    same = {link: first.setdefault(os.path.realpath(link), link) for link in links}
    others = {link: file for link, file in same.items() if link != file}
    again += [(shown(link), f"a link to {shown(file)}, which is taken once") for link, file in others.items()]
    return FilesBelow([file for file in files if file not in others], unlisted, again)
