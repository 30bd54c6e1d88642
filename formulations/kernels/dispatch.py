"""Which search an objective has, the one over tables or the one over columns, and that it is ready to run."""

from __future__ import annotations

import importlib
from typing import Any, Protocol, cast

from formulations.instance import Instance
from formulations.kernels.machine_code import Kit
from formulations.kernels.nodes import Search
from formulations.objectives.jar import JarObjective
from formulations.objectives.protocol import Objective
from formulations.off_clock import off_the_clock


class Kernel(Protocol):
    """What both modules ``session`` offer; the start of each is a named tuple with ``items`` and ``value``."""

    KIT: Kit
    """Their entries."""

    def operations(self, instance: Instance) -> float:
        """Return about how many elementary operations a usual search takes."""
        ...

    def starting_set(self, instance: Instance, objective: Any, deadline: float) -> Any:
        """Return the greedy set, or None where it is proven that no set satisfies the constraints."""
        ...

    def search(self, start: Any, deadline: float, *, gap_limit: float, node_limit: int | None) -> Search:
        """Run branch and bound from a starting set, to the end or to a limit."""
        ...

    def quick_bound(self, start: Any, deadline: float) -> Search:
        """Return the search after the work at the root that a heuristic can afford."""
        ...


def kernel_of(objective: Objective, instance: Instance, time_limit: float | None) -> Kernel:
    """Return the search of an objective, with its machine code where an instance needs it; only that one is imported.

    Called before a deadline is set, because code that has to be read takes its time.
    """
    kernel = kernel_named(search_name(objective))
    kernel.KIT.settle(kernel.operations(instance), time_limit)
    return kernel


def search_name(objective: Objective) -> str:
    """Return what the search of an objective is over: "tables" or "columns"."""
    return "tables" if isinstance(objective, JarObjective) else "columns"


def kernel_named(name: str) -> Kernel:
    """Return the search over "tables" or "columns"."""
    with off_the_clock():
        return cast(Kernel, importlib.import_module(f"formulations.kernels.{name}.session"))
