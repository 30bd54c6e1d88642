"""How much of the gold is found among k tables or columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks.plots.styles import axes_or_new, finish, system_style


def plot_recall_against_k(curves: Mapping[str, Mapping[int, float]], ax: Any = None, *, title: str = "") -> Any:
    """Recall of each system against the number of tables or columns that it names.

    Parameters
    ----------
    curves : mapping
        Percent by size, by system.
    ax : matplotlib axes, optional
    title : str

    Returns
    -------
    matplotlib axes
    """
    ax = axes_or_new(ax)
    sizes = sorted({size for curve in curves.values() for size in curve})
    for place, (system, curve) in enumerate(curves.items()):
        sizes_of_system = sorted(curve)
        ax.plot(sizes_of_system, [curve[size] for size in sizes_of_system], label=system, **system_style(place, system))
    ax.set_xscale("log")
    ax.set_xticks(sizes, [str(size) for size in sizes])
    ax.minorticks_off()
    return finish(ax, title or "Recall against k", "k", "recall, %")
