"""Two columns that refer to one key join each other, whether the table of the key takes part or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from joinability.evidence.blocks import PairBlock
from joinability.evidence.traits import INTEGERS, KEY_UNIQUENESS
from joinability.families import KINDS
from joinability.scores.candidates import distinct_pairs
from joinability.scores.features import ALIKE, MOSTLY, Pairs
from joinability.sparse.sparse_entries import entries_at, entries_of

if TYPE_CHECKING:
    from joinability.arrays import Array, Flags, Indices
    from joinability.evidence.blocks import PairScore
    from joinability.evidence.evidence import JoinEvidence
    from joinability.evidence.profiles import ColumnEvidence

LIKELY = 0.5
"""The least score of a reference, and the least share of the child's values that the key has to hold."""
DAYS = 17_000_101, 21_001_231
"""Whole numbers within these may be days."""
SKIPPED = 2 / 3
"""What a join keeps of its score where it skips the table of the key."""


@dataclass(frozen=True)
class References:
    """Columns that refer to keys: r of them, in the order of the children.

    Attributes
    ----------
    child, key : (r,) arrays of int
    score : (r,) array
        At least `LIKELY`.
    """

    child: Indices
    key: Indices
    score: Array

    @classmethod
    def of(
        cls,
        evidence: JoinEvidence,
        score: PairScore,
        columns: Indices | None = None,
    ) -> References:
        """The likely references to keys: declared ones, and those to a key of the same database that holds the values.

        Parameters
        ----------
        evidence : JoinEvidence
        score : callable
            With the pins and vetoes of the owner applied, where there are any.
        columns : array of int, optional
            The children; by default all columns. What the others refer to costs nothing.
        """
        children = np.arange(len(evidence)) if columns is None else np.asarray(columns, dtype=np.int64)
        may_join = evidence.may_join
        keys = may_join & (evidence.key_uniqueness >= KEY_UNIQUENESS)
        child, key, common = entries_of(evidence.intersections, children[may_join[children]], keys)
        database = evidence.column_database
        kept = database[child] == database[key]
        vague = evidence.estimated[child] | evidence.estimated[key]
        kept &= vague | (common >= LIKELY * evidence.values[child])
        declared = np.stack(evidence.declared.nonzero())
        if columns is not None:
            declared = declared[:, np.isin(declared[0], children)]
        child, key = (np.concatenate([side[kept], more]) for side, more in zip((child, key), declared, strict=True))
        child, key = distinct_pairs([(child, key)], len(evidence))
        block = evidence.pairs(child, key, least=LIKELY)
        scores = np.asarray(score(block, np.zeros(len(child), dtype=np.float32)), dtype=np.float64)
        likely = scores >= LIKELY
        return cls(child[likely], key[likely], scores[likely])

    @classmethod
    def none(cls) -> References:
        """No references."""
        return cls(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0))

    def with_more(self, more: References) -> References:
        """These and the references of other children, in the order of the children and keys."""
        child, key = np.concatenate([self.child, more.child]), np.concatenate([self.key, more.key])
        order = np.lexsort((key, child))
        return References(child[order], key[order], np.concatenate([self.score, more.score])[order])

    def __len__(self) -> int:
        return len(self.child)

    def without(self, gone: Flags) -> References:
        """Those that are not marked."""
        return References(self.child[~gone], self.key[~gone], self.score[~gone])

    def shared(self, evidence: ColumnEvidence, columns: Indices) -> tuple[Indices, Indices, Array]:
        """Scores of the joins that skip the table of a key: s_km = SKIPPED * max_l w_kl w_ml over all keys l.

        "Loans of the clients who have a card" joins loan and card on the account that both refer to; the table of
        accounts adds nothing to it. Columns of which all values are known, and none is in common, join no rows. Nor do
        two that tell different things of one key, where a vessel is registered and where a crane stands, unless the key
        is a random identifier, as of a customer that is billed and one that pays; and what happened on one day has no
        more in common.

        Parameters
        ----------
        evidence : ColumnEvidence
        columns : (c,) array of int

        Returns
        -------
        arrays (p,)
            Places of the two columns, of different tables, and SKIPPED w_kl w_ml for each key; each pair in both
            orders. All other pairs have 0.
        """
        place = np.full(max(columns.max(initial=-1), self.child.max(initial=-1)) + 1, -1)
        place[columns] = np.arange(len(columns))
        inside = np.flatnonzero(place[self.child] >= 0)
        inside = inside[~_are_days(evidence, self.key[inside])]
        _, number, times = np.unique(self.key[inside], return_inverse=True, return_counts=True)
        inside = inside[times[number] > 1]
        child, key, score = place[self.child[inside]], self.key[inside], self.score[inside]
        one, two = np.nonzero(key[:, None] == key[None, :])
        left, right = columns[child[one]], columns[child[two]]
        meet = evidence.incomplete[left] | evidence.incomplete[right]
        meet[~meet] = entries_at(evidence.intersections, left[~meet], right[~meet]) > 0
        meet &= evidence.table[left] != evidence.table[right]
        told = _tells_key(evidence, columns[child], self.key[inside])
        kept = np.flatnonzero(meet & (told[one] & told[two] | _alike(evidence, left, right)))
        one, two = one[kept], two[kept]
        return child[one], child[two], SKIPPED * (score[one] * score[two])


def _are_days(evidence: ColumnEvidence, columns: Indices) -> Flags:
    """Which columns hold dates, or whole numbers that read as such: 20240131."""
    lowest = evidence.lowest[columns]
    with np.errstate(invalid="ignore"):  # columns without numbers have no range
        written = (evidence.integer_share[columns] > INTEGERS) & (lowest >= DAYS[0]) & (lowest <= DAYS[1])
    return np.asarray((evidence.traits.kind[columns] == KINDS.index("time")) | written)


def _tells_key(evidence: ColumnEvidence, child: Indices, key: Indices) -> Flags:
    """Whether the name of a child says which key it refers to, or its values are random identifiers."""
    pairs = Pairs(PairBlock(evidence, child, key))
    return np.asarray(pairs.agree | (pairs.named_after >= 1) | (pairs.in_random_key > MOSTLY))


def _alike(evidence: ColumnEvidence, left: Indices, right: Indices) -> Flags:
    return np.asarray(PairBlock(evidence, left, right).header_similarity > ALIKE)
