"""The vectors of the tokens of texts, each read with its whole text in view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from jar.arrays import IntArray, Vectors, units
from jar.errors import EmbedderError
from jar.text.embedding import Embedder

Bytes = npt.NDArray[np.int8]

STEPS = 127
"""The greatest number of a byte: one of a rounded vector has it."""


class TextTokens(NamedTuple):
    """The tokens of a text that have a letter or a digit.

    Attributes
    ----------
    vectors : array (n, d)
        Of norm 1.
    spans : array (n, 2)
        Start and end of each in the text.
    whole : bool
        Whether the encoder read the text to its end.
    """

    vectors: Vectors
    spans: IntArray
    whole: bool


def read_tokens(embedder: Embedder, texts: Sequence[str]) -> list[TextTokens]:
    """The tokens of texts.

    An encoder has them when it has a method ``tokens(texts)``, which gives for each text vectors (n, d), the characters
    (n, 2) that each stands for, and whether the text was read to its end.

    Raises
    ------
    EmbedderError
        When the embedder has none, or gives something else.
    """
    read = getattr(embedder.encode, "tokens", None)
    if not callable(read):
        raise EmbedderError(
            f'the embedder {embedder.name!r} has no vectors of tokens: take embedder="minilm", or an encoder with '
            f"tokens(texts) -> (vectors, spans, whole) for each text"
        )
    known = list(dict.fromkeys(texts))
    answers = list(read(known))
    if len(answers) != len(known):
        raise EmbedderError(f"embedder {embedder.name!r} gave tokens of {len(answers)} texts for {len(known)}")
    by_text = {text: _checked(embedder.name, text, *answer) for text, answer in zip(known, answers, strict=True)}
    return [by_text[text] for text in texts]


def _checked(name: str, text: str, vectors: Vectors, spans: IntArray, whole: bool) -> TextTokens:
    vectors, spans = np.asarray(vectors, dtype=np.float32), np.asarray(spans, dtype=np.int64)
    if vectors.ndim != 2 or spans.shape != (len(vectors), 2):
        raise EmbedderError(
            f"embedder {name!r} gave tokens of shapes {vectors.shape} and {spans.shape}; expected (n, d) and (n, 2)"
        )
    is_text = [any(map(str.isalnum, text[start:end])) for start, end in spans.tolist()]
    kept = np.array(is_text, dtype=np.bool_) & np.isfinite(vectors).all(axis=1)
    return TextTokens(units(vectors[kept]), spans[kept], bool(whole))


def rounded(vectors: Vectors) -> Bytes:
    """Vectors (n, d) in bytes: each stretched so that its greatest number is `STEPS`, as only directions count."""
    greatest = np.abs(vectors).max(axis=1, keepdims=True, initial=0.0)
    whole: Bytes = np.rint(vectors / np.where(greatest > 0, greatest, 1) * STEPS).astype(np.int8)
    return whole
