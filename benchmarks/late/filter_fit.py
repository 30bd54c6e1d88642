"""The fit of the schema filter: the relevance model on some training databases, the rest on those held out."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

import jar
from benchmarks.data.dataset_form import fold_of
from benchmarks.joins.logistic import fit_logistic
from benchmarks.late.filter_draws import Draw, kept_by, least_needed
from benchmarks.late.map_fit import HELD_OUT
from benchmarks.learning.model_fit import fit_model
from benchmarks.learning.pools import Pool
from formulations import Instance
from jar.late.filter_model import FILTER, Calibration, FilterModel
from jar.learned.evidence import evidence
from jar.learned.relevance_model import Stage

Array = npt.NDArray[np.float64]
PATH = Path(jar.__file__).parent / "late" / FILTER
PENALTY = 1.0
RECALL = 0.98
"""At which ways to score tables are compared."""

WAYS: dict[str, tuple[int, ...]] = {
    "log-odds, late tables and columns": (0, 1, 2),
    "log-odds and late tables": (0, 1),
    "log-odds": (0,),
    "late tables and columns": (1, 2),
    "late tables": (1,),
}
"""Terms of a table's score, by their places among `TABLE_FEATURES`; the first is that of the package."""


def fit_filter(draws: Sequence[Draw], report: Callable[[str], None]) -> FilterModel:
    """The filter of training questions.

    The relevance model is fitted on the databases on which the maps of late interaction are; the weights beside it on
    the others, in two halves of databases, each judged by the weights of the other half for the thresholds, and at
    last on both.
    """
    taught = [one for one in draws if fold_of(one.question.database) != HELD_OUT]
    held = [one for one in draws if fold_of(one.question.database) == HELD_OUT]
    within = fit_model([_pool(one) for one in taught])
    log_odds = [within.log_odds(one.seen.seen) for one in held]
    tables = [one.seen.of_tables(odds) for one, odds in zip(held, log_odds, strict=True)]
    wanted = [one.tables for one in held]
    figures: dict[str, dict[str, float]] = {}
    for way, places in WAYS.items():
        scores = _crossed(held, [x[:, places] for x in tables], wanted)
        kept = kept_by(scores, wanted, Calibration(least_needed(scores, wanted)).threshold(RECALL))
        figures[way] = {"complete": round(kept.complete, 1), "gone": round(kept.gone, 1)}
        report(f"{way}: {figures[way]}")
    table, odds = _fit(tables, wanted), _crossed(held, tables, wanted, relative=False)
    columns = [one.seen.of_columns(told_odds) for one, told_odds in zip(held, odds, strict=True)]
    wanted_columns = [one.columns for one in held]
    column_scores = _crossed(held, columns, wanted_columns)
    card = {
        "about": "Log-odds of tables and columns within a database; written by: python -m benchmarks fit-filter",
        "source": "Spider, training questions over databases that have some (CC BY-SA 4.0), none of development",
        "use": "jar.late.SchemaFilter; thresholds are those of questions that the weights never saw",
        "limits": "questions in English; databases of a few tables: recall elsewhere in docs/late-interaction.md",
        "fitted_on": {"databases": len({one.question.database for one in taught}), "questions": len(taught)},
        "calibrated_on": {"databases": len({one.question.database for one in held}), "questions": len(held)},
        f"tables gone (%) at a recall of {RECALL} on the latter": figures,
        "seed": "none: no step is random",
    }
    return FilterModel(
        within,
        table,
        _fit(columns, wanted_columns),
        Calibration(least_needed(_below(odds), wanted)),
        Calibration(least_needed(column_scores, wanted_columns)),
        card,
    )


def _pool(one: Draw) -> Pool:
    seen = one.seen.seen
    slim = replace(seen, columns=np.zeros_like(seen.columns), asked=seen.asked[:0], fine=seen.fine[:, :0])
    nothing = Instance(relevance=seen.coarse, coverage=np.zeros((0, seen.n)), compatibility=seen.joins, size=1)
    database = one.question.database
    return Pool("within", database, fold_of(database), evidence(seen), one.tables, int(one.tables.sum()), slim, nothing)


def _fit(features: Sequence[Array], needed: Sequence[npt.NDArray[np.bool_]]) -> Stage:
    x, y = np.vstack(list(features)), np.concatenate(list(needed)).astype(np.float64)
    intercept, weights = fit_logistic(x, y, PENALTY, signs=np.ones(x.shape[1], dtype=np.int64))
    return Stage(round(intercept, 4), np.round(weights, 4) + 0.0)


def _crossed(
    draws: Sequence[Draw],
    features: Sequence[Array],
    needed: Sequence[npt.NDArray[np.bool_]],
    relative: bool = True,
) -> list[Array]:
    """Log-odds by the weights of the other half of the databases; less the best of each question where relative."""
    half = [hashlib.md5(one.question.database.encode(), usedforsecurity=False).digest()[1] % 2 for one in draws]
    stages = {
        side: _fit(
            [x for x, part in zip(features, half, strict=True) if part != side],
            [y for y, part in zip(needed, half, strict=True) if part != side],
        )
        for side in (0, 1)
    }
    odds = [stages[side].log_odds(x) for x, side in zip(features, half, strict=True)]
    return _below(odds) if relative else odds


def _below(odds: Sequence[Array]) -> list[Array]:
    return [row - row.max(initial=-np.inf) if len(row) else row for row in odds]
