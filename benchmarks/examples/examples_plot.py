"""The plot of the page on examples: how often retrievers find the needed shape, by the hardness of the query."""

from __future__ import annotations

from typing import Any

from benchmarks.examples.example_study import ExampleStudy
from benchmarks.examples.figures import MOST
from benchmarks.plots.styles import finish, new_axes, system_style

SHOWN = (
    "the most frequent skeletons",
    "`NearestExamples`, MiniLM",
    "`LexicalExamples`",
    "`MaskedExamples`, MiniLM",
    "`SkeletonExamples`",
    "`StructureExamples`",
    "`StructureExamples`, graph",
)
"""The retrievers of the plot, as far as the study has them: all others are kinds of these."""


def plot_by_hardness(study: ExampleStudy) -> Any:
    """Bars to the share of questions with the needed skeleton among five; a line across each: as the first example."""
    ax = new_axes()
    names = [name for name in SHOWN if name in study.figures]
    width = 0.84 / max(1, len(names))
    for place, name in enumerate(names):
        shares = [study.figures[name].by_hardness[level] for level in study.levels]
        spots = [spot - 0.42 + width * (place + 0.5) for spot in range(len(shares))]
        colour = system_style(place, name)["color"]
        ax.bar(spots, [of_five for _, of_five in shares], 0.9 * width, label=name.replace("`", ""), color=colour)
        for spot, (first, _) in zip(spots, shares, strict=True):
            ax.plot([spot - 0.45 * width, spot + 0.45 * width], [first, first], color="black", linewidth=1.4)
    ax.set_xticks(range(len(study.levels)), [f"{level} ({count})" for level, count in study.levels.items()])
    title = f"The needed shape among {MOST} examples; black line: as the first"
    return finish(ax, title, "hardness (questions)", "questions, %")
