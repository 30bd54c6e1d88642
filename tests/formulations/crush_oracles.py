"""The equations of CRUSH, transcribed with plain loops: what the package is measured against.

Nothing here is imported from the package but the two data classes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

from formulations import CrushObjective, Instance


def similarity_by_equations(cosines: Sequence[Sequence[float]]) -> list[list[float]]:
    """Equations 1 and 2: s_kd from cosines."""
    closeness = [[(1 + cosine) / 2 for cosine in row] for row in cosines]
    entropies = []
    for row in closeness:
        shares = [t / sum(row) for t in row]
        entropies.append(-sum(p * math.log(p) for p in shares if p > 0))
    mean = sum(entropies) / len(entropies)
    return [
        [t / (1 + math.exp(-(mean - entropy))) for t in row]
        for row, entropy in zip(closeness, entropies, strict=True)
    ]


def smx(values: Sequence[float], t: float) -> float:
    """Equation 3: t log sum exp(x / t), the maximum for t = 0; shifted, so that it neither over- nor underflows."""
    top = max(values)
    return top if t == 0 else top + t * math.log(sum(math.exp((x - top) / t) for x in values))


def link(instance: Instance, objective: CrushObjective, d: int, other: int) -> float:
    """e(d, d'): gamma for two columns of one table or of a key link that is not forbidden."""
    if d == other:
        return 0.0
    one_table = instance.groups is not None and instance.groups[d] == instance.groups[other]
    forbidden = (min(d, other), max(d, other)) in instance.forbid_joins
    key = instance.compatibility[d, other] > 0 and not forbidden
    return objective.gamma if one_table or key else 0.0


def o1(instance: Instance, objective: CrushObjective, items: Sequence[int]) -> float:
    """Equation 4: coverage of the probes."""
    return sum(smx([instance.coverage[k, d] for d in items], objective.sharpness) for k in range(instance.m))


def o2(instance: Instance, objective: CrushObjective, items: Sequence[int]) -> float:
    """Equation 5: connectivity of the columns."""
    return sum(smx([link(instance, objective, d, other) for other in items], objective.sharpness) for d in items)


def value_by_equations(instance: Instance, objective: CrushObjective, items: Sequence[int]) -> float:
    """Equation 6."""
    return o1(instance, objective, items) + objective.connectivity * o2(instance, objective, items)


def feasible_sets(instance: Instance) -> Iterator[tuple[int, ...]]:
    """All sets of the right size, with and without the right columns."""
    for items in combinations(range(instance.n), instance.size):
        if set(instance.require) <= set(items) and not set(instance.exclude) & set(items):
            yield items


def optimum_by_equations(instance: Instance, objective: CrushObjective) -> float:
    """The best value of all sets."""
    return max(value_by_equations(instance, objective, items) for items in feasible_sets(instance))


def sweep_by_rule(instance: Instance, objective: CrushObjective) -> list[int]:
    """The rule of the released code, pair by pair; of ties the first probe, then the first column."""
    chosen = list(instance.require)
    probes = [list(row) for row in instance.coverage.tolist()] or [[0.0] * instance.n]
    uncovered: set[int] = set()
    while len(chosen) < instance.size:
        uncovered = uncovered or set(range(len(probes)))
        best = None
        for k in sorted(uncovered):
            for d in range(instance.n):
                if d in chosen or d in instance.exclude:
                    continue
                label = d if instance.groups is None else instance.groups[d]
                selected = sum(1 for c in chosen if (c if instance.groups is None else instance.groups[c]) == label)
                score = probes[k][d] + objective.gamma * math.log(1 + selected)
                if best is None or score > best[0]:
                    best = (score, k, d)
        assert best is not None
        uncovered.remove(best[1])
        chosen.append(best[2])
    return chosen
