"""Sentence-transformers models: vectors of texts, and vectors of parts of a text."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from jar.arrays import IntArray, Vectors

BATCH = 64
"""Texts per call of the model."""

FEW_TEXTS = 16
"""Up to so many texts one thread is enough."""


class SentenceEncoder:
    """The plain functions inside a sentence-transformers model, without its progress bar, for many threads at once."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self._measuring: Any = None

    def __call__(self, texts: list[str]) -> Any:
        """Vectors of texts, shape (len(texts), d)."""
        with _threads_for(len(texts)):
            return self._encode(texts)

    def in_text(self, texts: Sequence[str], spans: Sequence[tuple[int, int]]) -> Vectors:
        """Vectors of parts of texts: the mean over a part's own tokens, each read with its whole text in view.

        A text that stands several times is read once. Where the model does not tell which tokens a part has, or the
        part does not fit into its window, the vector is that of the part alone.

        Parameters
        ----------
        texts : n texts
        spans : n pairs (start, end) of characters

        Returns
        -------
        array (n, d)
            Not normalised.
        """
        offsets = self._offsets(list(dict.fromkeys(texts)))
        with _threads_for(len(offsets)):
            read = dict(
                zip(offsets, self._encode(list(offsets), output_value="token_embeddings", prompt=""), strict=True)
            )
        vectors: dict[int, Any] = {}
        for place, (text, (start, end)) in enumerate(zip(texts, spans, strict=True)):
            inside = _tokens(offsets[text], start, end) if text in offsets else None
            if inside is not None and len(read[text]) == len(offsets[text]):
                vectors[place] = read[text][inside].mean(dim=0).float().cpu().numpy()
        alone = [place for place in range(len(texts)) if place not in vectors]
        if alone:
            parts = [texts[place][slice(*spans[place])] for place in alone]
            vectors.update(zip(alone, self(parts), strict=True))
        return np.stack([vectors[place] for place in range(len(texts))]).astype(np.float32)

    def _offsets(self, texts: list[str]) -> dict[str, IntArray]:
        """Start and end in the text of each of its tokens, (0, 0) for special ones; empty where no one can tell."""
        if not getattr(getattr(self.model, "tokenizer", None), "is_fast", False):
            return {}
        pairs = self._measure(texts)
        return {
            text: np.asarray(spans, dtype=np.int64).reshape(-1, 2) for text, spans in zip(texts, pairs, strict=True)
        }

    def _measure(self, texts: list[str]) -> Any:
        """Where the tokens of texts are, by a tokenizer of its own.

        A tokenizer changes when it is asked with another padding than before, which fails while another thread uses it:
        the model's own one pads, this one does not, and each is asked once before threads share it.
        """
        longest = getattr(self.model, "max_seq_length", None)
        cut: dict[str, Any] = {"truncation": True, "max_length": longest} if longest else {}
        tokenizer = self._measuring or copy.deepcopy(self.model.tokenizer)
        pairs = tokenizer(texts, return_offsets_mapping=True, **cut)["offset_mapping"]
        self._measuring = tokenizer
        return pairs

    def _encode(self, texts: list[str], **options: Any) -> Any:
        if not texts:
            return []
        options.setdefault("convert_to_numpy", "output_value" not in options)
        return self.model.encode(texts, batch_size=BATCH, show_progress_bar=False, **options)


def _tokens(offsets: IntArray, start: int, end: int) -> IntArray | None:
    """Positions of the tokens of a part of a text; None where it has none, or its last ones were cut off.

    A token may take the blank in front of it along, as those of GPT-2 do: it counts where it ends inside.
    """
    inside = np.flatnonzero((offsets[:, 1] > start) & (offsets[:, 0] < end) & (offsets[:, 1] > offsets[:, 0]))
    return inside if len(inside) and offsets[:, 1].max() >= end else None


@contextmanager
def _threads_for(texts: int) -> Iterator[None]:
    """One thread of torch for the few texts of a question, all threads for more.

    A question's texts are too little work to share: on a busy machine the threads wait for each other, and six texts
    took 500 ms instead of 30. On an idle machine one thread costs them a third more.
    """
    import torch

    threads = torch.get_num_threads()
    if texts > FEW_TEXTS or threads == 1:
        yield
        return
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
