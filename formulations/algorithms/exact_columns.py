"""Branch and bound over columns, with proof.

The bound prices the probes so that the best relaxed set is a knapsack over the tables (`relaxation`); docs/crush.md
derives it. The search is in `branch_and_bound`.
"""

from __future__ import annotations

from formulations.algorithms.option import Option, takes_crush
from formulations.instance import Instance
from formulations.kernels.columns.session import greedy_start, search
from formulations.kernels.tables.search_state import VALUE
from formulations.kernels.tables.session import certified, deadline_after
from formulations.objectives.crush import CrushObjective
from formulations.solution import Outcome

supports = takes_crush
OPTIONS = {
    "gap_limit": Option((0.0, 0.05), proof=False),
    "node_limit": Option((None, 1, 100), proof=False, least=1),
}


def solve(
    instance: Instance,
    objective: CrushObjective,
    time_limit: float | None,
    *,
    gap_limit: float = 0.0,
    node_limit: int | None = None,
) -> Outcome:
    """Return a best set, or at a limit the best one found with a valid bound.

    Exponential time at worst; a step takes O(n m + n B), and most real instances need few nodes.

    Parameters
    ----------
    instance, objective, time_limit
        As for `formulations.solve`.
    gap_limit : float >= 0
        Stop when the relative gap is no larger; 0 asks for a proof. The value has a large constant part (about
        ``(m + B) log B``), so that small gaps are no small differences.
    node_limit : int, optional
        Stop after so many nodes.
    """
    deadline = deadline_after(time_limit)
    start = greedy_start(instance, objective)
    state = search(start, deadline, gap_limit=float(gap_limit), node_limit=node_limit)
    return certified(state.incumbent, float(state.values[VALUE]), state)
