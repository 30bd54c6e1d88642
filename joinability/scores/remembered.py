"""`RememberedScores`: scores of the columns of two tables, kept once they are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from joinability.scores.candidates import chunks

if TYPE_CHECKING:
    from joinability.arrays import Flags, Indices, Vectors
    from joinability.evidence.evidence import JoinEvidence
    from joinability.scores.verdicts import AnyScore

MOST_TABLE_PAIRS = 500_000
"""Pairs of tables that are remembered; with more, everything is forgotten and learnt again."""


class ScoredPairs(NamedTuple):
    """Pairs of columns with a score above 0, left < right."""

    left: Indices
    right: Indices
    score: Vectors


class RememberedScores:
    """Joinability of columns by a score that reads no texts: it is the same for every question.

    Parameters
    ----------
    evidence : JoinEvidence
    score : callable
        As `JoinScore` or `Verdicts.applied` give it.
    columns : (C,) array of bool
        The columns that may have a score above 0; the others are not looked at.
    owner : (C,) array of int, ascending
        The table of each column, from 0 up, by the numbers of the caller: he may know tables without columns.
    """

    def __init__(self, evidence: JoinEvidence, score: AnyScore, columns: Flags, owner: Indices) -> None:
        self._evidence, self._score = evidence, score
        self._columns = np.flatnonzero(columns)
        self._tables = int(owner.max(initial=-1)) + 1
        self._starts = np.searchsorted(owner[self._columns], np.arange(self._tables + 1))
        self._known: dict[int, ScoredPairs | None] = {}

    def among(self, tables: Indices) -> ScoredPairs:
        """The pairs of columns of t different tables, those inside a table among them."""
        tables = np.sort(tables)
        first, second = np.triu_indices(len(tables))
        keys = (tables[first] * self._tables + tables[second]).tolist()
        if len(self._known) > MOST_TABLE_PAIRS:
            self._known = {}  # another thread keeps the one that it reads
        known = self._known
        missing = [place for place, key in enumerate(keys) if key not in known]
        if missing:
            learnt = self._learnt(tables[first[missing]], tables[second[missing]])
            known.update(zip((keys[place] for place in missing), learnt, strict=True))
        found = [pairs for key in keys if (pairs := known[key]) is not None]
        if not found:
            nothing = np.zeros(0, dtype=np.int64)
            return ScoredPairs(nothing, nothing, nothing.astype(np.float32))
        left, right, score = (np.concatenate(part) for part in zip(*found, strict=True))
        return ScoredPairs(left, right, score)

    def _learnt(self, first: Indices, second: Indices) -> list[ScoredPairs | None]:
        """The scores of p pairs of tables; None where no columns join."""
        sides = [self._columns[self._starts[table] : self._starts[table + 1]] for table in (*first, *second)]
        lefts, rights = sides[: len(first)], sides[len(first) :]
        left = np.concatenate([np.repeat(one, len(other)) for one, other in zip(lefts, rights, strict=True)])
        right = np.concatenate([np.tile(other, len(one)) for one, other in zip(lefts, rights, strict=True)])
        pair = np.repeat(np.arange(len(first)), [len(a) * len(b) for a, b in zip(lefts, rights, strict=True)])
        once = left < right  # of a table and itself there is each pair twice
        left, right, pair = left[once], right[once], pair[once]
        score = np.zeros(len(left), dtype=np.float32)
        for part in chunks(len(left)):
            block = self._evidence.pairs(left[part], right[part])
            score[part] = self._score(block, np.zeros(block.shape, dtype=np.float32))
        joined = np.flatnonzero(score > 0)
        parts = np.split(joined, np.searchsorted(pair[joined], np.arange(1, len(first))))
        return [ScoredPairs(left[at], right[at], score[at]) if len(at) else None for at in parts]
