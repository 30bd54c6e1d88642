"""The card of the relevance model: what it is fitted on, how, and what for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.data.dataset_form import FOLDS
from benchmarks.learning.model_fit import DIGITS, PENALTY
from benchmarks.learning.pools import Pool, teaching
from jar.learned.relevance_model import OTHER_STAGES


def model_card(
    pools: Sequence[Pool], others: Mapping[str, Sequence[Pool]], embedders: Sequence[str]
) -> dict[str, Any]:
    """What the file of the model says of itself.

    Parameters
    ----------
    pools : sequence of Pool
        What the model is fitted on.
    others : mapping to sequences of Pool
        What its `OTHER_STAGES` are fitted on, by their names.
    """
    return {
        "about": "How likely a question needs each of its candidates; written by: python -m benchmarks fit-relevance",
        "source": "Spider, training questions over databases that have some (CC BY-SA 4.0), none of development; "
        "a quarter of Spider 2.0-lite's warehouses (MIT); for broad tables, wide schemas and questions in words of "
        "their own databases of this project's own",
        "use": "log-odds beside the coarse relevance of candidates; calibrated on the mixture of pools below",
        "limits": "questions in English; schemas of another kind than Spider's can be served worse: docs/relevance.md",
        "recipe": {
            "model": "two stages of logistic regression, weights of the features' signs",
            "penalty": PENALTY,
            "folds": FOLDS,
            "digits": DIGITS,
            "embedders": list(embedders),
            "seed": "none: no step is random",
        },
        "fitted_on": fitted_on(pools),
        **{kind: fitted_on(others[kind]) for kind in OTHER_STAGES},
    }


def fitted_on(pools: Sequence[Pool]) -> dict[str, Any]:
    """How much of what a model learns from."""
    taught = teaching(pools)
    return {
        "databases": len({pool.database for pool in taught}),
        "candidates": sum(len(pool.y) for pool in taught),
        "needed": int(sum(pool.y.sum() for pool in taught)),
        "pools": dict(Counter(pool.setting for pool in taught)),
    }
