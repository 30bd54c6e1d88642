"""The column-level problem, and its reduction to one number per table, sub-query and pair of tables.

The paper's program has a binary for every column pair. Only the best column per sub-query and table, and the best
pair of columns per pair of tables, can be in an optimal solution (docs/formulation.md has the proof), so the maximum
over columns loses nothing, and which column won is known afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from formulations import validation
from formulations.coercion import whole_number
from formulations.errors import InvalidInstanceError
from formulations.instance import Instance
from formulations.validation import Array, IntArray, TableKey


@dataclass(frozen=True, eq=False, init=False, repr=False)
class ColumnProblem:
    """Tables with columns: n tables, C columns, m sub-queries.

    Parameters
    ----------
    relevance : array of shape (n,)
        Coarse relevance of each table.
    fine : array of shape (m, C)
        Fine relevance r_qik of each column; finite, or ``-inf`` for "can not match".
    owner : array of C integers
        The table of each column, not decreasing, from 0 to n - 1. A table may have no columns: it matches no sub-query
        (its coverage is ``-inf``) and joins with nothing.
    joinability : array or scipy sparse matrix of shape (C, C)
        w_ij^kl >= 0, symmetric; zero where the two columns can not join. Pairs within one table have no meaning.
    size, ids, require, exclude
        As for `Instance`.
    column_names : sequence of C strings, optional
        Names of the columns; ``"0"`` to ``"C-1"`` by default. They may repeat.

    Raises
    ------
    InvalidInstanceError
        With the field, the index, and the remedy.
    """

    relevance: Array
    fine: Array
    owner: IntArray
    joinability: Array
    size: int
    ids: tuple[str, ...]
    require: tuple[int, ...]
    exclude: tuple[int, ...]
    column_names: tuple[str, ...]

    def __init__(
        self,
        relevance: npt.ArrayLike,
        fine: npt.ArrayLike,
        owner: npt.ArrayLike,
        joinability: npt.ArrayLike,
        size: int,
        ids: Sequence[str] | None = None,
        require: Iterable[TableKey] = (),
        exclude: Iterable[TableKey] = (),
        column_names: Sequence[str] | None = None,
    ) -> None:
        scores = validation.relevance_vector(relevance)
        n = len(scores)
        tables = _owners(owner, n)
        columns = len(tables)
        k, table_ids = validation.set_size(size, n), validation.unique_ids(ids, n)
        required, excluded = validation.table_sets(require, exclude, k, table_ids)
        vars(self).update(
            relevance=scores,
            fine=validation.coverage_matrix("fine", fine, columns, "column"),
            owner=tables,
            joinability=validation.symmetric_matrix("joinability", joinability, columns),
            size=k,
            ids=table_ids,
            require=required,
            exclude=excluded,
            column_names=_names(column_names, columns),
        )
        validation.freeze(self.relevance, self.fine, self.owner, self.joinability)

    def replace(self, **changes: Any) -> ColumnProblem:
        """Return a copy with some constructor arguments changed; the result is checked again."""
        unknown = sorted(set(changes) - set(_ARGUMENTS))
        if unknown:
            remedy = f"use one of {', '.join(_ARGUMENTS)}"
            raise InvalidInstanceError(unknown[0], "is not a field of ColumnProblem", remedy)
        return ColumnProblem(**{name: getattr(self, name) for name in _ARGUMENTS} | changes)

    def restricted(self, require: tuple[int, ...], exclude: tuple[int, ...]) -> ColumnProblem:
        """Return the problem with other required and excluded tables, ascending; no copy of any array, no check."""
        problem = object.__new__(ColumnProblem)
        vars(problem).update(vars(self) | {"require": require, "exclude": exclude})
        return problem

    def resized(self, size: int) -> ColumnProblem:
        """Return the problem with another number of tables; no copy of any array.

        Raises
        ------
        InvalidInstanceError
            When `size` is out of range: less than the required tables, or more than those not excluded.
        """
        k = validation.changed_size(size, self.require, self.exclude, self.ids)
        problem = object.__new__(ColumnProblem)
        vars(problem).update(vars(self) | {"size": k})
        return problem

    @property
    def n(self) -> int:
        """Number of tables."""
        return len(self.relevance)

    def reduce(self) -> Reduction:
        """Return the reduced instance with the way back to columns.

        Takes O(C^2 + m C) time: two passes of ``maximum.reduceat``, no loop over pairs.
        """
        n = len(self.relevance)
        present, starts = np.unique(self.owner, return_index=True)
        coverage = np.full((len(self.fine), n), -np.inf)
        compatibility = np.zeros((n, n))
        if len(starts):
            coverage[:, present] = np.maximum.reduceat(self.fine, starts, axis=1)
            by_row = np.maximum.reduceat(self.joinability, starts, axis=0)
            compatibility[np.ix_(present, present)] = np.maximum.reduceat(by_row, starts, axis=1)
            np.fill_diagonal(compatibility, 0.0)
        instance = Instance.from_checked(
            self.relevance, coverage, compatibility, self.size, self.ids, self.require, self.exclude
        )
        return Reduction(self, instance, np.searchsorted(self.owner, np.arange(n + 1)))

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        validation.freeze(self.relevance, self.fine, self.owner, self.joinability)

    def __repr__(self) -> str:
        m, columns = self.fine.shape
        return f"ColumnProblem(n={len(self.relevance)}, columns={columns}, m={m}, size={self.size})"


_ARGUMENTS = (
    "relevance",
    "fine",
    "owner",
    "joinability",
    "size",
    "ids",
    "require",
    "exclude",
    "column_names",
)


@dataclass(frozen=True, eq=False, repr=False)
class Reduction:
    """The reduced instance beside the problem that it came from.

    Attributes
    ----------
    problem : ColumnProblem
        The column-level problem.
    instance : Instance
        One score per table and sub-query, and one per pair of tables.
    first_column : array of n + 1 integers
        Columns of table i: ``first_column[i]`` up to, but not including, ``first_column[i + 1]``.
    """

    problem: ColumnProblem
    instance: Instance
    first_column: IntArray

    def best_column(self, subquery: int, table: int) -> int:
        """Return the column of the table that matches the sub-query best (the first of equals).

        Raises
        ------
        InvalidInstanceError
            When the table has no columns, or there is no such table or sub-query.
        """
        n, m = self.instance.n, self.instance.m
        table, subquery = _index("table", table, n), _index("subquery", subquery, m)
        first, last = self._columns(table)
        if first == last:
            name = self.problem.ids[table]
            raise InvalidInstanceError("table", f"{name!r} has no columns", "ask for tables that have some")
        return first + int(self.problem.fine[subquery, first:last].argmax())

    def best_pair(self, left: int, right: int) -> tuple[int, int]:
        """Return the pair of columns, one of each table, that joins the two tables best (the first of equals).

        Raises
        ------
        InvalidInstanceError
            When the two tables do not join, or there is no such table.
        """
        left, right = (_index("pair", table, self.instance.n) for table in (left, right))
        if left == right or not self.instance.compatibility[left, right] > 0.0:
            pair = f"({self.problem.ids[left]!r}, {self.problem.ids[right]!r})"
            raise InvalidInstanceError("pair", f"{pair} has no join", "ask for pairs with positive compatibility")
        first, last = self._columns(left)
        begin, end = self._columns(right)
        block = self.problem.joinability[first:last, begin:end]
        k, l = divmod(int(block.argmax()), end - begin)  # noqa: E741 - the paper's letters for columns
        return first + k, begin + l

    def _columns(self, table: int) -> tuple[int, int]:
        return int(self.first_column[table]), int(self.first_column[table + 1])

    def __repr__(self) -> str:
        return f"Reduction({self.problem!r} -> {self.instance!r})"


def _index(field: str, value: Any, count: int) -> int:
    index = whole_number(value)
    if index is None or not 0 <= index < count:
        remedy = f"pass an index from 0 to {count - 1}" if count else "there is none"
        raise InvalidInstanceError(field, f"is {value!r}", remedy)
    return index


def _names(value: Sequence[str] | None, columns: int) -> tuple[str, ...]:
    if value is None:
        return tuple(map(str, range(columns)))
    names = tuple(validation.as_list("column_names", value, "strings"))
    if len(names) != columns:
        fact = f"has {len(names)} entries for {columns} columns"
        raise InvalidInstanceError("column_names", fact, "pass one name per column")
    for k, name in enumerate(names):
        if not isinstance(name, str):
            raise InvalidInstanceError(f"column_names[{k}]", f"is {name!r}", "pass strings")
    return names


def _owners(value: npt.ArrayLike, n: int) -> IntArray:
    array = validation.as_floats("owner", value)
    if array.ndim != 1:
        raise InvalidInstanceError("owner", f"has shape {array.shape}", "pass one table index per column, shape (C,)")
    owner = np.where(np.isfinite(array), array, -1.0).astype(np.int64)
    wrong = np.flatnonzero((owner != array) | (owner < 0) | (owner >= n))
    if len(wrong):
        k = int(wrong[0])
        remedy = f"pass an index from 0 to {n - 1}"
        raise InvalidInstanceError(f"owner[{k}]", f"is {array[k]:g} with {n} tables", remedy)
    falls = np.flatnonzero(np.diff(owner) < 0)
    if len(falls):
        k = int(falls[0]) + 1
        remedy = "sort the columns by their table"
        raise InvalidInstanceError(f"owner[{k}]", f"is {owner[k]} after {owner[k - 1]}", remedy)
    return owner
