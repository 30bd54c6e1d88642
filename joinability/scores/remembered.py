"""`RememberedScores`: scores of the columns of two tables, kept once they are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from joinability.scores.candidates import candidates_among, chunks

if TYPE_CHECKING:
    from joinability.arrays import Flags, Indices, Vectors
    from joinability.evidence.blocks import PairScore
    from joinability.evidence.evidence import JoinEvidence
    from joinability.scores.known_scores import KnownScores
    from joinability.scores.verdicts import Verdicts

MOST_TABLE_PAIRS = 500_000
"""Pairs of tables that are remembered; with more, everything is forgotten and learnt again."""

LEAST_CONNECTING = 0.05
"""Score below which a join connects nothing: of such pairs one or two in a hundred are references."""


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
        As `JoinScore` gives it.
    verdicts : Verdicts, optional
        Pins and vetoes, which are applied to the score.
    columns : (C,) array of bool
        The columns that may have a score above 0; the others are not looked at.
    owner : (C,) array of int, ascending
        The table of each column, from 0 up, by the numbers of the caller: he may know tables without columns.
    stored : KnownScores, optional
        Scores with these verdicts that are looked up.
    """

    def __init__(
        self,
        evidence: JoinEvidence,
        score: PairScore,
        verdicts: Verdicts | None,
        columns: Flags,
        owner: Indices,
        stored: KnownScores | None = None,
    ) -> None:
        self._evidence, self._verdicts, self._owner, self._stored = evidence, verdicts, owner, stored
        self._score = score if verdicts is None else verdicts.applied(score)
        self._columns = np.flatnonzero(columns)
        self._tables = int(owner.max(initial=-1)) + 1
        self._starts = np.searchsorted(owner[self._columns], np.arange(self._tables + 1))
        self._database = np.zeros(self._tables, dtype=np.int64)
        self._database[owner] = evidence.column_database
        self._known: dict[int, ScoredPairs | None] = {}

    def among(self, tables: Indices) -> ScoredPairs:
        """The pairs of columns of t different tables, those inside a table among them."""
        tables = np.sort(tables)
        first, second = np.triu_indices(len(tables))
        parts = []
        if self._stored is not None:
            unknown = ~self._stored.cover(self._database[tables[first]], self._database[tables[second]])
            parts.append(ScoredPairs(*self._stored.among(self._columns_of(tables))))
            if not unknown.any():
                return parts[0]
            first, second = first[unknown], second[unknown]
        keys = (tables[first] * self._tables + tables[second]).tolist()
        if len(self._known) > MOST_TABLE_PAIRS:
            self._known = {}  # another thread keeps the one that it reads
        known = self._known
        missing = [place for place, key in enumerate(keys) if key not in known]
        if missing:
            learnt = self._learnt(tables[first[missing]], tables[second[missing]])
            known.update(zip((keys[place] for place in missing), learnt, strict=True))
        parts += [pairs for key in keys if (pairs := known[key]) is not None]
        if not parts:
            nothing = np.zeros(0, dtype=np.int64)
            return ScoredPairs(nothing, nothing, nothing.astype(np.float32))
        left, right, score = (np.concatenate(quantity) for quantity in zip(*parts, strict=True))
        return ScoredPairs(left, right, score)

    def connecting(self, tables: Indices) -> ScoredPairs:
        """The pairs among some tables that score `LEAST_CONNECTING` or more."""
        left, right, score = self.among(tables)
        enough = score >= LEAST_CONNECTING
        return ScoredPairs(left[enough], right[enough], score[enough])

    def _learnt(self, first: Indices, second: Indices) -> list[ScoredPairs | None]:
        """The scores of p pairs of tables (first <= second); None where no columns join."""
        tables = np.unique([first, second])
        left, right = candidates_among(self._evidence, self._columns_of(tables), self._verdicts)
        place = np.full((len(tables), len(tables)), -1, dtype=np.int64)
        place[np.searchsorted(tables, first), np.searchsorted(tables, second)] = np.arange(len(first))
        pair = place[np.searchsorted(tables, self._owner[left]), np.searchsorted(tables, self._owner[right])]
        order = np.argsort(pair, kind="stable")
        order = order[pair[order] >= 0]
        left, right, pair = left[order], right[order], pair[order]
        score = np.zeros(len(left), dtype=np.float32)
        for part in chunks(len(left)):
            block = self._evidence.pairs(left[part], right[part])
            score[part] = self._score(block, np.zeros(block.shape, dtype=np.float32))
        joined = np.flatnonzero(score > 0)
        parts = np.split(joined, np.searchsorted(pair[joined], np.arange(1, len(first))))
        return [ScoredPairs(left[at], right[at], score[at]) if len(at) else None for at in parts]

    def _columns_of(self, tables: Indices) -> Indices:
        """The columns of some tables that may have a score."""
        columns = [self._columns[self._starts[table] : self._starts[table + 1]] for table in tables.tolist()]
        return np.concatenate([np.zeros(0, dtype=np.int64), *columns])
