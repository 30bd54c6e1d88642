"""An encoder with vectors of tokens that needs no model, and an index that keeps them."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence

import numpy as np
import pytest

from jar import Catalog, Index
from jar.late import add_token_vectors

DIMENSION = 24
LONGEST = 60
"""Words of a text that are read."""


class WordEncoder:
    """A vector for each word and mark, the same wherever it stands; that of a text is the mean."""

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        return np.stack(
            [np.vstack([tokens, np.zeros((1, DIMENSION))]).mean(axis=0) for tokens, *_ in self.tokens(texts)]
        )

    def tokens(self, texts: Sequence[str]) -> list[tuple[np.ndarray, np.ndarray, bool]]:
        """Vectors, places, and whether the text was read to its end."""
        return [self._read(text) for text in texts]

    def _read(self, text: str) -> tuple[np.ndarray, np.ndarray, bool]:
        found = list(re.finditer(r"[^\W_]+|[\W_]", text))
        words = [np.random.default_rng(zlib.crc32(match.group().lower().encode())).normal(size=DIMENSION)
                 for match in found[:LONGEST]]  # fmt: skip
        spans = [match.span() for match in found[:LONGEST]]
        return np.reshape(words, (-1, DIMENSION)), np.reshape(spans, (-1, 2)), len(found) <= LONGEST


ENCODER = WordEncoder()


@pytest.fixture(scope="session")
def late_index(lake: Catalog) -> Index:
    """The sample lake with the vectors of its tokens."""
    index = Index.build(lake, embedder=ENCODER, progress=False)
    add_token_vectors(index, progress=False)
    return index
