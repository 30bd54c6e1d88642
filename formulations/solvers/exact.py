"""Branch and bound over the reduced form (interim)."""
# mypy: ignore-errors

from __future__ import annotations

import math

import numpy as np
from numba import njit

from formulations.instance import Instance
from formulations.objective import JarObjective
from formulations.solution import Outcome, Status


def solve(instance: Instance, objective: JarObjective, time_limit: float | None) -> Outcome:
    """Return a best set."""
    base = objective.coarse * instance.relevance
    scores = np.ascontiguousarray(objective.match_scores(instance).T)
    joins = np.ascontiguousarray(objective.join_weights(instance))
    best_edge = joins.max(axis=1).clip(min=0.0)
    order = np.argsort(-(base + best_edge), kind="stable")
    order = np.array([i for i in order if i not in instance.exclude], dtype=np.int64)
    forced = np.zeros(instance.n, dtype=np.bool_)
    forced[list(instance.require)] = True
    items, value = _search(
        order, base, scores, objective.coverage, objective.matches_allowed(instance.m), joins, best_edge, forced,
        instance.size, objective.connect == "require", len(instance.require),
    )
    if value == -np.inf:
        return Outcome((), -math.inf, Status.INFEASIBLE)
    return Outcome(tuple(sorted(items.tolist())), float(value), Status.OPTIMAL)


@njit(cache=True)
def _value(items, k, base, scores, bonus, limit, joins, connected):
    total = 0.0
    m = scores.shape[1]
    gains = np.empty(k * m)
    for a in range(k):
        total += base[items[a]]
    for q in range(m):
        best = 0
        for a in range(k):
            gains[q * k + a] = scores[items[a], q]
            if scores[items[a], q] > scores[items[best], q]:
                best = a
        gains[q * k + best] += bonus
    gains.sort()
    for t in range(min(limit, k * m)):
        if gains[k * m - 1 - t] > 0:
            total += gains[k * m - 1 - t]
    key = np.full(k, -np.inf)
    used = np.zeros(k, np.bool_)
    for step in range(k):
        pick = -1
        for a in range(k):
            if not used[a] and (pick < 0 or key[a] > key[pick]):
                pick = a
        used[pick] = True
        if key[pick] > -np.inf:
            total += key[pick]
        elif step > 0 and connected:
            return -np.inf
        for a in range(k):
            key[a] = max(key[a], joins[items[pick], items[a]])
    return total


@njit(cache=True)
def _search(order, base, scores, bonus, limit, joins, best_edge, forced, size, connected, required):
    n, m = len(order), scores.shape[1]
    best, best_value = np.zeros(size, np.int64), -np.inf
    items = np.zeros(size, np.int64)
    position = np.full(size + 1, -1)
    depth = 0
    plain = limit <= m and bonus >= 2 * np.abs(np.where(scores == -np.inf, 0.0, scores)).max() if m else True
    gains = np.empty(n)
    while depth >= 0:
        position[depth] += 1
        p = position[depth]
        if p > 0 and forced[order[p - 1]]:
            depth -= 1
            continue
        if n - p < size - depth:
            depth -= 1
            continue
        bound = 0.0
        for a in range(depth):
            bound += base[items[a]] + best_edge[items[a]]
        for q in range(m):
            top = 0.0
            for i in range(p, n):
                top = max(top, scores[order[i], q])
            for a in range(depth):
                top = max(top, scores[items[a], q])
            bound += bonus + top
        for i in range(p, n):
            gain = base[order[i]] + best_edge[order[i]]
            for q in range(m):
                if not plain:
                    gain += max(0.0, scores[order[i], q])
            gains[i] = gain
        if not plain:
            for a in range(depth):
                for q in range(m):
                    bound += max(0.0, scores[items[a], q])
        room = np.sort(gains[p:n])
        for r in range(size - depth):
            bound += room[len(room) - 1 - r]
        if bound <= best_value:
            depth -= 1
            continue
        items[depth] = order[p]
        if depth + 1 == size:
            count = 0
            for a in range(size):
                count += forced[items[a]]
            if count == required:
                value = _value(items, size, base, scores, bonus, limit, joins, connected)
                if value > best_value:
                    best_value = value
                    best[:] = items
        else:
            depth += 1
            position[depth] = p
    return best, best_value
