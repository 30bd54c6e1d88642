"""Retrieval in several hops: search, say what is missing, search for that (MURRE), as a first stage.

>>> from jar.multihop import MultiHopRetriever

A `MultiHopRetriever` proposes candidates to `Reranker(index, retriever=...)`, or ranks by itself. After each hop a
`Rewriter` says what a list of tables leaves open: `ResidualRewriter` by the words of the question (the default, without
a model), `LlmRewriter` with a language model, `ConcatenationRewriter` and `OracleRewriter` for studies.
"""

from __future__ import annotations

from jar.multihop.llm_rewriter import LlmRewriter
from jar.multihop.references import ConcatenationRewriter, OracleRewriter
from jar.multihop.residual import ResidualRewriter
from jar.multihop.retriever import MultiHopRetriever
from jar.multihop.rewriting import Rewrite, Rewriter

__all__ = [
    "ConcatenationRewriter",
    "LlmRewriter",
    "MultiHopRetriever",
    "OracleRewriter",
    "ResidualRewriter",
    "Rewrite",
    "Rewriter",
]
