"""How a solver looks in every plot, and the axes where the caller has none."""

from __future__ import annotations

from typing import Any

COLOURS = {
    "exact": "#1b6ca8",
    "local": "#7fb3d5",
    "greedy": "#a9a9a9",
    "mip:highs": "#2e8b57",
    "mip:cbc": "#8fbc5a",
    "cpsat": "#c98a1b",
    "paper-mip:highs": "#8e44ad",
    "paper-mip:cbc": "#c0392b",
}
MARKERS = "osD^vP*X"


def style(solver: str) -> dict[str, Any]:
    """Colour and marker of a solver, however it starts; grey for one that is not known here."""
    solver = solver.removesuffix(":cold")
    known = list(COLOURS)
    marker = MARKERS[known.index(solver) % len(MARKERS)] if solver in known else "."
    return {"color": COLOURS.get(solver, "#555555"), "marker": marker, "markersize": 4, "linewidth": 1.5}


def axes_or_new(ax: Any) -> Any:
    """The given axes, or those of a new figure that no window shows."""
    if ax is not None:
        return ax
    from matplotlib.figure import Figure

    return Figure(figsize=(7.0, 4.2), layout="constrained").subplots()


def finish(ax: Any, title: str, x: str, y: str) -> Any:
    """Titles, a light grid and a legend; returns the axes."""
    ax.set_title(title, fontsize=10, loc="left")
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    ax.grid(visible=True, which="major", linewidth=0.3)
    ax.spines[["top", "right"]].set_visible(False)
    if ax.get_legend_handles_labels()[0]:
        ax.legend(fontsize=8, frameon=False)
    return ax
