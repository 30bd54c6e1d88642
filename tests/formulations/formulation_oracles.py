"""The definitions, written out as brute force: what the closed forms and the solvers are measured against.

Nothing here is imported from the package but the two data classes.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

from formulations import ColumnProblem, Instance, JarObjective

Pair = tuple[int, int]


def cover_by_matchings(instance: Instance, objective: JarObjective, items: Sequence[int]) -> float:
    """Cover(S) as the best of all sets of matches d: fine scores, and the bonus of each sub-query matched at all."""
    possible = [(q, i) for q in range(instance.m) for i in items if instance.coverage[q, i] > -math.inf]
    allowed = math.floor(objective.match_limit * instance.m + 1e-9)
    best = 0.0
    for number in range(1, min(allowed, len(possible)) + 1):
        for matches in itertools.combinations(possible, number):
            fine = sum(objective.fine * instance.coverage[q, i] for q, i in matches)
            best = max(best, fine + objective.coverage * len({q for q, _ in matches}))
    return best


def is_forest(pairs: Sequence[Pair]) -> bool:
    """Whether the pairs contain no cycle."""
    label: dict[int, int] = {}
    for i, j in pairs:
        a, b = label.setdefault(i, i), label.setdefault(j, j)
        if a == b:
            return False
        label = {table: a if old == b else old for table, old in label.items()}
    return True


def forests(instance: Instance, items: Sequence[int]) -> Iterator[tuple[Pair, ...]]:
    """All sets of joins without a cycle between the items."""
    joins = [(i, j) for i, j in itertools.combinations(items, 2) if instance.weights[i, j] > 0]
    for number in range(len(items)):
        yield from (pairs for pairs in itertools.combinations(joins, number) if is_forest(pairs))


def join_by_forests(instance: Instance, objective: JarObjective, items: Sequence[int]) -> float:
    """The join term as the best of all forests; where the set must be connected, of all spanning trees."""
    if objective.connect == "ignore":
        return 0.0
    least = len(items) - 1 if objective.connect == "require" else 0
    return max(
        (
            sum(objective.join * instance.weights[i, j] + objective.link for i, j in pairs)
            for pairs in forests(instance, items)
            if len(pairs) >= least
        ),
        default=-math.inf,
    )


def value_by_definition(instance: Instance, objective: JarObjective, items: Sequence[int]) -> float:
    """JAR(S) from the definitions alone."""
    coarse = objective.coarse * sum(float(instance.relevance[i]) for i in items)
    cover = cover_by_matchings(instance, objective, items)
    return coarse + cover + join_by_forests(instance, objective, items)


def feasible_sets(instance: Instance) -> Iterator[tuple[int, ...]]:
    """All sets of the right size with the required tables and without the excluded ones."""
    for items in itertools.combinations(range(instance.n), instance.size):
        if set(instance.require) <= set(items) and not set(instance.exclude) & set(items):
            yield items


def best_by_definition(instance: Instance, objective: JarObjective) -> float:
    """The optimum, ``-inf`` where nothing is feasible."""
    values = (value_by_definition(instance, objective, items) for items in feasible_sets(instance))
    return max(values, default=-math.inf)


def paper_optimum(problem: ColumnProblem, coarse: float, fine: float, coverage: float, join: float) -> float:
    """The paper's program over columns, by brute force: every b, every d, every tree of column pairs c.

    (2) sum b = K, and the arcs c number at most K - 1; (3) an arc joins selected tables, in one direction; (4) one pair
    of columns per pair of tables; (5) one column per sub-query and table; (6) only selected tables match; (9) a
    sub-query counts once; (10) at most |Q| matches. (11) to (15): the flow from one table reaches all K, and an arc is
    counted if and only if it carries flow, so the arcs are a spanning tree.
    """
    columns = [[k for k, table in enumerate(problem.owner) if table == i] for i in range(len(problem.relevance))]
    best = -math.inf
    for items in itertools.combinations(range(len(columns)), problem.size):
        trees = _best_tree(problem, columns, items)
        if trees > -math.inf:
            value = coarse * sum(float(problem.relevance[i]) for i in items) + join * trees
            best = max(best, value + _best_matches(problem, columns, items, fine, coverage))
    return best


def _best_tree(problem: ColumnProblem, columns: list[list[int]], items: Sequence[int]) -> float:
    best = -math.inf
    for pairs in itertools.combinations(itertools.combinations(items, 2), len(items) - 1):
        if is_forest(pairs):
            choices = [
                [weight for k in columns[i] for weight in problem.joinability[k, columns[j]] if weight > 0]
                for i, j in pairs
            ]
            best = max(best, max((sum(choice) for choice in itertools.product(*choices)), default=-math.inf))
    return float(best)


def _best_matches(
    problem: ColumnProblem, columns: list[list[int]], items: Sequence[int], fine: float, coverage: float
) -> float:
    cells = [(q, i) for q in range(len(problem.fine)) for i in items]
    best = 0.0
    for choice in itertools.product(*[[None, *columns[i]] for _, i in cells]):
        matched = [(q, k) for (q, _), k in zip(cells, choice, strict=True) if k is not None]
        if len(matched) <= len(problem.fine):
            gain = sum(fine * problem.fine[q, k] for q, k in matched)
            best = max(best, gain + coverage * len({q for q, _ in matched}))
    return best
