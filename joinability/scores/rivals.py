"""Rivals of a reference: other references that exclude it.

A column refers to one key, and only one column of a table refers to a given key of another table. Of references that
exclude each other, the one with the strongest evidence keeps its odds, and the odds of the others fall. Before they are
compared, references that others imply lose what the chain explains.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from joinability.evidence.blocks import PairBlock
from joinability.scores.bounds import bounds_of
from joinability.scores.candidates import CHUNK_PAIRS, candidate_parents, chunks
from joinability.scores.features import OF_NAMES
from joinability.scores.implied import implied
from joinability.scores.odds import LEAST, supported, terms

if TYPE_CHECKING:
    from joinability.arrays import Array, Flags, Indices
    from joinability.evidence.blocks import Vetoes
    from joinability.evidence.profiles import ColumnEvidence

LOWEST = float(np.log(LEAST / (1 - LEAST)))
"""Log-odds of `LEAST`."""

SMALL = 400
"""Columns of a database whose joins are all looked for together."""

RIVALS: dict[str, str] = {
    "other_parent": "what a likelier other parent of the child takes",
    "other_child": "what a likelier other child of the parent in the child's table takes",
}
"""Name and meaning of each kind of rival, in the order of the columns of `Rivals.terms`."""


@dataclass(frozen=True, eq=False)
class Rivals:
    """The strongest references of each child, and of each table to each parent.

    Attributes
    ----------
    parents : Strongest
        The likeliest parents of each child.
    children : Strongest
        The likeliest children of each parent within each table: group `table * columns + parent`.
    beside : (C,) array of float
        For each child and its likeliest parent: the strength of the strongest other child of that parent in the
        child's table; -inf where there is none.
    chains : Strongest
        What chains take from references, those from which they take anything: group `child * columns + parent`.
    table, database : (C,) arrays of int
        Of each column.
    """

    parents: Strongest
    children: Strongest
    beside: Array
    chains: Strongest
    table: Indices
    database: Indices

    @classmethod
    def of(
        cls,
        child: Indices,
        parent: Indices,
        strength: Array,
        table: Indices,
        database: Indices,
        taken: Array | None = None,
    ) -> Rivals:
        """The rivals among n references.

        Parameters
        ----------
        child, parent : (n,) arrays of int
            Columns of one database, each pair once.
        strength : (n,) array
            Log-odds of each by the evidence on the pair alone.
        table, database : (C,) arrays of int
            Of each column.
        taken : (n,) array, optional
            What chains take from each (see `implied`); by default nothing.
        """
        taken = np.zeros(len(child)) if taken is None else taken
        some = np.flatnonzero(taken)
        chains = Strongest.of(child[some] * len(table) + parent[some], parent[some], taken[some])
        strength = strength - taken
        parents = Strongest.of(child, parent, strength)
        place = _place(child, parent, table)
        children = Strongest.of(place, child, strength)
        beside = np.full(len(table), -np.inf)
        likeliest = strength == parents.first[np.searchsorted(parents.group, child)]
        np.maximum.at(beside, child[likeliest], children.besides(place, child)[likeliest])
        return cls(parents, children, beside, chains, table, database)

    @classmethod
    def among(cls, evidence: ColumnEvidence, children: Indices, vetoes: Vetoes | None = None) -> Rivals:
        """The rivals among the references of some tables: those to which the evidence gives `LEAST` or more.

        Parameters
        ----------
        evidence : ColumnEvidence
        children : (c,) array of int
            All columns of these tables.
        vetoes : Vetoes, optional
            A vetoed pair is no rival.
        """
        bounds, database = bounds_of(evidence), evidence.database[evidence.table]
        parts = [np.zeros((4, 0))]
        for of_tables in _parts(evidence, children):
            child, parent = candidate_parents(evidence, of_tables, bounds.possible_parents(of_tables, LOWEST))
            reaching = np.flatnonzero(bounds.reach(child, parent, LOWEST))
            parts.append(_references(evidence, child[reaching], parent[reaching], vetoes))
        found = np.concatenate(parts, axis=1)
        child, parent = found[:2].astype(np.int64)
        return cls.of(child, parent, found[2], evidence.table, database, found[3])

    def with_more(self, more: Rivals) -> Rivals:
        """These and the rivals of other tables."""
        return Rivals(
            self.parents.with_more(more.parents),
            self.children.with_more(more.children),
            np.maximum(self.beside, more.beside),
            self.chains.with_more(more.chains),
            self.table,
            self.database,
        )

    def implied(self, child: Indices, parent: Indices) -> Array:
        """What chains take from the log-odds of p references (see `implied` of `joinability.scores.implied`)."""
        return np.maximum(self.chains.besides(child * len(self.table) + parent, np.full_like(child, -1)), 0)

    def terms(self, child: Indices, parent: Indices, strength: Array) -> Array:
        """What the rivals take from the log-odds of p references.

        With o the odds of a reference by itself, o' those of the child's strongest other parent and o'' those of the
        parent's strongest other child in the child's table,

            other_parent = -log(1 + max(0, o' - o)),    other_child = -log(1 + max(0, o'' - o))

        The strongest reference keeps its odds, and so do equally strong ones: those to a table and to its copy, or
        those of the two airports of a flight. A much weaker one is left with o / (1 + o'), its odds in the case that
        the stronger one is no reference. Only the strongest rival counts, so that a thousand unlikely references in a
        lake do not outweigh a likely one.

        Where the parent is in another database, the rivals are taken from the child's own database: the child's
        likeliest parent there, and the other children of that parent. There o counts as 0 in both formulas, so that of
        two equally likely parents the one in the child's own database wins.

        Parameters
        ----------
        child, parent : (p,) arrays of int
        strength : (p,) array
            log(o), without what chains take.

        Returns
        -------
        array (p, 2)
            A column for each of `RIVALS`.
        """
        away = self.database[child] != self.database[parent]
        other_parent = self.parents.besides(child, parent)
        other_child = self.children.besides(_place(child, parent, self.table), child)
        other_child = np.where(away, self.beside[child], other_child)
        odds = np.where(away, 0.0, np.exp(strength))
        more = np.exp(np.column_stack([other_parent, other_child])) - odds[:, None]
        return np.asarray(-np.log1p(np.maximum(more, 0.0)))


class RivalsByTable:
    """The rivals of the tables that were asked for so far.

    All that rivals take from a reference depends on the references of the child's table alone, so that those of one
    table are known without a look at the others. What is known is replaced as a whole, never changed: of threads that
    look for different tables at once one may have looked in vain, and none reads rivals that are not there.
    """

    def __init__(self, evidence: ColumnEvidence) -> None:
        none = np.zeros(0, dtype=np.int64)
        rivals = Rivals.of(none, none, np.zeros(0), evidence.table, evidence.database[evidence.table])
        self._state = np.zeros(len(evidence.table_names), dtype=np.bool_), rivals

    @property
    def known(self) -> Flags:
        """The tables whose rivals were computed, shape (T,)."""
        return self._state[0]

    def of(self, evidence: ColumnEvidence, tables: Indices, vetoes: Vetoes | None = None) -> Rivals:
        """The rivals of some tables, and maybe of others."""
        known, rivals = self._state
        missing = np.zeros_like(known)
        missing[tables] = True
        missing &= ~known
        if missing.any():
            missing = _company(evidence, missing) & ~known
            rivals = rivals.with_more(Rivals.among(evidence, np.flatnonzero(missing[evidence.table]), vetoes))
            self._state = known | missing, rivals
        return rivals


_KNOWN: WeakKeyDictionary[ColumnEvidence, WeakKeyDictionary[object, RivalsByTable]] = WeakKeyDictionary()
"""Computed rivals by evidence and vetoes (without vetoes: by the evidence itself); an entry lives as long as both."""


def rivals_by_table(evidence: ColumnEvidence, vetoes: Vetoes | None = None) -> RivalsByTable:
    """The rivals that are known already."""
    known = _KNOWN.setdefault(evidence, WeakKeyDictionary())
    key = evidence if vetoes is None else vetoes
    if key not in known:
        known[key] = RivalsByTable(evidence)
    return known[key]


def rivals_of(evidence: ColumnEvidence, vetoes: Vetoes | None = None, tables: Indices | None = None) -> Rivals:
    """The rivals among the references of some tables, by default of all; computed when first asked for.

    Parameters
    ----------
    evidence : ColumnEvidence
    vetoes : Vetoes, optional
    tables : array of int, optional
        The tables of the children that are asked about.
    """
    asked = np.arange(len(evidence.table_names)) if tables is None else tables
    return rivals_by_table(evidence, vetoes).of(evidence, asked, vetoes)


def _company(evidence: ColumnEvidence, tables: Flags) -> Flags:
    """Some tables together with all of their databases that have `SMALL` columns or fewer, shape (T,): to learn of
    these at once costs hardly more than of one."""
    columns = np.bincount(evidence.database[evidence.table], minlength=int(evidence.database.max(initial=-1)) + 1)
    asked = np.zeros(len(columns), dtype=np.bool_)
    asked[evidence.database[tables]] = True
    return np.asarray(tables | (asked & (columns <= SMALL))[evidence.database])


def _parts(evidence: ColumnEvidence, children: Indices) -> list[Indices]:
    """The columns of some tables, in lists whose candidates fit into memory."""
    work = np.cumsum(1 + np.diff(evidence.intersections.indptr)[children] // 64)
    places = np.flatnonzero(np.diff(work // (CHUNK_PAIRS // 8), prepend=-1))
    return np.split(children, places[1:]) if len(children) else []


def _references(evidence: ColumnEvidence, child: Indices, parent: Indices, vetoes: Vetoes | None) -> Array:
    """Child, parent, log-odds of the likely references among all of some children, and what chains take: (4, n)."""
    parts = [np.zeros((4, 0))]
    for part in chunks(len(child)):
        block = PairBlock(evidence, child[part], parent[part], vetoes)
        counted = supported(block)
        if vetoes is not None:
            counted = counted & ~vetoes.are_vetoed(block)
        chosen = block.chosen(np.flatnonzero(counted))
        intercepts, weighted = terms(chosen)
        strength = intercepts + weighted.sum(axis=-1)
        references = np.stack([chosen.left, chosen.right, strength, weighted[:, OF_NAMES].sum(axis=-1)])
        parts.append(references[:, strength >= LOWEST])
    found = np.concatenate(parts, axis=1)
    child, parent = found[:2].astype(np.int64)
    found[3] = implied(evidence, child, parent, found[2], found[3], vetoes)
    return found


def _place(child: Indices, parent: Indices, table: Indices) -> Indices:
    return np.asarray(table[child] * len(table) + parent)


@dataclass(frozen=True, eq=False)
class Strongest:
    """The strongest member of each of g groups, and the strength of the second.

    Attributes
    ----------
    group : (g,) array of int
        Ascending.
    member : (g,) array of int
    first, second : (g,) arrays of float
        Strengths; `second` is -inf in a group of one.
    """

    group: Indices
    member: Indices
    first: Array
    second: Array

    @classmethod
    def of(cls, group: Indices, member: Indices, strength: Array) -> Strongest:
        """The strongest of n members; of equally strong ones the one with the lowest number."""
        if not len(group):
            return cls(group, member, strength, strength)
        if np.any(group[1:] < group[:-1]):
            order = np.argsort(group)
            group, member, strength = group[order], member[order], strength[order]
        start = np.flatnonzero(np.diff(group, prepend=-1))
        length = np.diff(start, append=len(group))
        first = np.maximum.reduceat(strength, start)
        is_first = strength == np.repeat(first, length)
        strongest = np.minimum.reduceat(np.where(is_first, member, np.iinfo(np.int64).max), start)
        rest = np.where(member == np.repeat(strongest, length), -np.inf, strength)
        return cls(group[start], strongest, first, np.maximum.reduceat(rest, start))

    def besides(self, group: Indices, member: Indices) -> Array:
        """Strength of the strongest in each of p groups that is not the given member; -inf where there is none."""
        place = self._place(group)
        member_of, first, second = (
            np.append(array, filler)
            for array, filler in ((self.member, -1), (self.first, -np.inf), (self.second, -np.inf))
        )
        return np.where(member_of[place] == member, second[place], first[place])

    def with_more(self, more: Strongest) -> Strongest:
        """These and other groups."""
        group = np.concatenate([self.group, more.group])
        order = np.argsort(group, kind="stable")
        return Strongest(
            group[order],
            np.concatenate([self.member, more.member])[order],
            np.concatenate([self.first, more.first])[order],
            np.concatenate([self.second, more.second])[order],
        )

    def _place(self, group: Indices) -> Indices:
        """Where each of p groups stands; -1 for those that are not there."""
        place = np.searchsorted(self.group, group)
        known = np.append(self.group, -1)[place] == group
        return np.where(known, place, -1)
