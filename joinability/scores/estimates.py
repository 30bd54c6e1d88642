"""Log-odds of very many pairs up to rounding, to choose the pairs that are worth an exact look.

Where thousands of columns share their values, nearly each pair of some columns with some others is a candidate. What
is known of these pairs is then a matrix, of which names and columns are looked up once for each row and column, where a
list looks them up for each pair. Sums are rounded otherwise, so that no score is taken from here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from joinability.evidence.grids import GridBlock
from joinability.scores.bounds import SLACK
from joinability.scores.features import FEATURES, Pairs
from joinability.scores.implied import MOST
from joinability.scores.odds import states, supported
from joinability.scores.weights import load_weights

if TYPE_CHECKING:
    from joinability.arrays import Indices, Vectors
    from joinability.evidence.blocks import PairBlock

MANY = 20_000
"""Pairs that are worth a matrix."""
DENSE = 0.25
"""The least share of the matrix that they fill."""
CELLS = 1 << 17
"""Cells of a matrix that are looked at in one go, few enough to stay near the processor."""


def estimated_odds(block: PairBlock, *, both: bool = False) -> Vectors | None:
    """Log-odds that the left column of each of p pairs refers to the right one, by the evidence on the pair alone.

    Parameters
    ----------
    block : PairBlock
    both : bool
        Those of the likelier direction of each pair.

    Returns
    -------
    array (p,) or None
        Within `SLACK` of `log_odds`, and -inf where there is no evidence on a pair; None where the pairs are too few,
        or too scattered, for a matrix.
    """
    if len(block.left) < MANY:
        return None
    (lefts, left), (rights, right) = (_numbered(side, len(block.evidence)) for side in (block.left, block.right))
    if len(block.left) < DENSE * len(lefts) * len(rights):
        return None
    forth = len(lefts) <= len(rights)  # rows are looked up in the sparse matrices: the shorter list
    rows, columns = (lefts, rights) if forth else (rights, lefts)
    odds = np.empty((len(rows), len(columns)), dtype=np.float32)
    height = max(1, CELLS // len(columns))
    for start in range(0, len(rows), height):
        part = slice(start, start + height)
        grid = GridBlock(block.evidence, rows[part], columns, block.vetoes, block.least)
        odds[part] = -np.inf
        if forth or both:
            odds[part] = _log_odds(grid)
        if both or not forth:
            odds[part] = np.maximum(odds[part], _log_odds(grid.reversed()).T)
    return np.asarray(odds[left, right] if forth else odds[right, left])


def likely_pairs(block: PairBlock, least: float) -> Indices | None:
    """The pairs of a list, ordered by children, among which are all that rivals and chains need of each child, of those
    with log-odds of `least` or more.

    Chains take from the `MOST` likeliest parents whose values are known, and the strongest two of the others, or of
    these, are rivals. None where the list is too short to choose from.
    """
    odds = estimated_odds(block)
    if odds is None:
        return None
    evidence, vetoes = block.evidence, block.vetoes
    if vetoes is not None:
        odds = np.where(vetoes.are_vetoed(block), -np.inf, odds)
    known = ~evidence.incomplete
    usable = odds if known[block.right].all() else np.where(known[block.right], odds, -np.inf)
    kept = odds >= least - SLACK
    starts = np.flatnonzero(np.diff(block.left, prepend=-1))
    for start, end in zip(starts.tolist(), [*starts[1:].tolist(), len(odds)], strict=True):
        if end - start > MOST + 2:
            of_child = slice(start, end)
            likely = odds[of_child] >= _least_of(odds[of_child], MOST + 2)
            if usable is not odds:
                likely |= usable[of_child] >= _least_of(usable[of_child], MOST)
            kept[of_child] &= likely
    return np.flatnonzero(kept)


def _least_of(odds: Vectors, count: int) -> float:
    """What the estimate of one of the greatest `count` odds is at least."""
    return float(np.partition(odds, -count)[-count]) - 2 * SLACK


def _log_odds(grid: GridBlock) -> Vectors:
    """Log-odds of all pairs of a matrix, -inf where there is no evidence."""
    weights, pairs = load_weights(), Pairs(grid)
    state = states(grid)
    known = state.flat[0] if np.all(state == state.flat[0]) else state
    odds = np.zeros(grid.shape, dtype=np.float32) + weights.intercepts.astype(np.float32)[known]
    for coefficients, feature in zip(weights.coefficients.astype(np.float32).T, FEATURES.values(), strict=True):
        odds += coefficients[known] * feature.of(pairs)
    odds[~np.broadcast_to(supported(grid), grid.shape)] = -np.inf
    return odds


def _numbered(columns: Indices, count: int) -> tuple[Indices, Indices]:
    """Some of `count` columns, each once and ascending, and the place of each given one among them."""
    here = np.zeros(count, dtype=np.bool_)
    here[columns] = True
    return np.flatnonzero(here), (np.cumsum(here) - 1)[columns]
