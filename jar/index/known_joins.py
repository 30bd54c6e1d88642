"""`KnownJoins`: what is known of the joins of an index, worked out when it is first asked for, and kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from jar.arrays import IntArray
from joinability import References, composite_joins
from joinability.attributes import cached_property
from joinability.composite.composite import ways_by_name
from joinability.composite.stored_keys import TOLD, reference_within
from joinability.scores.remembered import RememberedScores
from joinability.scores.rivals_by_table import SMALL

if TYPE_CHECKING:
    from jar.index.stated import Verdict
    from jar.index.stored_tables import TableColumns
    from joinability import CompositeJoin, CompositeKey, JoinEvidence, Verdicts
    from joinability.evidence.blocks import PairScore
    from joinability.scores.known_scores import KnownScores
    from joinability.scores.score import JoinScore
    from joinability.store.stored_joins import StoredJoins

MOST_DESCRIBED = 50_000
"""Pairs of columns whose evidence is remembered, about 2 kB each; with more, all is forgotten and described anew."""

NeighbourJoins = dict[int, dict[int, float]]
"""From tables to the tables that each joins, with their joinability."""
Described = dict[str, Any]
"""The evidence on a pair of columns by the names that users read."""


@dataclass(frozen=True, eq=False)
class KnownJoins:
    """The joins between the columns of an index, under what its owner states of them.

    Attributes
    ----------
    evidence : JoinEvidence
        Overlaps and profiles of the C columns.
    columns : TableColumns
        The table and the database of each column.
    stated : tuple of Verdict
    composite_keys : tuple of CompositeKey
    stored : StoredJoins, optional
        What the file has of them.
    """

    evidence: JoinEvidence
    columns: TableColumns
    stated: tuple[Verdict, ...]
    composite_keys: tuple[CompositeKey, ...]
    stored: StoredJoins | None

    @cached_property
    def verdicts(self) -> Verdicts | None:
        """What is stated of the columns and tables that are here; None where there is nothing."""
        from joinability import Verdicts

        if not self.stated:
            return None
        pinned, vetoed = (
            [(verdict.left, verdict.right) for verdict in self.stated if verdict.kind == kind]
            for kind in ("pin", "veto")
        )
        return Verdicts.of(self.evidence, pinned=pinned, vetoed=vetoed)

    @cached_property
    def stated_pairs(self) -> frozenset[frozenset[int]]:
        """The pairs of tables between which a join is declared or pinned."""
        stated = np.stack(self.evidence.declared.nonzero(), axis=1)
        if self.verdicts is not None:
            stated = np.concatenate([stated, self.verdicts.pinned])
        return frozenset(map(frozenset, self.columns.owner[stated].tolist()))

    @cached_property
    def may_join(self) -> npt.NDArray[np.bool_]:
        """The columns that may join others by the evidence, a key, a name or the user's word, shape (C,)."""
        possible = self.evidence.may_join.copy()
        possible[np.diff(self.evidence.named.either.indptr) > 0] = True
        for side in self.evidence.declared.nonzero():
            possible[side] = True
        for key in self.composite_keys:
            possible[[*key.child, *key.parent]] = True
        if self.verdicts is not None:
            possible[self.verdicts.pinned.ravel()] = True
        return possible

    def composites(self, score: JoinScore, pairs: Iterable[frozenset[int]] | None = None) -> list[CompositeJoin]:
        """The joins by references that are counted one by one (`CompositeKey`) between the two tables of some pairs
        (sets of positions), within one table, or of all; the best first of each pair."""
        if not score.has_composites or not self._composite_keys_of:
            return []
        trusted = score.trust_declared is not False
        known, keys = self._composites.setdefault(trusted, {}), self._composite_keys_of
        asked = keys.keys() if pairs is None else [pair for pair in pairs if pair in keys]
        missing = [key for pair in asked if pair not in known for key in keys[pair]]
        if missing:
            found: dict[frozenset[int], list[CompositeJoin]] = {pair: [] for pair in asked if pair not in known}
            for join in composite_joins(
                self.evidence, missing, trust_declared=trusted, verdicts=self.verdicts, ways=self._ways_by_name
            ):
                found[self._tables_of(join.left[0], join.right[0])].append(join)
            known.update(found)
        return [join for pair in asked for join in known[pair]]

    @cached_property
    def fanned(self) -> Mapping[int, int]:
        """The columns that hold keys of several tables, of which another column says which is meant, and those that
        hold codes of several types, with the number of tables or columns that they join; by themselves they join
        none."""
        return Counter(
            (key.parent if key.where.of_parent else key.child)[0] for key in self.composite_keys if key.where
        )

    @cached_property
    def coded_pairs(self) -> list[frozenset[int]]:
        """The pairs of tables of which one may list codes by type for the other."""
        keys = self._composite_keys_of.items()
        return [tables for tables, own in keys if any(key.kind == "coded" for key in own)]

    def alone(self, score: JoinScore) -> frozenset[int]:
        """The columns that by themselves join no other table: keys of polymorphic references, and those which likely
        refer to rows of their own table, or hold codes of a type."""
        if not score.has_composites:
            return frozenset()
        trusted = score.trust_declared is not False
        if trusted not in self._alone:
            asked = {tables for tables, keys in self._composite_keys_of.items() if any(map(_is_alone, keys))}
            told = [join for join in self.composites(score, asked) if len(join.left) == 1 and join.score >= TOLD]
            alone = {join.left[0] for join in told}.union(join.right[0] for join in told if join.is_coded)
            typed = (key.child[0] for key in self.composite_keys if key.kind == "polymorphic")
            self._alone[trusted] = frozenset(alone.union(typed))
        return self._alone[trusted]

    @cached_property
    def _alone(self) -> dict[bool, frozenset[int]]:
        return {}

    def _tables_of(self, column: int, other: int) -> frozenset[int]:
        return frozenset((int(self.columns.owner[column]), int(self.columns.owner[other])))

    @cached_property
    def _composites(self) -> dict[bool, dict[frozenset[int], list[CompositeJoin]]]:
        return {}

    @cached_property
    def _ways_by_name(self) -> Mapping[tuple[int, ...], int]:
        return ways_by_name(self.composite_keys)

    @cached_property
    def _composite_keys_of(self) -> dict[frozenset[int], list[CompositeKey]]:
        keys: dict[frozenset[int], list[CompositeKey]] = {}
        for key in (*self.composite_keys, *self._pinned_within_tables()):
            keys.setdefault(self._tables_of(key.child[0], key.parent[0]), []).append(key)
        return keys

    def _pinned_within_tables(self) -> Iterator[CompositeKey]:
        """The pinned pairs of columns of one table that were not found to refer to each other."""
        if self.verdicts is None:
            return
        found = {frozenset((*key.child, *key.parent)) for key in self.composite_keys if key.kind == "within"}
        for pair in self.verdicts.pinned.tolist():
            if self.columns.owner[pair[0]] == self.columns.owner[pair[1]] and frozenset(pair) not in found:
                child, parent = sorted(pair, key=lambda column: float(self.evidence.uniqueness[column]))
                yield reference_within(self.evidence, child, parent, declared=False)

    def references(self, score: JoinScore, columns: IntArray) -> References | None:
        """The likely references of some columns, and maybe of others, to keys anywhere; None where the score, the
        paper's, has no joins that follow from others. Those of each column are looked for when it is first asked for.
        """
        if not score.has_references:
            return None
        nothing = np.zeros(len(self.evidence), dtype=np.bool_), References.none()
        known, references = self._references.get(score, nothing)
        missing = columns[~known[columns]]
        if len(missing):
            missing = self.columns.of(self._company(np.unique(self.columns.owner[missing])))
            missing = missing[~known[missing]]
            references = references.with_more(References.of(self.evidence, self.judged(score), missing))
            known = known.copy()  # another thread may read the old one with the references that belong to it
            known[missing] = True
            self._references[score] = known, references
        return references

    @cached_property
    def _references(self) -> dict[JoinScore, tuple[npt.NDArray[np.bool_], References]]:
        return {}

    def judged(self, score: JoinScore) -> PairScore:
        """A score with pins and vetoes, looked up where it is stored."""
        judged = score if self.verdicts is None else self.verdicts.applied(score)
        stored = self._stored_scores(score)
        return judged if stored is None else stored.applied(judged)

    def _stored_scores(self, score: JoinScore) -> KnownScores | None:
        """The stored scores, where they are those of this one, of databases of which nothing is stated."""
        return self._untouched_scores if score.is_stored else None

    @cached_property
    def _untouched_scores(self) -> KnownScores | None:
        return self.stored and self.stored.scores.untouched_by(self.evidence, self.verdicts)

    def remembered(self, score: JoinScore) -> RememberedScores:
        """What is known of the joins of tables by a score that reads no texts; it grows with the questions."""
        if score not in self._remembered:
            self._remembered[score] = RememberedScores(
                self.evidence, score, self.verdicts, self.may_join, self.columns.owner, self._stored_scores(score)
            )
        return self._remembered[score]

    @cached_property
    def _remembered(self) -> dict[JoinScore, RememberedScores]:
        return {}

    def neighbours(
        self, score: JoinScore, tables: Sequence[int], look_up: Callable[[IntArray], NeighbourJoins]
    ) -> Mapping[int, Mapping[int, float]]:
        """The tables that each of some tables, and maybe others, joins well, with their joinability.

        Parameters
        ----------
        look_up : callable
            Called for the tables of which it is not known.
        """
        known = self._neighbours.setdefault(score, {})
        missing = [table for table in tables if table not in known]
        if missing:
            together = self._company(np.array(missing, dtype=np.int64)).tolist()
            known.update(look_up(np.array([table for table in together if table not in known], dtype=np.int64)))
        return known

    @cached_property
    def _neighbours(self) -> dict[JoinScore, NeighbourJoins]:
        return {}

    def described(
        self, pairs: Sequence[tuple[int, int]], look_up: Callable[[IntArray, IntArray], Sequence[Described]]
    ) -> list[Described]:
        """The evidence on pairs of columns, remembered, for answers join the same tables often.

        Parameters
        ----------
        look_up : callable
            Called with the left and the right columns of the pairs of which it is not known.
        """
        found = {pair: self._described.get(pair) for pair in pairs}
        missing = [pair for pair, description in found.items() if description is None]
        if missing:
            left, right = np.array(missing).T
            new = dict(zip(missing, look_up(left, right), strict=True))
            found |= new
            if len(self._described) + len(new) > MOST_DESCRIBED:
                self._described.clear()  # another thread has what it needs: it reads once
            self._described.update(new)
        return [dict(description) for pair in pairs if (description := found[pair]) is not None]

    @cached_property
    def _described(self) -> dict[tuple[int, int], Described]:
        return {}

    def _company(self, tables: IntArray) -> IntArray:
        """Some tables, and all others of their databases where these are small: what is learnt of one is soon asked of
        the others."""
        databases = self.columns.databases
        asked = np.zeros(len(self._sizes), dtype=np.bool_)
        asked[databases[tables]] = True
        asked &= self._sizes <= SMALL
        together = asked[databases]
        together[tables] = True
        return np.flatnonzero(together)

    @cached_property
    def _sizes(self) -> IntArray:
        """Columns of each database."""
        counts = np.diff(self.columns.first)
        return np.bincount(self.columns.databases, weights=counts).astype(np.int64)


def _is_alone(key: CompositeKey) -> bool:
    """Whether the column of a reference joins no other table, where it is told."""
    return key.kind in ("within", "coded")
