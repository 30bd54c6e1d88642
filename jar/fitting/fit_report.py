"""What a fit gives: figures before and after it on questions that it has not seen, and what it could not use."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from jar.fitting.logged import LeftOut
from jar.fitting.reliability import Reliability

SHOWN = 10
"""Rows that are left out whose cause is told; of others the number."""


@dataclass(frozen=True)
class Gain:
    """A figure in per cent, mean over questions, each ranked by a fit that has not seen it.

    Attributes
    ----------
    name : str
        "CR@5", whether all needed tables are among five, or "F1@k", of as many tables as are needed.
    before, after : float
        Without and with the fit.
    low, high : float
        95 % bootstrap interval of the difference, over groups of questions that are one but for the wording.
    """

    name: str
    before: float
    after: float
    low: float
    high: float

    @property
    def gain(self) -> float:
        """Points that the fit gives."""
        return self.after - self.before

    def __str__(self) -> str:
        interval = f"{self.low:+.1f} to {self.high:+.1f}"
        return f"{self.name}  {self.before:5.1f} -> {self.after:5.1f}   {self.gain:+.1f} (95 %: {interval})"


@dataclass(frozen=True)
class FitReport:
    """What was learned from a log.

    Attributes
    ----------
    questions, tables : int
        That it learned from, and that they need.
    gains : tuple of Gain
    left_out : tuple of LeftOut
        Rows of the log that teach nothing, and why: in a file, the first question is in row 2; in a list it is 1.
    seconds : float
    reliability : Reliability or None
        Of the candidates called needed with some probability, how many are, without and with the fit.
    """

    questions: int
    tables: int
    gains: tuple[Gain, ...]
    left_out: tuple[LeftOut, ...]
    seconds: float
    reliability: Reliability | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            **asdict(self),
            "gains": [asdict(gain) | {"gain": gain.gain} for gain in self.gains],
            "left_out": [row._asdict() for row in self.left_out],
        }

    def __str__(self) -> str:
        seconds = f"{self.seconds:.1f} s"
        head = f"fitted to {self.questions} questions that need {self.tables} tables, in {seconds}; each question below"
        return "\n".join([f"{head} is", "ranked by a fit without it", *self.lines()])

    def lines(self) -> Iterator[str]:
        """The gains and what is left out, a line each."""
        yield from (f"  {gain}" for gain in self.gains)
        yield from told_left_out(self.left_out)


def told_left_out(left_out: tuple[LeftOut, ...]) -> Iterator[str]:
    """A line for each row that is left out, of many for the first."""
    if left_out:
        yield f"{len(left_out)} left out" + (f", of which the first {SHOWN}:" if len(left_out) > SHOWN else ":")
    yield from (f"  row {row.row}: {row.cause}" for row in left_out[:SHOWN])
