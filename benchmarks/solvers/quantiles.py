"""Quantiles of times of which some are only lower bounds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Time:
    """Seconds; with `censored` a lower bound, since the run was stopped at its limit."""

    seconds: float
    censored: bool = False

    def __str__(self) -> str:
        return f"{'> ' if self.censored else ''}{duration(self.seconds)}"


def quantile(times: Sequence[Time], share: float) -> Time:
    """The smallest time that at least this share of the runs does not exceed (the nearest rank, an observed time).

    The time of a stopped run is a lower bound. A quantile at or above the shortest stopped run is one, too: had that
    run gone on, it might have ended after the quantile.

    Parameters
    ----------
    times : list of Time
        At least one.
    share : float
        From 0 to 1: 0.5 is the median, 1 the worst.
    """
    ordered = sorted(times)
    chosen = ordered[max(0, math.ceil(share * len(ordered) - 1e-9) - 1)]
    shortest = min((time.seconds for time in times if time.censored), default=math.inf)
    return Time(chosen.seconds, chosen.seconds >= shortest)


def duration(seconds: float) -> str:
    """Seconds in the unit that a reader wants, with three digits."""
    if not math.isfinite(seconds):
        return "-"
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{_three_digits(seconds / size)} {unit}"
    return f"{_three_digits(seconds * 1e6)} µs"


def _three_digits(number: float) -> str:
    if number == 0:
        return "0"
    digits = max(0, 2 - math.floor(math.log10(abs(number))))
    return f"{number:,.{min(digits, 2)}f}"
