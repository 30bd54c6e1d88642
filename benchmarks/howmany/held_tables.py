"""Fits how likely an answer holds the needed tables that are none of the sets (equation 6 of `jar.sizes.set_model`)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from benchmarks.howmany.set_fitting import Lesson, is_beyond
from benchmarks.joins.logistic import fit_logistic
from jar.sizes.candidate_sets import LARGEST
from jar.sizes.distribution import NEVER, held_terms
from jar.sizes.set_model import SetModel

Array = npt.NDArray[np.float64]


def fit_held(lessons: Iterable[Lesson], model: SetModel) -> Array:
    """The weights of equation (6), shape (2,).

    A logistic regression on the lessons whose needed tables are none of the sets, with an example for each answer of
    more than `LARGEST` tables by their shares of recall: whether it has all of them. The answers of a lesson count as
    much together as the lesson. Without any, no answer holds what lies beyond the sets.
    """
    terms, held, weight = [], [], []
    for lesson in lessons:
        pool = lesson.pool
        if not pool.gold or not is_beyond(lesson, model):
            continue
        found = model.distribution(pool.seen, lesson.log_odds)
        assert found is not None
        order = np.argsort(-found.shares(), kind="stable")
        sizes = range(LARGEST + 1, pool.seen.n + 1)
        for size in sizes:
            terms.append(held_terms(found.presence, order[:size].tolist())[1:])
            held.append(int(pool.y[order[:size]].sum()) == pool.gold)
            weight.append(pool.weight / len(sizes))
    if not terms:
        return np.array(NEVER)
    constant, slopes = fit_logistic(np.array(terms), np.array(held, dtype=np.float64), weight=np.array(weight))
    return np.array([constant, *slopes])
