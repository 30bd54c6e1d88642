"""A linear program over bounded columns, as arrays: what the host builds and a worker passes to its engine."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from formulations.validation import Array, IntArray
from formulations.workers.frames import AnyArray

Indices = npt.ArrayLike

LARGEST_EXPONENT = 900
"""Costs are scaled by no more than 2 to this power, in either direction."""


@dataclass(frozen=True, eq=False)
class Program:
    """Maximise ``cost @ x`` subject to rows ``a @ x <= rhs`` or ``a @ x == rhs`` and ``lower <= x <= upper``.

    Attributes
    ----------
    cost, lower, upper : arrays of shape (columns,)
        Objective and bounds; all bounds are finite.
    integer : array of shape (columns,)
        Which columns must be integers.
    start : array of shape (rows + 1,)
        Entries of row r: ``start[r]`` up to, but not including, ``start[r + 1]``.
    index, coefficient : arrays
        Column and coefficient of each entry.
    rhs : array of shape (rows,)
        Right-hand sides.
    equal : array of shape (rows,)
        Which rows are equations.
    """

    cost: Array
    lower: Array
    upper: Array
    integer: npt.NDArray[np.bool_]
    start: IntArray
    index: IntArray
    coefficient: Array
    rhs: Array
    equal: npt.NDArray[np.bool_]

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and columns."""
        return len(self.rhs), len(self.cost)

    def arrays(self) -> dict[str, AnyArray]:
        """Return the arrays by name, as a worker expects them."""
        return dict(vars(self))


class ProgramBuilder:
    """Collects columns and rows in blocks.

    Blocks of columns come first; each is an array of column numbers of the shape asked for, so that the rows can be
    written with numpy indexing.
    """

    def __init__(self) -> None:
        self._columns: list[tuple[Array, Array, Array, npt.NDArray[np.bool_]]] = []
        self._width = 0
        self._rows: list[tuple[IntArray, IntArray, Array]] = []
        self._rhs: list[Array] = []
        self._equal: list[npt.NDArray[np.bool_]] = []
        self._height = 0

    @property
    def empty(self) -> bool:
        """Whether there is no row yet."""
        return self._height == 0

    def columns(
        self, cost: npt.ArrayLike, *, lower: npt.ArrayLike = 0.0, upper: npt.ArrayLike = 1.0, integer: bool = False
    ) -> IntArray:
        """Add a column for each entry of `cost`; return their numbers in its shape. Bounds are broadcast to it."""
        costs = np.asarray(cost, dtype=np.float64)
        numbers = self._width + np.arange(costs.size, dtype=np.int64)
        low, high = (np.broadcast_to(np.asarray(bound, dtype=np.float64), costs.shape) for bound in (lower, upper))
        self._columns.append((costs.ravel(), low.ravel(), high.ravel(), np.full(costs.size, integer)))
        self._width += costs.size
        return numbers.reshape(costs.shape)

    def rows(self, *terms: tuple[Indices, npt.ArrayLike], rhs: npt.ArrayLike, equal: bool = False) -> None:
        """Add rows of a common form, one for each entry of the first axis of the terms.

        Parameters
        ----------
        *terms : (columns, coefficients)
            Columns of shape (rows,) or (rows, entries); coefficients are broadcast to it.
        rhs : number or array of shape (rows,)
            Right-hand sides.
        equal : bool
            Whether the rows are equations rather than ``<=``.
        """
        count = len(np.asarray(terms[0][0]))
        if count == 0:
            return
        for columns, coefficients in terms:
            entries = np.asarray(columns, dtype=np.int64).reshape(count, -1)
            values = np.asarray(coefficients, dtype=np.float64)
            values = values[:, None] if values.ndim == 1 else values
            number = np.repeat(self._height + np.arange(count, dtype=np.int64), entries.shape[1])
            self._rows.append((number, entries.ravel(), np.broadcast_to(values, entries.shape).ravel()))
        self._finish(count, rhs, equal)

    def grouped(
        self, count: int, *terms: tuple[npt.ArrayLike, Indices, Any], rhs: npt.ArrayLike, equal: bool = False
    ) -> None:
        """Add `count` rows with different numbers of entries.

        Parameters
        ----------
        *terms : (row, column, coefficient)
            For each entry its row within the block, its column, and its coefficient (a number or an array).
        """
        for rows, columns, coefficients in terms:
            entries = np.asarray(columns, dtype=np.int64).ravel()
            values = np.broadcast_to(np.asarray(coefficients, dtype=np.float64), entries.shape)
            self._rows.append((self._height + np.asarray(rows, dtype=np.int64).ravel(), entries, values))
        self._finish(count, rhs, equal)

    def _finish(self, count: int, rhs: npt.ArrayLike, equal: bool) -> None:
        self._rhs.append(np.broadcast_to(np.asarray(rhs, dtype=np.float64), (count,)))
        self._equal.append(np.full(count, equal))
        self._height += count

    def build(self, base: Program | None = None) -> Program:
        """Return the program, or `base` with the rows of this builder added; O(entries log entries)."""
        row = np.concatenate([block[0] for block in self._rows])
        index = np.concatenate([block[1] for block in self._rows])
        coefficient = np.concatenate([block[2] for block in self._rows])
        order = np.argsort(row, kind="stable")
        start = np.searchsorted(row[order], np.arange(self._height + 1)).astype(np.int64)
        index, coefficient = index[order], coefficient[order]
        rhs, equal = np.concatenate(self._rhs), np.concatenate(self._equal)
        if base is not None:
            return replace(
                base,
                start=np.concatenate([base.start, start[1:] + base.start[-1]]),
                index=np.concatenate([base.index, index]),
                coefficient=np.concatenate([base.coefficient, coefficient]),
                rhs=np.concatenate([base.rhs, rhs]),
                equal=np.concatenate([base.equal, equal]),
            )
        return Program(
            cost=np.concatenate([block[0] for block in self._columns]),
            lower=np.concatenate([block[1] for block in self._columns]),
            upper=np.concatenate([block[2] for block in self._columns]),
            integer=np.concatenate([block[3] for block in self._columns]),
            start=start,
            index=index,
            coefficient=coefficient,
            rhs=rhs,
            equal=equal,
        )


def largest_sum(amounts: npt.ArrayLike, count: int) -> float:
    """Return the sum of the `count` largest of some amounts >= 0."""
    return float(np.sort(np.asarray(amounts, dtype=np.float64))[::-1][: max(0, count)].sum())


def power_of_two(program: Program, largest: float) -> float:
    """Return the factor, a power of two, that brings the largest cost of a program to about `largest`."""
    actual = float(np.abs(program.cost).max(initial=0.0))
    if actual == 0.0:
        return 1.0
    exponent = math.floor(math.log2(largest) - math.log2(actual))
    return 2.0 ** min(max(exponent, -LARGEST_EXPONENT), LARGEST_EXPONENT)
