"""`KnownScores`: default scores of columns that were computed when their tables were indexed, to be looked up."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from joinability.evidence.blocks import PairBlock
from joinability.scores.candidates import candidate_pairs, candidates_among, chunks
from joinability.scores.score import default_score
from joinability.sparse.sparse_entries import entries_at, entries_of
from joinability.sparse.sparse_rows import SparseRows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from joinability.arrays import AnyArray, Flags, Indices, Vectors
    from joinability.evidence.blocks import EvidenceBlock, PairScore
    from joinability.evidence.evidence import JoinEvidence
    from joinability.scores.verdicts import Verdicts

MOST_PAIRS = 1_500_000
"""Pairs that are scored at most, small databases first: a few seconds, and some megabytes of those above 0."""
MOST_COMMON = 4 * MOST_PAIRS
"""Pairs with common values beyond which those of a database, or of all, are not even listed."""
MOST_COLUMNS = 100_000
"""Columns that may join beyond which those of a database, or of all, are not compared by name for this."""


@dataclass(frozen=True, eq=False)
class KnownScores:
    """Default scores, without pins and vetoes, of the pairs of columns of some databases.

    Attributes
    ----------
    scores : SparseRows (C, C) of float32
        Entry (k, l), k < l; none where the score is 0.
    database : (C,) array of int
        Of each column.
    inside : (D,) array of bool
        The databases of which the scores of all pairs are known.
    across : (D,) array of bool
        Databases of which the pairs with each other of them are known.
    """

    scores: SparseRows
    database: Indices
    inside: Flags
    across: Flags

    @classmethod
    def of(cls, evidence: JoinEvidence, most: int = MOST_PAIRS) -> KnownScores:
        """The scores of all databases for which no more than `most` pairs have to be looked at, small ones first; and
        those between databases, where that is not too much either."""
        database = evidence.column_database
        count = int(database.max(initial=-1)) + 1
        inside, across = np.zeros(count, dtype=np.bool_), np.zeros(count, dtype=np.bool_)
        sources = []
        for number, columns in _small_first(evidence, database, count):
            left, right = candidates_among(evidence, columns)
            most -= len(left)
            if most < 0:
                break
            inside[number] = True
            sources.append((left, right))
        else:
            if inside.all() and _may_be_listed(evidence, np.arange(len(evidence))):
                left, right = candidate_pairs(evidence)
                apart = np.flatnonzero(database[left] != database[right])
                if len(apart) <= most:
                    across[:] = True
                    sources.append((left[apart], right[apart]))
        none = np.zeros(0, dtype=np.int64)
        left, right = (np.concatenate([none, *side]) for side in zip((none, none), *sources, strict=True))
        scores = np.zeros(len(left), dtype=np.float32)
        for part in chunks(len(left)):
            block = evidence.pairs(left[part], right[part])
            scores[part] = default_score(block, np.zeros(block.shape, dtype=np.float32))
        some = np.flatnonzero(scores)
        return cls(SparseRows.of(left[some], right[some], scores[some], len(evidence)), database, inside, across)

    def untouched_by(self, evidence: JoinEvidence, verdicts: Verdicts | None) -> KnownScores:
        """Keep only databases without pins or vetoes: a veto changes scores in its own database only."""
        if verdicts is None or not len(verdicts):
            return self
        columns = np.concatenate([verdicts.pinned.ravel(), verdicts.vetoed.ravel()])
        touched = np.zeros_like(self.inside)
        touched[self.database[columns]] = True
        touched[evidence.database[verdicts.vetoed_tables.ravel()]] = True
        return replace(self, inside=self.inside & ~touched, across=self.across & ~touched)

    def cover(self, database: Indices, other: Indices) -> Flags:
        """Of which of p pairs of databases the scores are known."""
        both = self.across[database] & self.across[other]
        return np.asarray(np.where(database == other, self.inside[database], both))

    def least(self, score: float) -> tuple[Indices, Indices]:
        """The pairs of columns left < right that are known to score so much at least."""
        entries = np.flatnonzero(self.scores.data >= score)
        return self.scores.rows[entries], self.scores.indices[entries].astype(np.int64)

    def among(self, columns: Indices) -> tuple[Indices, Indices, Vectors]:
        """The pairs of some columns that are known and score above 0, left < right, and their scores."""
        wanted = np.zeros(len(self.database), dtype=np.bool_)
        wanted[columns] = True
        left, right, score = entries_of(self.scores, columns, wanted)
        if self.inside.all() and self.across.all():
            return left, right, score
        kept = np.flatnonzero(self.cover(self.database[left], self.database[right]))
        return left[kept], right[kept], score[kept]

    def applied(self, score: PairScore) -> PairScore:
        """A score that is equal to the default one, pins and vetoes included, but looks up what is known."""

        def looked_up(block: EvidenceBlock, cosine: AnyArray) -> AnyArray:
            if not isinstance(block, PairBlock):
                return score(block, cosine)
            known = self.cover(self.database[block.left], self.database[block.right])
            least, most = np.minimum(block.left, block.right), np.maximum(block.left, block.right)
            scores = entries_at(self.scores, least, most)
            rest = np.flatnonzero(~known)
            if len(rest):
                scores[rest] = score(block.chosen(rest), cosine[rest])
            return scores

        return looked_up


def _small_first(evidence: JoinEvidence, database: Indices, count: int) -> Iterator[tuple[int, Indices]]:
    """The databases that may be listed, and their columns, those with few first."""
    order = np.argsort(database, kind="stable")
    starts = np.searchsorted(database[order], np.arange(count + 1))
    for number in np.argsort(np.diff(starts), kind="stable").tolist():
        columns = order[starts[number] : starts[number + 1]]
        if _may_be_listed(evidence, columns):
            yield number, columns


def _may_be_listed(evidence: JoinEvidence, columns: Indices) -> bool:
    """Whether the pairs of some columns that there is evidence on are few enough to be listed, as far as counts tell:
    the pairs with common values, and those with one name that may refer by it."""
    columns = columns[evidence.may_join[columns]]
    common = int(np.diff(evidence.intersections.indptr)[columns].sum())
    if len(columns) > MOST_COLUMNS or common > 2 * MOST_COMMON:
        return False
    names = evidence.forms.headers.number
    incomplete = columns[evidence.incomplete[columns]]
    referring = incomplete[evidence.may_refer_by_name[incomplete]]
    having, keys = (np.bincount(names[some], minlength=len(names) + 1) for some in (incomplete, referring))
    return int(having @ keys) <= 2 * MOST_PAIRS
