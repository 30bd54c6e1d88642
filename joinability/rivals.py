"""Rivals of a reference: a column refers to one key, and of the columns of a table that may refer to a key few do.

What the evidence on a pair says is weighed against the strongest of the others that would take its place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from joinability.pairs import candidate_pairs, chunks
from joinability.scores import LEAST, log_odds, supported
from joinability.weights import RIVALS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from joinability.evidence import JoinEvidence

    Array = NDArray[np.float64]
    Indices = NDArray[np.int64]


@dataclass(frozen=True)
class Rivals:
    """The strongest candidates for each place that is taken once.

    Attributes
    ----------
    parents : Strongest
        Of each child the likeliest parents.
    children : Strongest
        Of each table and parent the likeliest children: group `table * columns + parent`.
    table : (C,) array of int
        Table of each column.
    """

    parents: Strongest
    children: Strongest
    table: Indices

    @classmethod
    def of(cls, child: Indices, parent: Indices, log_odds: Array, table: Indices) -> Rivals:
        """The rivals among n references.

        Parameters
        ----------
        child, parent : (n,) arrays of int
            Columns, each pair once.
        log_odds : (n,) array
            What the evidence on each says alone.
        table : (C,) array of int
            Table of each column.
        """
        return cls(
            Strongest.of(child, parent, log_odds),
            Strongest.of(_place(child, parent, table), child, log_odds),
            table,
        )

    @classmethod
    def among(cls, evidence: JoinEvidence) -> Rivals:
        """The rivals among all references within a database of which the evidence says at least `LEAST`."""
        left, right = candidate_pairs(evidence)
        database = evidence.database[evidence.table]
        inside = database[left] == database[right]
        left, right = left[inside], right[inside]
        found: list[tuple[Indices, Indices, Array]] = []
        for part in chunks(len(left)):
            block = evidence.pairs(left[part], right[part])
            pairs = block.chosen(np.flatnonzero(supported(block)))
            for directed in (pairs, pairs.reversed()):
                z = log_odds(directed)
                kept = z >= np.log(LEAST / (1 - LEAST))
                found.append((directed.left[kept], directed.right[kept], z[kept]))
        nothing = np.zeros(0, dtype=np.int64)
        child, parent, z = (np.concatenate([one[side] for one in found] or [nothing]) for side in range(3))
        return cls.of(child, parent, z, evidence.table)

    def terms(self, child: Indices, parent: Indices, weights: Mapping[str, float] = RIVALS) -> Array:
        """What the rivals take from the log-odds of p references.

        With o' the odds of the child's strongest other parent and o'' those of the parent's strongest other child in
        the child's table, and their weights in `RIVALS`,

            other_parent = -1 * log(1 + o'),    other_child = -1/2 * log(1 + o'')

        Without a rival a term is 0. The first makes a choice of two parents and neither, o / (1 + o + o'): the
        conditional logit of McFadden (1974), with the strongest alternative for all of them, so that a thousand
        unlikely ones in a lake do not outweigh a likely one.

        Returns
        -------
        array (p, 2)
            A column for each of `RIVALS`.
        """
        besides = (self.parents.besides(child, parent), self.children.besides(_place(child, parent, self.table), child))
        return np.asarray(-np.logaddexp(0, np.column_stack(besides)) * np.array([weights[name] for name in RIVALS]))


def _place(child: Indices, parent: Indices, table: Indices) -> Indices:
    return np.asarray(table[child] * len(table) + parent)


@dataclass(frozen=True)
class Strongest:
    """Of each of g groups the strongest member, and how strong the second is.

    Attributes
    ----------
    group : (g,) array of int
        Ascending.
    member : (g,) array of int
    first, second : (g,) arrays of float
        Strengths; that of a second which is not there is -inf.
    """

    group: Indices
    member: Indices
    first: Array
    second: Array

    @classmethod
    def of(cls, group: Indices, member: Indices, strength: Array) -> Strongest:
        """The strongest of n members; of equal ones that of the least number."""
        order = np.lexsort((member, -strength, group))
        group, member, strength = group[order], member[order], strength[order]
        start = np.flatnonzero(np.diff(group, prepend=-1))
        following = np.append(strength, -np.inf)[start + 1]
        alone = np.diff(start, append=len(group)) == 1
        return cls(group[start], member[start], strength[start], np.where(alone, -np.inf, following))

    def besides(self, group: Indices, member: Indices) -> Array:
        """Strength of the strongest in each of p groups that is not the given member; -inf where there is none."""
        if not len(self.group):
            return np.full(len(group), -np.inf)
        place = np.minimum(np.searchsorted(self.group, group), len(self.group) - 1)
        strength = np.where(self.member[place] == member, self.second[place], self.first[place])
        return np.where(self.group[place] == group, strength, -np.inf)
