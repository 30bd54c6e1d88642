"""The page on language models shows what happens."""

from __future__ import annotations

import doctest
import inspect
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from chat_server import ChatServer, refuses, says

from jar import Index, Reranker
from jar.language import LlmDecomposer, OpenAiModel
from jar.language.cache import PER_FOLDER
from jar.language.openai_model import LIMIT, PARAMETERS

PAGE = Path(__file__).parents[3] / "docs" / "language-models.md"
SERVER = "http://localhost:8000/v1"

Serve = Callable[..., ChatServer]


def example(page: str, number: int) -> str:
    """A block of the page that shows a session."""
    return [block for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if block.startswith(">>>")][number]


def test_the_first_example_prints_what_the_page_shows(
    serve: Serve, lake_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The session runs against a server that answers as the page has it."""
    server = serve(says('["client:gender", "card:type", "loan"]'))
    monkeypatch.chdir(lake_file.parent)
    session = example(PAGE.read_text(), 0).replace(SERVER, server.url)
    test = doctest.DocTestParser().get_doctest(session, {}, "page", str(PAGE), 0)
    assert len(test.examples) > 5
    assert doctest.DocTestRunner().run(test).failed == 0


def test_the_failure_of_the_page_is_what_the_result_says(serve: Serve, lake_index: Index) -> None:
    """Word for word."""
    model = OpenAiModel("qwen3", base_url=serve(refuses(503, "loading model", Retry_After="0.001")).url)
    result = Reranker(lake_index, decomposer=LlmDecomposer(model)).rank("Which clients have loans?", k=2)
    shown = example(PAGE.read_text(), 1)
    assert repr(result.decomposition) in shown
    assert repr(result.notes) in shown


def test_the_figures_of_the_page_are_the_defaults() -> None:
    """Limits stand on the page as they stand in the code."""
    page = " ".join(PAGE.read_text().split())
    defaults = {name: parameter.default for name, parameter in inspect.signature(OpenAiModel).parameters.items()}
    assert f"`timeout` ({defaults['timeout']:.0f} s" in page
    assert f"`deadline` ({defaults['deadline']:.0f} s)" in page
    assert f"`attempts` ({defaults['attempts']}) in all" in page
    assert f"`concurrency` ({defaults['concurrency']})" in page
    assert f"`limit` ({LIMIT // 1024} kB)" in page
    assert f"at most {256 * PER_FOLDER:,}" in page
    assert f"at most {PARAMETERS['max_tokens']:,} tokens" in page
