"""What each family of features gives: the loss on databases that a model never saw, with and without it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from benchmarks.learning.model_fit import Recipe, fit_model, second_odds
from benchmarks.learning.pools import Pool, teaching
from benchmarks.learning.ways import WITHOUT, DefaultWay, figures
from jar.learned.evidence import FAMILIES

Array = npt.NDArray[np.float64]
Report = Callable[[str], None]

HELD_OUT = 4
"""The fold whose databases no model is fitted on."""
ALONE, CHOSEN = ("loss", "needed first", "among one more"), ("F1@2", "CR@3", "CR@5")
"""Figures of log-odds alone, and of what the objective chooses by them with the default weights."""
NAMES = (*ALONE, *CHOSEN)


def loss_of(pools: Sequence[Pool], odds: Sequence[Array]) -> float:
    """Minus the logarithm of the probability of what is needed and what is not, mean over the pools."""
    slack = [np.logaddexp(0, np.where(pool.y, -row, row)).sum() for pool, row in zip(pools, odds, strict=True)]
    return float(np.mean(slack))


def complete_of(pools: Sequence[Pool], odds: Sequence[Array], extra: int = 1) -> float:
    """Share (%) of the pools whose needed tables are all among the most likely ones, `extra` more than are needed."""
    found = [
        pool.y[np.argsort(-row, kind="stable")[: pool.gold + extra]].sum() == pool.gold
        for pool, row in zip(pools, odds, strict=True)
    ]
    return 100 * float(np.mean(found))


def ablate(pools: Sequence[Pool], report: Report) -> Iterator[str]:
    """A line of a Markdown table for no model, the whole model and the one without each family.

    Each is fitted on a third of the pools of the other folds. It is measured on all of `HELD_OUT`, whose databases it
    never saw, and on another third of the other folds: questions that it never saw on databases that it did.
    """
    pools = teaching(pools)
    others = [pool for pool in pools if pool.fold != HELD_OUT]
    taught, parts = others[::3], ([pool for pool in pools if pool.fold == HELD_OUT], others[1::3])
    yield f"| without | {' | '.join(f'{name}, {kind}' for kind in ('never seen', 'seen') for name in NAMES)} |"
    yield "| --- |" + " ---: |" * (2 * len(NAMES))
    for family in (None, "", *FAMILIES, "stacked"):
        cells: list[str] = []
        model = None if family is None else fit_model(taught, Recipe(without=frozenset([family] if family else [])))
        for part in parts:
            odds = [np.zeros(len(pool.y)) if model is None else second_odds(model, pool) for pool in part]
            cells += _cells(part, odds, judged=model is not None)
        name = "the model" if family is None else family or "nothing"
        report(f"without {name}")
        yield f"| {name} | {' | '.join(cells)} |"


def _cells(pools: Sequence[Pool], odds: Sequence[Array], *, judged: bool) -> list[str]:
    """The figures of `NAMES`; of log-odds alone only where a model judges."""
    alone = [""] * len(ALONE)
    if judged:
        alone = [f"{loss_of(pools, odds):.3f}", *(f"{complete_of(pools, odds, extra):.1f}" for extra in (0, 1))]
    chosen = figures(pools, odds, DefaultWay() if judged else WITHOUT)
    return [*alone, *(f"{chosen[name]:.1f}" for name in CHOSEN)]
