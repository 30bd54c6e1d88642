"""The functions that Python calls: compiled on first use, loaded from disk afterwards."""

from __future__ import annotations

from typing import Any

import numpy as np

from formulations.kernels.columns.branch_and_bound import explore, new_work
from formulations.kernels.columns.growth import exchange, grow, levels, new_growth
from formulations.kernels.columns.problem import Problem
from formulations.kernels.columns.relaxation import Prices
from formulations.kernels.columns.set_value import set_value
from formulations.kernels.columns.sweeping import sweep
from formulations.kernels.compiled import entry, kernel_digest
from formulations.kernels.nodes import Search


def _entries(digest: int) -> tuple[Any, ...]:
    @entry
    def greedy_set(problem_fields, fixed, items, count):  # type: ignore[no-untyped-def]
        _ = digest
        problem = Problem(*problem_fields)
        n, m = problem.similarity.shape
        grow(problem, new_growth(n, m), fixed, items, count)

    @entry
    def exchanged_set(problem_fields, fixed, items):  # type: ignore[no-untyped-def]
        _ = digest
        problem = Problem(*problem_fields)
        n, m = problem.similarity.shape
        return exchange(problem, new_growth(n, m), fixed, items)

    @entry
    def swept_set(coverage, table, gamma, fixed, items, count):  # type: ignore[no-untyped-def]
        _ = digest
        m, n = coverage.shape
        probes, selected = np.empty((2, m), np.int64), np.empty(n, np.int64)
        sweep(coverage, table, gamma, fixed, items, count, probes[0], probes[1], selected, np.empty(n))

    @entry
    def measure(problem_fields, items, level):  # type: ignore[no-untyped-def]
        _ = digest
        problem = Problem(*problem_fields)
        room = np.zeros((2, len(problem.table)), np.int64)
        levels(problem, items, -1, level)
        return set_value(problem, items, room[0], room[1])

    @entry
    def run(problem_fields, search_fields, price_fields, gap_limit, nodes, steps):  # type: ignore[no-untyped-def]
        _ = digest
        problem, search, prices = Problem(*problem_fields), Search(*search_fields), Prices(*price_fields)
        explore(problem, search, prices, new_work(problem), gap_limit, nodes, steps)

    return greedy_set, exchanged_set, swept_set, measure, run


greedy_set, exchanged_set, swept_set, measure, run = _entries(kernel_digest("columns"))
