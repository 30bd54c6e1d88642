"""Tables that can be stacked (UNION): the same columns, over domains that overlap.

Nargesian, Zhu, Pu and Miller (2018), Table union search on open data, call tables unionable whose columns can be
aligned one to one, and score an alignment by its pairs of columns. Here a pair of columns scores the similarity of its
names, down to half of it where the domains differ, and two tables score the sum over their best alignment.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from joinability.errors import JoinabilityError
from joinability.families import KINDS, kinds
from joinability.graph.edge import edge_of
from joinability.names import name_words, trigrams, without_s
from joinability.scores.score import check_least
from joinability.sparse.products import common_counts, sparse_common_counts
from joinability.sparse.sparse_entries import common_entries, entries_at
from joinability.sparse.sparse_rows import SparseRows, incidence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from joinability.arrays import AnyArray, Array, Indices
    from joinability.evidence.evidence import JoinEvidence
    from joinability.graph.edge import JoinEdge

MIN_SCORE = 0.6
"""Least score of listed tables; tables that share only an id and a name score less."""
CHUNK_TABLES = 256
"""Tables that are compared with all others at a time."""
FEWEST = 2
"""Least number of columns that two tables have in common."""
SHARE = 0.5
"""Tables are compared when this share of the columns of the wider one is in both."""
FAINT = 0.3
"""Similarity of names below which columns are not aligned."""
UNKNOWN_KIND = KINDS.index("other")
"""Kind of the columns of which neither the values nor the type tell it."""
UNKNOWN = 0.5
"""Overlap of two domains where the values of one are not known."""
SAME_FORM = 0.5
"""Greatest overlap of domains without a common value: one range within the other, or texts of equal length."""


@dataclass(frozen=True)
class Alignment:
    """Columns of two tables, one to one.

    Attributes
    ----------
    left, right : (m,) arrays of int
        Columns, in the order of the left table.
    names, domains : (m,) arrays of float
        Similarity of the names and overlap of the domains of each pair.
    score : float
        Sum of names * (1 + domains) / 2 over the pairs, by the number of columns of the wider table.
    """

    left: Indices
    right: Indices
    names: Array
    domains: Array
    score: float


def unions(
    evidence: JoinEvidence, min_score: float = MIN_SCORE, *, families: Iterable[Sequence[str]] = ()
) -> list[JoinEdge]:
    """Pairs of tables whose rows can be stacked, as edges of the kind "union", best first.

    Two tables are compared when at least two columns, and half of those of the wider one, have equal names in both, or
    have alike names and half of their values in common. Names of tables are compared `CHUNK_TABLES` at a time, so that
    memory is bounded; the alignment of c with d columns takes O(c d min(c, d)).

    Parameters
    ----------
    evidence : JoinEvidence
    min_score : float
        Between 0 and 1; tables with the same names over the same values score 1.
    families : lists of names of tables
        Tables that are known to be alike, such as one for each day: all but the first of each list are compared with
        that one alone.

    Raises
    ------
    ScoreRangeError
        When `min_score` is not between 0 and 1.
    JoinabilityError
        When scipy is not installed and there are tables to compare.
    """
    check_least(min_score)
    columns = _columns_by_table(evidence)
    comparison = Comparison(evidence)
    edges = []
    first = _first_ones(evidence, families)
    for left, right in _candidates(evidence, np.array(list(map(len, columns)), dtype=np.int64), first):
        aligned = comparison.align(columns[left], columns[right])
        if aligned.score >= min_score and len(aligned.left) >= FEWEST:
            edges.append(_edge(evidence, aligned, len(columns[left]), len(columns[right])))
    return sorted(edges, key=lambda edge: (-edge.score, edge.left_table, edge.right_table))


class Comparison:
    """Compares columns by name and by domain.

    Parameters
    ----------
    evidence : JoinEvidence
    """

    def __init__(self, evidence: JoinEvidence) -> None:
        self.evidence = evidence
        self._trigrams = incidence([trigrams(plain_name(name)) for name in evidence.name])
        self._sizes = np.diff(self._trigrams.indptr).astype(np.float64)
        self._kind = kinds(evidence.family, evidence.numeric_share, evidence.time_share, evidence.values > 0)

    def align(self, left: Indices, right: Indices) -> Alignment:
        """The best alignment of the columns of two tables (maximum weight matching, Kuhn 1955, Munkres 1957)."""
        linear_sum_assignment = _solver()
        names = self.names(left[:, None], right, common_counts(self._trigrams[left], self._trigrams[right]))
        pairs = (side.ravel() for side in np.meshgrid(left, right, indexing="ij"))
        common = entries_at(self.evidence.intersections, *pairs).reshape(len(left), len(right))
        domains = self.domains(left[:, None], right, common)
        worth = names * (1 + domains) / 2
        k, l = linear_sum_assignment(worth, maximize=True)  # noqa: E741
        kept = worth[k, l] > 0
        k, l = k[kept], l[kept]  # noqa: E741
        score = float(worth[k, l].sum() / max(1, *worth.shape))
        return Alignment(left[k], right[l], names[k, l], domains[k, l], score)

    def names_of_pairs(self, left: Indices, right: Indices) -> Array:
        """Similarity of the names of p pairs of columns."""
        return self.names(left, right, common_entries(self._trigrams, left, self._trigrams, right))

    def names(self, left: Indices, right: Indices, common: AnyArray) -> Array:
        """Cosine of the trigrams of names with `common` trigrams, 0 below `FAINT` and between kinds of values.

        A column of an unknown kind, such as one without values whose type is not declared, fits any.
        """
        cosine = common / np.sqrt(self._sizes[left] * self._sizes[right])
        one, other = self._kind[left], self._kind[right]
        fits = (one == other) | (one == UNKNOWN_KIND) | (other == UNKNOWN_KIND)
        return np.where(fits & (cosine >= FAINT), np.minimum(cosine, 1), 0.0)

    def domains(self, left: Indices, right: Indices, common: AnyArray) -> Array:
        """Overlap of the domains of columns with `common` values, between 0 and 1.

        The containment |A n B| / min(|A|, |B|), but at least half of how alike the domains are otherwise: of numbers
        the share of the narrower range that is in the other, of texts the ratio of their mean lengths. One half where
        the values of a side are not known.
        """
        evidence = self.evidence
        fewer = np.minimum(evidence.values[left], evidence.values[right])
        contained = np.minimum(common / np.maximum(fewer, 1), 1)
        alike = np.where(
            np.isnan(evidence.lowest[left]) | np.isnan(evidence.lowest[right]),
            _ratio(evidence.mean_length[left], evidence.mean_length[right]),
            _common_range(evidence, left, right),
        )
        return np.where(fewer > 0, np.maximum(contained, SAME_FORM * alike), UNKNOWN)


def _solver() -> Callable[..., tuple[Indices, Indices]]:
    try:
        from scipy.optimize import linear_sum_assignment
    except ModuleNotFoundError as error:
        raise JoinabilityError('to match the columns of tables needs scipy: pip install "jar-rerank[fit]"') from error
    return linear_sum_assignment


def plain_name(name: str) -> str:
    """Words of a name in the singular, without separators.

    Examples
    --------
    >>> plain_name("Orders_No"), plain_name("orderNo"), plain_name("%")
    ('orderno', 'orderno', '%')
    """
    return "".join(map(without_s, name_words(name))) or name


def _ratio(left: Array, right: Array) -> Array:
    return np.minimum(left, right) / np.maximum(np.maximum(left, right), 1e-12)


def _common_range(evidence: JoinEvidence, left: Indices, right: Indices) -> Array:
    """Share of the narrower range of numbers that is in the other; a single number is in a range or not."""
    low = np.maximum(evidence.lowest[left], evidence.lowest[right])
    high = np.minimum(evidence.highest[left], evidence.highest[right])
    widths = [evidence.highest[side] - evidence.lowest[side] for side in (left, right)]
    narrower = np.minimum(*widths)
    inside = np.where(narrower > 0, (high - low) / np.where(narrower > 0, narrower, 1), high >= low)
    return np.asarray(np.clip(np.nan_to_num(inside), 0, 1))


def _columns_by_table(evidence: JoinEvidence) -> list[Indices]:
    order = np.argsort(evidence.table, kind="stable")
    sizes = np.bincount(evidence.table, minlength=len(evidence.table_names))
    return np.split(order, np.cumsum(sizes)[:-1]) if len(sizes) else []


def _first_ones(evidence: JoinEvidence, families: Iterable[Sequence[str]]) -> Indices:
    """The first table of the family of each, which is a table itself where it has none."""
    number = {name: table for table, name in enumerate(evidence.table_names)}
    first = np.arange(len(number))
    for family in families:
        known = [number[name] for name in family if name in number]
        first[known] = known[:1]
    return first


def _candidates(evidence: JoinEvidence, sizes: Indices, first: Indices) -> list[tuple[int, int]]:
    """Pairs left < right of tables that have enough columns in common, by name or by values. A later member of a family
    is paired with the first one alone."""
    tables = len(sizes)
    named = incidence(
        [[plain_name(evidence.name[column]) for column in group] for group in _columns_by_table(evidence)]
    )
    alike, other = _alike_columns(evidence)
    # Each column of the left table counts once, with however many columns of the right one it has values in common.
    column_and_table = np.unique(alike * tables + evidence.table[other])
    sides = evidence.table[column_and_table // max(tables, 1)], column_and_table % max(tables, 1)
    shared = SparseRows.of(*sides, np.ones(len(column_and_table)), tables)
    keys = [np.zeros(0, dtype=np.int64)]
    for start in range(0, tables, CHUNK_TABLES):
        chunk = slice(start, start + CHUNK_TABLES)
        for common in (sparse_common_counts(named[chunk], named), shared[chunk]):
            left, right = common.nonzero()
            left = left + start
            enough = np.maximum(FEWEST, SHARE * np.maximum(sizes[left], sizes[right]))
            are_first = (first[left] == left) & (first[right] == right)
            are_compared = are_first | (first[left] == right) | (first[right] == left)
            kept = (left != right) & (common.data >= enough) & are_compared
            keys.append(np.minimum(left, right)[kept] * tables + np.maximum(left, right)[kept])
    left, right = np.divmod(np.unique(np.concatenate(keys)), max(tables, 1))
    return list(zip(left.tolist(), right.tolist(), strict=True))


def _alike_columns(evidence: JoinEvidence) -> tuple[Indices, Indices]:
    """Pairs of columns with alike names and half of the values of the first in the second, in both orders."""
    left, right = (side.astype(np.int64) for side in evidence.intersections.nonzero())
    common = np.asarray(evidence.intersections.data)
    contained = common >= SHARE * evidence.values[left]
    left, right = left[contained], right[contained]
    alike = Comparison(evidence).names_of_pairs(left, right) > 0 if len(left) else np.zeros(0, dtype=np.bool_)
    return left[alike], right[alike]


def _edge(evidence: JoinEvidence, aligned: Alignment, left: int, right: int) -> JoinEdge:
    about: dict[str, Any] = {
        "columns_left": left,
        "columns_right": right,
        "columns_matched": len(aligned.left),
        "name_similarity": float(aligned.names.mean()),
        "domain_overlap": float(aligned.domains.mean()),
    }
    return edge_of(evidence, aligned.left.tolist(), aligned.right.tolist(), aligned.score, "union", about)
