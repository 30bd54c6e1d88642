"""`Drawing`: boxes, lines and texts at their places, for whoever paints them; and how each kind of them looks.

Lengths are pixels of a screen (1/96 inch), y grows downwards. Texts stand in a font of one width, so that their width
is known without the font.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

INK = "currentColor"
"""The colour of text around the picture, light or dark."""
BLUE, AMBER, GREEN, VIOLET = "#3b82c4", "#c07a12", "#3d9a63", "#a06cc0"
"""These stand out from white and from black by at least 3 to 1."""
TERM_COLOURS = (BLUE, AMBER, VIOLET, GREEN)
"""Of the parts of a score, in the order of `TERMS`."""
CELL = 0.6
"""Width of a sign by the size of its font."""

Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True)
class Look:
    """How a kind of box or line looks: colours, opacities from 0 to 1, width of the line, radius of the corners."""

    stroke: str = INK
    stroke_opacity: float = 1.0
    fill: str = INK
    fill_opacity: float = 0.0
    width: float = 1.0
    radius: float = 0.0
    dashed: bool = False


LOOKS = {
    "table": Look(BLUE, 1.0, BLUE, 0.10, 1.4, 6.0),
    "centre": Look(BLUE, 1.0, BLUE, 0.28, 2.0, 6.0),
    "rest": Look(INK, 0.35, INK, 0.05, 1.0, 6.0),
    "query": Look(AMBER, 1.0, AMBER, 0.14, 1.2, 9.0),
    "answer": Look(AMBER, 1.0, width=1.2),
    "trunk": Look(BLUE, 1.0, width=1.2),
    "join": Look(BLUE, 1.0, width=1.2),
    "weak join": Look(BLUE, 1.0, width=1.2, dashed=True),
    "other join": Look(INK, 0.3, width=0.8),
    **{f"term {n}": Look(colour, 0.0, colour, 1.0, 0.0) for n, colour in enumerate(TERM_COLOURS)},
}


@dataclass(frozen=True)
class Box:
    """A rectangle; `hint` is what it tells in full."""

    x: float
    y: float
    width: float
    height: float
    look: str
    hint: str = ""


@dataclass(frozen=True)
class Line:
    """A line through points; of four points, when it is curved, a cubic Bezier curve. `extra` makes it thicker."""

    points: tuple[tuple[float, float], ...]
    look: str
    extra: float = 0.0
    curved: bool = False


@dataclass(frozen=True)
class Text:
    """A text whose baseline begins, ends or is centred at a point; `opacity` from 0 to 1, `hint` as in `Box`."""

    x: float
    y: float
    text: str
    size: float = 12.0
    anchor: Anchor = "start"
    opacity: float = 1.0
    bold: bool = False
    hint: str = ""


@dataclass(frozen=True)
class Drawing:
    """A picture: its size, what it is called, and what it shows, from back to front."""

    width: float
    height: float
    title: str
    shapes: tuple[Box | Line | Text, ...]
