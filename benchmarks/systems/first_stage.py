"""First stages: retrievers that propose candidates with scores, by embeddings, by words, or by both."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from benchmarks.systems.multi_hop import Scored, in_hops
from benchmarks.systems.rows import MissingSystemError, Setting
from jar.tables.relevance import retrieve, text_cosines
from jar.text.texts import words

FUSION = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke and Buettcher, 2009)."""


def names(rankings: Iterable[Scored]) -> list[list[str]]:
    """The tables of each question without their scores."""
    return [[table for table, _ in ranked] for ranked in rankings]


def nearest(setting: Setting, count: int) -> list[Scored]:
    """The nearest tables to each question by the package's own retriever, with their cosines."""
    contents = setting.index.contents
    vectors = setting.embedder([question.text for question in setting.dataset.questions])
    return [
        [
            (contents.tables[table].id, float(contents.table_vectors[table] @ vector))
            for table in retrieve(text_cosines(contents, vector), count)
        ]
        for vector in vectors
    ]


def fused(setting: Setting, count: int) -> list[Scored]:
    """Reciprocal rank fusion of both rankings of the whole corpus."""
    corpus = len(setting.index.contents.tables)
    both = zip(names(nearest(setting, corpus)), names(by_words(setting, corpus)), strict=True)
    return [fuse(rankings)[:count] for rankings in both]


def fuse(rankings: Iterable[Sequence[str]]) -> Scored:
    """Tables by the sum of 1 / (60 + rank) over the rankings that have them; equal ones as first met."""
    scores: dict[str, float] = defaultdict(float)
    for ranked in rankings:
        for rank, table in enumerate(ranked, start=1):
            scores[table] += 1 / (FUSION + rank)
    return sorted(scores.items(), key=lambda entry: -entry[1])


def by_words(setting: Setting, count: int) -> list[Scored]:
    """BM25 over the stemmed words of database, table and columns, without tables that share no word."""
    try:
        import bm25s
        import Stemmer
    except ImportError as error:
        raise MissingSystemError('BM25 needs bm25s and PyStemmer: pip install "jar-rerank[benchmark]"') from error
    catalog = setting.dataset.catalog
    ids = [table.id for table in catalog]
    texts = [" ".join(words(" ".join([table.database, table.name, *table.column_names]))) for table in catalog]
    questions = [question.text for question in setting.dataset.questions]
    stemmer = Stemmer.Stemmer("english")
    index = bm25s.BM25()
    index.index(bm25s.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False), show_progress=False)
    asked = bm25s.tokenize(questions, stopwords="en", stemmer=stemmer, show_progress=False)
    places, scores = index.retrieve(asked, k=min(count, len(ids)), show_progress=False)
    return [
        [(ids[table], float(score)) for table, score in zip(row, row_scores, strict=True) if score > 0]
        for row, row_scores in zip(places, scores, strict=True)
    ]


RETRIEVERS: dict[str, Callable[[Setting, int], list[Scored]]] = {
    "dense": nearest,
    "bm25": by_words,
    "hybrid": fused,
    "multihop": partial(in_hops, rewriter="residual"),
    "multihop-oracle": partial(in_hops, rewriter="oracle"),
}
