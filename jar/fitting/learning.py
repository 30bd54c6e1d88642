"""The fit of an adaptation: logistic regression with a Gaussian prior around the log-odds of the relevance model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from jar.arrays import Array, IntArray
from jar.errors import JarError
from jar.learned.adaptation import Adaptation
from jar.learned.logistic import expit

try:
    from scipy.optimize import minimize
    from scipy.sparse import csr_array
except ModuleNotFoundError as error:
    raise JarError('to learn from logged questions needs scipy: pip install "jar-rerank[fit]"') from error

if TYPE_CHECKING:
    from jar.fitting.examples import Example
    from jar.learned.adaptation import Hashes

OFTEN_DEVIATION, WORD_DEVIATION = 2.0, 4.0
"""Standard deviations of b_t and u_wt before anything is logged; docs/fit.md says by what they are chosen."""
STEPS = 200
"""Of the solver at most; what it has then is near enough the minimum."""


def learn(examples: Sequence[Example], ids: Sequence[str], card: Mapping[str, Any]) -> Adaptation:
    """The adaptation that minimises the convex loss

        sum over questions q and candidates t of log(1 + exp(-(2 y_qt - 1) (L_qt + A_qt)))
            + sum_t b_t^2 / (2 s_b^2) + sum_wt u_wt^2 / (2 s_u^2)

    with L the log-odds of the relevance model, A as in (1) of `jar.learned.adaptation`, and s as above (L-BFGS; Liu and
    Nocedal, 1989). A table about which nothing is logged keeps its log-odds, one that is never needed loses some.

    Parameters
    ----------
    examples : sequence of Example
    ids : sequence of str
        Of the tables of the index.
    card : mapping
    """
    needed = np.unique(np.concatenate([example.tables[example.needed] for example in examples]))
    others = np.setdiff1d(np.concatenate([example.tables for example in examples]), needed)
    tables = np.concatenate([needed, others])
    words = np.unique(np.concatenate([example.words for example in examples]))
    often, weights = _minimum(_Pairs(examples, tables, words, len(needed)))
    return Adaptation(
        tuple(ids[table] for table in tables.tolist()),
        often.round(4),
        words,
        weights.astype(np.float16),
        card,
    )


class _Pairs:
    """Questions with their candidates as arrays: p pairs, of Q questions with W words and T tables."""

    def __init__(self, examples: Sequence[Example], tables: IntArray, words: Hashes, needed: int) -> None:
        order = np.argsort(tables)
        candidates = np.concatenate([example.tables for example in examples])
        self.table: IntArray = order[np.searchsorted(tables, candidates, sorter=order)]
        self.question = np.repeat(np.arange(len(examples)), [len(example.tables) for example in examples])
        self.odds = np.concatenate([example.odds for example in examples])
        self.y = np.concatenate([example.needed for example in examples]).astype(np.float64)
        counts = [len(example.words) for example in examples]
        rows = np.repeat(np.arange(len(examples)), counts)
        places = np.searchsorted(words, np.concatenate([example.words for example in examples]))
        values = np.repeat(1 / np.sqrt(np.maximum(counts, 1)), counts)
        self.words = csr_array((values, (rows, places)), shape=(len(examples), len(words)))
        self.T, self.needed = len(tables), needed
        self.known = self.table < needed
        """Pairs whose table some question needs: these have weights of words."""


def _minimum(pairs: _Pairs) -> tuple[Array, Array]:
    """b_t (T,) and u_wt (W, A)."""
    count, shape = pairs.T, (pairs.words.shape[1], pairs.needed)
    question, table = pairs.question[pairs.known], pairs.table[pairs.known]

    def loss(x: Array) -> tuple[float, Array]:
        odds = pairs.odds + OFTEN_DEVIATION * x[:count][pairs.table]
        by_words = np.asarray(WORD_DEVIATION * (pairs.words @ x[count:].reshape(shape)))
        odds[pairs.known] += by_words[question, table]
        slack = expit(odds) - pairs.y
        value = np.logaddexp(0, np.where(pairs.y > 0, -odds, odds)).sum() + x @ x / 2
        of_tables = np.bincount(pairs.table, weights=slack, minlength=count)
        slack_of_tables = csr_array((slack[pairs.known], (question, table)), shape=by_words.shape)
        of_words = (pairs.words.T @ slack_of_tables).toarray()
        slope = np.concatenate([OFTEN_DEVIATION * of_tables, WORD_DEVIATION * of_words.ravel()]) + x
        return float(value), slope

    start = np.zeros(count + shape[0] * shape[1])
    optimum = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": STEPS})
    return OFTEN_DEVIATION * optimum.x[:count], WORD_DEVIATION * optimum.x[count:].reshape(shape)
