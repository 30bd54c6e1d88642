"""Pools: what the relevance model sees of the candidates of training questions, and which of them are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from benchmarks.data.dataset_form import Dataset, fold_of
from benchmarks.learning.pool_settings import OtherWords, PoolSetting, corpora
from formulations import Instance
from jar import Index, RelevanceModel, Reranker
from jar.learned.candidates_seen import Candidates
from jar.learned.evidence import evidence
from jar.tables.query import Ask, Limits
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
        The embedder and how the question was asked; the database that it is on.
    fold : int
        Of the question's database.
    x : array (n, F)
        Evidence.
    y : array (n,)
        Which are needed.
    gold : int
        Tables that are needed, candidates or not; 0 where nothing answers.
    seen : Candidates
        With the best column of each for each sub-query alone: what the second stage and the model of sets read.
    instance : Instance
        What the package solves, with its coarse relevance.
    weight : float
        What it counts in a fit.
    """

    setting: str
    database: str
    fold: int
    x: Array
    y: Flags
    gold: int
    seen: Candidates
    instance: Instance
    weight: float = 1.0


def make_pools(
    dataset: Dataset, settings: Iterable[PoolSetting], embedder: Embedder, other_words: OtherWords, report: Report
) -> list[Pool]:
    """The pools of training questions in several settings."""
    pools: list[Pool] = []
    for setting in settings:
        before = len(pools)
        for corpus in corpora(dataset, setting, other_words):
            pools += pools_of(corpus, embedder, f"{embedder.name}, {setting.name}", setting.weight)
        report(f"{embedder.name}, {setting.name}: {len(pools) - before} pools")
    return pools


def teaching(pools: Iterable[Pool]) -> list[Pool]:
    """The pools in which a needed table is a candidate: the others tell nothing of tables."""
    return [pool for pool in pools if pool.y.any()]


def pools_of(corpus: Dataset, embedder: Embedder, setting: str = "", weight: float = 1.0) -> list[Pool]:
    """The pools of the questions over a corpus."""
    index = Index.build(corpus.catalog, embedder=embedder, progress=False)
    ranker = Reranker(index, relevance=RelevanceModel.blank())._ranker()
    if not isinstance(ranker, TableRanker):
        raise TypeError("pools are those of an objective over tables")
    asks = [Ask(question.text) for question in corpus.questions]
    ids = [table.id.casefold() for table in index.contents.tables]
    pools = []
    for question, asked in zip(corpus.questions, ranker.read(asks), strict=True):
        problem = ranker.problem(asked, 1, LEAST, Limits())
        if problem.judged is None:
            raise TypeError("pools are those of a model")
        seen = problem.judged.seen
        y = np.array([ids[table] in question.gold_tables for table in problem.tables.tolist()])
        found = evidence(seen), y, len(question.gold_tables), slim(seen), problem.reduction.instance
        pools.append(Pool(setting, question.database, fold_of(question.database), *found, weight))
    return pools


def slim(seen: Candidates) -> Candidates:
    """Candidates with one column each, that is as relevant to each sub-query as the best of them."""
    alone = np.ones_like(seen.columns)
    return replace(seen, columns=alone, asked=np.zeros(seen.n), fine=seen.parts)
