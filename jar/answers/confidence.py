"""What probabilities say of an answer, in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jar.answers.selection import Selection

DEGREES = (
    (0.9, "very likely all the tables that the question needs"),
    (0.7, "likely all the tables that the question needs"),
    (0.5, "more likely than not all the tables that the question needs"),
    (0.0, "unsure that these are all the tables that the question needs"),
)
"""From which confidence it is called what."""


def confidence_text(selection: Selection) -> str:
    """The confidence in an answer in one line; empty where it has none."""
    if selection.confidence is None or not selection.tables:
        return ""
    words = next(words for least, words in DEGREES if selection.confidence >= least)
    return f"{words} ({100 * selection.confidence:.0f} %)"


def alternatives_text(selection: Selection) -> str:
    """The next likeliest sets in one line; empty where there are none."""
    told = [
        f"{', '.join(other.tables) or 'nothing here'} ({100 * other.probability:.0f} %)"
        for other in selection.alternatives
        if other.probability >= 0.005
    ]
    return f"or just: {' | '.join(told)}" if told else ""


def confidence_lines(selection: Selection) -> list[str]:
    """Both, each in a line where there is something to tell."""
    return [line for line in (confidence_text(selection), alternatives_text(selection)) if line]
