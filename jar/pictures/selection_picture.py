"""`plot_selection`: the picture of an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jar.layout.selection_layout import lay_out_selection
from jar.pictures.painting import paint

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from jar.answers.selection import Selection


def plot_selection(result: Selection, ax: Axes | None = None) -> Axes:
    """Draw an answer: tables as trees of joins, sub-queries beside the columns that answer them, the rest in grey.

    A table stands below the one that it joins, on the columns written above it; the thicker its line, the better the
    join, which is dashed where names alone speak for it. The bar of a table shows the terms of its score. Candidates
    that were left out come in the order of what they would add to the chosen tables.

    Parameters
    ----------
    result : Selection
        What `Reranker.rank` or `Reranker.columns` returned.
    ax : Axes, optional
        Where to draw; by default in a new figure of the size that the picture needs.

    Returns
    -------
    Axes
        ``ax.figure.savefig("answer.png", dpi=144)`` writes the picture. `Selection.to_svg` makes the same without
        matplotlib.

    Raises
    ------
    JarError
        When matplotlib is not installed.
    """
    return paint(lay_out_selection(result.plan()), ax)
