"""Answers kept on disk, so that the same prompt costs one request: one small JSON file each."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from jar.language.model import Message
from jar.language.prompts import PROMPT_VERSION

__all__ = ["FOLDER", "AnswerCache", "answer_key"]

FOLDER = "answers"
"""The folder of `jar.user_cache` where answers are kept by default."""
FORMAT = 1
"""Raised when files of earlier versions can no longer be read."""

PER_FOLDER = 64
"""Answers in each of the 256 folders, 16,384 in all; the oldest makes way for the next."""


class AnswerCache:
    """A folder of answers.

    A file is written beside its place and then put there in one step, so readers in other processes see a whole answer
    or none. A file that is damaged, or of another version, counts as absent. Neither the prompt nor a key is in it. A
    folder that cannot be written is said once, as a warning; the answers are then not kept.

    Parameters
    ----------
    folder : Path
        Made when the first answer is kept, readable by its owner only.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._warned = False

    def get(self, key: str) -> str | None:
        """The answer that was kept under a key, or None."""
        try:
            document = json.loads(self._path(key).read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return None
        if not isinstance(document, dict) or document.get("format") != FORMAT or document.get("key") != key:
            return None
        answer = document.get("answer")
        return answer if isinstance(answer, str) and document.get("sha256") == _digest(answer) else None

    def put(self, key: str, answer: str) -> None:
        """Keep an answer."""
        document = {"format": FORMAT, "key": key, "answer": answer, "sha256": _digest(answer)}
        try:
            self._write(self._path(key), json.dumps(document))
        except OSError as error:
            if not self._warned:
                self._warned = True
                warnings.warn(
                    f"answers of the language model are not kept: {str(self.folder)!r} cannot be written "
                    f"({error.strerror or type(error).__name__}); give another folder as cache=, or cache=False",
                    stacklevel=2,
                )

    def forget(self, key: str) -> None:
        """Drop an answer, if there is one."""
        with suppress(OSError):
            self._path(key).unlink()

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"

    def _write(self, path: Path, text: str) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.parent.mkdir(mode=0o700, exist_ok=True)
        handle, draft = tempfile.mkstemp(prefix=".", suffix=".part", dir=path.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            os.replace(draft, path)
        except BaseException:
            Path(draft).unlink(missing_ok=True)
            raise
        self._make_way(path)

    def _make_way(self, newest: Path) -> None:
        """Drop the oldest answers of a full folder."""
        files = [file for file in newest.parent.glob("*.json") if file != newest]
        surplus = len(files) + 1 - PER_FOLDER
        if surplus > 0:
            for file in sorted(files, key=_modified)[:surplus]:
                file.unlink(missing_ok=True)


def answer_key(identity: Sequence[str], parameters: Mapping[str, Any], messages: Sequence[Message]) -> str:
    """Digest of all that an answer depends on: model and server, parameters, messages, version of our prompts."""
    asked = [PROMPT_VERSION, list(identity), dict(parameters), [dict(message) for message in messages]]
    return _digest(json.dumps(asked, sort_keys=True, default=repr))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # another process was faster
        return 0.0
