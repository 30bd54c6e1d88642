"""Embeddings that are kept on disk, so that a second run embeds nothing."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import numpy as np
import numpy.typing as npt

from jar.text.embedding import Embedder, load_embedder

FloatArray = npt.NDArray[np.float32]


class VectorCache:
    """The embedder of a name with a memory: texts in a JSON file, their vectors in an array beside it.

    Parameters
    ----------
    name : str
        What `jar.text.embedding.load_embedder` takes; the model is loaded at the first text that has no vector.
    folder : Path
        Where the files live; made where it is not there.
    part : str
        The files that this memory writes; it reads those of all parts. Processes with parts of their own can share a
        folder.
    """

    def __init__(self, name: str, folder: Path, part: str = "") -> None:
        self.name = name
        stem = _plain(name)
        self._texts_path = folder / (f"{stem}@{_plain(part)}.json" if part else f"{stem}.json")
        self._vectors_path = self._texts_path.with_suffix(".npy")
        self._foreign: dict[str, FloatArray] = {}
        for path in (folder / f"{stem}.json", *sorted(folder.glob(f"{stem}@*.json"))):
            if path != self._texts_path:
                self._foreign |= _read(path)
        self._vectors = _read(self._texts_path)
        self._saved = len(self._vectors)

    @property
    def embedder(self) -> Embedder:
        """The embedder for everything that takes one; it has the name of the model behind it."""
        return Embedder(self.name, _Remembered(self))

    def encode(self, texts: list[str]) -> FloatArray:
        """Vectors of texts, from memory where they are there."""
        missing = [text for text in dict.fromkeys(texts) if not self._has(text)]
        if missing:
            self._vectors.update(zip(missing, load_embedder(self.name)(missing), strict=True))
        return self._stacked(texts)

    def in_text(self, texts: list[str], spans: list[tuple[int, int]]) -> FloatArray:
        """Vectors of parts of texts (see `jar.text.embedding.Embedder.in_text`), from memory where they are there."""
        keys = [f"{text}\0{start}:{end}" for text, (start, end) in zip(texts, spans, strict=True)]
        places = {key: place for place, key in enumerate(keys) if not self._has(key)}
        if places:
            model, rows = load_embedder(self.name), list(places.values())
            encoded = model.in_text([texts[row] for row in rows], [spans[row] for row in rows])
            self._vectors.update(zip(places, encoded, strict=True))
        return self._stacked(keys)

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

    def _has(self, key: str) -> bool:
        return key in self._vectors or key in self._foreign

    def _stacked(self, keys: list[str]) -> FloatArray:
        return np.stack([self._vectors[key] if key in self._vectors else self._foreign[key] for key in keys])


def _plain(name: str) -> str:
    return re.sub(r"\W+", "-", name).strip("-")


def _read(path: Path) -> dict[str, FloatArray]:
    """Vectors by text; none where a file is missing, or a run was stopped between the two files."""
    vectors_path = path.with_suffix(".npy")
    if not path.exists() or not vectors_path.exists():
        return {}
    texts, vectors = json.loads(path.read_text(encoding="utf-8")), np.load(vectors_path, allow_pickle=False)
    return dict(zip(texts, vectors, strict=True)) if len(texts) == len(vectors) else {}


class _Remembered:
    """What an `Embedder` calls: texts, and parts of texts."""

    def __init__(self, cache: VectorCache) -> None:
        self._cache = cache

    def __call__(self, texts: list[str]) -> FloatArray:
        return self._cache.encode(texts)

    def in_text(self, texts: list[str], spans: list[tuple[int, int]]) -> FloatArray:
        """Vectors of parts of texts."""
        return self._cache.in_text(texts, spans)
