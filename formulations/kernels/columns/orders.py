"""Sets in the order of their selection, so that each first part of one is the answer for a smaller budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from formulations.instance import Instance
    from formulations.objectives.crush import CrushObjective


def sweep_order(instance: Instance, objective: CrushObjective) -> tuple[int, ...]:
    """Return the columns that the rule of CRUSH's released code selects, in the order in which it does.

    The probes are swept: each step takes, over the probes that the sweep has not covered yet, the pair (k, d) of the
    highest

        s_kd + gamma * log(1 + number of selected columns of d's table),

    and marks probe k covered; when all are, a new sweep begins. Of ties the first probe is taken, then the first
    column. Required columns come first, in ascending order, and count as selected; excluded ones are left out. Without
    probes there is one that is as similar to all columns.

    The order does not depend on ``instance.size`` but for its end: its first B columns are the selection for a budget
    of B. O(m n) at first; then O(n + m c) for each column, with c columns in its table, and O(n) more for each probe
    whose best column it was.

    Parameters
    ----------
    instance : Instance
        ``coverage`` holds s_kd, ``groups`` the table of each column; ``size`` columns are selected.
    objective : CrushObjective
        Only ``gamma`` is used.

    Returns
    -------
    tuple of int
        ``instance.size`` different columns.
    """
    from formulations.kernels.columns.session import swept_items

    return tuple(swept_items(instance, objective).tolist())


def greedy_order(instance: Instance, objective: CrushObjective) -> tuple[int, ...]:
    """Return the columns that `greedy` selects, in the order in which it does.

    Each step takes the column that raises the value most, by the definition of the value for a set of that many
    columns, so that here, too, the first B columns are the selection for a budget of B. Required columns come first.
    """
    from formulations.kernels.columns.session import starting_set

    return tuple(starting_set(instance, objective).items.tolist())
