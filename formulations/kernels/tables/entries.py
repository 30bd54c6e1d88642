"""The functions that Python calls: compiled on first use, loaded from disk afterwards.

They take the fields of the named tuples, because plain tuples of arrays cross into machine code fastest.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from formulations.kernels.compiled import entry, kernel_digest
from formulations.kernels.nodes import DEPTH, Search
from formulations.kernels.tables.branch_and_bound import explore
from formulations.kernels.tables.prices import Prices
from formulations.kernels.tables.problem import Problem
from formulations.kernels.tables.set_value import set_value
from formulations.kernels.tables.start import exchange, fill, grow, keep_viable
from formulations.kernels.tables.work_space import in_play, new_work

FOUND, STUCK, INFEASIBLE = 0, 1, 2
"""Answers of `begin`: a set was found; the required tables have to be connected first; no set exists."""


def _entries(digest: int) -> tuple[Any, Any, Any]:
    @entry
    def begin(problem_fields, fixed, items, count, last, quick):  # type: ignore[no-untyped-def]
        _ = digest
        problem = Problem(*problem_fields)
        n = len(fixed)
        integers, numbers = np.empty((2, n), np.int64), np.empty(max(problem.size, problem.limit))
        if problem.connected and not keep_viable(problem.weights, problem.size, fixed, integers[0], integers[1]):
            return INFEASIBLE, -np.inf
        if quick:
            filled = fill(problem, fixed, items, count, integers[0], np.empty(n))
            value = set_value(problem, items, problem.size, numbers) if filled else -np.inf
        else:
            value = grow(problem, fixed, items, count, last, integers[0], numbers)
        return (FOUND if value > -np.inf else STUCK), value

    @entry
    def sweep(problem_fields, fixed, items, value, first, last):  # type: ignore[no-untyped-def]
        _ = digest
        problem = Problem(*problem_fields)
        member, numbers = np.empty(len(fixed), np.int64), np.empty(max(problem.size, problem.limit))
        return exchange(problem, fixed, items, value, first, last, member, numbers)

    @entry
    def run(problem_fields, search_fields, price_fields, gap_limit, nodes, steps, room):  # type: ignore[no-untyped-def]
        _ = digest
        problem, search, prices = Problem(*problem_fields), Search(*search_fields), Prices(*price_fields)
        work = new_work(problem, in_play(search.stack, search.counters[DEPTH]), prices.joins)
        explore(problem, search, prices, work, gap_limit, nodes, steps, room)

    return begin, sweep, run


begin, sweep, run = _entries(kernel_digest("tables"))
