"""Vectors of texts by the static word vectors of wordllama: the mean over a text's tokens.

The package itself is not imported, which would take longer than an answer: its weights are mapped into memory, and only
the rows of the tokens that occur are read.
"""

from __future__ import annotations

import json
import mmap
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from jar.arrays import Vectors
from jar.errors import EmbedderError

WEIGHTS = "weights/l2_supercat_256.safetensors"
TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
TENSOR = "embedding.weight"
BATCH = 64
"""Texts that are padded to one length at a time."""

_TYPES: dict[str, Any] = {"F16": np.dtype("<f2"), "F32": np.dtype("<f4")}


class StaticWords:
    """The encoder, of the installed package wordllama; it may be called by several threads at once.

    Raises
    ------
    EmbedderError
        When its files are missing, or not the ones that are known.
    """

    def __init__(self) -> None:
        from tokenizers import Tokenizer

        folder = _package()
        try:
            self._words = _mapped(folder / WEIGHTS)
            self._tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
        except Exception as error:  # the tokenizer raises nothing narrower
            raise EmbedderError(
                f"the word vectors in {folder} cannot be read ({error}); install them again: "
                'pip install --force-reinstall --no-deps "wordllama>=0.3.9"'
            ) from error
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()

    def __call__(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts, shape (n, 256), not normalised; zeros for a text without tokens."""
        vectors = np.empty((len(texts), self._words.shape[1]), dtype=np.float32)
        for start in range(0, len(texts), BATCH):
            read = self._tokenizer.encode_batch_fast(list(texts[start : start + BATCH]), add_special_tokens=False)
            vectors[start : start + BATCH] = self._means([text.ids for text in read])
        return vectors

    def _means(self, tokens: list[list[int]]) -> Vectors:
        lengths = np.array([len(ids) for ids in tokens])
        present = np.arange(lengths.max(initial=0)) < lengths[:, None]
        read = np.zeros((*present.shape, self._words.shape[1]), dtype=np.float32)
        flat = np.array([token for ids in tokens for token in ids], dtype=np.int64)
        read[present] = self._words[np.minimum(flat, len(self._words) - 1)]
        total = read.sum(axis=1, dtype=np.float32)
        return np.asarray(total / np.maximum(lengths, 1).astype(np.float32)[:, None])


def _package() -> Path:
    spec = find_spec("wordllama")
    if spec is None or spec.origin is None:
        raise EmbedderError('the static word vectors are not installed: pip install "jar-rerank[static]"')
    return Path(spec.origin).parent


def _mapped(path: Path) -> Any:
    """The tensor of a safetensors file, mapped: a length of 8 bytes, a header in JSON, and the numbers."""
    with path.open("rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    begin = 8 + int.from_bytes(mapped[:8], "little")
    entry = json.loads(mapped[8:begin])[TENSOR]
    rows, width = entry["shape"]
    start = begin + entry["data_offsets"][0]
    return np.frombuffer(mapped, _TYPES[entry["dtype"]], rows * width, start).reshape(rows, width)
