"""The questions of BIRD with the schemas that come with them, as the studies of columns ask them."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.data.datasets import load_dataset
from benchmarks.runs.evaluation import Options, open_index
from benchmarks.runs.vectors import VectorCache
from benchmarks.systems import Setting
from benchmarks.systems.column_systems import read_given
from jar.columns.candidates import Pool, build_pool
from jar.columns.probed_question import ProbedQuestion, stack
from jar.columns.search import ColumnSearch
from jar.tables.query import Limits
from joinability.scores.score import join_score


def bird_setting(options: Options) -> tuple[Setting, VectorCache]:
    """The setting of at most ``options.limit`` questions, and the cache to save when their probes are embedded."""
    cache = VectorCache(options.embedder, options.output / "vectors")
    dataset = load_dataset("bird-columns", options.root).restricted(limit=options.limit)
    return Setting(dataset, open_index(dataset, options, cache), cache.embedder, "given"), cache


def asked(setting: Setting, search: ColumnSearch) -> Sequence[ProbedQuestion]:
    """The questions with the vectors of their probes."""
    return read_given(setting, context=search.context)


def candidates_of(setting: Setting, search: ColumnSearch, probing: ProbedQuestion) -> Pool:
    """The candidates of a question, from its vectors."""
    contents = setting.index.contents
    cosines = stack(probing, question=search.question) @ contents.schema_vectors.T
    return build_pool(contents, cosines, search, search.candidates, Limits(), join_score("default"))
