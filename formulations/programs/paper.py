"""The JAR paper's program, equation by equation, over columns of tables.

Maximise coarse * sum r_i b_i + fine * sum r_qik d_qik + coverage * sum d_q + join * sum w_ij^kl c_ij^kl  (1), where
the chosen joins are connected by a flow of K units from one chosen table. With ``connect="ignore"`` the program ends
after (10): the paper's JAR-D. Differences from the page of the paper:

- (14) e_i <= M b_i and (15) c <= M f have the safe forms e_i <= b_i and c <= f, unless M is given. Both hold in each
  solution: e is binary, and each arc of a tree carries at least one unit.
- The right-hand side of (10) is floor(match_limit * |Q|); the paper has match_limit = 1.
- f <= K and s <= K, which (15) and (14) imply, stand as bounds.
- A pair of columns with w = 0 can not join, and has no c.
"""

from __future__ import annotations

import numpy as np

from formulations.columns import ColumnProblem
from formulations.instance import Instance
from formulations.objectives.jar import JarObjective
from formulations.programs.program import Program, ProgramBuilder
from formulations.validation import Array, IntArray


class PaperProgram:
    """The program of a column-level problem.

    Parameters
    ----------
    problem : ColumnProblem
        Tables with columns.
    instance : Instance
        Its reduction: which tables are required and excluded.
    objective : JarObjective
        Weights; ``link`` is added to what each join earns. ``connect`` is "require" or "ignore".
    big_m : float, optional
        The constant M of (14) and (15); the paper's code has 1,000,000.
    """

    def __init__(
        self, problem: ColumnProblem, instance: Instance, objective: JarObjective, big_m: float | None = None
    ) -> None:
        self._problem, self._instance, self._objective, self._m = problem, instance, objective, big_m
        self._add = ProgramBuilder()
        allowed = ~np.isin(np.arange(instance.n), instance.exclude)
        required = np.isin(np.arange(instance.n), instance.require)
        base = objective.coarse * instance.relevance
        self._b = self._add.columns(base, lower=required, upper=allowed, integer=True)
        self._add.rows((self._b[None], 1.0), rhs=instance.size, equal=True)  # (2)
        self._matches()
        if objective.connect == "require":
            self._joins()
        self.program: Program = self._add.build()

    def decode(self, x: Array) -> tuple[int, ...]:
        """Return the set of tables in a solution."""
        return tuple(np.flatnonzero(x[self._b] > 0.5).tolist())

    def _matches(self) -> None:
        """Equations (5), (6), (9) and (10)."""
        m = len(self._problem.fine)
        if m == 0:
            return
        earned = np.full(m, self._objective.coverage)
        covered = self._add.columns(earned, integer=True)
        subquery, column = np.nonzero(self._problem.fine > -np.inf)
        d = self._add.columns(self._objective.fine * self._problem.fine[subquery, column], integer=True)
        owner = self._problem.owner
        pairs, pair = np.unique(subquery * self._instance.n + owner[column], return_inverse=True)
        self._add.grouped(len(pairs), (pair, d, 1.0), rhs=1.0)  # (5) sum_k d_qik <= 1
        used, position = np.unique(column, return_inverse=True)
        each = np.arange(len(used))
        self._add.grouped(  # (6) (1 / |Q|) sum_q d_qik <= b_i
            len(used), (position, d, 1.0 / m), (each, self._b[owner[used]], -1.0), rhs=0.0
        )
        self._add.grouped(m, (np.arange(m), covered, 1.0), (subquery, d, -1.0), rhs=0.0)  # (9) d_q <= sum_ik d_qik
        limit = self._objective.matches_allowed(m)
        self._add.grouped(1, (np.zeros(len(d)), d, 1.0), rhs=limit)  # (10) sum d <= |Q|

    def _joins(self) -> None:
        """Equations (2) to (4), and the flow (11) to (15)."""
        size, owner, b = self._instance.size, self._problem.owner, self._b
        useful = (self._problem.joinability > 0.0) & (owner[:, None] != owner)
        left, right = np.nonzero(useful)
        earned = self._objective.join * self._problem.joinability[left, right] + self._objective.link
        tail, head = owner[left], owner[right]
        c = self._add.columns(earned, integer=True)
        zeros, arcs = np.zeros(self._instance.n), np.zeros(len(c))
        f = self._add.columns(arcs, upper=size)  # (11)
        e = self._add.columns(zeros, integer=True)
        t = self._add.columns(zeros)
        s = self._add.columns(zeros, upper=size)
        self._add.grouped(1, (arcs, c, 1.0), rhs=size - 1)  # (2) sum c <= K - 1
        number = np.full(useful.shape, -1)
        number[left, right] = c
        once = left < right
        there, back = c[once], number[right[once], left[once]]
        ends = np.stack([b[tail[once]], b[head[once]]], axis=1)
        both = np.stack([there, back], axis=1)
        self._add.rows((both, 2.0), (ends, -1.0), rhs=np.zeros(len(there)))  # (3) 2 (c_ij + c_ji) <= b_i + b_j
        pairs, pair = np.unique(tail * self._instance.n + head, return_inverse=True)
        self._add.grouped(len(pairs), (pair, c, 1.0), rhs=1.0)  # (4) sum_kl c_ij^kl <= 1
        self._flow(tail, head, c, f, e, t, s)

    def _flow(
        self, tail: IntArray, head: IntArray, c: IntArray, f: IntArray, e: IntArray, t: IntArray, s: IntArray
    ) -> None:
        """Equations (12) to (15): K units leave the root, and each of K tables keeps one."""
        n, size = self._instance.n, self._instance.size
        each, no_arc, none = np.arange(n), np.zeros(len(c)), np.zeros(n)
        self._add.grouped(  # (12) s_i + inflow_i = outflow_i + t_i
            n, (each, s, 1.0), (head, f, 1.0), (tail, f, -1.0), (each, t, -1.0), rhs=0.0, equal=True
        )
        self._add.rows((t[None], 1.0), rhs=size, equal=True)  # (13) sum t = K
        self._add.rows((e[None], 1.0), rhs=1.0, equal=True)  # (14) sum e = 1
        self._add.rows((e, 1.0), (self._b, -(self._m or 1.0)), rhs=none)  # (14) e_i <= M b_i
        self._add.rows((s, 1.0), (e, -float(size)), rhs=none, equal=True)  # (14) s_i = K e_i
        self._add.rows((f, 1.0 / size), (c, -1.0), rhs=no_arc)  # (15) f / K <= c
        self._add.rows((c, 1.0), (f, -(self._m or 1.0)), rhs=no_arc)  # (15) c <= M f


def column_problem(instance: Instance) -> ColumnProblem:
    """Return an instance as a column-level problem in which each table has one column.

    One column may match several sub-queries and take part in several joins (5, 6, 4), so nothing is lost.
    """
    return ColumnProblem(
        instance.relevance,
        instance.coverage,
        np.arange(instance.n),
        instance.weights,
        instance.size,
        instance.ids,
        require=instance.require,
        exclude=instance.exclude,
    )
