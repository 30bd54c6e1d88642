"""Embeddings that are kept on disk, so that a second run embeds nothing."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from jar.text.embedding import Embedder, load_embedder
from jar.tokens.token_vectors import TextTokens, read_tokens

FloatArray = npt.NDArray[np.float32]


class VectorCache:
    """The embedder of a name with a memory: texts in a JSON file, their vectors in an array beside it.

    The model is loaded at the first text that has no vector.
    """

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self._texts_path = folder / (re.sub(r"\W+", "-", name).strip("-") + ".json")
        self._vectors_path = self._texts_path.with_suffix(".npy")
        self._vectors = _read(self._texts_path, self._vectors_path)
        self._saved = len(self._vectors)

    @property
    def embedder(self) -> Embedder:
        """The embedder for everything that takes one; it has the name of the model behind it."""
        return Embedder(self.name, self)

    def __call__(self, texts: list[str]) -> FloatArray:
        """Vectors of texts, from memory where they are there."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if missing:
            self._vectors.update(zip(missing, load_embedder(self.name)(missing), strict=True))
        return np.stack([self._vectors[text] for text in texts])

    encode = __call__

    def in_text(self, texts: list[str], spans: list[tuple[int, int]]) -> FloatArray:
        """Vectors of parts of texts (see `jar.text.embedding.Embedder.in_text`), from memory where they are there."""
        keys = [f"{text}\0{start}:{end}" for text, (start, end) in zip(texts, spans, strict=True)]
        places = {key: place for place, key in enumerate(keys) if key not in self._vectors}
        if places:
            model, rows = load_embedder(self.name), list(places.values())
            encoded = model.in_text([texts[row] for row in rows], [spans[row] for row in rows])
            self._vectors.update(zip(places, encoded, strict=True))
        return np.stack([self._vectors[key] for key in keys])

    def tokens(self, texts: Sequence[str]) -> list[TextTokens]:
        """The tokens of texts, which are not kept."""
        return read_tokens(load_embedder(self.name), texts)

    def save(self) -> None:
        """Write what has been embedded since the last time."""
        if len(self._vectors) == self._saved:
            return
        self._texts_path.parent.mkdir(parents=True, exist_ok=True)
        partial = self._vectors_path.with_suffix(".partial.npy")
        np.save(partial, np.stack(list(self._vectors.values())), allow_pickle=False)
        os.replace(partial, self._vectors_path)
        partial = self._texts_path.with_suffix(".partial")
        partial.write_text(json.dumps(list(self._vectors)), encoding="utf-8")
        os.replace(partial, self._texts_path)
        self._saved = len(self._vectors)


def _read(texts_path: Path, vectors_path: Path) -> dict[str, FloatArray]:
    """Vectors by text; none where a file is missing, or a run was stopped between the two files."""
    if not texts_path.exists() or not vectors_path.exists():
        return {}
    texts, vectors = json.loads(texts_path.read_text(encoding="utf-8")), np.load(vectors_path, allow_pickle=False)
    return dict(zip(texts, vectors, strict=True)) if len(texts) == len(vectors) else {}
