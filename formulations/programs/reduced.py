"""The reduced program: tables, joins and matches, and the cuts that make the joins a tree.

Columns, all in [0, 1] but the last: b_i (table i is chosen; the only integers), x_ij (its join to j is in the tree,
i < j), d_qi (table i matches sub-query q), y_q (q is covered), and for each inner node C of the dendrogram of the
join graph z_C (some table of C is chosen) and s_C in [0, K] (trees into which the joins inside C fall). Maximise

    sum base_i b_i + sum w_ij x_ij + sum g_qi d_qi + coverage * sum y_q

    (R1) sum b = K                                  (R5) y_q <= sum_i d_qi
    (R2) x_ij <= b_i, x_ij <= b_j                   (R6) s_C = s_A + s_B - x(A : B)   for C = A merged with B
    (R3) d_qi <= b_i                                (R7) z_A <= z_C, z_B <= z_C
    (R4) sum d <= floor(match_limit * m)            (R8) z_C <= s_C

where s and z of a leaf are b_i; with connect="require" also sum x = K - 1 and, for K > 1, b_i <= sum_j x_ij. For
fixed b the matches form a network, so that d and y come out integral. (R6) to (R8) say x(E(C)) <= b(C) - z_C, the
subtour rows of the n - 1 sets that Kruskal's algorithm forms on all tables. They do not suffice for each set of
tables; `formulations.programs.rounds` adds the rest as cuts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from formulations.instance import Instance
from formulations.objectives.jar import JarObjective
from formulations.programs.program import Program, ProgramBuilder, largest_sum
from formulations.validation import Array, IntArray

Group = tuple[int, ...]


class Cut(NamedTuple):
    """The row ``x(E(group)) <= b(group) - b_anchor``: the joins inside a group of tables have no cycle."""

    group: Group
    anchor: int


class Merge(NamedTuple):
    """A step of Kruskal's algorithm: two disjoint groups become one."""

    left: Group
    right: Group


class ReducedProgram:
    """The program of an instance, and the ways between its solutions and sets of tables.

    Parameters
    ----------
    instance, objective
        The problem.
    integral : bool
        Make every column an integer, for an engine without continuous ones.
    """

    constant = 0.0

    def __init__(self, instance: Instance, objective: JarObjective, *, integral: bool = False) -> None:
        self.instance = instance
        self.objective = objective
        self._integral = integral
        self._kept = np.setdiff1d(np.arange(instance.n), instance.exclude)
        self._builder = ProgramBuilder()
        self._limit = min(objective.matches_allowed(instance.m), instance.m * instance.size)
        self._tables = self._table_columns()
        self._matches, self._covered = self._match_columns()
        self._left, self._right, self._joins = self._join_columns()
        self._trees, self._touched = self._dendrogram_columns()
        self._base = self._builder.build()
        self._cuts: dict[Cut, None] = {}

    def program(self) -> Program:
        """Return the program with the cuts so far."""
        if not self._cuts:
            return self._base
        rows = ProgramBuilder()
        for cut in self._cuts:
            inside = self._joins[np.isin(self._left, cut.group) & np.isin(self._right, cut.group)]
            others = self._tables[[table for table in cut.group if table != cut.anchor]]
            rows.rows((inside[None], 1.0), (others[None], -1.0), rhs=0.0)
        return rows.build(self._base)

    def cut_off(self, items: tuple[int, ...]) -> bool:
        """Add the cuts under which this set earns no more than it is worth; say whether any is new.

        They are the subtour rows of the K - 1 groups that Kruskal's algorithm forms on the set: greedy's proof that
        its forest is a maximum one (Edmonds 1971). They hold for every other set, too.
        """
        known = len(self._cuts)
        for left, right in merges(edge[:2] for edge in self.objective.edges(self.instance, items)):
            group = tuple(sorted(left + right))
            if len(group) > 2:
                self._cuts.update((Cut(group, anchor), None) for anchor in group)
        return len(self._cuts) > known

    def decode(self, x: Array) -> tuple[int, ...]:
        """Return the set of tables in a solution."""
        return tuple(np.flatnonzero((self._tables >= 0) & (x[self._tables] > 0.5)).tolist())

    def encode(self, items: tuple[int, ...]) -> Array:
        """Return the solution that stands for a set of tables, as a start for the engine."""
        x = np.zeros(len(self._base.cost))
        x[self._tables[list(items)]] = 1.0
        for match in self.objective.matches(self.instance, items):
            x[self._matches[match.subquery, match.table]] = 1.0
            if match.first and self._covered[match.subquery] >= 0:
                x[self._covered[match.subquery]] = 1.0
        if len(self._joins):
            self._encode_joins(x, items)
        return x

    def most(self, amounts: Array) -> float:
        """Return a bound on ``amounts @ x`` over the sets, of amounts >= 0.

        K tables, K - 1 joins, as many matches as count, and every sub-query covered. Groups of tables earn nothing.
        """
        size = self.instance.size
        matches = self._matches[self._matches >= 0]
        return (
            largest_sum(amounts[self._tables[self._kept]], size)
            + largest_sum(amounts[self._joins], size - 1)
            + largest_sum(amounts[matches], self._limit)
            + float(amounts[self._covered[self._covered >= 0]].sum())
        )

    def _encode_joins(self, x: Array, items: tuple[int, ...]) -> None:
        """Write the columns of joins, trees and touched groups."""
        column = np.full((self.instance.n, self.instance.n), -1)
        column[self._left, self._right] = self._joins
        forest = [edge[:2] for edge in self.objective.edges(self.instance, items)]
        x[[column[edge] for edge in forest]] = 1.0
        for merge, trees, touched in zip(self._merges, self._trees.tolist(), self._touched.tolist(), strict=True):
            group = {*merge.left, *merge.right}
            tables = len(group.intersection(items))
            x[touched] = float(tables > 0)
            x[trees] = tables - sum(left in group and right in group for left, right in forest)

    def _table_columns(self) -> IntArray:
        """Add b and (R1); return the column of each table, -1 for excluded ones."""
        tables = np.full(self.instance.n, -1)
        base = self.objective.coarse * self.instance.relevance[self._kept]
        required = np.isin(self._kept, self.instance.require)
        tables[self._kept] = self._builder.columns(base, lower=required, integer=True)
        self._builder.rows((tables[self._kept][None], 1.0), rhs=self.instance.size, equal=True)
        return tables

    def _match_columns(self) -> tuple[IntArray, IntArray]:
        """Add d, y and (R3) to (R5); return the columns, -1 where there is none.

        A match that earns nothing even as the first of its sub-query is left out.
        """
        m, n = self.instance.coverage.shape
        matches, covered = np.full((m, n), -1), np.full(m, -1)
        scores = self.objective.match_scores(self.instance)
        useful = (scores + self.objective.coverage > 0.0) & (self._tables >= 0)
        if self._limit == 0 or not useful.any():
            return matches, covered
        subqueries, tables = np.nonzero(useful)
        matches[subqueries, tables] = d = self._builder.columns(scores[useful], integer=self._integral)
        self._builder.rows((d, 1.0), (self._tables[tables], -1.0), rhs=np.zeros(len(d)))
        self._builder.rows((d[None], 1.0), rhs=self._limit)
        if self.objective.coverage > 0.0:
            present, group = np.unique(subqueries, return_inverse=True)
            earned = np.full(len(present), self.objective.coverage)
            covered[present] = y = self._builder.columns(earned, integer=self._integral)
            self._builder.grouped(len(y), (np.arange(len(y)), y, 1.0), (group, d, -1.0), rhs=0.0)
        return matches, covered

    def _join_columns(self) -> tuple[IntArray, IntArray, IntArray]:
        """Add x and (R2), and that the tree has K - 1 joins where it is required; return ends and columns."""
        weights = self.objective.join_weights(self.instance)
        connected = self.objective.connect == "require"
        useful = weights > (-np.inf if connected else 0.0)
        useful &= (self._tables >= 0)[:, None] & (self._tables >= 0)
        left, right = np.nonzero(np.triu(useful, 1))
        x = self._builder.columns(weights[left, right], integer=self._integral)
        for end in (left, right):
            self._builder.rows((x, 1.0), (self._tables[end], -1.0), rhs=np.zeros(len(x)))
        size = self.instance.size
        if connected and size > 1:
            if len(x) == 0:
                # An empty row can not say 0 = K - 1 to every engine.
                self._builder.rows((self._tables[self._kept][None], 1.0), rhs=0.0)
            else:
                self._builder.rows((x[None], 1.0), rhs=size - 1, equal=True)
                b = self._tables[self._kept]
                count = np.arange(len(b))
                ends = [np.searchsorted(self._kept, end) for end in (left, right)]
                self._builder.grouped(len(b), (count, b, 1.0), (ends[0], x, -1.0), (ends[1], x, -1.0), rhs=0.0)
        return left, right, x

    def _dendrogram_columns(self) -> tuple[IntArray, IntArray]:
        """Add s, z and (R6) to (R8); return the columns, one for each merge."""
        self._merges: list[Merge] = []
        if len(self._joins):
            self._merges = merges(edge[:2] for edge in self.objective.edges(self.instance, self._kept.tolist()))
        zeros = np.zeros(len(self._merges))
        s = self._builder.columns(zeros, upper=self.instance.size, integer=self._integral)
        z = self._builder.columns(zeros, integer=self._integral)
        trees: dict[Group, int] = {(table,): int(self._tables[table]) for table in self._kept.tolist()}
        touched = dict(trees)
        for (left, right), s_column, z_column in zip(self._merges, s.tolist(), z.tolist(), strict=True):
            across = np.isin(self._left, left) & np.isin(self._right, right)
            across |= np.isin(self._left, right) & np.isin(self._right, left)
            joins = self._joins[across][None]
            self._builder.rows(
                ([[s_column]], 1.0), ([[trees[left], trees[right]]], -1.0), (joins, 1.0), rhs=0.0, equal=True
            )
            self._builder.rows(([touched[left], touched[right]], 1.0), ([z_column, z_column], -1.0), rhs=[0.0, 0.0])
            self._builder.rows(([z_column], 1.0), ([s_column], -1.0), rhs=[0.0])
            group = tuple(sorted(left + right))
            trees[group], touched[group] = s_column, z_column
        return s, z


def merges(edges: Iterable[tuple[int, int]]) -> list[Merge]:
    """Return the merges of a forest whose edges come best first."""
    group: dict[int, Group] = {}
    steps = []
    for left, right in edges:
        a, b = group.get(left, (left,)), group.get(right, (right,))
        steps.append(Merge(a, b))
        merged = tuple(sorted(a + b))
        group.update(dict.fromkeys(merged, merged))
    return steps
