"""Servers and models of the tests, and an environment without keys of the user's."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from chat_server import Behaviour, ChatServer

from jar import Catalog, Index
from jar.language import OpenAiModel
from jar.sample import sample_frames


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [name for name in os.environ if name.startswith("OPENAI_") or name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def serve() -> Iterator[Callable[..., ChatServer]]:
    """Start servers with a script each; they stop with the test."""
    with ExitStack() as stack:
        yield lambda *script: stack.enter_context(ChatServer(*script))


@pytest.fixture
def ask(serve: Callable[..., ChatServer], tmp_path: Path) -> Callable[..., tuple[OpenAiModel, ChatServer]]:
    """A model behind a server with a script, with small limits and an empty cache."""

    def make(*script: Behaviour, **options: Any) -> tuple[OpenAiModel, ChatServer]:
        server = serve(*script)
        limits = {"timeout": 5.0, "deadline": 10.0, "cache": tmp_path / "answers"} | options
        return OpenAiModel("toy", base_url=server.url, **limits), server

    return make


@pytest.fixture(scope="session")
def lake_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index file of a small sample lake, whose embedder the command line finds by its name."""
    path = tmp_path_factory.mktemp("language") / "lake.jar"
    Index.build(Catalog.from_frames(sample_frames(rows=20)), path=path, embedder="static", progress=False)
    return path
