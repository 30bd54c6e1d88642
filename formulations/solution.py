"""The answer of a solver: a set of tables, its value, and a certificate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple


class Status(str, Enum):
    """What is known about a solution when the solver stops.

    ``optimal``
        The items are a best set, within the tolerance of floating-point arithmetic.
    ``feasible``
        The items satisfy every constraint; ``bound`` limits how much better another set can be.
    ``infeasible``
        Proven: no set of this size satisfies the constraints.
    ``unknown``
        The limit was reached before any feasible set was found, and none was ruled out.
    """

    OPTIMAL = "optimal"
    FEASIBLE = "feasible"
    INFEASIBLE = "infeasible"
    UNKNOWN = "unknown"

    def __str__(self) -> str:
        return self.value


class JoinEdge(NamedTuple):
    """A join of the answer: two tables by index, ``left < right``, and their compatibility."""

    left: int
    right: int
    weight: float


NO_DETAILS: Mapping[str, float] = {}


class Outcome(NamedTuple):
    """What a solver claims, before it is evaluated and verified.

    Attributes
    ----------
    items : tuple of int
        The set, ascending; empty when none was found.
    value : float
        What the solver says it is worth; ``-inf`` without items.
    bound : float
        Upper bound on the value of every feasible set; ``-inf`` where there is none.
    status : Status
        What the two prove.
    details : mapping of str to float
        What else the solver has to report.
    """

    items: tuple[int, ...]
    value: float
    bound: float
    status: Status
    details: Mapping[str, float] = NO_DETAILS


NO_SET = Outcome((), float("-inf"), float("-inf"), Status.INFEASIBLE)
"""The outcome where it is proven that no set satisfies the constraints."""


@dataclass(frozen=True)
class Solution:
    """A selected set of tables with its certificate.

    Attributes
    ----------
    items : tuple of int
        Indices of the selected tables, ascending; empty when there is none.
    ids : tuple of str
        Their ids, in the same order.
    value : float
        Objective value of ``items``; ``-inf`` when there are none.
    bound : float
        Upper bound on the value of every feasible set; ``-inf`` when the instance is infeasible.
    gap : float
        ``(bound - value) / max(|value|, 1e-12)``; 0 when optimal or infeasible, ``inf`` when unknown.
    status : Status
        What the two numbers prove.
    edges : tuple of JoinEdge
        A maximum spanning forest of the selected tables, best join first; of columns (CRUSH) all their key links.
    solver : str
        Name of the solver.
    seconds : float
        Wall-clock time inside `solve`.
    connected : bool
        Whether the joins connect all selected tables.
    components : tuple of tuple of int
        The connected components of the selected tables, by their smallest table.
    details : mapping of str to float
        What else the solver reports; of ``cpsat`` the ``scaling_error``, by which integer costs may be off, and which
        the bound contains.
    """

    items: tuple[int, ...]
    ids: tuple[str, ...]
    value: float
    bound: float
    gap: float
    status: Status
    edges: tuple[JoinEdge, ...]
    solver: str
    seconds: float
    connected: bool
    components: tuple[tuple[int, ...], ...]
    details: Mapping[str, float] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the solution as JSON types; an infinite value or bound becomes ``None``."""
        return {
            "items": list(self.items),
            "ids": list(self.ids),
            "value": _finite(self.value),
            "bound": _finite(self.bound),
            "gap": _finite(self.gap),
            "status": self.status.value,
            "edges": [[left, right, weight] for left, right, weight in self.edges],
            "connected": self.connected,
            "components": [list(component) for component in self.components],
            "solver": self.solver,
            "seconds": self.seconds,
            **({"details": dict(self.details)} if self.details else {}),
        }

    def __str__(self) -> str:
        shown = [name if name.isprintable() else repr(name)[1:-1] for name in self.ids]  # a name breaks no line
        name = dict(zip(self.items, shown, strict=True))
        head = f"{self.status}: {len(self.items)} selected, value {self.value:.6g}, bound {self.bound:.6g}"
        lines = [f"{head}, gap {self.gap:.2%} ({self.solver}, {self.seconds * 1e3:.2f} ms)"]
        for component in self.components:
            inside = set(component)
            lines.append("  " + ", ".join(name[item] for item in component))
            lines += [
                f"    {name[left]} -- {name[right]}  {weight:.3f}"
                for left, right, weight in self.edges
                if left in inside
            ]
        return "\n".join(lines)


def _finite(number: float) -> float | None:
    return number if abs(number) < float("inf") else None
