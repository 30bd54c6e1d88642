"""Evidence on all pairs of some columns with others, as matrices: each name, table and row is looked up once."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from joinability.evidence.blocks import CARRIED, EvidenceBlock
from joinability.evidence.name_forms import ratio
from joinability.sparse.products import common_counts
from joinability.sparse.sparse_entries import extents
from joinability.sparse.sparse_rows import ranges

if TYPE_CHECKING:
    from joinability.arrays import AnyArray, Flags, Indices, Vectors
    from joinability.evidence.blocks import Vetoes
    from joinability.evidence.header_forms import HeaderForms
    from joinability.evidence.profiles import ColumnEvidence
    from joinability.sparse.sparse_rows import SparseRows


class GridBlock(EvidenceBlock):
    """All pairs of r columns on the left with c columns on the right, as (r, c) arrays.

    What depends on one side alone has the shape (r, 1) or (1, c).
    """

    def __init__(
        self,
        evidence: ColumnEvidence,
        rows: Indices,
        columns: Indices,
        vetoes: Vetoes | None = None,
        least: float = 0.0,
    ) -> None:
        self.evidence, self.vetoes, self.least, self._known = evidence, vetoes, least, {}
        self.left, self.right = rows[:, None], columns[None, :]
        self.shape = (len(rows), len(columns))

    @property
    def once(self) -> Flags | bool:
        """Everywhere: no pair stands on both sides, as far as the two lists have no column in common."""
        return True

    def spread(self, where: Indices, values: AnyArray) -> Vectors:
        """At their places in the matrix."""
        spread = np.zeros(self.shape, dtype=np.float32)
        spread.ravel()[where] = values
        return spread

    def _entries(self, matrix: SparseRows) -> Vectors:
        """The rows of the columns on the left, whose entries are scattered where they are wanted."""
        index, columns = self.left[:, 0], self.right[0]
        place = np.full(matrix.shape[1], -1, dtype=np.int64)
        place[columns] = np.arange(len(columns))
        starts, lengths = extents(matrix, index)
        entries = ranges(starts, lengths)
        column = place[matrix.indices[entries]]
        wanted = np.flatnonzero(column >= 0)
        block = np.zeros(self.shape, dtype=np.float32)
        block[np.repeat(np.arange(len(index)), lengths)[wanted], column[wanted]] = matrix.data[entries[wanted]]
        return block

    def _common(self, sets: SparseRows) -> tuple[Vectors, Vectors, Vectors]:
        left, right = sets[self.left[:, 0]], sets[self.right[0]]
        sizes, other_sizes = (np.diff(side.indptr).astype(np.float32) for side in (left, right))
        return common_counts(left, right), sizes[:, None], other_sizes[None, :]

    def _header_similarity(self) -> Vectors:
        left, right = self.left[:, 0], self.right[0]
        return reduce(np.maximum, [form.cosine_matrix(left, right) for form in self._header_forms()])

    def _name_ends(self) -> Flags:
        left, right = self.left[:, 0], self.right[0]
        return reduce(np.logical_or, [form.endings_matrix(left, right) for form in self._header_forms()])

    def _header_forms(self) -> list[HeaderForms]:
        """The forms of the names as they are and, where one of them has a prefix, without prefixes."""
        forms = self.evidence.forms
        shortened = any(side.any() for side in self.sides(forms.shortened))
        return [forms.headers, forms.bare_headers] if shortened else [forms.headers]

    def _named_after(self) -> Vectors:
        tables, place = np.unique(self.evidence.table[self.right[0]], return_inverse=True)
        forms, left = self.evidence.forms, self.left[:, 0]
        words = forms.words[left]

        def shares(titles: SparseRows) -> Vectors:
            return ratio(common_counts(words, titles[tables]), np.diff(titles.indptr)[tables])

        named = shares(forms.table_words)
        own = self.evidence.table[left][:, None] == forms.owner[tables]
        if own.any():
            named = np.where(own, np.maximum(named, shares(forms.owned_words)), named)
        if forms.subject_words is not forms.table_words:
            beside = (forms.kin[self.evidence.table[left]][:, None] == forms.kin[tables]) | forms.alone[tables]
            named = np.where(beside, np.maximum(named, shares(forms.subject_words)), named)
        return named[:, place]

    def reversed(self) -> GridBlock:
        """The same pairs with their sides exchanged, as (c, r) arrays; what was looked up goes along."""
        mirror = GridBlock(self.evidence, self.right[0], self.left[:, 0], self.vetoes, self.least)
        mirror._known = {CARRIED[name]: values.T for name, values in self._known.items()}
        return mirror

    def _mirrored(self, name: str) -> AnyArray:
        return np.asarray(getattr(self.reversed(), name)).T


class SquareBlock(GridBlock):
    """All pairs among c columns, as (c, c) arrays."""

    def __init__(self, evidence: ColumnEvidence, columns: Indices) -> None:
        super().__init__(evidence, columns, columns)

    @property
    def once(self) -> Flags | bool:
        """Above the diagonal."""
        return np.triu(np.ones(self.shape, dtype=np.bool_), 1)

    def spread(self, where: Indices, values: AnyArray) -> Vectors:
        """At both places."""
        spread = super().spread(where, values)
        return spread + spread.T

    def _mirrored(self, name: str) -> AnyArray:
        return np.asarray(getattr(self, name)).T
