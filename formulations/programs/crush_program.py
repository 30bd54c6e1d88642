"""The linear form: columns, levels of the probes, counts of the tables, key links, and the cuts that make it exact.

With t the sharpness, w(v) = connectivity * (smx of v neighbours) and g(v) = w(v) - w(0), the columns are b_d (column d
is selected), theta_k (what probe k earns), z_jv (v columns of table j are selected; for a table of one column z_j1 is
its b_d), p_e (both ends of key link e are selected) and y_d (what column d earns by its key links, beside its own
table); b and z are integers. Maximise

    sum theta_k + sum_jv v g(v - 1) z_jv + sum y_d + size * w(0)

    (C1) sum b = size                               (C4) p_e <= b_d, p_e <= b_d'          for e = (d, d')
    (C2) sum_v z_jv = 1                             (C5) y_d <= g(1) sum_{e at d} p_e
    (C3) sum_v v z_jv = sum_{d in j} b_d            (C6) y_d <= r_d1 b_d,  y_d <= sum_v r_dv z_jv

    with r_dv = min((g(v) - g(v - 1)) * number of links at d, g(size - 1) - g(v - 1)), and

    (C7) theta_k <= u - t + sum_d psi(s_kd - u) b_d                             for any level u
    (C8) y_d <= g(v - 1 + c) - g(v - 1) + (g(v + c) - g(v - 1 + c)) (sum_{d' at d} b_d' - c) + g(size - 1) (1 - z_jv)

for d in table j, v >= 1 and c >= 0 with v - 1 + c < size. A few (C7) come with the program, the others as cuts: those
at the levels of a set, and (C8) at its counts, leave it no more than it is worth (docs/crush.md has the proofs).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from formulations.instance import Instance
from formulations.kernels.columns.problem import check_similarities
from formulations.objectives.crush import CrushObjective, group_numbers, soft_maximum
from formulations.programs.program import Program, ProgramBuilder, largest_sum
from formulations.validation import Array, IntArray

SKIPPED = (0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89)
"""A row (C7) comes with the program at the level of each probe over its most similar columns but the first so many."""

FINENESS = 2.0**-24
"""What one stands for in the columns theta and y of an engine that counts in integers, as a share of their range."""

SIZE_SHARE = 2.0**-10
"""That range counts as this share of the numbers at least: differences are no more exact than the rounding of these."""


class CrushProgram:
    """The program of an instance, and the ways between its solutions and sets of columns.

    Parameters
    ----------
    instance, objective
        The problem.
    integral : bool
        Make every column, and every coefficient of a row, an integer. What that rounds is rounded up, so that the bound
        holds: by at most `unit` for each selected column and each row.

    Attributes
    ----------
    unit : float
        What one stands for in the columns theta and y, a power of two: what they range over, so that the tolerances of
        an engine are little beside it, or a small share of that where all must be integers.
    """

    def __init__(self, instance: Instance, objective: CrushObjective, *, integral: bool = False) -> None:
        check_similarities(instance)
        self.instance = instance
        self.objective = objective
        self._integral = integral
        self._kept = np.setdiff1d(np.arange(instance.n), instance.exclude)
        self._table = group_numbers(instance)
        links = objective.connectivity * objective.link_values(instance.size)
        self._gain = links - links[0]
        self._origin = self._levels(0)
        self.constant = float(self._origin.sum() + instance.size * links[0])
        self.unit = self._largest() * (FINENESS if integral else 1.0)
        self._builder = ProgramBuilder()
        self._selected = self._selection_columns()
        self._earned = self._probe_columns()
        self._counts = self._table_columns()
        self._left, self._right, self._both, self._keyed = self._key_columns()
        self._base = self._builder.build()
        self._rows = ProgramBuilder()
        self._cut: set[tuple[int, ...]] = set()

    def program(self) -> Program:
        """Return the program with the cuts so far."""
        return self._base if self._rows.empty else self._rows.build(self._base)

    def cut_off(self, items: tuple[int, ...]) -> bool:
        """Add the cuts under which this set earns no more than it is worth; say whether any is new."""
        if items in self._cut:
            return False
        self._cut.add(items)
        keyed = [item for item in items if item in self._keyed]
        self._tangents(self._rows, soft_maximum(self.instance.coverage[:, list(items)], self.objective.sharpness))
        self._limit_keys(items, keyed)
        return bool(self.instance.m or keyed)

    def decode(self, x: Array) -> tuple[int, ...]:
        """Return the set of columns in a solution."""
        return tuple(np.flatnonzero((self._selected >= 0) & (x[self._selected] > 0.5)).tolist())

    def encode(self, items: Sequence[int]) -> Array:
        """Return the solution that stands for a set of columns, as a start for the engine."""
        chosen = list(items)
        x = np.zeros(len(self._base.cost))
        x[self._selected[chosen]] = 1.0
        levels = soft_maximum(self.instance.coverage[:, chosen], self.objective.sharpness)
        x[self._earned] = self._down(np.minimum(levels - self._origin, 0.0))
        inside = np.zeros(self.instance.n, dtype=bool)
        inside[chosen] = True
        for table, counts in self._counts.items():
            x[counts[int(inside[self._table == table].sum())]] = 1.0
        x[self._both] = inside[self._left] & inside[self._right]
        for d, (column, others) in self._keyed.items():
            if inside[d]:
                beside = int(inside[self._table == self._table[d]].sum()) - 1
                x[column] = self._down(self._gain[beside + int(inside[others].sum())] - self._gain[beside])
        return x

    def most(self, amounts: Array) -> float:
        """Return a bound on ``amounts @ x`` over the sets, of amounts >= 0: K columns, and of each table one count."""
        program = self._base
        extent = amounts * np.maximum(np.abs(program.lower), np.abs(program.upper))
        counted = [extent[columns].max() for columns in self._counts.values()]
        for columns in self._counts.values():
            extent[columns] = 0.0
        selected = self._selected[self._kept]
        chosen = largest_sum(extent[selected], self.instance.size)
        extent[selected] = 0.0
        return float(extent.sum()) + chosen + largest_sum(counted, self.instance.size)

    def _selection_columns(self) -> IntArray:
        """Add b and (C1); return the column of each item, -1 for excluded ones."""
        selected = np.full(self.instance.n, -1)
        required = np.isin(self._kept, self.instance.require)
        selected[self._kept] = self._builder.columns(np.zeros(len(self._kept)), lower=required, integer=True)
        self._builder.rows((selected[self._kept][None], 1.0), rhs=self.instance.size, equal=True)
        return selected

    def _probe_columns(self) -> IntArray:
        """Add theta, less its largest value, and (C7) at levels that sets can have."""
        m, others = self.instance.m, len(self._kept) - self.instance.size
        lower = np.floor(self._in_units(self._levels(others) - self._origin)) - 1.0
        self._earned = self._builder.columns(np.full(m, self.unit), lower=lower, upper=0.0, integer=self._integral)
        for skipped in sorted({min(number, others) for number in SKIPPED}):
            self._tangents(self._builder, self._levels(skipped))
        return self._earned

    def _table_columns(self) -> dict[int, IntArray]:
        """Add z with (C2) and (C3) for tables with several columns, where links earn anything; return the columns."""
        counts: dict[int, IntArray] = {}
        if self._gain[-1] <= 0.0:
            return counts
        for table in np.unique(self._table[self._kept]).tolist():
            members = self._kept[self._table[self._kept] == table]
            if len(members) == 1:
                continue
            most = min(len(members), self.instance.size)
            number = np.arange(most + 1)
            earned = number * self._gain[np.maximum(number - 1, 0)]
            counts[table] = z = self._builder.columns(earned, integer=True)
            self._builder.rows((z[None], 1.0), rhs=1.0, equal=True)
            self._builder.rows(
                (z[None], number[None]), (self._selected[members][None], -1.0), rhs=0.0, equal=True
            )
        return counts

    def _key_columns(self) -> tuple[IntArray, IntArray, IntArray, dict[int, tuple[int, IntArray]]]:
        """Add p and y with (C4) to (C6); return the ends and columns of links, and for each column y and its others."""
        linked = self.instance.weights > 0.0
        linked &= self._table[:, None] != self._table
        linked &= (self._selected >= 0)[:, None] & (self._selected >= 0)
        if self._gain[-1] <= 0.0:
            linked[:] = False
        left, right = np.nonzero(np.triu(linked, 1))
        both = self._builder.columns(np.zeros(len(left)), integer=self._integral)
        for end in (left, right):
            self._builder.rows((both, 1.0), (self._selected[end], -1.0), rhs=np.zeros(len(both)))
        keyed: dict[int, tuple[int, IntArray]] = {}
        for d in np.flatnonzero(linked.any(axis=1)).tolist():
            y = self._builder.columns([self.unit], upper=self._up(self._gain[-1]), integer=self._integral)
            at = both[(left == d) | (right == d)]
            room = self._up(np.minimum(np.diff(self._gain) * len(at), self._gain[-1] - self._gain[:-1]))
            self._builder.rows((y, 1.0), (at[None], -self._up(self._gain[1])), rhs=0.0)
            self._builder.rows((y, 1.0), (self._selected[[d]], -room[0]), rhs=0.0)
            counts = self._counts.get(int(self._table[d]), y[:0])[1 : len(room) + 1]
            if len(counts):
                self._builder.rows((y, 1.0), (counts[None], -room[None, : len(counts)]), rhs=0.0)
            keyed[d] = int(y[0]), np.flatnonzero(linked[d])
        return left, right, both, keyed

    def _tangents(self, builder: ProgramBuilder, levels: Array) -> None:
        """Add (C7) at a level of each probe."""
        if not self.instance.m:
            return
        sharpness = self.objective.sharpness
        counted = psi(self.instance.coverage[:, self._kept] - levels[:, None], sharpness)
        columns = np.broadcast_to(self._selected[self._kept], counted.shape)
        rhs = self._up(levels - sharpness - self._origin)
        builder.rows((self._earned, 1.0), (columns, -self._up(counted)), rhs=rhs)

    def _limit_keys(self, items: tuple[int, ...], keyed: list[int]) -> None:
        """Add (C8) at the counts of a set, for its columns with key links."""
        inside = np.zeros(self.instance.n, dtype=bool)
        inside[list(items)] = True
        gain = self._gain
        for d in keyed:
            column, others = self._keyed[d]
            v, c = int(inside[self._table == self._table[d]].sum()), int(inside[others].sum())
            slope = gain[v + c] - gain[v - 1 + c] if v + c < len(gain) else 0.0
            most = self._up(gain[-1])
            counts = self._counts.get(int(self._table[d]))
            self._rows.rows(
                ([column], 1.0),
                (self._selected[others][None], -self._up(slope)),
                ([self._selected[d] if counts is None else counts[v]], most),
                rhs=self._up(gain[v - 1 + c] - gain[v - 1] - c * slope) + most,
            )

    def _levels(self, skipped: int) -> Array:
        """Return smx of each probe over its most similar columns after the first `skipped`, as many as a set has.

        No set has a higher level than with none skipped, or a lower one than with all skipped that can be.
        """
        similar = -np.sort(-self.instance.coverage[:, self._kept], axis=1)
        return soft_maximum(similar[:, skipped : skipped + self.instance.size], self.objective.sharpness)

    def _largest(self) -> float:
        """Return a power of two that is about what the columns theta and y range over."""
        lowest = self._levels(len(self._kept) - self.instance.size)
        size = max(self.objective.sharpness, np.abs(self.instance.coverage).max(initial=0.0))
        largest = float(max(self._gain[-1], SIZE_SHARE * size, (self._origin - lowest).max(initial=0.0)))
        return 2.0 ** math.floor(math.log2(largest)) if largest > 0.0 else 1.0

    def _in_units(self, value: npt.ArrayLike) -> Array:
        return np.asarray(value, dtype=np.float64) / self.unit

    def _up(self, value: npt.ArrayLike) -> Any:
        """Return numbers in units, rounded up where they must be integers."""
        return np.ceil(self._in_units(value)) if self._integral else self._in_units(value)

    def _down(self, value: npt.ArrayLike) -> Any:
        return np.floor(self._in_units(value)) if self._integral else self._in_units(value)


def psi(above: Array, sharpness: float) -> Array:
    """Return what columns count in (C7) that are so much above the level: convex, with slopes from 0 to 1."""
    if sharpness == 0.0:
        return np.maximum(above, 0.0)
    with np.errstate(over="ignore"):  # -inf is right for what is so far below
        below: Array = sharpness * np.exp(np.minimum(above, 0.0) / sharpness)
    return np.where(above > 0.0, sharpness + above, below)
