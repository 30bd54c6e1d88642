"""A small index over the sample lake, with an embedder that needs no model."""

from __future__ import annotations

import shutil
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from jar import Catalog, Index
from jar.sample import sample_frames


def toy_embedder(texts: list[str]) -> np.ndarray:
    """Bags of character trigrams, hashed into 256 dimensions: near texts share words."""
    vectors = np.zeros((len(texts), 256), dtype=np.float32)
    for row, text in enumerate(texts):
        padded = f"  {text.lower()} "
        for start in range(len(padded) - 2):
            vectors[row, zlib.crc32(padded[start : start + 3].encode()) % 256] += 1
    return vectors


@pytest.fixture(scope="session")
def lake() -> Catalog:
    """The sample lake, 60 rows a table."""
    return Catalog.from_frames(sample_frames(rows=60))


@pytest.fixture(scope="session")
def lake_index(lake: Catalog) -> Index:
    """An index of the sample lake."""
    return Index.build(lake, embedder=toy_embedder, progress=False)


CHROMIUM = "/usr/bin/chromium"
QUIET = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
QUIET += " --disable-component-update --disable-sync"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A headless Chromium, driven by Playwright; tests that need it are skipped where either is missing.

    It ends with its module, for while it is there an event loop runs, and other tests start one of their own.
    """
    driver = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install playwright")
    if shutil.which(CHROMIUM) is None:
        pytest.skip(f"needs Chromium in {CHROMIUM}: apt-get install chromium")
    with driver.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET.split())
        yield browser
        browser.close()


class Watched:
    """A tab, and what it asked for and complained of."""

    def __init__(self, context: Any) -> None:
        self.tab = context.new_page()
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.tab.on("console", lambda message: self.complaints.append(message.text))
        self.tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.tab.on("request", lambda request: self.requests.append(request.url))


@pytest.fixture
def watched(chromium: Any) -> Iterator[Watched]:
    """A fresh tab of 1280 by 900 pixels."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    yield Watched(context)
    context.close()
