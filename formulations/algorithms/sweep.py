"""Sweep: the rule of CRUSH's released code, with a certificate."""

from __future__ import annotations

from formulations.instance import Instance
from formulations.kernels.certificate import certified, deadline_after
from formulations.kernels.dispatch import kernel_of
from formulations.objectives.crush import CrushObjective
from formulations.solution import Outcome


def solve(instance: Instance, objective: CrushObjective, time_limit: float | None) -> Outcome:
    """Return the set that `formulations.sweep_order` selects, with a bound.

    The rule looks at similarities and tables, not at the objective, and ranks columns better than the objective does
    (see docs/crush.md): a set that is worth less may be the one to use.

    Parameters
    ----------
    instance, objective, time_limit
        As for `formulations.solve`. The limit cuts the work on the bound short.
    """
    from formulations.kernels.columns.session import quick_bound, swept_start

    kernel_of(objective, instance, time_limit)
    deadline = deadline_after(time_limit)
    start = swept_start(instance, objective)
    return certified(start.items, start.value, quick_bound(start, deadline))
