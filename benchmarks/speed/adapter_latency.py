"""What an adapter adds to `Reranker.rank`: the same question and candidates, through a framework's own objects."""

from __future__ import annotations

import importlib
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.pages.grids import Grid
from jar import Catalog, Index, Reranker
from jar.sample import QUESTIONS, sample_frames

CANDIDATES, CHOSEN = 50, 5
COPIES = 3
"""Copies of the sample lake with other rows, so that there are enough tables."""
REPEATS = 200
AIM = 1.0
"""Milliseconds that an adapter may add at the median."""

Call = Callable[[str], object]


@dataclass(frozen=True)
class Latency:
    """Medians in milliseconds: of `rank`, of the adapter, and of the difference of the two for one question."""

    adapter: str
    rank: float
    through: float
    added: float


def _haystack(reranker: Reranker, tables: Sequence[str]) -> Call:
    from haystack import Document

    from jar.adapters.haystack import JarRanker

    documents = [Document(content=f"the table {table}", meta={"table": table}, score=0.5) for table in tables]
    ranker = JarRanker(reranker, CHOSEN)
    return lambda question: ranker.run(question, documents)


def _lancedb(reranker: Reranker, tables: Sequence[str]) -> Call:
    import pyarrow as pa

    from jar.adapters.lancedb import JarReranker

    vectors = np.ones((len(tables), 384), np.float32)
    columns: dict[str, Any] = {"table": list(tables), "text": [f"the table {table}" for table in tables]}
    vector = pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), 384)
    found = pa.table(columns | {"vector": vector, "_distance": np.ones(len(tables), np.float32)})
    adapter = JarReranker(reranker, CHOSEN)
    return lambda question: adapter.rerank_vector(question, found)


def _langchain(reranker: Reranker, tables: Sequence[str]) -> Call:
    from langchain_core.documents import Document

    from jar.adapters.langchain import JarCompressor

    documents = [Document(f"the table {table}", metadata={"table": table}) for table in tables]
    compressor = JarCompressor(reranker, CHOSEN)
    return lambda question: compressor.compress_documents(documents, question)


def _llama_index(reranker: Reranker, tables: Sequence[str]) -> Call:
    from llama_index.core.schema import NodeWithScore, TextNode

    from jar.adapters.llama_index import JarPostprocessor

    nodes = [NodeWithScore(node=TextNode(text="a table", metadata={"name": table}), score=0.5) for table in tables]
    postprocessor = JarPostprocessor(reranker, CHOSEN)
    return lambda question: postprocessor.postprocess_nodes(nodes, query_str=question)


def _pyterrier(reranker: Reranker, tables: Sequence[str]) -> Call:
    import pandas as pd

    from jar.adapters.pyterrier import JarTransformer

    found = pd.DataFrame({"qid": "1", "docno": tables, "score": 0.5, "rank": range(len(tables)), "text": "a table"})
    transformer = JarTransformer(reranker, CHOSEN)
    frames = {question.text: found.assign(query=question.text) for question in QUESTIONS}
    return lambda question: transformer(frames[question])


def _rerankers(reranker: Reranker, tables: Sequence[str]) -> Call:
    from jar.adapters.rerankers import JarRanker

    documents, ranker = [f"{table}: a table" for table in tables], JarRanker(reranker, k=CHOSEN)
    return lambda question: ranker.rank(question, documents)


def _sentence_transformers(reranker: Reranker, tables: Sequence[str]) -> Call:
    from jar.adapters.sentence_transformers import JarCrossEncoder

    documents, encoder = [f"{table}: a table" for table in tables], JarCrossEncoder(reranker)
    return lambda question: encoder.rank(question, documents, top_k=CHOSEN)


ADAPTERS: dict[str, Callable[[Reranker, Sequence[str]], Call]] = {
    "haystack": _haystack,
    "lancedb": _lancedb,
    "langchain": _langchain,
    "llama_index": _llama_index,
    "pyterrier": _pyterrier,
    "rerankers": _rerankers,
    "sentence_transformers": _sentence_transformers,
}
"""The adapters that re-rank what is given to them; those of agents, `mcp` and `vanna`, ask the index."""


def installed_adapters() -> list[str]:
    """Those whose framework is here."""
    return [name for name in ADAPTERS if _loads(name)]


def measure_latency(names: Sequence[str], repeats: int = REPEATS) -> list[Latency]:
    """Ask each adapter and `rank` in turn, the one first as often as the other."""
    frames = [(copy, sample_frames(seed=copy, rows=60)) for copy in range(COPIES)]
    catalog = Catalog.from_frames({f"{copy}_{table}": one[table] for copy, one in frames for table in one})
    reranker = Reranker(Index.build(catalog, embedder=_vectors, progress=False))
    tables = [str(table) for table in reranker.index.tables()["id"]][:CANDIDATES]

    def rank(question: str) -> object:
        return reranker.rank(question, CHOSEN, candidates=tables)

    return [_latency(name, rank, ADAPTERS[name](reranker, tables), repeats) for name in names]


def latency_grid(found: Sequence[Latency]) -> Grid:
    """A row for each adapter."""
    header = ("adapter", "rank ms", "through the adapter ms", "added ms", "at most")
    rows = [(one.adapter, f"{one.rank:.2f}", f"{one.through:.2f}", f"{one.added:.2f}", f"{AIM:g}") for one in found]
    return Grid(f"adapters, {CANDIDATES} candidates, {CHOSEN} chosen, medians", header, rows)


def _latency(name: str, rank: Call, through: Call, repeats: int) -> Latency:
    times = []
    for number in range(-len(QUESTIONS), repeats):
        question, first = QUESTIONS[number % len(QUESTIONS)].text, number % 2
        spent = [0.0, 0.0]
        for which in (first, 1 - first):
            start = perf_counter()
            (rank, through)[which](question)
            spent[which] = 1e3 * (perf_counter() - start)
        if number >= 0:  # before, each question is asked once for nothing
            times.append(spent)
    added = median(adapted - plain for plain, adapted in times)
    return Latency(name, median(plain for plain, _ in times), median(adapted for _, adapted in times), added)


def _loads(name: str) -> bool:
    try:
        importlib.import_module(f"jar.adapters.{name}")
    except ModuleNotFoundError:
        return False
    return True


def _vectors(texts: list[str]) -> np.ndarray:
    """Vectors that mean nothing and cost nothing: an adapter's share does not depend on them."""
    return np.stack([np.random.default_rng(zlib.crc32(text.encode())).normal(size=32) for text in texts])
