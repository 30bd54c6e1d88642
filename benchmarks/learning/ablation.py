"""What each family of features gives: the loss on databases that a model never saw, with and without it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from benchmarks.learning.model_fit import Recipe, fit_model, second_odds
from benchmarks.learning.pools import Pool, teaching
from jar.learned.evidence import FAMILIES

Array = npt.NDArray[np.float64]
Report = Callable[[str], None]

HELD_OUT = 4
"""The fold whose databases no model is fitted on."""


def loss_of(pools: Sequence[Pool], odds: Sequence[Array]) -> float:
    """Minus the logarithm of the probability of what is needed and what is not, mean over the pools."""
    slack = [np.logaddexp(0, np.where(pool.y, -told, told)).sum() for pool, told in zip(pools, odds, strict=True)]
    return float(np.mean(slack))


def complete_of(pools: Sequence[Pool], odds: Sequence[Array], extra: int = 1) -> float:
    """Share (%) of the pools whose needed tables are all among the most likely ones, `extra` more than are needed."""
    found = [
        pool.y[np.argsort(-told, kind="stable")[: pool.gold + extra]].sum() == pool.gold
        for pool, told in zip(pools, odds, strict=True)
    ]
    return 100 * float(np.mean(found))


def ablate(pools: Sequence[Pool], report: Report) -> Iterator[str]:
    """A line of a Markdown table for the whole model and for the one without each family.

    Each is fitted on a third of the pools of the other folds, and measured on all of `HELD_OUT`.
    """
    pools = teaching(pools)
    held = [pool for pool in pools if pool.fold == HELD_OUT]
    taught = [pool for pool in pools if pool.fold != HELD_OUT][::3]
    yield "| without | loss | all needed tables first | among one more |"
    yield "| --- | ---: | ---: | ---: |"
    for family in ("", *FAMILIES, "stacked"):
        model = fit_model(taught, Recipe(without=frozenset([family] if family else [])))
        odds = [second_odds(model, pool) for pool in held]
        report(f"fitted without {family or 'nothing'}")
        complete = " | ".join(f"{complete_of(held, odds, extra):.1f}" for extra in (0, 1))
        yield f"| {family or 'nothing'} | {loss_of(held, odds):.3f} | {complete} |"
