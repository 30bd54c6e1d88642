"""Vectors of probes: what a probe means in the context of its question."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from jar.arrays import Vectors
from jar.text.decomposition import phrase_spans

if TYPE_CHECKING:
    from jar.text.embedding import Embedder

LONGEST_QUESTION = 600
"""Characters of a question that a probe is read with, about 150 tokens: more would push the probe out of a model's
window."""


def probe_vectors(
    embedder: Embedder, questions: Sequence[str], probes: Sequence[Sequence[str]], *, context: bool = True
) -> list[Vectors]:
    """Unit vectors of the probes of each question.

    A probe is read as "question: ... segment: probe" and pooled over its own tokens (CRUSH, section 4.2): the column
    "id" of a hallucinated table "card" means something else where the question speaks of trading cards.

    Parameters
    ----------
    questions : n texts
    probes : n lists of texts
    context : bool
        Whether probes are read with their question; without, each alone.

    Returns
    -------
    list of n arrays (m_i, d)
    """
    texts, spans = [], []
    for question, of_question in zip(questions, probes, strict=True):
        start = f"question: {question[:LONGEST_QUESTION]} segment: " if context else ""
        texts += [start + probe for probe in of_question]
        spans += [(len(start), len(start) + len(probe)) for probe in of_question]
    return _split(embedder.in_text(texts, spans), probes)


def chunk_vectors(embedder: Embedder, questions: Sequence[str]) -> tuple[list[list[str]], list[Vectors]]:
    """The chunks of each question, and their vectors where they stand in it: probes without a language model.

    One reading of a question serves all its chunks.

    Returns
    -------
    (chunks, vectors)
        n lists of texts, n arrays (m_i, d).
    """
    places = [[(question, span) for span in phrase_spans(question)] for question in questions]
    texts, spans = [text for own in places for text, _ in own], [span for own in places for _, span in own]
    chunks = [[text[start:end] for text, (start, end) in own] for own in places]
    return chunks, _split(embedder.in_text(texts, spans), chunks)


def _split(vectors: Vectors, parts: Sequence[Sequence[str]]) -> list[Vectors]:
    ends = np.cumsum([0, *(len(part) for part in parts)])
    return [vectors[start:end] for start, end in pairwise(ends)]
