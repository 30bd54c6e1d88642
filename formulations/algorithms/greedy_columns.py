"""Greedy: add the column that raises the value most, until the set is full."""

from __future__ import annotations

from formulations.algorithms.option import Option, takes_crush
from formulations.instance import Instance
from formulations.kernels.columns.session import greedy_start, quick_bound
from formulations.kernels.tables.session import certified, deadline_after
from formulations.objectives.crush import CrushObjective
from formulations.solution import Outcome

supports = takes_crush
OPTIONS: dict[str, Option] = {}


def solve(instance: Instance, objective: CrushObjective, time_limit: float | None) -> Outcome:
    """Return the greedy set, with a bound.

    Gains are evaluated lazily (Minoux 1978; "CELF"): O1 is monotone submodular, so that what a column once added to it
    is a bound on what it adds later. With ``connectivity=0``, or ``gamma=0``, and nothing required, the set R has a
    guarantee (Nemhauser, Wolsey and Fisher 1978). Let d be its first column, and R* a best set of B columns:

        O1(R) - O1({d}) >= (1 - exp(-(B - 1) / B)) (O1(R*) - O1({d})).

    It holds from the first column on, because the empty set is worth minus infinity; docs/crush.md has the proof. The
    link terms are not submodular, and with them there is no guarantee; the gap is always known.

    Parameters
    ----------
    instance, objective, time_limit
        As for `formulations.solve`. The limit cuts the work on the bound short.
    """
    deadline = deadline_after(time_limit)
    start = greedy_start(instance, objective)
    return certified(start.items, start.value, quick_bound(start, deadline))
