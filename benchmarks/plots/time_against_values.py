"""How the indexing of a lake grows with the values in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.plots.styles import finish, new_axes


def plot_time_against_values(lakes: Sequence[Mapping[str, Any]]) -> Any:
    """CPU time over the number of values, on logarithmic axes, with a line of slope one through the first lake.

    Each lake is what `benchmarks.lake.indexing.index_lake` returns.
    """
    ax = new_axes()
    values = [lake["values"] for lake in lakes]
    for label, stage in (("all", ""), ("profiles", "profile_"), ("overlaps", "overlap_")):
        ax.plot(values, [lake[f"{stage}cpu_seconds"] for lake in lakes], marker="o", label=label)
    first = lakes[0]["cpu_seconds"] / values[0]
    ax.plot(values, [first * value for value in values], linestyle=":", color="grey", label="linear")
    ax.set_xscale("log")
    ax.set_yscale("log")
    return finish(ax, "Profiles and overlaps of all pairs", "distinct values of columns", "CPU seconds")
