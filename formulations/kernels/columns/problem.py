"""What the compiled solvers see of an instance under the CRUSH objective: plain arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from formulations.errors import InvalidInstanceError
from formulations.instance import Instance
from formulations.objectives.crush import CrushObjective, group_numbers
from formulations.validation import Array, IntArray


class Problem(NamedTuple):
    """Maximise O1 + connectivity * O2 over sets of ``size`` columns.

    Attributes
    ----------
    similarity : array of shape (n, m)
        s_kd, a row for each column d.
    table : array of shape (n,)
        The table of each column, from 0 to ``tables - 1``.
    by_table : array of shape (n,)
        The columns, table by table.
    key_start : array of shape (n + 1,)
        The key links of column d are entries ``key_start[d]`` up to, but not including, ``key_start[d + 1]``.
    key_column : array
        The column at the other end of each; always of another table.
    links : array of shape (size,)
        ``connectivity * smx(e(d, .))`` of a column with 0, 1, ... neighbours in a set of ``size``.
    gamma, connectivity, sharpness : float
        The parameters of the objective.
    size : int
        B.
    tables : int
        Number of tables.
    """

    similarity: Array
    table: IntArray
    by_table: IntArray
    key_start: IntArray
    key_column: IntArray
    links: Array
    gamma: float
    connectivity: float
    sharpness: float
    size: int
    tables: int


def problem_arrays(instance: Instance, objective: CrushObjective) -> Problem:
    """Return the arrays of an instance under an objective; O(n^2 + m n).

    Raises
    ------
    InvalidInstanceError
        When a similarity is ``-inf``.
    """
    any_size = instance.derived(objective, lambda: _arrays(instance, objective))
    if any_size.size == instance.size:
        return any_size
    return any_size._replace(links=_link_values(instance, objective), size=instance.size)


def _arrays(instance: Instance, objective: CrushObjective) -> Problem:
    check_similarities(instance)
    table = group_numbers(instance)
    left, right = key_links(instance)
    across = table[left] != table[right]
    left, right = left[across], right[across]
    return Problem(
        similarity=np.array(instance.coverage.T, order="C"),
        table=table,
        by_table=np.argsort(table, kind="stable"),
        key_start=np.searchsorted(left, np.arange(instance.n + 1)),
        key_column=right,
        links=_link_values(instance, objective),
        gamma=float(objective.gamma),
        connectivity=float(objective.connectivity),
        sharpness=float(objective.sharpness),
        size=instance.size,
        tables=int(table.max()) + 1,
    )


def _link_values(instance: Instance, objective: CrushObjective) -> Array:
    return objective.connectivity * objective.link_values(instance.size)


def key_links(instance: Instance) -> tuple[IntArray, IntArray]:
    """Return the ends of the key links, each in both directions, in ascending order."""
    # Most columns have none; a look at the largest of each row is faster than one at each entry.
    keyed = np.flatnonzero(instance.weights.max(axis=1))
    left, right = np.nonzero(instance.weights[np.ix_(keyed, keyed)])
    return keyed[left], keyed[right]


def check_similarities(instance: Instance) -> None:
    """Raise unless every similarity is finite: a probe that no column of a set can match has no soft maximum."""
    if not np.isfinite(instance.coverage).all():
        k, d = (int(place) for place in np.argwhere(~np.isfinite(instance.coverage))[0])
        remedy = "give every pair a finite similarity for CrushObjective"
        raise InvalidInstanceError(f"coverage[{k}, {d}]", f"is {instance.coverage[k, d]}", remedy)
