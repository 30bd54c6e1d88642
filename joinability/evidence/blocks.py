"""Evidence on pairs of columns, in two forms: all pairs among the columns of a question, or a list of pairs.

Each quantity is computed when it is first asked for, by array operations without a loop over pairs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar, cast

import numpy as np

from joinability.attributes import cached_property
from joinability.evidence.name_forms import name_similarity, ratio
from joinability.families import KINDS, kinds_fit
from joinability.sketches import MOST_ERROR, sampled_error
from joinability.sparse.sparse_entries import common_entries, entries_at

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from joinability.arrays import AnyArray, Flags, Indices, Vectors
    from joinability.evidence.profiles import ColumnEvidence
    from joinability.sparse.sparse_rows import SparseRows


Quantity = TypeVar("Quantity", bound="AnyArray")
PairScore: TypeAlias = "Callable[[EvidenceBlock, AnyArray], AnyArray]"
"""The joinability of each pair of a block, by its evidence and the cosine similarities of the texts of the pairs."""


class Vetoes(Protocol):
    """Pairs of columns that must not join, whatever the evidence."""

    def are_vetoed(self, block: EvidenceBlock) -> Flags:
        """Which pairs of a block are vetoed; shape of the block."""


class EvidenceBlock(ABC):
    """Evidence on pairs of columns: every array has the shape of the block, (c, c) or (p,).

    `JoinEvidence.block` and `JoinEvidence.pairs` make the two kinds of it.

    Attributes
    ----------
    evidence : ColumnEvidence
    left, right : arrays of int
        The columns of each pair; they broadcast to the shape of the block.
    shape : tuple of int
    vetoes : Vetoes or None
        Vetoed joins anywhere in the evidence. They do not weaken the scores of other pairs; None where there are none.
    least : float
        Scores below it are of no interest: a score may give less than is due, down to 0, in their place. Blocks that
        are made of this one have it, too.
    """

    evidence: ColumnEvidence
    left: Indices
    right: Indices
    shape: tuple[int, ...]
    vetoes: Vetoes | None
    least: float
    _known: dict[str, AnyArray]
    """The quantities of `CARRIED` that were looked up, by name."""

    @abstractmethod
    def _entries(self, matrix: SparseRows) -> Vectors:
        """The entries (left, right) of a matrix over columns."""

    @abstractmethod
    def _common(self, sets: SparseRows) -> tuple[Vectors, Vectors, Vectors]:
        """|A n B|, |A| and |B| of sets that are rows of a binary matrix over columns."""

    @property
    @abstractmethod
    def once(self) -> Flags | bool:
        """Marks one place of each pair: a square block holds (k, l) and (l, k), a list each pair once."""

    @abstractmethod
    def spread(self, where: Indices, values: AnyArray) -> Vectors:
        """The values of some pairs marked by `once`, put at both places of each pair in an array of zeros."""

    @abstractmethod
    def _named_after(self) -> Vectors:
        """Share of the words of the right column's table name that are in the left column's name."""

    @abstractmethod
    def _mirrored(self, name: str) -> AnyArray:
        """A quantity with the sides of each pair exchanged."""

    def _looked_up(self, name: str, look_up: Callable[[], Quantity]) -> Quantity:
        """A quantity of `CARRIED`, looked up unless it is known already."""
        if name not in self._known:
            self._known[name] = look_up()
        return cast("Quantity", self._known[name])

    @abstractmethod
    def _header_similarity(self) -> Vectors:
        """Cosine of the trigrams of the names, as they are or without prefixes."""

    @abstractmethod
    def _name_ends(self) -> Flags:
        """The left column's name ends with the right column's, as it is or without prefixes."""

    def sides(self, quantity: AnyArray) -> tuple[AnyArray, AnyArray]:
        """A quantity per column, of the left and of the right column of each pair."""
        return quantity[self.left], quantity[self.right]

    @property
    def intersection(self) -> Vectors:
        """|A n B| of the values that are known."""
        return self._looked_up("intersection", lambda: self._entries(self.evidence.intersections))

    @cached_property
    def token_overlap(self) -> Vectors:
        """Overlap coefficient of the words of "database table column"."""
        common, left, right = self._common(self.evidence.forms.tokens)
        return ratio(common, np.minimum(left, right))

    @property
    def header_similarity(self) -> Vectors:
        """Cosine of the letter trigrams of the column names, of those as they are or of those without the prefixes of
        their tables, whichever is greater; a generic name counts together with that of its table."""
        return self._looked_up("header_similarity", self._header_similarity)

    @property
    def named_after_right(self) -> Vectors:
        """Share of the words of the right table's name that the left column's name has, or abbreviates, without the
        prefix of its own table."""
        return self._looked_up("named_after_right", self._named_after)

    @property
    def named_after_left(self) -> Vectors:
        """Share of the words of the left table's name that the right column's name has, or abbreviates."""
        return self._looked_up("named_after_left", lambda: self._mirrored("named_after_right"))

    @property
    def name_ends_right(self) -> Flags:
        """The left column's name ends with the words of the right one's, or is it: "home_team_id", "team_id"."""
        return self._looked_up("name_ends_right", self._name_ends)

    @property
    def name_ends_left(self) -> Flags:
        """The right column's name ends with the words of the left one's, or is it."""
        return self._looked_up("name_ends_left", lambda: self._mirrored("name_ends_right"))

    @property
    def by_name_right(self) -> Vectors:
        """The chance that the left column refers to the right one, by the kind of their names; 0 where none speaks for
        it, and where the values of both are known."""
        return self._looked_up("by_name_right", lambda: self._entries(self.evidence.named.chance))

    @property
    def by_name_left(self) -> Vectors:
        """The chance that the right column refers to the left one."""
        return self._looked_up("by_name_left", lambda: self._mirrored("by_name_right"))

    @cached_property
    def refers(self) -> Flags:
        """A declared key of the left column refers to the right one."""
        return self._entries(self.evidence.declared) > 0

    @property
    def declared(self) -> Flags:
        """A declared key links the two, in either direction."""
        return self._looked_up("declared", lambda: np.asarray(self.refers | self._mirrored("refers")))

    @cached_property
    def name_similarity(self) -> Vectors:
        """How strongly the names suggest a join: they are alike, or one is named after the other's table."""
        return name_similarity(self.header_similarity, self.named_after_left, self.named_after_right)

    @cached_property
    def same_table(self) -> Flags:
        """Both columns belong to one table (such pairs have no intersection counted)."""
        return np.asarray(np.equal(*self.sides(self.evidence.table)))

    @cached_property
    def same_family(self) -> Flags:
        """Both columns have one type family."""
        return np.asarray(np.equal(*self.sides(self.evidence.family)))

    @cached_property
    def same_kind(self) -> Flags:
        """Both columns hold one kind of values: by their contents where these are known, else by the family."""
        left, right = self.sides(self.evidence.traits.kind)
        return np.asarray((left == right) & (left != KINDS.index("other")) & (left != KINDS.index("opaque")))

    @cached_property
    def differ_in_kind(self) -> Flags:
        """The columns hold different kinds of values; a kind that is not known differs from none."""
        return ~kinds_fit(*self.sides(self.evidence.traits.kind))

    @cached_property
    def estimated(self) -> Flags:
        """The values of a side are a sample, or unknown."""
        return np.asarray(np.logical_or(*self.sides(self.evidence.estimated)))

    @cached_property
    def unknown(self) -> Flags:
        """Nothing is known of the values of a side: its table is empty, or is a schema without rows or samples."""
        return np.asarray(np.logical_or(*self.sides(self.evidence.silent)))

    @cached_property
    def expected_left(self) -> Vectors:
        """Size of the intersection, were all values of the left column in the right one: |A|, less for samples."""
        left, right = self.sides(self.evidence.values)
        return ratio(left * right, self.sides(self.evidence.distinct)[1])

    @cached_property
    def expected_right(self) -> Vectors:
        """Size of the intersection, were all values of the right column in the left one: |B|, less for samples."""
        left, right = self.sides(self.evidence.values)
        return ratio(left * right, self.sides(self.evidence.distinct)[0])

    @cached_property
    def containment_left(self) -> Vectors:
        """|A n B| / |A|, A the values of the left column; an estimate where the values are samples."""
        return np.minimum(ratio(self.intersection, self.expected_left), 1)

    @cached_property
    def containment_right(self) -> Vectors:
        """|A n B| / |B|, B the values of the right column; an estimate where the values are samples."""
        return np.minimum(ratio(self.intersection, self.expected_right), 1)

    @cached_property
    def row_share_left(self) -> Vectors:
        """Share of the rows of the left column, nulls aside, whose value the right one has; 0 where they were not
        counted (see `ColumnEvidence.row_overlaps`)."""
        filled = self.evidence.rows[self.left] - self.evidence.nulls[self.left]
        return ratio(self._entries(self.evidence.row_overlaps), filled)

    @cached_property
    def intersection_error(self) -> Vectors:
        """Standard error of the intersection; 0 where all values of both columns were counted."""
        sizes = (*self.sides(self.evidence.values), *self.sides(self.evidence.distinct))
        sampled = np.where(self.estimated, sampled_error(self.intersection, *sizes), 0)
        return np.maximum(self._entries(self.evidence.intersection_errors), sampled, dtype=np.float32)

    @cached_property
    def containment_left_error(self) -> Vectors:
        """Standard error of `containment_left`, at most 1/2: that of a share of which nothing is known."""
        return self._share_error(self.expected_left)

    @cached_property
    def containment_right_error(self) -> Vectors:
        """Standard error of `containment_right`, at most 1/2."""
        return self._share_error(self.expected_right)

    @cached_property
    def jaccard_error(self) -> Vectors:
        """Standard error of `jaccard`, at most 1/2, to first order: se(x) (s + t) / (s + t - x)^2 of s and t values."""
        total = np.add(*self.sides(self.evidence.values))
        both = np.maximum(total - self.intersection, 1).astype(np.float64)
        return self._share_error(both**2 / np.maximum(total, 1))

    def _share_error(self, whole: AnyArray) -> Vectors:
        known = np.minimum(ratio(self.intersection_error, whole), MOST_ERROR)
        return np.where(self.estimated & self.unknown, np.float32(MOST_ERROR), known)

    @cached_property
    def jaccard(self) -> Vectors:
        """|A n B| / |A u B| of the values that are known."""
        return ratio(self.intersection, np.add(*self.sides(self.evidence.values)) - self.intersection)

    @cached_property
    def greater_uniqueness(self) -> Vectors:
        """Uniqueness of the more unique side."""
        return np.asarray(np.maximum(*self.sides(self.evidence.uniqueness)), dtype=np.float32)

    def chosen(self, where: Indices) -> PairBlock:
        """Some of the pairs as a list, by their place in the flattened block; what was looked up goes along."""
        left, right = (np.broadcast_to(side, self.shape).ravel()[where] for side in (self.left, self.right))
        known = {name: np.broadcast_to(values, self.shape).ravel()[where] for name, values in self._known.items()}
        return PairBlock(self.evidence, left, right, self.vetoes, self.least, known)


class PairBlock(EvidenceBlock):
    """A list of p pairs, as (p,) arrays."""

    def __init__(
        self,
        evidence: ColumnEvidence,
        left: Indices,
        right: Indices,
        vetoes: Vetoes | None = None,
        least: float = 0.0,
        known: Mapping[str, AnyArray] | None = None,
    ) -> None:
        self.evidence, self.left, self.right = evidence, left, right
        self.vetoes, self.least = vetoes, least
        self.shape = left.shape
        self._known = dict(known or {})

    @property
    def once(self) -> Flags | bool:
        """Everywhere: a list has no second place."""
        return True

    def spread(self, where: Indices, values: AnyArray) -> Vectors:
        """At their places in the list."""
        spread = np.zeros(self.shape, dtype=np.float32)
        spread[where] = values
        return spread

    def reversed(self) -> PairBlock:
        """The same pairs with their sides exchanged; what was looked up goes along."""
        known = {CARRIED[name]: values for name, values in self._known.items()}
        return PairBlock(self.evidence, self.right, self.left, self.vetoes, self.least, known)

    def both_ways(self) -> PairBlock:
        """The pairs, then the same ones with their sides exchanged; what was looked up goes along."""
        left, right = np.concatenate([self.left, self.right]), np.concatenate([self.right, self.left])
        known = {
            name: np.concatenate([values, self._known[CARRIED[name]]])
            for name, values in self._known.items()
            if CARRIED[name] in self._known
        }
        return PairBlock(self.evidence, left, right, self.vetoes, self.least, known)

    def _entries(self, matrix: SparseRows) -> Vectors:
        if not len(self.left):
            return np.zeros(0, dtype=np.float32)
        return entries_at(matrix, self.left, self.right)

    def _common(self, sets: SparseRows) -> tuple[Vectors, Vectors, Vectors]:
        sizes = np.diff(sets.indptr).astype(np.float32)
        return common_entries(sets, self.left, sets, self.right), sizes[self.left], sizes[self.right]

    def _header_similarity(self) -> Vectors:
        return self.evidence.forms.header_similarity(self.left, self.right)

    def _name_ends(self) -> Flags:
        forms = self.evidence.forms
        ends = forms.headers.ends_with(self.left, self.right)
        at = forms.with_prefix(self.left, self.right)
        if len(at):
            ends[at] |= forms.bare_headers.ends_with(self.left[at], self.right[at])
        return ends

    def _named_after(self) -> Vectors:
        return self.evidence.forms.named_after(self.left, self.right)

    def _mirrored(self, name: str) -> AnyArray:
        return np.asarray(getattr(self.reversed(), name))


CARRIED = {
    "intersection": "intersection",
    "header_similarity": "header_similarity",
    "declared": "declared",
    "named_after_right": "named_after_left",
    "named_after_left": "named_after_right",
    "name_ends_right": "name_ends_left",
    "name_ends_left": "name_ends_right",
    "by_name_right": "by_name_left",
    "by_name_left": "by_name_right",
}
"""Quantities that cost a look-up in sparse matrices, and the name of each when the sides of a pair are exchanged."""
