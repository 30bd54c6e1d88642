"""Every Python block of every page runs, and prints what stands below it; one that is not run says why."""

from __future__ import annotations

import doctest
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from jar import Catalog, Index
from jar.sample import sample_frames, write_sample_lake
from tests.docs.pages import NAMES, ROOT, Block, blocks

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
TRIED = [name for name in NAMES if "\n```python\n" in (ROOT / name).read_text(encoding="utf-8")]
ADAPTERS = "docs/adapters/"
"""Their sessions are run by `tests/jar/adapters/test_adapter_pages.py`, each with its framework."""
WITH_FILES = {
    f"docs/{name}.md"
    for name in ("examples", "how-many", "joinability", "language-models", "late-interaction", "relevance")
}
"""Pages that begin with a reader's own `shop.jar`, `shop.sqlite` or `lake/`."""
BEFORE = {
    "docs/fit.md": """
import csv
from pathlib import Path
from jar import Index
from tests.jar.fitting.fitting_shop import ASKED, questions as asked, shop_catalog
Index.build(shop_catalog(), path="shop.jar", embedder="static", progress=False)
questions, gold = zip(*((question, [table]) for question, table in asked(ASKED)))
with Path("log.csv").open("w", newline="", encoding="utf-8") as file:
    csv.writer(file).writerows([("question", "tables"), *asked(ASKED)])
""",
    "docs/language-models.md": """
from jar import Index, Reranker
from jar.language import LlmDecomposer, OpenAiModel
index, model = Index.load("shop.jar"), OpenAiModel("qwen3", base_url="http://localhost:8000/v1")
""",
}
"""What a reader of the page has: a log and its index; what a session that is not run would have left."""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample lake, an index of it, and its bank as a SQLite file."""
    folder = tmp_path_factory.mktemp("files")
    write_sample_lake(str(folder / "lake"))
    Index.build(Catalog.from_files(folder / "lake"), path=folder / "shop.jar", embedder="static", progress=False)
    with closing(sqlite3.connect(folder / "shop.sqlite")) as connection:
        for name, frame in sample_frames().items():
            if name.startswith("bank."):
                frame.to_sql(name.removeprefix("bank."), connection, index=False)
    return folder


def python_blocks(name: str) -> Iterator[Block]:
    """Those of a page."""
    return (block for block in blocks((ROOT / name).read_text(encoding="utf-8")) if block.language == "python")


def run(block: Block, page: str, names: dict[str, Any]) -> None:
    """Run a session of the interpreter, or plain code; both see and leave the names of the page."""
    if not block.code.startswith(">>>"):
        exec(compile("\n" * (block.line - 1) + block.code, page, "exec"), names)
        return
    session = doctest.DocTestParser().get_doctest(block.code, names, page, page, block.line - 1)
    session.globs = names
    failed = doctest.DocTestRunner(optionflags=FLAGS).run(session, clear_globs=False).failed
    assert failed == 0, f"{page}, session at line {block.line}: what is printed differs from the page (see the output)"


@pytest.mark.parametrize("name", [name for name in TRIED if not name.startswith(ADAPTERS)])
def test_the_python_of_a_page_runs(name: str, files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the top to the end, as somebody who types it in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:8000/v1")  # named, and asked by no block that is run
    if name in WITH_FILES:
        shutil.copytree(files, tmp_path, dirs_exist_ok=True)
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(BEFORE.get(name, ""), names)
    for block in python_blocks(name):
        if block.reason is None:
            run(block, name, names)


@pytest.mark.parametrize("name", TRIED)
def test_what_is_not_run_says_why(name: str) -> None:
    """In a sentence; and on the pages of adapters, plain code is either a session or has its reason."""
    found = list(python_blocks(name))
    assert found
    assert all(len(block.reason.split()) > 3 for block in found if block.reason is not None)
    if name.startswith(ADAPTERS):
        assert all(block.reason or block.code.startswith(">>>") for block in found)


def test_a_wrong_line_is_seen() -> None:
    """The check fails where a page shows what does not come."""
    with pytest.raises(AssertionError, match=r"page\.md, session at line 3"):
        run(Block("python", ">>> 1 + 1\n3\n", None, 3), "page.md", {})
    with pytest.raises(NameError):
        run(Block("python", "nobody(1)\n", None, 3), "page.md", {})
