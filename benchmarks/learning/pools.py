"""Pools: what the relevance model sees of the candidates of training questions, and which of them are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from benchmarks.data.dataset_form import Dataset
from benchmarks.learning.pool_settings import PoolSetting, corpora, fold_of
from formulations import Instance
from jar import Index, RelevanceModel, Reranker
from jar.learned.candidates_seen import Candidates
from jar.learned.evidence import evidence
from jar.tables.query import Ask, Limits, read_queries
from jar.tables.table_ranker import TableRanker
from jar.text.embedding import Embedder

Array = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Report = Callable[[str], None]

LEAST = 20
"""Candidates of a small database, as in the package."""


@dataclass(frozen=True, eq=False)
class Pool:
    """The candidates of a question.

    Attributes
    ----------
    setting, database : str
    fold : int
        Of the question's database.
    x : array (n, F)
        Evidence.
    y : array (n,)
        Which are needed.
    gold : int
        Tables that are needed, candidates or not.
    seen : Candidates
        Without columns: what the second stage reads.
    instance : Instance
        What the package solves, with its coarse relevance.
    """

    setting: str
    database: str
    fold: int
    x: Array
    y: Flags
    gold: int
    seen: Candidates
    instance: Instance


def make_pools(dataset: Dataset, settings: Iterable[PoolSetting], embedder: Embedder, report: Report) -> list[Pool]:
    """The pools of training questions in several settings; one in which no needed table is a candidate teaches nothing
    and is left out."""
    pools: list[Pool] = []
    for setting in settings:
        before = len(pools)
        for corpus in corpora(dataset, setting):
            pools += pools_of(corpus, embedder, setting.name)
        report(f"{setting.name}: {len(pools) - before} pools")
    return pools


def pools_of(corpus: Dataset, embedder: Embedder, setting: str = "") -> list[Pool]:
    """The pools of the questions over a corpus."""
    index = Index.build(corpus.catalog, embedder=embedder, progress=False)
    ranker = Reranker(index, relevance=RelevanceModel.blank())._ranker()
    if not isinstance(ranker, TableRanker):
        raise TypeError("pools are those of an objective over tables")
    queries = read_queries(ranker.decomposer, [Ask(question.text) for question in corpus.questions])
    ids = [table.id.casefold() for table in index.contents.tables]
    pools = []
    for question, asked in zip(corpus.questions, ranker.embedded(queries), strict=True):
        problem = ranker.problem(asked, 1, LEAST, Limits())
        if problem.judged is None:
            raise TypeError("pools are those of a model")
        y = np.array([ids[table] in question.gold_tables for table in problem.tables.tolist()])
        if y.any():
            seen = problem.judged.seen
            slim = replace(seen, columns=np.zeros_like(seen.columns), asked=seen.asked[:0], fine=seen.fine[:, :0])
            found = evidence(seen), y, len(question.gold_tables), slim, problem.reduction.instance
            pools.append(Pool(setting, question.database, fold_of(question.database), *found))
    return pools
