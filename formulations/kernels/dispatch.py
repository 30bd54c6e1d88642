"""Which compiled search an objective has: the one over tables, or the one over columns."""

from __future__ import annotations

from typing import Any, Protocol

from formulations.instance import Instance
from formulations.kernels.nodes import Search
from formulations.objectives.jar import JarObjective
from formulations.objectives.protocol import Objective


class Kernel(Protocol):
    """What both modules ``session`` offer; the start of each is a named tuple with ``items`` and ``value``."""

    def starting_set(self, instance: Instance, objective: Any, deadline: float) -> Any:
        """Return the greedy set, or None where it is proven that no set satisfies the constraints."""
        ...

    def search(self, start: Any, deadline: float, *, gap_limit: float, node_limit: int | None) -> Search:
        """Run branch and bound from a starting set, to the end or to a limit."""
        ...

    def quick_bound(self, start: Any, deadline: float) -> Search:
        """Return the search after the work at the root that a heuristic can afford."""
        ...


def kernel_of(objective: Objective) -> Kernel:
    """Return the compiled search of an objective; only that one is imported."""
    if isinstance(objective, JarObjective):
        from formulations.kernels.tables import session as tables

        return tables
    from formulations.kernels.columns import session as columns

    return columns
