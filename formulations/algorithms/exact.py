"""Branch and bound on the reduced form, with proof.

The bound prices coverage and joins (`prices`, `subgradient`) so that the best relaxed set is a knapsack over the
dendrogram of the join graph (`dendrogram`); docs/formulation.md derives it. The search is in `branch_and_bound`.
"""

from __future__ import annotations

from formulations.algorithms.option import Option, takes_jar
from formulations.instance import Instance
from formulations.kernels.tables.search_state import VALUE
from formulations.kernels.tables.session import certified, deadline_after, search, starting_set
from formulations.objectives.jar import JarObjective
from formulations.solution import NO_SET, Outcome

supports = takes_jar
OPTIONS = {
    "gap_limit": Option((0.0, 0.05), proof=False),
    "node_limit": Option((None, 1, 100), proof=False, least=1),
}


def solve(
    instance: Instance,
    objective: JarObjective,
    time_limit: float | None,
    *,
    gap_limit: float = 0.0,
    node_limit: int | None = None,
) -> Outcome:
    """Return a best set, or at a limit the best one found with a valid bound.

    Exponential time at worst; a step takes O(n^2 + n K + n m), and most real instances need no branching.

    Parameters
    ----------
    instance, objective, time_limit
        As for `formulations.solve`.
    gap_limit : float >= 0
        Stop when the relative gap is no larger; 0 asks for a proof.
    node_limit : int, optional
        Stop after so many nodes.
    """
    deadline = deadline_after(time_limit)
    start = starting_set(instance, objective, deadline)
    if start is None:
        return NO_SET
    state = search(start, deadline, gap_limit=float(gap_limit), node_limit=node_limit)
    return certified(state.incumbent, float(state.values[VALUE]), state)
