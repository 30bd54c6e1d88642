"""Ways in which log-odds enter the objective, compared by models that never saw the databases of the pools."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from benchmarks.learning.pools import Pool
from formulations import Instance, JarObjective, solve
from jar.learned.relevance_model import RelevanceModel, shipped_model
from jar.tables.objective import DEFAULT_OBJECTIVE

Array = npt.NDArray[np.float64]

SIZES = (2, 3, 5, 10)
"""Tables that are chosen."""


@dataclass(frozen=True)
class Way:
    """How the log-odds of the candidates count.

    Attributes
    ----------
    name : str
    odds : float
        Their weight.
    objective : JarObjective
        The weights of the other terms; the coarse relevance counts with that of the package, or not at all with 0.
    """

    name: str
    odds: float
    objective: JarObjective = DEFAULT_OBJECTIVE

    def instance(self, pool: Pool, odds: Array, k: int) -> Instance:
        """What is solved for a pool."""
        whole = pool.instance
        relevance = self.objective.coarse * whole.relevance + self.odds * (odds - odds.min())
        return whole.replace(relevance=relevance, size=min(k, whole.n))

    def chosen(self, pool: Pool, odds: Array, k: int) -> tuple[int, ...]:
        """The best k candidates of a pool."""
        return solve(self.instance(pool, odds, k), replace(self.objective, coarse=1.0)).items


@dataclass(frozen=True)
class DefaultWay:
    """As a model weighs log-odds and joins of candidates by default: by what they are, and what is known of them."""

    model: RelevanceModel = field(default_factory=shipped_model)

    def chosen(self, pool: Pool, odds: Array, k: int) -> tuple[int, ...]:
        """The best k candidates of a pool."""
        model, several = self.model.at(pool.seen, pool.x), len(np.unique(pool.seen.databases)) > 1
        join = model.join_of(several)
        objective = DEFAULT_OBJECTIVE if join is None else replace(DEFAULT_OBJECTIVE, join=join)
        return Way("default", model.weight_of(several), objective).chosen(pool, odds, k)


WITHOUT = Way("without", 0.0)
"""What the others are compared with: log-odds do not count."""


def figures(pools: Sequence[Pool], odds: Sequence[Array], way: Way | DefaultWay) -> dict[str, float]:
    """Complete recall (%) at each of `SIZES`, and F1 at 2 of the questions with several tables."""
    complete: dict[int, list[bool]] = {k: [] for k in SIZES}
    f1: list[float] = []
    for pool, row in zip(pools, odds, strict=True):
        for k in SIZES:
            items = list(way.chosen(pool, row, k))
            found = int(pool.y[items].sum())
            complete[k].append(found == pool.gold)
            if k == 2 and pool.gold > 1:
                f1.append(2 * found / (len(items) + pool.gold))
    told_figures = {f"CR@{k}": 100 * float(np.mean(complete[k])) for k in SIZES[1:]}
    return {"F1@2": 100 * float(np.mean(f1 or [np.nan])), **told_figures}
