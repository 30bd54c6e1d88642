"""How the tables of the chosen columns join."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from formulations import JarObjective
from jar.arrays import IntArray
from jar.tables.problem import build_problem
from jar.tables.query import Limits
from jar.tables.table_answer import name_joins

if TYPE_CHECKING:
    from jar.answers.join import Join
    from jar.index.contents import IndexContents
    from joinability.scores.score import JoinScore


def joins_between(
    contents: IndexContents, tables: IntArray, limits: Limits, score: JoinScore, least: float
) -> tuple[Join, ...]:
    """The maximum spanning forest of some tables over joins that score at least `least`, best first.

    Parameters
    ----------
    tables : array (n,)
        Positions in the index.
    """
    if len(tables) < 2:
        return ()
    columns = contents.columns_of(tables)
    vetoes = Limits(forbid_columns=limits.forbid_columns, forbid_tables=limits.forbid_tables)
    nothing = np.zeros(len(tables)), np.zeros((0, len(columns)))
    problem, composites, joinability = build_problem(contents, tables, columns, *nothing, len(tables), vetoes, score)
    reduction = problem.reduce()
    forest = JarObjective().edges(reduction.instance, range(len(tables)))
    joins = name_joins(reduction, forest, contents, joinability, composites)
    return tuple(join for join in joins if join.score >= least)
