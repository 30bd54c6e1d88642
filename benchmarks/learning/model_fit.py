"""The fit of the relevance model: two stages of logistic regression, the second on what the first says of others.

The first stage's log-odds of a pool come from a fit without the databases of the pool's fold, so that the second learns
what they are worth on schemas that the first has not seen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

import jar
from benchmarks.joins.logistic import fit_logistic
from benchmarks.learning.pools import Pool, teaching
from jar.learned.evidence import FEATURES
from jar.learned.relevance_model import FILE, RelevanceModel, Stage, Stages
from jar.learned.stacking import STACKED, stacked

Array = npt.NDArray[np.float64]

PENALTY = 10.0
"""Of weights in units of a standard deviation, beside the sum of the losses of all candidates."""
DIGITS = 4
PATH = Path(jar.__file__).parent / "learned" / FILE


@dataclass(frozen=True)
class Recipe:
    """How a model is fitted.

    Attributes
    ----------
    penalty : float
    without : names
        Families of features that get no weight, and "stacked" for the second stage's own.
    """

    penalty: float = PENALTY
    without: frozenset[str] = frozenset()


def fit_model(pools: Sequence[Pool], recipe: Recipe = Recipe()) -> RelevanceModel:
    """The model of all pools that teach."""
    pools = teaching(pools)
    odds = out_of_fold(pools, recipe)
    first = fit_first(pools, recipe)
    return RelevanceModel(first, fit_second(pools, odds, recipe))


def out_of_fold(pools: Sequence[Pool], recipe: Recipe) -> list[Array]:
    """The first stage's log-odds of each pool, by a fit without the pools of its fold."""
    folds = sorted({pool.fold for pool in pools})
    stages = {fold: fit_first([pool for pool in pools if pool.fold != fold], recipe) for fold in folds}
    return [stages[pool.fold].log_odds(pool.x) for pool in pools]


def fit_first(pools: Sequence[Pool], recipe: Recipe) -> Stage:
    """The first stage."""
    signs = np.array([feature.sign for feature in FEATURES.values()])
    used = np.array([feature.family not in recipe.without for feature in FEATURES.values()])
    return _fit(np.vstack([pool.x for pool in pools]), pools, signs, used, recipe)


def fit_second(pools: Sequence[Pool], odds: Sequence[Array], recipe: Recipe) -> Stage:
    """The second stage, by the log-odds of the first."""
    x = np.vstack([whole_features(pool, row) for pool, row in zip(pools, odds, strict=True)])
    signs = np.array([feature.sign for feature in (*FEATURES.values(), *STACKED.values())])
    used = np.array([feature.family not in recipe.without for feature in FEATURES.values()])
    used = np.concatenate([used, np.full(len(STACKED), "stacked" not in recipe.without)])
    return _fit(x, pools, signs, used, recipe)


def whole_features(pool: Pool, odds: Array) -> Array:
    """What the second stage sees of a pool, shape (n, F + S)."""
    return np.hstack([pool.x, stacked(pool.seen, odds)])


def needed(pools: Sequence[Pool]) -> Array:
    """1 for each candidate that is needed, pool by pool, else 0."""
    return np.concatenate([pool.y for pool in pools]).astype(np.float64)


def _fit(
    x: Array, pools: Sequence[Pool], signs: npt.NDArray[np.int64], used: npt.NDArray[np.bool_], recipe: Recipe
) -> Stage:
    """Penalised maximum likelihood over the used features, with weights of the features' signs."""
    counted = np.repeat([pool.weight for pool in pools], [len(pool.y) for pool in pools])
    intercept, some = fit_logistic(x[:, used], needed(pools), recipe.penalty, weight=counted, signs=signs[used])
    weights = np.zeros(x.shape[1])
    weights[used] = some
    return Stage(round(intercept, DIGITS), np.round(weights, DIGITS) + 0.0)


def fit_stages(pools: Sequence[Pool], recipe: Recipe = Recipe()) -> Stages:
    """Stages that count in schemas of one kind, of the pools of such schemas that teach."""
    return fit_model(pools, recipe).stages


def cross_validated(
    pools: Sequence[Pool],
    recipe: Recipe = Recipe(),
    others: Sequence[Pool] = (),
    broad: Sequence[Pool] = (),
    wide: Sequence[Pool] = (),
    loose: Sequence[Pool] = (),
    own_words: Sequence[Pool] = (),
) -> list[Array]:
    """Log-odds of each pool by a model that was fitted without the databases of its fold.

    Those of `others`, on which the model's stages for slim tables are not fitted, stand behind them, and then those of
    `broad` and of `wide`, on which its stages for broad tables and for wide schemas are. `loose` are those among the
    pools of which hardly any join is known, and `own_words` those among them and the others that are in words of their
    own: the model's stages for such schemas and questions are fitted to them.
    """

    def fitted(fold: int) -> RelevanceModel:
        model = fit_model(_without(pools, fold), recipe)
        return _with_stages(model, fold, recipe, broad=broad, wide=wide, loose=loose, own_words=own_words)

    return _by_fold([*pools, *others, *broad, *wide], fitted)


def cross_validated_stages(model: RelevanceModel, pools: Sequence[Pool], **kinds: Sequence[Pool]) -> list[Array]:
    """Log-odds of pools by a model with stages of some kinds, such as `wide`, that were fitted to the pools of these
    without their fold; those of other kinds are its own."""
    return _by_fold(pools, lambda fold: _with_stages(model, fold, Recipe(), **kinds))


def _with_stages(model: RelevanceModel, fold: int, recipe: Recipe, **pools: Sequence[Pool]) -> RelevanceModel:
    """A model with stages of some kinds that pools of such schemas teach without a fold, if there are any."""
    taught = {kind: _without(some, fold) for kind, some in pools.items()}
    return replace(model, **{kind: fit_stages(some, recipe) if some else None for kind, some in taught.items()})


def _without(pools: Sequence[Pool], fold: int) -> list[Pool]:
    return [pool for pool in pools if pool.fold != fold]


def _by_fold(pools: Sequence[Pool], fitted: Callable[[int], RelevanceModel]) -> list[Array]:
    """The log-odds of each pool by the model for its fold."""
    models = {fold: fitted(fold) for fold in sorted({pool.fold for pool in pools})}
    return [second_odds(models[pool.fold], pool) for pool in pools]


def second_odds(model: RelevanceModel, pool: Pool) -> Array:
    """A model's log-odds of the candidates of a pool, shape (n,)."""
    model = model.at(pool.seen, pool.x)
    return model.second.log_odds(whole_features(pool, model.first.log_odds(pool.x)))
