"""The systems that choose columns: a registry with a row for each.

A name that ends in "+given" takes its probes from the data set (schemas that the language model of the CRUSH authors
imagined), one without an ending from the question alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from benchmarks.systems.column_problems import (
    DEFAULT_SEARCH,
    PAPER_SEARCH,
    ColumnSearch,
    column_instance,
    column_pool,
    ordered_items,
    probe_vectors,
    read_given,
)  # fmt: skip
from benchmarks.systems.rows import Answers, Outcome, Setting, SystemRow
from formulations import CrushObjective, solve

PREFIX_SOLVERS = ("sweep",)
"""Solvers whose choice for a budget is the first part of that for any greater one."""


def _oracle(setting: Setting, sizes: Sequence[int]) -> Answers:
    """The gold columns that the corpus has: what is missing at a large budget, no system can find."""
    known = {name.casefold() for name in setting.index.contents.column_names}
    gold = [sorted(question.gold_columns & known) for question in setting.dataset.questions]
    return Answers({k: [columns[:k] for columns in gold] for k in sizes})


def _question(setting: Setting, sizes: Sequence[int]) -> Answers:
    """Cosine of the question and the words of the column."""
    return _nearest(setting, sizes, [probing.whole[None] for probing in read_given(setting, context=False)])


def _probes(setting: Setting, sizes: Sequence[int]) -> Answers:
    """Greatest cosine with any probe."""
    return _nearest(setting, sizes, [probe_vectors(probing, question=False) for probing in read_given(setting)])


def _nearest(setting: Setting, sizes: Sequence[int], vectors: Sequence[np.ndarray]) -> Answers:
    contents = setting.index.contents
    names = contents.column_names
    ranked = []
    for probes in vectors:
        nearest = np.argsort(-contents.schema_vectors.cosines(probes).max(axis=0), kind="stable")[: max(sizes)]
        ranked.append([names[column] for column in nearest])
    return Answers({k: [columns[:k] for columns in ranked] for k in sizes})


def _sums(setting: Setting, sizes: Sequence[int]) -> Answers:
    """CRUSH without coverage: the columns of the greatest sum of similarities."""
    names = setting.index.contents.column_names
    ranked = []
    for probing in read_given(setting):
        pool = column_pool(setting, PAPER_SEARCH, probing)
        order = np.argsort(-pool.similarity.sum(axis=0), kind="stable")
        ranked.append([names[column] for column in pool.columns[order]])
    return Answers({k: [columns[:k] for columns in ranked] for k in sizes})


def _search(
    search: ColumnSearch, solver: str, trust_declared: bool | None = None
) -> Callable[[Setting, Sequence[int]], Answers]:
    return lambda setting, sizes: choose(setting, sizes, search, solver, trust_declared)


def choose(
    setting: Setting, sizes: Sequence[int], search: ColumnSearch, solver: str, trust_declared: bool | None = None
) -> Answers:
    """The columns of each question at each size, as `jar.Reranker.columns` chooses them."""
    column_names = setting.index.contents.column_names
    asked = read_given(setting, context=search.context)
    chosen: dict[int, list[Sequence[str]]] = {k: [] for k in sizes}
    outcomes: dict[int, list[Outcome]] = {k: [] for k in sizes}
    for probing in asked:
        pool = column_pool(setting, search, probing, sizes=sizes, trust_declared=trust_declared)
        names = [column_names[column] for column in pool.columns]
        whole: list[str] = []
        for k in sorted(sizes, reverse=True):
            start, outcome = time.perf_counter(), Outcome()
            if solver not in PREFIX_SOLVERS or not whole:
                instance = column_instance(pool, search, k)
                solution = solve(instance, search.objective, solver)
                whole = [names[item] for item in ordered_items(instance, search.objective, solution)]
                outcome = Outcome(time.perf_counter() - start, str(solution.status), solution.gap)
            chosen[k].append(whole[:k])
            outcomes[k].append(outcome)
    return Answers(chosen, outcomes=outcomes)


_PAPER, _OURS = PAPER_SEARCH, DEFAULT_SEARCH

COLUMN_SYSTEMS: dict[str, SystemRow] = {
    "oracle": SystemRow("oracle", "the gold columns that the corpus has", _oracle),
    "question": SystemRow("question", "cosine of the question and the words of the column (baseline)", _question),
} | {
    name: SystemRow(name, summary, answer, decomposes=True)
    for name, summary, answer in (
        ("probes", "greatest cosine with a probe", _probes),
        ("paper", "the rule of CRUSH's released code", _search(_PAPER, "sweep")),
        ("paper-greedy", "CRUSH's formula, greedily", _search(_PAPER, "greedy")),
        ("paper-exact", "the optimum of CRUSH's formula", _search(_PAPER, "exact")),
        (
            "paper-facility",
            "the formula at sharpness 0, by exchanges",
            _search(replace(_PAPER, objective=CrushObjective(sharpness=0.0)), "local"),
        ),
        (
            "paper-no-context",
            "the rule, probes embedded without the question",
            _search(replace(_PAPER, context=False), "sweep"),
        ),
        (
            "paper-no-entropy",
            "the rule, cosines as similarity",
            _search(replace(_PAPER, similarity="cosine"), "sweep"),
        ),
        (
            "paper-no-edges",
            "the rule without a bonus for columns of one table",
            _search(replace(_PAPER, objective=CrushObjective(gamma=0.0)), "sweep"),
        ),
        ("paper-no-coverage", "sum of the similarities of a column", _sums),
        ("crush", "the package as it comes", _search(_OURS, "exact")),
        (
            "crush-sweep",
            "its similarities under the rule of CRUSH",
            _search(replace(_OURS, objective=CrushObjective()), "sweep"),
        ),
        ("crush-inferred", "declared keys not trusted", _search(_OURS, "exact", False)),
        ("crush-no-joins", "without keys and bridges", _search(replace(_OURS, joins=0.0), "exact")),
        ("crush-no-bridges", "without bridges", _search(replace(_OURS, bridges=0.0), "exact")),
        ("crush-no-consensus", "each probe for itself", _search(replace(_OURS, consensus=0.0), "exact")),
        ("crush-no-question", "the question itself is no probe", _search(replace(_OURS, question=False), "exact")),
        ("crush-no-context", "probes embedded without the question", _search(replace(_OURS, context=False), "exact")),
    )
}
