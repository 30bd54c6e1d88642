"""Rivals of a reference: other references that exclude it.

A column refers to one key, and only one column of a table refers to a given key of another table. Of references that
exclude each other, the one with the strongest evidence keeps its odds, and the odds of the others fall. Before they are
compared, references that others imply lose what the chain explains.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from joinability.evidence.blocks import PairBlock
from joinability.evidence.layers import HOME
from joinability.scores.bounds import bounds_of
from joinability.scores.candidates import CHUNK_PAIRS, candidate_parents, chunks
from joinability.scores.estimates import likely_pairs
from joinability.scores.features import OF_NAMES
from joinability.scores.implied import implied
from joinability.scores.odds import LEAST, supported, terms
from joinability.sparse.sparse_rows import ranges
from joinability.sparse.strongest import Layers, Strongest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from joinability.arrays import Array, Flags, Indices
    from joinability.evidence.blocks import Vetoes
    from joinability.evidence.profiles import ColumnEvidence

LOWEST = float(np.log(LEAST / (1 - LEAST)))
"""Log-odds of `LEAST`."""

ENTRIES_PER_UNIT = 64
"""Intersections of a column with others that count as much, when lists are cut, as the column itself: one unit."""
OTHER_CASE = 1.9
"""What a reference loses in log-odds beside its rivals where it leads to another layer, or where the names of one table
are written in capitals, and those of the other in small letters, or in both: modules of one age refer to each other. In
two schemas of three ages four in five references join tables that are written alike, of all pairs of tables three in
eight; the odds are 6.3 and 7.0."""
UNITS_PER_CHUNK = CHUNK_PAIRS // 8
"""Units of work after which a list of columns is cut, so that its candidates fit into memory."""

RIVALS: dict[str, str] = {
    "other_parent": "what a likelier other parent of the child takes",
    "other_child": "what a likelier other child of the parent in the child's table takes",
}
"""Name and meaning of each kind of rival, in the order of the columns of `Rivals.terms`."""


class LikelyReferences(NamedTuple):
    """References of log-odds of `LOWEST` or more.

    Attributes
    ----------
    child, parent : (n,) arrays of int
    strength : (n,) array
        Log-odds by the evidence on the pair alone.
    names : (n,) array
        The part of them that comes from names.
    """

    child: Indices
    parent: Indices
    strength: Array
    names: Array

    @classmethod
    def among(cls, block: PairBlock) -> LikelyReferences:
        """Those among the pairs of a list that are not vetoed."""
        parts = []
        for part in chunks(len(block.left)):
            pairs = block.chosen(np.arange(len(block.left))[part])
            counted = supported(pairs)
            if block.vetoes is not None:
                counted = counted & ~block.vetoes.are_vetoed(pairs)
            chosen = pairs.chosen(np.flatnonzero(counted))
            intercepts, weighted = terms(chosen)
            strength = intercepts + weighted.sum(axis=-1)
            references = chosen.left, chosen.right, strength, weighted[:, OF_NAMES].sum(axis=-1)
            parts.append(cls(*(quantity[strength >= LOWEST] for quantity in references)))
        return cls.stacked(parts)

    @classmethod
    def stacked(cls, parts: Sequence[LikelyReferences]) -> LikelyReferences:
        """Several lists, one after the other."""
        none = np.zeros(0, dtype=np.int64)
        return cls(*map(np.concatenate, zip(cls(none, none, np.zeros(0), np.zeros(0)), *parts, strict=True)))


@dataclass(frozen=True, eq=False)
class Rivals:
    """The strongest references of each child, and of each table to each parent.

    Attributes
    ----------
    parents : Layers
        The likeliest parents of each child.
    children : Layers
        The likeliest children of each parent within each table: group `table * columns + parent`.
    beside : Layers
        For each child and its likeliest parent: the strength of the strongest other child of that parent in the
        child's table; -inf where there is none.
    chains : Layers
        What chains take from references, those from which they take anything: group `child * columns + parent`.
    table, database : (C,) arrays of int
        Of each column.
    layer : (C,) array of int, optional
        Of each column's table (`joinability.evidence.layers`); by default one for all.
    case : (C,) array of int, optional
        How the names of the columns of each column's table are written, 0 for unknown; by default all alike.
    look : callable, optional
        Finds the strongest other child of p pairs where `children` does not have it, by chains and pairs.
    """

    parents: Layers
    children: Layers
    beside: Layers
    chains: Layers
    table: Indices
    database: Indices
    layer: NDArray[np.int8] | None = None
    look: OtherChildren | None = None
    case: NDArray[np.int8] | None = None

    @classmethod
    def of(
        cls,
        child: Indices,
        parent: Indices,
        strength: Array,
        table: Indices,
        database: Indices,
        taken: Array | None = None,
        layer: NDArray[np.int8] | None = None,
        look: OtherChildren | None = None,
        case: NDArray[np.int8] | None = None,
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
        layer : (C,) array of int, optional
        look : callable, optional
            See `Rivals`; it is not kept.
        case : (C,) array of int, optional
        """
        taken = np.zeros(len(child)) if taken is None else taken
        some = np.flatnonzero(taken)
        chains = Layers.of(child[some] * len(table) + parent[some], parent[some], taken[some])
        strength = strength - taken - otherwise_written(case, child, parent)
        parents = Strongest.of(child, parent, strength)
        place = _place(child, parent, table)
        children = Layers.of(place, child, strength)
        group = np.searchsorted(parents.group, child)
        likeliest = np.flatnonzero(strength == parents.first[group])
        others = children.besides(place[likeliest], child[likeliest])
        if look is not None:
            others = np.maximum(others, look(chains, child[likeliest], parent[likeliest]))
        beside = np.full(len(parents.group), -np.inf)
        np.maximum.at(beside, group[likeliest], others)
        strongest = Layers.of(parents.group, parents.group, beside)
        return cls(Layers((parents,)), children, strongest, chains, table, database, layer, case=case)

    @classmethod
    def among(
        cls, evidence: ColumnEvidence, children: Indices, vetoes: Vetoes | None = None
    ) -> tuple[Rivals, Flags]:
        """The rivals among the references of some tables: those to which the evidence gives `LEAST` or more.

        Where each column may refer to thousands, the likeliest are found by their `estimated_odds`, and no other is
        compared. They are all that other parents and chains take; which other child a parent has is then looked up when
        it is asked for.

        Parameters
        ----------
        evidence : ColumnEvidence
        children : (c,) array of int
            All columns of these tables.
        vetoes : Vetoes, optional
            A vetoed pair is no rival.

        Returns
        -------
        Rivals
        array (T,) of bool
            The tables whose children have to be looked up (see `OtherChildren`).
        """
        bounds = bounds_of(evidence)
        unlisted = np.zeros(len(evidence.table_names), dtype=np.bool_)
        parts: list[LikelyReferences] = []
        explained = [np.zeros(0)]
        for of_tables in _parts(evidence, children):
            child, parent = candidate_parents(evidence, of_tables, bounds.possible_parents(of_tables, LOWEST))
            reaching = np.flatnonzero(bounds.reach(child, parent, LOWEST))
            block = PairBlock(evidence, child[reaching], parent[reaching], vetoes)
            likely = likely_pairs(block, LOWEST)
            if likely is not None:
                unlisted[evidence.table[of_tables]] = True
                block = block.chosen(likely)
            parts.append(LikelyReferences.among(block))
            explained.append(implied(evidence, *parts[-1], vetoes))
        child, parent, strength, _ = LikelyReferences.stacked(parts)
        look = OtherChildren(evidence, unlisted, vetoes) if unlisted.any() else None
        taken = np.concatenate(explained)
        table, database, layer = evidence.table, evidence.column_database, evidence.layer
        return cls.of(child, parent, strength, table, database, taken, layer, look, evidence.case), unlisted

    def with_more(self, more: Rivals) -> Rivals:
        """These and the rivals of other tables."""
        return Rivals(
            self.parents.with_more(more.parents),
            self.children.with_more(more.children),
            self.beside.with_more(more.beside),
            self.chains.with_more(more.chains),
            self.table,
            self.database,
            self.layer,
            case=self.case,
        )

    def implied(self, child: Indices, parent: Indices) -> Array:
        """What chains take from the log-odds of p references (see `implied` of `joinability.scores.implied`)."""
        return np.maximum(self.chains.first(child * len(self.table) + parent), 0)

    def terms(self, child: Indices, parent: Indices, strength: Array, unrivalled: Flags | None = None) -> Array:
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
        two equally likely parents the one in the child's own database wins. A table of another layer, to which those
        of the child's do not refer first (`HOME`), counts as one of another database, whatever its values, and o' as
        e^1.9 o'. All odds here are e^1.9 times less for references between tables whose names are written otherwise
        (`OTHER_CASE`).

        Parameters
        ----------
        child, parent : (p,) arrays of int
        strength : (p,) array
            log(o), without what chains take.
        unrivalled : (p, 2) array of bool, optional
            References that no rival of a kind excludes (`Pairs.unrivalled`), but for one of the child's own layer.

        Returns
        -------
        array (p, 2)
            A column for each of `RIVALS`.
        """
        in_other_layer = self._in_other_layer(child, parent)
        away = in_other_layer | (self.database[child] != self.database[parent])
        other_parent = self.parents.besides(child, parent)
        other_child = self.children.besides(_place(child, parent, self.table), child)
        if self.look is not None:
            other_child = np.maximum(other_child, self.look(self.chains, child, parent))
        other_parent = other_parent + OTHER_CASE * in_other_layer
        other_child = np.where(away, self.beside.first(child), other_child)
        odds = np.where(away, 0.0, np.exp(strength - otherwise_written(self.case, child, parent)))
        more = np.exp(np.column_stack([other_parent, other_child])) - odds[:, None]
        if unrivalled is not None:
            more[unrivalled & ~in_other_layer[:, None]] = 0.0
        return np.asarray(-np.log1p(np.maximum(more, 0.0)))

    def _in_other_layer(self, child: Indices, parent: Indices) -> Flags:
        """Which of p references lead to a table of another layer."""
        if self.layer is None:
            return np.zeros(len(child), dtype=np.bool_)
        return np.asarray(~HOME[self.layer[child], self.layer[parent]])


@dataclass(frozen=True, eq=False)
class OtherChildren:
    """Finds the other children of parents in tables whose references are not listed, because these are so many.

    Attributes
    ----------
    evidence : ColumnEvidence
    unlisted : (T,) array of bool
        These tables.
    vetoes : Vetoes, optional
        A vetoed pair is no rival.
    """

    evidence: ColumnEvidence
    unlisted: Flags
    vetoes: Vetoes | None = None

    def __call__(self, chains: Layers, child: Indices, parent: Indices) -> Array:
        """Strength of the strongest other child of the parent in the child's table, for p pairs; -inf where there is
        none, the table is listed, or the parent is in another database.

        Parameters
        ----------
        chains : Layers
            What chains take from the references of these tables (see `Rivals`).
        child, parent : (p,) arrays of int
        """
        evidence, table, count = self.evidence, self.evidence.table, len(self.evidence)
        strongest = np.full(len(child), -np.inf)
        asked = np.flatnonzero(self.unlisted[table[child]] & evidence.at_home(child, parent))
        if not len(asked):
            return strongest
        place = _place(child, parent, table)[asked]
        tables, keys = np.divmod(np.unique(place), count)
        bounds = bounds_of(evidence)
        starts = bounds.starts[tables]
        lengths = bounds.starts[tables + 1] - starts
        keys = np.repeat(keys, lengths)
        others = bounds.order[ranges(starts, lengths)]
        reaching = np.flatnonzero(bounds.reach(others, keys, LOWEST))
        block = PairBlock(evidence, others[reaching], keys[reaching], self.vetoes)
        other, key, strength, _ = LikelyReferences.among(block)
        strength = strength - otherwise_written(evidence.case, other, key)
        strength -= np.maximum(chains.first(other * count + key), 0)
        strongest[asked] = Strongest.of(_place(other, key, table), other, strength).besides(place, child[asked])
        return strongest


def otherwise_written(case: NDArray[np.int8] | None, child: Indices, parent: Indices) -> Array:
    """What each of p references loses beside its rivals because the names of its tables are written otherwise."""
    if case is None:
        return np.zeros(len(child))
    one, other = case[child], case[parent]
    return np.asarray(OTHER_CASE * ((one != other) & (one > 0) & (other > 0)))


def _parts(evidence: ColumnEvidence, children: Indices) -> list[Indices]:
    """The columns of some tables, in lists whose candidates fit into memory."""
    work = np.cumsum(1 + np.diff(evidence.intersections.indptr)[children] // ENTRIES_PER_UNIT)
    places = np.flatnonzero(np.diff(work // UNITS_PER_CHUNK, prepend=-1))
    return np.split(children, places[1:]) if len(children) else []


def _place(child: Indices, parent: Indices, table: Indices) -> Indices:
    """A number for the child's table and the parent, for p pairs: the group in which the child has its rivals."""
    return np.asarray(table[child] * len(table) + parent)
