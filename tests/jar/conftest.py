"""A small index over the sample lake, with an embedder that needs no model."""

from __future__ import annotations

import zlib

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
