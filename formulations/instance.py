"""The problem data: which tables there are, how relevant they are, and how they join."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from formulations import validation
from formulations.errors import InvalidInstanceError
from formulations.instance_json import decoded, encoded, read_json
from formulations.validation import Array, TableKey

Derived = TypeVar("Derived")


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Instance:
    """A table selection problem: choose ``size`` of n tables.

    The data is checked once, here, copied, and read-only afterwards.

    Parameters
    ----------
    relevance : array of shape (n,)
        Coarse relevance r_i of each table to the question; finite, any sign.
    coverage : array of shape (m, n)
        Fine relevance r_qi of the best column of table i to sub-query q; finite, any sign, or ``-inf`` where
        table i can not match sub-query q (a table without columns). m may be 0.
    compatibility : array or scipy sparse matrix of shape (n, n)
        Joinability w_ij >= 0 of the best column pair of two tables, symmetric; zero means "no join". The diagonal
        has no meaning and is set to zero.
    size : int
        The number K of tables to select, 1 <= K <= n.
    ids : sequence of n different strings, optional
        Names of the tables; ``"0"`` to ``"n-1"`` by default.
    require, exclude : iterable of index or id, optional
        Tables that must, or must not, be selected.
    forbid_joins : iterable of pairs of index or id, optional
        Pairs of tables whose join is taken out of the graph.
    groups : sequence of n strings or integers, optional
        Where the items are columns (`CrushObjective`): the table of each, by any label.

    Attributes
    ----------
    weights : array of shape (n, n)
        ``compatibility`` without the forbidden joins: what the objectives use.

    Raises
    ------
    InvalidInstanceError
        With the field, the index, and the remedy.
    """

    relevance: Array
    coverage: Array
    compatibility: Array
    size: int
    ids: tuple[str, ...]
    require: tuple[int, ...]
    exclude: tuple[int, ...]
    forbid_joins: tuple[tuple[int, int], ...]
    groups: tuple[str | int, ...] | None
    weights: Array = field(init=False)
    _derived: dict[Hashable, Any] | None = field(init=False)

    def __init__(
        self,
        relevance: npt.ArrayLike,
        coverage: npt.ArrayLike,
        compatibility: Any,
        size: int,
        ids: Sequence[str] | None = None,
        require: Iterable[TableKey] = (),
        exclude: Iterable[TableKey] = (),
        forbid_joins: Iterable[tuple[TableKey, TableKey]] = (),
        groups: Sequence[str | int] | None = None,
    ) -> None:
        scores = validation.relevance_vector(relevance)
        n = len(scores)
        names = validation.unique_ids(ids, n)
        joins = validation.symmetric_matrix("compatibility", compatibility, n)
        k = validation.set_size(size, n)
        required, excluded = validation.table_sets(require, exclude, k, names)
        forbidden = validation.table_pairs("forbid_joins", forbid_joins, names)
        fine = validation.coverage_matrix("coverage", coverage, n, "table")
        labels = None if groups is None else validation.group_labels(groups, n)
        self._store(scores, fine, joins, k, names, required, excluded, forbidden, labels)

    @classmethod
    def from_checked(
        cls,
        relevance: Array,
        coverage: Array,
        compatibility: Array,
        size: int,
        ids: tuple[str, ...],
        require: tuple[int, ...] = (),
        exclude: tuple[int, ...] = (),
        forbid_joins: tuple[tuple[int, int], ...] = (),
        groups: tuple[str | int, ...] | None = None,
    ) -> Instance:
        """Return an instance of data that already satisfies every condition, without copies or checks.

        For callers that computed the arrays themselves: float64, C-contiguous, symmetric, zero diagonal, sorted index
        tuples. The arrays become read-only. Wrong data gives wrong answers, not errors.
        """
        instance = cls.__new__(cls)
        instance._store(relevance, coverage, compatibility, size, ids, require, exclude, forbid_joins, groups)
        return instance

    def _store(
        self,
        relevance: Array,
        coverage: Array,
        compatibility: Array,
        size: int,
        ids: tuple[str, ...],
        require: tuple[int, ...],
        exclude: tuple[int, ...],
        forbid_joins: tuple[tuple[int, int], ...],
        groups: tuple[str | int, ...] | None,
    ) -> None:
        weights = compatibility
        if forbid_joins:
            weights = compatibility.copy()
            for i, j in forbid_joins:
                weights[i, j] = weights[j, i] = 0.0
        validation.freeze(relevance, coverage, compatibility, weights)
        # The dataclass is frozen; its own constructor writes past that once.
        vars(self).update(
            relevance=relevance,
            coverage=coverage,
            compatibility=compatibility,
            size=size,
            ids=ids,
            require=require,
            exclude=exclude,
            forbid_joins=forbid_joins,
            groups=groups,
            weights=weights,
            _derived=None,
        )

    @property
    def n(self) -> int:
        """Number of tables."""
        return len(self.relevance)

    @property
    def m(self) -> int:
        """Number of sub-queries."""
        return len(self.coverage)

    @property
    def largest(self) -> tuple[float, float, float]:
        """The largest relevance and coverage of tables that are not excluded, and join weight; none below zero."""
        if "_largest" not in vars(self):  # no `functools.cached_property`: up to Python 3.11 it has a lock
            vars(self)["_largest"] = self._compute_largest()
        return cast("tuple[float, float, float]", vars(self)["_largest"])

    def _compute_largest(self) -> tuple[float, float, float]:
        relevance, coverage = self.relevance, self.coverage
        if self.exclude:
            kept = np.ones(self.n, dtype=bool)
            kept[list(self.exclude)] = False
            relevance, coverage = relevance[kept], coverage[:, kept]
        # Of small arrays the reduction itself takes half the time of the method `max`.
        largest = np.maximum.reduce
        fine = float(largest(coverage.ravel())) if coverage.size else 0.0
        return max(0.0, float(largest(relevance))), max(0.0, fine), float(largest(self.weights.ravel()))

    def replace(self, **changes: Any) -> Instance:
        """Return a copy with some constructor arguments changed; the result is checked again."""
        unknown = sorted(set(changes) - set(_ARGUMENTS))
        if unknown:
            raise InvalidInstanceError(unknown[0], "is not a field of Instance", f"use one of {', '.join(_ARGUMENTS)}")
        return Instance(**{name: getattr(self, name) for name in _ARGUMENTS} | changes)

    def restricted(self, require: tuple[int, ...], exclude: tuple[int, ...]) -> Instance:
        """Return the problem with other required and excluded tables, ascending; no copy of any array, no check.

        Forbidden joins are gone from its ``compatibility``, so that no copy has to take them out again.
        """
        arrays = (self.relevance, self.coverage, self.weights)
        return Instance.from_checked(*arrays, self.size, self.ids, require, exclude, groups=self.groups)._sharing(self)

    def resized(self, size: int) -> Instance:
        """Return the problem with another number of tables; no copy of any array.

        Raises
        ------
        InvalidInstanceError
            When `size` is out of range: less than the required tables, or more than those not excluded.
        """
        k = validation.changed_size(size, self.require, self.exclude, self.ids)
        resized = Instance.__new__(Instance)
        vars(resized).update(vars(self), size=k)
        return resized._sharing(self)

    def derived(self, key: Hashable, compute: Callable[[], Derived]) -> Derived:
        """Return what `compute` makes of the scores alone.

        Between a problem that `resized` or `restricted` gave, and those that they give from it, it is computed once.
        """
        if self._derived is None:
            return compute()
        if key not in self._derived:
            self._derived[key] = compute()
        return cast(Derived, self._derived[key])

    def _sharing(self, other: Instance) -> Instance:
        vars(self)["_derived"] = {} if other._derived is None else other._derived
        return self

    def to_dict(self, objective: Any = None) -> dict[str, Any]:
        """Return the instance as JSON types (schema in docs/formulation.md), with the objective where one is given."""
        return encoded(vars(self), objective)

    def to_json(self, path: str | Path | None = None, objective: Any = None) -> str:
        """Return the instance as JSON text, and write it to `path` where one is given."""
        text = json.dumps(self.to_dict(objective))
        if path is not None:
            Path(path).write_text(text + "\n", encoding="utf-8")
        return text

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Instance:
        """Return the instance that `to_dict` wrote; an ``objective`` in it is left to `objective_from_dict`."""
        return cls(**decoded(data))

    @classmethod
    def from_json(cls, source: str | Path) -> Instance:
        """Return the instance in a JSON file, or in a JSON text (which starts with ``{``)."""
        return cls.from_dict(read_json(source))

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"_derived": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        validation.freeze(self.relevance, self.coverage, self.compatibility, self.weights)

    def __eq__(self, other: object) -> bool:
        """Whether the other is an instance of the same numbers, names and wishes."""
        if not isinstance(other, Instance):
            return NotImplemented
        mine, theirs = ([getattr(each, name) for name in _ARGUMENTS] for each in (self, other))
        return all(
            np.array_equal(left, right) if isinstance(left, np.ndarray) else left == right
            for left, right in zip(mine, theirs, strict=True)
        )

    def __hash__(self) -> int:
        return hash((self.n, self.m, self.size, self.ids, self.require, self.exclude, self.forbid_joins, self.groups))

    def __repr__(self) -> str:
        return f"Instance(n={self.n}, m={self.m}, size={self.size})"


_ARGUMENTS = (
    "relevance",
    "coverage",
    "compatibility",
    "size",
    "ids",
    "require",
    "exclude",
    "forbid_joins",
    "groups",
)
