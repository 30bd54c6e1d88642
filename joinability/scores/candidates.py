"""Which pairs of columns are scored: those of different tables that there is any evidence on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from joinability.scores.odds import NAMED_AFTER, SIMILAR_NAMES

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from joinability.arrays import Indices
    from joinability.evidence.profiles import ColumnEvidence
    from joinability.scores.verdicts import Verdicts

    AnyPairs = tuple[NDArray[np.integer[Any]], NDArray[np.integer[Any]]]

CHUNK_PAIRS = 200_000
"""Pairs scored at a time."""
CHUNK_COLUMNS = 512
"""Columns whose values are not all known that are compared by name at a time."""


def chunks(pairs: int) -> Iterator[slice]:
    """Parts of a list of pairs that fit into memory with all that is known of them."""
    return (slice(start, start + CHUNK_PAIRS) for start in range(0, pairs, CHUNK_PAIRS))


def candidate_pairs(evidence: ColumnEvidence, verdicts: Verdicts | None = None) -> tuple[Indices, Indices]:
    """Pairs left < right of columns of different tables that there is any evidence on, sorted, each once.

    Evidence are common values, a declared key, a pin, or, of columns whose values are not all known, similar names.
    """
    sources: list[AnyPairs] = [evidence.intersections.nonzero(), evidence.declared.nonzero(), *_similar_names(evidence)]
    if verdicts is not None:
        sources.append((verdicts.pinned[:, 0], verdicts.pinned[:, 1]))
    size = len(evidence)
    keys = [np.minimum(a, b).astype(np.int64) * size + np.maximum(a, b) for a, b in sources]
    pairs = np.sort(np.concatenate(keys))  # several times as fast as np.unique
    pairs = pairs[np.diff(pairs, prepend=-1) != 0]
    left, right = np.divmod(pairs, max(size, 1))
    different = evidence.table[left] != evidence.table[right]
    return left[different], right[different]


def _similar_names(evidence: ColumnEvidence) -> Iterator[AnyPairs]:
    """Pairs with a column whose values are not all known, and names that are alike, end alike, or of which one is named
    after the table that the other one leads."""
    vague = evidence.estimated | evidence.traits.silent
    vague_columns = np.flatnonzero(vague)
    if not len(vague_columns):
        return
    forms = [(_membership(number, ends.shape[0]), ends + ends.T) for number, ends in evidence.ending_forms]
    for start in range(0, len(vague_columns), CHUNK_COLUMNS):
        rows = vague_columns[start : start + CHUNK_COLUMNS]
        for headers in evidence.header_forms:
            sizes = np.sqrt(np.diff(headers.indptr))
            common = (headers[rows] @ headers.T).tocoo()
            alike = common.data >= SIMILAR_NAMES * sizes[rows[common.row]] * sizes[common.col]
            yield rows[common.row[alike]], common.col[alike]
        for named, ends in forms:
            ending = (named[rows] @ ends @ named.T).tocoo()
            yield rows[ending.row], ending.col
    leaders = np.flatnonzero(evidence.traits.leads)
    titles = evidence.table_words[evidence.table[leaders]]
    after = (evidence.words @ titles.T).tocoo()
    child, parent = after.row, leaders[after.col]
    kept = (after.data >= NAMED_AFTER * np.diff(titles.indptr)[after.col]) & (vague[child] | vague[parent])
    yield child[kept], parent[kept]


def _membership(group: Indices, groups: int) -> csr_array:
    """Binary matrix (n, groups) of members and their groups."""
    from scipy.sparse import csr_array

    size = len(group)
    return csr_array((np.ones(size, dtype=np.float32), group, np.arange(size + 1)), shape=(size, groups))
