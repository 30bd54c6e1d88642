"""Late interaction: every token of a question looks for its best token in a document (ColBERT's MaxSim).

Khattab and Zaharia, SIGIR 2020; MR-SQL scores tables and columns by it. With unit vectors q_i of the question's tokens
and d_j of the document's:

    S(q, d) = sum_i a_i max_j q_i . d_j,    a_i >= 0, sum_i a_i = 1

It is a mean and no sum, so that a threshold means the same for long questions and for short ones. The order of the
document's tokens does not matter, nor do tokens that say nothing (vectors of zeros) while some other token is not
farther than at a right angle.
"""

from __future__ import annotations

import numpy as np

from jar.arrays import IntArray, Vectors


def token_maxima(question: Vectors, documents: Vectors, first: IntArray) -> Vectors:
    """max_j q_i . d_j of each token of a question with each document.

    Parameters
    ----------
    question : array (t, k)
    documents : array (T, k)
        Tokens of n documents, one document behind the other.
    first : array (n + 1,)
        Those of document i are ``first[i]`` to ``first[i + 1] - 1``.

    Returns
    -------
    array (t, n)
        0 for a document without tokens.
    """
    best = np.zeros((len(question), len(first) - 1), dtype=np.float32)
    some = first[1:] > first[:-1]
    if some.any() and len(question):
        best[:, some] = np.maximum.reduceat(question @ documents.T, first[:-1][some], axis=1)
    return best


def parts_of(texts: IntArray, first: IntArray) -> tuple[IntArray, IntArray]:
    """The tokens of some texts, one text behind the other, and where each text begins among them, (n + 1,)."""
    lengths = first[texts + 1] - first[texts]
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    tokens = np.repeat(first[texts] - starts[:-1], lengths) + np.arange(starts[-1], dtype=np.int64)
    return tokens, starts
