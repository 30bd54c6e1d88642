"""Branch and bound, with proof.

Over tables, the bound prices coverage and joins so that the best relaxed set is a knapsack over the dendrogram of the
join graph; docs/formulation.md derives it. Over columns it prices the probes, so that the best relaxed set is a
knapsack over the tables; docs/crush.md derives it.
"""

from __future__ import annotations

from formulations.algorithms.option import Option
from formulations.instance import Instance
from formulations.kernels.certificate import certified, deadline_after
from formulations.kernels.dispatch import kernel_of
from formulations.kernels.nodes import VALUE
from formulations.objectives.protocol import Objective
from formulations.solution import NO_SET, Outcome

OPTIONS = {
    "gap_limit": Option((0.0, 0.05), proof=False),
    "node_limit": Option((None, 1, 100), proof=False, least=1),
}


def solve(
    instance: Instance,
    objective: Objective,
    time_limit: float | None,
    *,
    gap_limit: float = 0.0,
    node_limit: int | None = None,
) -> Outcome:
    """Return a best set, or at a limit the best set so far with a valid bound.

    Exponential time at worst; a step takes O(n^2 + n K + n m) over tables and O(n m + n B) over columns (more with key
    links, which rank the columns of their tables again), and most real instances need few nodes.

    Parameters
    ----------
    instance, objective, time_limit
        As for `formulations.solve`.
    gap_limit : float >= 0
        Stop when the relative gap is no larger; 0 asks for a proof. The value of a set of columns has a large constant
        part (about ``(m + B) log B``), so that a small gap can still be a large difference.
    node_limit : int, optional
        Stop after so many nodes.
    """
    kernel = kernel_of(objective, instance, time_limit)
    deadline = deadline_after(time_limit)
    start = kernel.starting_set(instance, objective, deadline)
    if start is None:
        return NO_SET
    state = kernel.search(start, deadline, gap_limit=float(gap_limit), node_limit=node_limit)
    return certified(state.incumbent, float(state.values[VALUE]), state)
