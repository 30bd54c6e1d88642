"""How columns are searched with probes: every parameter, and the settings that have a name."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal, get_args

import numpy as np

from formulations import CrushObjective
from jar.errors import QueryError

Similarity = Literal["posterior", "entropy", "cosine"]

BUDGET = 20
"""Columns that are chosen where nobody says how many."""

SHARP = CrushObjective(gamma=0.0, sharpness=0.3)
"""The objective over posteriors. It needs no edges, since tables and keys speak through the similarity (see
docs/columns.md for what was measured), and is solved with proof in about a millisecond."""


@dataclass(frozen=True)
class ColumnSearch:
    """What makes a column similar to a probe, and which set of columns is worth what.

    Parameters
    ----------
    objective : CrushObjective
    similarity : {"posterior", "entropy", "cosine"}
        ``posterior``: the probability that the probe means the column, given all probes (`jar.tables.posterior`).
        ``entropy``: the paper's s_kd. ``cosine``: (1 + cosine) / 2, the paper's ablation without entropy.
    temperature : float > 0
        Of the posterior.
    consensus : float >= 0
        How much the probes decide together on a database, in the posterior.
    joins : float from 0 to 1
        Weight of the probe that asks for the columns which join probable tables; 0: none. Posterior only.
    bridges : float from 0 to 1
        How much a table counts that links two probable tables; 0: not at all. Posterior with `joins` only.
    values : bool
        Whether a column is nearer to a probe that has one of its values. Posterior only.
    question : bool
        Whether the question itself is one more probe.
    context : bool
        Whether probes are embedded with their question.
    candidates : int
        Columns that the objective chooses from (the budget, where that is more): those nearest to any probe.
    link : float from 0 to 1
        Two columns whose joinability is at least this are linked by an edge of the objective.

    Raises
    ------
    QueryError
        When a parameter is out of its range.
    """

    objective: CrushObjective = field(default=SHARP)
    similarity: Similarity = "posterior"
    temperature: float = 0.04
    consensus: float = 1.0
    joins: float = 0.5
    bridges: float = 0.5
    values: bool = True
    question: bool = True
    context: bool = True
    candidates: int = 200
    link: float = 0.5

    def __post_init__(self) -> None:
        if not isinstance(self.objective, CrushObjective):
            raise QueryError(f"objective is {self.objective!r}: give a CrushObjective")
        if self.similarity not in get_args(Similarity):
            raise QueryError(f"similarity is {self.similarity!r}: choose one of {', '.join(get_args(Similarity))}")
        for name, low, high in (
            ("temperature", 1e-3, 1e3),
            ("consensus", 0, 1e3),
            ("joins", 0, 1),
            ("bridges", 0, 1),
            ("candidates", 1, 1e9),
            ("link", 0, 1),
        ):
            number = getattr(self, name)
            whole = name == "candidates"
            if not isinstance(number, int if whole else (int, float)) or not low <= number <= high:
                kind = "whole number" if whole else "number"
                raise QueryError(f"{name} is {number!r}: give a {kind} from {low:g} to {high:g}")

    @property
    def reads_spelled(self) -> bool:
        """Whether columns are compared by their names in words, too; the paper compares names as they are."""
        return self.similarity == "posterior"

    @property
    def has_edges(self) -> bool:
        """Whether edges between columns are worth anything."""
        return self.objective.gamma > 0 and self.objective.connectivity > 0


DEFAULT_SEARCH = ColumnSearch()
"""What "crush" stands for."""

PAPER_SEARCH = ColumnSearch(CrushObjective(), "entropy", joins=0.0, question=False, candidates=100)
"""What "crush-paper" stands for: similarity, candidates and objective of the CRUSH paper."""

SEARCHES = {"crush": DEFAULT_SEARCH, "crush-paper": PAPER_SEARCH}


def column_search(objective: str | CrushObjective | ColumnSearch) -> ColumnSearch:
    """The search of a name, or with an objective of one's own; KeyError where there is none of that name."""
    if isinstance(objective, ColumnSearch):
        return objective
    if isinstance(objective, CrushObjective):
        return replace(DEFAULT_SEARCH, objective=objective)
    return SEARCHES[objective]


def check_budget(budget: int) -> int:
    """The number of columns asked for.

    Raises
    ------
    QueryError
        When it is no whole number from 1.
    """
    if isinstance(budget, bool) or not isinstance(budget, (int, np.integer)) or budget < 1:
        raise QueryError(f"budget is the number of columns to choose, a whole number from 1, not {budget!r}")
    return int(budget)
