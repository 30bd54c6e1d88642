"""The rows that bound the others: the best possible, and rankings of tables one by one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.systems.rows import Answers, Setting
from jar.relevance import retrieve


def cut(ranked: Sequence[Sequence[str]], sizes: Sequence[int]) -> Answers:
    """The first K tables of each ranking, for systems whose answer for K is part of that for more."""
    return Answers({k: [tables[:k] for tables in ranked] for k in sizes})


def oracle(setting: Setting, sizes: Sequence[int]) -> Answers:
    """The best that any system can do when it has to name K tables: the gold tables, as many as fit."""
    return cut([sorted(question.gold_tables) for question in setting.dataset.questions], sizes)


def dense(setting: Setting, sizes: Sequence[int]) -> Answers:
    """Cosine of the question and the words "database table column column": the baseline of the papers."""
    catalog, questions = setting.dataset.catalog, setting.dataset.questions
    names = [table.id for table in catalog]
    texts = [" ".join([table.database, table.name, *table.column_names]) for table in catalog]
    cosines = setting.embedder([question.text for question in questions]) @ setting.embedder(texts).T
    order = np.argsort(-cosines, axis=1, kind="stable")[:, : max(sizes)]
    return cut([[names[position] for position in row] for row in order], sizes)


def retriever(setting: Setting, sizes: Sequence[int]) -> Answers:
    """Cosine of the question and the text of the package: the order in which candidates reach the re-ranker."""
    return cut([[table for table, _ in ranked] for ranked in first_stage(setting, max(sizes))], sizes)


def first_stage(setting: Setting, count: int) -> list[list[tuple[str, float]]]:
    """The nearest tables to each question by the package's own retriever, with their cosines, best first."""
    contents = setting.index.contents
    vectors = setting.embedder([question.text for question in setting.dataset.questions])
    return [
        [
            (contents.tables[found].id, float(contents.table_vectors[found] @ vector))
            for found in retrieve(contents, vector, count)
        ]
        for vector in vectors
    ]
