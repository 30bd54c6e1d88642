"""Vectors of many texts by the teacher, kept in a file so that a run that was stopped goes on."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.data.refusal import RefusalError
from jar.minilm.encoder import MiniLM
from jar.text.embedding import load_embedder

TEACHER = "minilm"
CHUNK = 4096
"""Texts that are embedded and written together."""
BEGIN, END = 101, 102
"""Numbers of the pieces that mark the two ends of a text."""


def teacher_vectors(texts: Sequence[str], folder: Path, report: Callable[[str], None]) -> npt.NDArray[np.float16]:
    """Unit vectors of texts, shape (n, d), from the files of the folder where they are there.

    Each chunk is a file that is named by its texts.
    """
    folder.mkdir(parents=True, exist_ok=True)
    parts = []
    for start in range(0, len(texts), CHUNK):
        chunk = list(texts[start : start + CHUNK])
        path = folder / (hashlib.md5("\0".join(chunk).encode(), usedforsecurity=False).hexdigest() + ".npy")
        if not path.exists():
            vectors = load_embedder(TEACHER)(chunk).astype(np.float16)
            partial = path.with_suffix(".partial.npy")
            np.save(partial, vectors, allow_pickle=False)
            os.replace(partial, path)
            report(f"{start + len(chunk)} of {len(texts)} texts embedded")
        parts.append(np.load(path, allow_pickle=False))
    return np.concatenate(parts)


def lone_pieces(count: int, folder: Path, report: Callable[[str], None]) -> npt.NDArray[np.float32]:
    """The teacher's vector of each word piece read alone, shape (count, d), not normalised."""
    path = folder / "pieces.npy"
    if not path.exists():
        encoder = load_embedder(TEACHER).encode
        if not isinstance(encoder, MiniLM):
            raise RefusalError('word pieces are read by MiniLM without torch: pip install "jar-rerank[embed]"')
        alone = [[BEGIN, piece, END] for piece in range(count)]
        np.save(path, np.stack(encoder._read(alone, lambda _, tokens: tokens.mean(axis=0))), allow_pickle=False)
        report(f"{count} word pieces embedded")
    vectors: npt.NDArray[np.float32] = np.load(path, allow_pickle=False)
    return vectors
