"""Questions over columns as `jar.Reranker` assembles them: probes, candidates, instances.

All that the benchmarks use of the inside of `jar.columns` is here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.systems.rows import Setting, UnknownSystemError
from jar.columns.candidates import Pool, build_pool, column_cosines
from jar.columns.choose import column_instance, ordered_items
from jar.columns.probed_question import ProbedQuestion, read_probed_questions, stack
from jar.columns.search import DEFAULT_SEARCH, PAPER_SEARCH, SEARCHES, ColumnSearch
from jar.tables.query import Limits
from joinability.scores.score import join_score

__all__ = [
    "DEFAULT_SEARCH", "PAPER_SEARCH", "SEARCHES", "ColumnSearch", "Pool", "ProbedQuestion", "column_instance",
    "column_pool", "ordered_items", "probe_vectors", "read_given",
]  # fmt: skip


def read_given(setting: Setting, *, context: bool = True) -> list[ProbedQuestion]:
    """The questions of a setting with their probes: the data set's where its decomposition is "given".
    """
    questions = [question.text for question in setting.dataset.questions]
    schemas: list[str | None] = [None] * len(questions)
    if setting.decomposition == "given":
        schemas = [question.imagined_schema for question in setting.dataset.questions]
        if None in schemas:
            raise UnknownSystemError(
                f"the data set {setting.dataset.name!r} comes without imagined schemas; run the system without +given"
            )
    return read_probed_questions(setting.embedder, questions, schemas, None, context=context)


def probe_vectors(probing: ProbedQuestion, *, question: bool) -> Any:
    """The vectors of the probes of a question, with that of the question itself or without."""
    return stack(probing, question=question)


def column_pool(
    setting: Setting, search: ColumnSearch, probing: ProbedQuestion, *, sizes: Sequence[int] = (),
    trust_declared: bool | None = None,
) -> Pool:  # fmt: skip
    """The candidates of a question, from its vectors; at least as many as the largest size."""
    contents = setting.index.contents
    cosines = column_cosines(contents, probing, search)
    count = max(search.candidates, *sizes) if sizes else search.candidates
    return build_pool(contents, cosines, search, count, Limits(), join_score("default", trust_declared))
