"""What probabilities say of an answer, in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jar.answers.alternative import Alternative

DEGREES = (
    (0.9, "very likely"),
    (0.7, "likely"),
    (0.5, "more likely than not"),
    (0.0, "less likely than not"),
)
"""From which confidence it is called what."""
TOLD = 0.005
"""Probability from which an alternative is told."""


def confidence_lines(confidence: float | None, alternatives: Sequence[Alternative]) -> list[str]:
    """How sure the chosen tables are, None where there are none, and the next likeliest sets, a line each.

    The first holds too where fewer tables are needed, so that it does not exclude the others.
    """
    lines = []
    if confidence is not None:
        words = next(words for least, words in DEGREES if confidence >= least)
        lines.append(f"{words} this answer holds all the tables that the question needs ({100 * confidence:.0f} %)")
    sets = [
        f"{', '.join(other.tables) or 'nothing here'} ({100 * other.probability:.0f} %)"
        for other in alternatives
        if other.probability >= TOLD
    ]
    return [*lines, f"the needed tables may also be exactly: {' | '.join(sets)}"] if sets else lines
