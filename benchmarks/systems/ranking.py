"""The rows that bound the others: the best possible, and rankings of tables one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from benchmarks.systems.first_stage import RETRIEVERS, names
from benchmarks.systems.rows import Answers, Setting


def cut(ranked: Sequence[Sequence[str]], sizes: Sequence[int]) -> Answers:
    """The first K tables of each ranking, for systems whose answer for K is part of that for more."""
    return Answers({k: [tables[:k] for tables in ranked] for k in sizes})


def oracle(setting: Setting, sizes: Sequence[int]) -> Answers:
    """The best that any system can do when it has to name K tables: the gold tables, as many as fit."""
    return cut([sorted(question.gold_tables) for question in setting.dataset.questions], sizes)


def dense(setting: Setting, sizes: Sequence[int]) -> Answers:
    """Cosine of the question and the words "database table column column": the baseline of the papers."""
    catalog, questions = setting.dataset.catalog, setting.dataset.questions
    ids = [table.id for table in catalog]
    texts = [" ".join([table.database, table.name, *table.column_names]) for table in catalog]
    cosines = setting.embedder([question.text for question in questions]) @ setting.embedder(texts).T
    order = np.argsort(-cosines, axis=1, kind="stable")[:, : max(sizes)]
    return cut([[ids[position] for position in row] for row in order], sizes)


def first_stage(name: str) -> Callable[[Setting, Sequence[int]], Answers]:
    """The order of a first stage, a key of `RETRIEVERS`: that in which candidates reach the re-ranker."""
    return lambda setting, sizes: cut(names(RETRIEVERS[name](setting, max(sizes))), sizes)
