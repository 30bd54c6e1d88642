"""What all plots share: axes, titles, files, and how a system or a solver looks."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

SOLVER_COLOURS = {
    "exact": "#1b6ca8",
    "local": "#7fb3d5",
    "greedy": "#a9a9a9",
    "mip:highs": "#2e8b57",
    "mip:cbc": "#8fbc5a",
    "cpsat": "#c98a1b",
    "paper-mip:highs": "#8e44ad",
    "paper-mip:cbc": "#c0392b",
}
SOLVER_MARKERS = "osD^vP*X"
COLOURS = ("#1b6ca8", "#c0392b", "#2e8b57", "#c98a1b", "#8e44ad", "#16a2b8", "#7f5539", "#d63384", "#607d1b", "#34495e")
MARKERS = "osD^vP*X<>"
ORACLE = "oracle"

INSTALL = 'pip install "jar-rerank[benchmark]"'
DOTS_PER_INCH = 110


def solver_style(solver: str) -> dict[str, Any]:
    """Colour and marker of a solver, however it starts; grey for an unknown one."""
    solver = solver.removesuffix(":cold")
    known = list(SOLVER_COLOURS)
    marker = SOLVER_MARKERS[known.index(solver) % len(SOLVER_MARKERS)] if solver in known else "."
    return {"color": SOLVER_COLOURS.get(solver, "#555555"), "marker": marker, "markersize": 4, "linewidth": 1.5}


def system_style(place: int, system: str) -> dict[str, Any]:
    """Colour, marker and line by the place of a system in its plot; the oracle, which bounds all, is a grey dash."""
    if system.startswith(ORACLE):
        return {"color": "#888888", "marker": "", "linestyle": "--", "linewidth": 1.2}
    colour, marker = COLOURS[place % len(COLOURS)], MARKERS[place % len(MARKERS)]
    return {"color": colour, "marker": marker, "markersize": 4, "linestyle": "-", "linewidth": 1.3}


def missing() -> str | None:
    """Why no plot can be drawn, with the install line; None when it can."""
    if importlib.util.find_spec("matplotlib") is None:
        return f"no plots: they need matplotlib; install it with: {INSTALL}"
    return None


def new_axes() -> Any:
    """The axes of a new figure that no window shows."""
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


def save(axes: Any, path: Path) -> Path:
    """Write the figure of some axes, in a folder that is made where it is not there; returns the path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    axes.figure.savefig(path, dpi=DOTS_PER_INCH, metadata={"Software": None})
    return path
