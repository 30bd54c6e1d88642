"""The strongest member of each of many groups, and the strength of the second: what stands beside any member."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from joinability.arrays import Array, Indices

NOBODY = -1
"""A member of no group."""


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

    def besides(self, group: Indices, member: Indices | int) -> Array:
        """Strength of the strongest in each of p groups that is not the given member; -inf where there is none."""
        if not len(self.group):
            return np.full(len(group), -np.inf)
        place = np.minimum(np.searchsorted(self.group, group), len(self.group) - 1)
        best = np.where(self.member[place] == member, self.second[place], self.first[place])
        return np.where(self.group[place] == group, best, -np.inf)

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


@dataclass(frozen=True, eq=False)
class Layers:
    """The strongest members of groups that became known one after another, each group in one layer.

    A layer has more than twice as many groups as the next one, so that n groups are in O(log n) layers and each was
    merged O(log n) times, however few came at a time.
    """

    layers: tuple[Strongest, ...]

    @classmethod
    def of(cls, group: Indices, member: Indices, strength: Array) -> Layers:
        """The strongest of n members, all known at once (see `Strongest.of`)."""
        return cls((Strongest.of(group, member, strength),))

    def first(self, group: Indices) -> Array:
        """Strength of the strongest in each of p groups; -inf where there is none."""
        return self.besides(group, NOBODY)

    def besides(self, group: Indices, member: Indices | int) -> Array:
        """Strength of the strongest in each of p groups that is not the given member; -inf where there is none."""
        of_layers = [layer.besides(group, member) for layer in self.layers]
        return reduce(np.maximum, of_layers) if of_layers else np.full(len(group), -np.inf)

    def with_more(self, more: Layers) -> Layers:
        """These and other groups."""
        layers = list(self.layers)
        for layer in more.layers:
            if len(layer.group):
                layers.append(layer)
            while len(layers) > 1 and len(layers[-2].group) <= 2 * len(layers[-1].group):
                last = layers.pop()
                layers.append(layers.pop().with_more(last))
        return Layers(tuple(layers))
