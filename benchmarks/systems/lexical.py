"""Retrievers by words: BM25, and BM25 fused with the dense retriever."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from benchmarks.systems.ranking import cut, first_stage
from benchmarks.systems.rows import Answers, MissingSystemError, Setting
from jar.texts import words

FUSION = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke and Buettcher, 2009)."""


def bm25(setting: Setting, sizes: Sequence[int]) -> Answers:
    """BM25 over the words of database, table and columns, stemmed."""
    return cut(_by_words(setting, max(sizes)), sizes)


def hybrid(setting: Setting, sizes: Sequence[int]) -> Answers:
    """Reciprocal rank fusion of BM25 and the dense retriever over the whole corpus."""
    count = len(setting.index.contents.tables)
    dense = [[table for table, _ in ranked] for ranked in first_stage(setting, count)]
    lexical = _by_words(setting, count)
    return cut([fuse(rankings) for rankings in zip(dense, lexical, strict=True)], sizes)


def fuse(rankings: Iterable[Sequence[str]]) -> list[str]:
    """Tables by the sum of 1 / (60 + rank) over the rankings that have them; equal ones as first met."""
    scores: dict[str, float] = defaultdict(float)
    for ranked in rankings:
        for rank, table in enumerate(ranked, start=1):
            scores[table] += 1 / (FUSION + rank)
    return sorted(scores, key=lambda table: -scores[table])


def _by_words(setting: Setting, count: int) -> list[list[str]]:
    """The tables that share words with each question, best first, at most `count`; the others are left out."""
    try:
        import bm25s
        import Stemmer
    except ImportError as error:
        raise MissingSystemError('BM25 needs bm25s and PyStemmer: pip install "jar-rerank[benchmark]"') from error
    catalog = setting.dataset.catalog
    names = [table.id for table in catalog]
    texts = [" ".join(words(" ".join([table.database, table.name, *table.column_names]))) for table in catalog]
    questions = [question.text for question in setting.dataset.questions]
    stemmer = Stemmer.Stemmer("english")
    index = bm25s.BM25()
    index.index(bm25s.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False), show_progress=False)
    asked = bm25s.tokenize(questions, stopwords="en", stemmer=stemmer, show_progress=False)
    found, scores = index.retrieve(asked, k=min(count, len(names)), show_progress=False)
    return [
        [names[table] for table, score in zip(row, own, strict=True) if score > 0]
        for row, own in zip(found, scores, strict=True)
    ]
