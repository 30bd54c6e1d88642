"""Local search: the better of the sets of greedy and sweep, then exchanges of one column while that helps."""

from __future__ import annotations

from formulations.algorithms.option import Option, takes_crush
from formulations.instance import Instance
from formulations.kernels.columns.session import exchanged, greedy_start, quick_bound, swept_start
from formulations.kernels.tables.session import certified, deadline_after
from formulations.objectives.crush import CrushObjective
from formulations.solution import Outcome

supports = takes_crush
OPTIONS: dict[str, Option] = {}


def solve(instance: Instance, objective: CrushObjective, time_limit: float | None) -> Outcome:
    """Return a set that no exchange of one column improves, with a bound.

    A round of exchanges takes O(B n m); a few do. There is no guarantee on the value, but the gap is always known.

    Parameters
    ----------
    instance, objective, time_limit
        As for `formulations.solve`. At the limit the exchanges stop, and the work on the bound is cut short.
    """
    deadline = deadline_after(time_limit)
    greedy, swept = greedy_start(instance, objective), swept_start(instance, objective)
    start = exchanged(greedy if greedy.value >= swept.value else swept, deadline)
    return certified(start.items, start.value, quick_bound(start, deadline))
