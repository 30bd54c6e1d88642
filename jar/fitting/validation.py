"""Cross-validation of a fit: what it gives on questions that it has not seen, and how certain that is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from jar.arrays import Array, IntArray
from jar.fitting.fit_report import Gain
from jar.fitting.learning import learn
from jar.fitting.reliability import Reliability, reliability_bins
from jar.tables.problem import with_relevance

if TYPE_CHECKING:
    from jar.fitting.examples import Example
    from jar.learned.adaptation import Adaptation
    from jar.tables.table_ranker import TableRanker

FOLDS = 5
DRAWS = 2_000
"""Of the bootstrap."""
SEED = 17
"""Of the folds and of the bootstrap."""
MOST_RANKED = 1_000
"""Questions that are ranked with and without the fit; of more so many, drawn at random."""
SIZE = 5
NAMES = (f"CR@{SIZE}", "F1@k")


class Validated(NamedTuple):
    """What a fit gives on questions that it has not seen, and whether its probabilities are right there."""

    gains: tuple[Gain, ...]
    reliability: Reliability


def cross_validated(
    ranker: TableRanker, examples: Sequence[Example], ids: Sequence[str], advance: Callable[[int], None]
) -> Validated:
    """What a fit gives on examples of groups that it has not seen: complete recall among five tables, and F1 (which is
    recall) among as many as are needed.

    Parameters
    ----------
    ranker : TableRanker
        As it ranks without a fit.
    """
    generator = np.random.default_rng(SEED)
    groups = np.unique([example.group for example in examples], return_inverse=True)[1]
    folds = generator.permutation(groups.max() + 1)[groups] % FOLDS
    ranked = generator.permutation(len(examples))[:MOST_RANKED]
    before, after = np.zeros((len(examples), 2)), np.zeros((len(examples), 2))
    odds: list[tuple[Array, Array, Array]] = []
    for fold in range(FOLDS):
        taught = learn([example for example, number in zip(examples, folds, strict=True) if number != fold], ids, {})
        for place in ranked[folds[ranked] == fold].tolist():
            example = examples[place]
            odds.append((example.odds, adapted_odds(taught, example, ids), example.needed.astype(np.float64)))
            before[place], after[place] = compared(ranker, taught, example, ids)
            advance(1)
    without, fitted, needed = (np.concatenate(column) for column in zip(*odds, strict=True))
    reliability = Reliability(reliability_bins(without, needed), reliability_bins(fitted, needed))
    return Validated(gains(before[ranked], after[ranked], groups[ranked]), reliability)


def adapted_odds(taught: Adaptation, example: Example, ids: Sequence[str]) -> Array:
    """The log-odds of the candidates of an example with an adaptation, shape (n,)."""
    return example.odds + taught.adapted(example.words, [ids[table] for table in example.tables.tolist()]).log_odds


def compared(ranker: TableRanker, taught: Adaptation, example: Example, ids: Sequence[str]) -> tuple[Array, Array]:
    """The figures of a question (in the order of `NAMES`, from 0 to 1) without an adaptation and with it."""
    without = figures(ranker, example, example.odds, example.weight)
    odds, weight = adapted_odds(taught, example, ids), example.model.weight
    return without, figures(ranker, example, odds, weight)


def figures(ranker: TableRanker, example: Example, odds: Array, weight: float) -> Array:
    """The figures of a question by log-odds of its candidates."""
    shares, objective = [], ranker.weighing(example.tables, weight, ranker.model and example.model)
    for size in (SIZE, example.gold):
        instance = with_relevance(example.instance, objective, odds, weight)
        items = ranker.solve(instance.resized(min(size, instance.n)), objective, None).items
        shares.append(example.needed[list(items)].sum() / example.gold)
    return np.array([shares[0] >= 1, shares[1]], dtype=np.float64)


def gains(before: Array, after: Array, groups: IntArray) -> tuple[Gain, ...]:
    """Means of figures (Q, 2), in per cent, with bootstrap intervals of their differences over groups."""
    generator = np.random.default_rng(SEED)
    count = groups.max() + 1
    sizes = np.bincount(groups, minlength=count)
    draws = generator.multinomial(count, np.full(count, 1 / count), size=DRAWS)
    gained = []
    for place, name in enumerate(NAMES):
        difference = np.bincount(groups, weights=(after - before)[:, place], minlength=count)
        low, high = np.percentile(100 * (draws @ difference) / np.maximum(draws @ sizes, 1), [2.5, 97.5])
        without, fitted = (100 * float(array[:, place].mean()) for array in (before, after))
        gained.append(Gain(name, without, fitted, float(low), float(high)))
    return tuple(gained)
