"""Drawings painted on axes of matplotlib."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING, Any

from jar.errors import JarError
from jar.layout.drawing import INK, LOOKS, Box, Drawing, Line, Text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INSTALL = 'pip install "jar-rerank[pictures]"'
SCREEN = 96
"""Units of a drawing to an inch."""
POINTS = 72 / SCREEN


def check_installed() -> None:
    """Refuse where no picture can be drawn.

    Raises
    ------
    JarError
        When matplotlib is not installed.
    """
    if importlib.util.find_spec("matplotlib") is None:
        raise JarError(f"pictures need matplotlib; install it with: {INSTALL}")


def new_axes(width: float, height: float) -> Axes:
    """The axes that fill a new figure of so many inches; in a notebook, or with `pyplot.show`, it is shown.

    Raises
    ------
    JarError
        When matplotlib is not installed.
    """
    check_installed()
    from matplotlib import pyplot

    return pyplot.figure(figsize=(width, height)).add_axes((0.0, 0.0, 1.0, 1.0))


def paint(drawing: Drawing, ax: Axes | None) -> Axes:
    """Paint a drawing on some axes, or on those of a new figure of its size; returns the axes.

    All of it, texts too, is in the units of the axes, so that it keeps its proportions however large these are. Ink is
    the `text.color` of matplotlib's settings, texts are in its font "monospace".

    Raises
    ------
    JarError
        When matplotlib is not installed.
    """
    if ax is None:
        ax = new_axes(drawing.width / SCREEN, drawing.height / SCREEN)
    ax.set_xlim(0, drawing.width)
    ax.set_ylim(drawing.height, 0)
    ax.set_aspect("equal")
    ax.set_axis_off()
    width = ax.get_window_extent().width / ax.figure.dpi * SCREEN
    height = ax.get_window_extent().height / ax.figure.dpi * SCREEN
    scale = min(width / drawing.width, height / drawing.height) * POINTS
    for layer, shape in enumerate(drawing.shapes):
        if isinstance(shape, Box):
            _paint_box(ax, shape, scale, layer)
        elif isinstance(shape, Line):
            _paint_line(ax, shape, scale, layer)
        else:
            _paint_text(ax, shape, layer)
    return ax


def _colour(name: str, opacity: float) -> Any:
    from matplotlib import rcParams
    from matplotlib.colors import to_rgba

    return to_rgba(rcParams["text.color"] if name == INK else name, opacity)


def _paint_box(ax: Axes, box: Box, scale: float, layer: int) -> None:
    from matplotlib.patches import FancyBboxPatch

    look = LOOKS[box.look]
    radius = min(look.radius, box.height / 2)
    ax.add_artist(
        FancyBboxPatch(
            (box.x, box.y),
            box.width,
            box.height,
            boxstyle=f"round,pad=0,rounding_size={radius}" if radius else "square,pad=0",
            facecolor=_colour(look.fill, look.fill_opacity),
            edgecolor=_colour(look.stroke, look.stroke_opacity),
            linewidth=look.width * scale,
            zorder=2 + layer / 1e4,
        )
    )


def _paint_line(ax: Axes, line: Line, scale: float, layer: int) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    look = LOOKS[line.look]
    codes = [Path.MOVETO, *[Path.CURVE4 if line.curved else Path.LINETO] * (len(line.points) - 1)]
    ax.add_artist(
        PathPatch(
            Path(line.points, codes),
            fill=False,
            edgecolor=_colour(look.stroke, look.stroke_opacity),
            linewidth=(look.width + line.extra) * scale,
            linestyle=(0, (3, 2)) if look.dashed else "solid",
            capstyle="butt",
            zorder=2 + layer / 1e4,
        )
    )


def _paint_text(ax: Axes, text: Text, layer: int) -> None:
    from matplotlib.font_manager import FontProperties
    from matplotlib.patches import PathPatch
    from matplotlib.textpath import TextPath
    from matplotlib.transforms import Affine2D

    if not text.text.strip():
        return
    font = FontProperties(family="monospace", weight="bold" if text.bold else "normal")
    plain = text.text.replace("$", r"\$")  # two dollars would make it mathematics
    path = TextPath((0, 0), plain, size=text.size, prop=font)
    shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor] * float(path.vertices[:, 0].max())
    placed = Affine2D().translate(-shift, 0).scale(1, -1).translate(text.x, text.y)
    colour = _colour(INK, text.opacity)
    ax.add_artist(PathPatch(placed.transform_path(path), facecolor=colour, linewidth=0, zorder=2 + layer / 1e4))
