"""Inclusion of one column's values in another's, and the best inclusion of a column in any telling key."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from joinability.attributes import WeakCache
from joinability.evidence.blocks import PairBlock
from joinability.evidence.traits import KEY_UNIQUENESS
from joinability.sparse.sparse_entries import extents
from joinability.sparse.sparse_rows import ranges

if TYPE_CHECKING:
    from joinability.arrays import Array, Indices, Vectors
    from joinability.evidence.blocks import EvidenceBlock, Vetoes
    from joinability.evidence.profiles import ColumnEvidence

SAMPLE_INCLUSION = 0.3
"""Inclusion that is assumed, with the weight of one value, where the values are samples or unknown."""
CHUNK_ENTRIES = 500_000
"""Pairs looked at in one go."""


def inclusion(block: EvidenceBlock) -> Vectors:
    """Share of the left column's values, or of its rows, that the right column has, whichever is greater, for the pairs
    of a block: |A n B| / |A| of their sets of values A and B, or the rows of the left column with a value in B.

    Orphans of a reference are mostly few rows, but may be many values. Rows count where they were counted (see
    `ColumnEvidence.row_overlaps`).

    Where values are samples, x common values of `expected_left`, after one more expected value with the inclusion
    `SAMPLE_INCLUSION`.
    """
    guess = np.minimum((block.intersection + SAMPLE_INCLUSION) / (block.expected_left + 1), 1)
    known = np.maximum(block.containment_left, block.row_share_left)
    return np.where(block.estimated | block.unknown, guess, known)


def namesake_inclusion(block: EvidenceBlock) -> Vectors:
    """Inclusion of the left columns of a block in another column of the right one's table that has their name.

    -1 where there is none, where it is vetoed, and where the right column itself has that name.
    """
    evidence, child = block.evidence, block.left
    tables = evidence.table[block.right]
    is_matrix = child.ndim > 1  # then each table is looked up once
    if is_matrix:
        tables, place = np.unique(tables[0], return_inverse=True)
    column = evidence.forms.namesakes(child, tables)
    where = np.nonzero(column >= 0)
    pairs = PairBlock(evidence, np.broadcast_to(child, column.shape)[where], column[where], block.vetoes)
    included = inclusion(pairs)
    share = np.full(column.shape, -1, dtype=np.float32)
    share[where] = included if block.vetoes is None else np.where(block.vetoes.are_vetoed(pairs), -1, included)
    number = evidence.forms.bare_headers.number
    return np.where(number[child] == number[block.right], np.float32(-1), share[:, place] if is_matrix else share)


def best_telling(
    evidence: ColumnEvidence, columns: Indices, vetoes: Vetoes | None = None, *, in_larger: bool = False
) -> Array:
    """The greatest inclusion of each of c columns in a telling key of its database.

    That is a column of another table with values in common, a uniqueness of `KEY_UNIQUENESS` or more, and values that
    do not count 1, 2, 3, ...; 0 where there is none. It depends on the overlaps of the given columns alone.

    Parameters
    ----------
    evidence : ColumnEvidence
    columns : (c,) array of int
    vetoes : Vetoes, optional
        A vetoed pair does not count.
    in_larger : bool
        Only keys with more values count: of two columns with the same values neither is a part of the other.
    """
    counted = evidence.traits.counted
    starts, lengths = extents(evidence.intersections, columns)
    best = np.zeros(len(columns))
    for part in _parts(lengths):
        place = np.repeat(np.arange(part.start, part.stop), lengths[part])
        entries = ranges(starts[part], lengths[part])
        child, parent = columns[place], evidence.intersections.indices[entries].astype(np.int64)
        telling = (evidence.uniqueness[parent] >= KEY_UNIQUENESS) & ~counted[parent]
        kept = np.flatnonzero(telling & evidence.at_home(child, parent))
        common = evidence.intersections.data[entries[kept]].astype(np.float32)
        block = PairBlock(evidence, child[kept], parent[kept], known={"intersection": common})
        allowed = np.ones(len(kept), dtype=np.bool_) if vetoes is None else ~vetoes.are_vetoed(block)
        if in_larger:
            allowed &= evidence.distinct[block.right] > evidence.distinct[block.left]
        np.maximum.at(best, place[kept], np.where(allowed, inclusion(block), 0))
    return best


def _parts(lengths: Indices) -> list[slice]:
    """Slices of rows with about `CHUNK_ENTRIES` entries each."""
    number = np.cumsum(lengths) // CHUNK_ENTRIES
    starts = np.flatnonzero(np.diff(number, prepend=-1)).tolist()
    ends = [*starts[1:], len(lengths)] if starts else []
    return [slice(start, end) for start, end in zip(starts, ends, strict=True)]


_BEST: tuple[WeakCache[Array], WeakCache[Array]] = WeakCache(), WeakCache()
"""Best inclusions (C,) by evidence and vetoes, NaN for columns not asked for; and those in larger keys."""


def best_telling_of(
    evidence: ColumnEvidence, columns: Indices, vetoes: Vetoes | None = None, *, in_larger: bool = False
) -> Array:
    """`best_telling` of columns of any shape, each computed when it is first asked for."""
    known = _BEST[in_larger].of(evidence, vetoes, lambda: np.full(len(evidence), np.nan))
    missing = np.unique(columns[np.isnan(known[columns])])
    if len(missing):
        known[missing] = best_telling(evidence, missing, vetoes, in_larger=in_larger)
    return np.asarray(known[columns])
