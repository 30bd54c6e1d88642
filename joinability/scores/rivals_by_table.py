"""The rivals of the references of tables, computed when they are first asked for and kept beside the evidence."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from joinability.attributes import WeakCache
from joinability.scores.rivals import OtherChildren, Rivals

if TYPE_CHECKING:
    from joinability.arrays import Flags, Indices
    from joinability.evidence.blocks import Vetoes
    from joinability.evidence.profiles import ColumnEvidence

SMALL = 400
"""Columns of a database whose joins are all looked for together."""


class RivalsByTable:
    """The rivals of the tables that were asked for so far.

    All that rivals take from a reference depends on the references of the child's table alone, so that those of one
    table are known without a look at the others. What is known is replaced as a whole, never changed: of threads that
    look for different tables at once one may have looked in vain, and none reads rivals that are not there.
    """

    def __init__(self, evidence: ColumnEvidence) -> None:
        none = np.zeros(0, dtype=np.int64)
        table, database, layer = evidence.table, evidence.column_database, evidence.layer
        rivals = Rivals.of(none, none, np.zeros(0), table, database, layer=layer, case=evidence.case)
        nowhere = np.zeros(len(evidence.table_names), dtype=np.bool_)
        self._state = nowhere, nowhere, rivals

    @property
    def known(self) -> Flags:
        """The tables whose rivals were computed, shape (T,)."""
        return self._state[0]

    def of(self, evidence: ColumnEvidence, tables: Indices, vetoes: Vetoes | None = None) -> Rivals:
        """The rivals of some tables, and maybe of others."""
        known, unlisted, rivals = self._state
        missing = np.zeros_like(known)
        missing[tables] = True
        missing &= ~known
        if missing.any():
            missing = _with_small_databases(evidence, missing) & ~known
            more, without = Rivals.among(evidence, np.flatnonzero(missing[evidence.table]), vetoes)
            unlisted, rivals = unlisted | without, rivals.with_more(more)
            self._state = known | missing, unlisted, rivals
        if not unlisted[tables].any():
            return rivals
        return replace(rivals, look=OtherChildren(evidence, unlisted, vetoes))


_RIVALS: WeakCache[RivalsByTable] = WeakCache()
"""Computed rivals by evidence and vetoes."""


def rivals_by_table(evidence: ColumnEvidence, vetoes: Vetoes | None = None) -> RivalsByTable:
    """The rivals that are known already."""
    return _RIVALS.of(evidence, vetoes, lambda: RivalsByTable(evidence))


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


def _with_small_databases(evidence: ColumnEvidence, tables: Flags) -> Flags:
    """Some tables, and all tables of the small databases that have one of them.

    Computing the tables of a database of `SMALL` columns or fewer together costs little more than computing one. Tables
    are marked in arrays of shape (T,).
    """
    columns = np.bincount(evidence.column_database, minlength=int(evidence.database.max(initial=-1)) + 1)
    asked = np.zeros(len(columns), dtype=np.bool_)
    asked[evidence.database[tables]] = True
    return np.asarray(tables | (asked & (columns <= SMALL))[evidence.database])
