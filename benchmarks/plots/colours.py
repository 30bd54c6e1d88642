"""How a system looks in every plot of results."""

from __future__ import annotations

from typing import Any

COLOURS = ("#1b6ca8", "#c0392b", "#2e8b57", "#c98a1b", "#8e44ad", "#16a2b8", "#7f5539", "#d63384", "#607d1b", "#34495e")
MARKERS = "osD^vP*X<>"
ORACLE = "oracle"


def look(place: int, system: str) -> dict[str, Any]:
    """Colour, marker and line by the place of a system in its plot; the oracle, which bounds all, is a grey dash."""
    if system.startswith(ORACLE):
        return {"color": "#888888", "marker": "", "linestyle": "--", "linewidth": 1.2}
    colour, marker = COLOURS[place % len(COLOURS)], MARKERS[place % len(MARKERS)]
    return {"color": colour, "marker": marker, "markersize": 4, "linestyle": "-", "linewidth": 1.3}
