"""What a soak is judged by: times by kind of request, memory over time, errors; and how a page tells them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.pages.grids import Grid, wrapped
from benchmarks.pages.markdown import between

MARKS = ("<!-- soak: written by `python -m benchmarks soak` -->", "<!-- /soak -->")
PERCENTILES = (50, 95, 99)
WARM_UP = 0.2
"""Share of the time at the beginning that says nothing of growth: caches fill, code is compiled."""
SHORTEST, RATIO, BINS = 1e-5, 1.01, 2000
"""Bounds of the bins of times: from 10 microseconds, each 1 % wider than the one before, to more than an hour."""


class Times:
    """A histogram of times, which takes the same memory however many there are; exact to 1 %."""

    def __init__(self) -> None:
        self.counts = np.zeros(BINS, dtype=np.int64)
        self.longest = 0.0

    def add(self, seconds: float) -> None:
        """Count one."""
        place = int(np.log(max(seconds, SHORTEST) / SHORTEST) / np.log(RATIO))
        self.counts[min(place, BINS - 1)] += 1
        self.longest = max(self.longest, seconds)

    def merge(self, other: Times) -> None:
        """Count those of another."""
        self.counts += other.counts
        self.longest = max(self.longest, other.longest)

    @property
    def number(self) -> int:
        """How many were counted."""
        return int(self.counts.sum())

    def milliseconds(self, percent: float) -> float:
        """The upper end of the bin that holds a percentile; 0 without any time."""
        if not self.number:
            return 0.0
        reached = np.searchsorted(self.counts.cumsum(), percent / 100 * self.number)
        return 1e3 * min(float(SHORTEST * RATIO ** (int(reached) + 1)), self.longest)


@dataclass(frozen=True)
class Memory:
    """Memory of the process, sampled over time, and what it does after the warm-up.

    Attributes
    ----------
    seconds, megabytes : sequence of float
        When each sample was taken, and how much was resident then.
    allocated : sequence of float, optional
        How much of it was in use, as far as glibc gave it out: what is resident beyond is code, or DuckDB's, or lies
        free between what is in use. Empty where the system does not tell.
    """

    seconds: Sequence[float]
    megabytes: Sequence[float]
    allocated: Sequence[float] = ()

    def told(self) -> dict[str, float]:
        """Level after the warm-up and at the end (medians of a tenth of the samples), growth, slope in MB an hour."""
        memory = self._course(self.megabytes)
        if self.allocated:
            memory |= {f"allocated_{name}": value for name, value in self._course(self.allocated).items()}
        return memory

    def _course(self, megabytes: Sequence[float]) -> dict[str, float]:
        since, level = np.asarray(self.seconds), np.asarray(megabytes)
        warm = since >= since[0] + WARM_UP * (since[-1] - since[0])
        since, level = since[warm], level[warm]
        tenth = max(1, len(level) // 10)
        first, last = float(np.median(level[:tenth])), float(np.median(level[-tenth:]))
        slope = float(np.polyfit(since - since[0], level, 1)[0]) * 3600 if len(level) > 1 else 0.0
        return {"first": first, "last": last, "growth": last - first, "slope": slope, "peak": float(max(level))}


@dataclass(frozen=True)
class SoakFigures:
    """What was measured; see `soak_grids` for how it is told.

    Attributes
    ----------
    settings : mapping
        Minutes, threads and number of tables.
    times : mapping
        `Times` by kind of request.
    memory : Memory
    refreshes, openings : int
    errors : sequence of str
        Each as its traceback; one for an answer that differs from that of another thread to the same request, too.
    provenance : mapping
    """

    settings: Mapping[str, Any]
    times: Mapping[str, Times]
    memory: Memory
    refreshes: int
    openings: int
    errors: Sequence[str]
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """All figures, and a hundred samples of the memory, for JSON."""
        step = max(1, len(self.memory.seconds) // 100)
        samples = zip(self.memory.seconds[::step], self.memory.megabytes[::step], strict=True)
        return {
            **self.settings,
            "requests": {kind: self._of(times) for kind, times in self.times.items()},
            "memory": self.memory.told() | {"samples": [[round(at), round(level, 1)] for at, level in samples]},
            "refreshes": self.refreshes,
            "openings": self.openings,
            "errors": list(self.errors),
            **self.provenance,
        }

    @staticmethod
    def _of(times: Times) -> dict[str, float]:
        percentiles = {f"p{percent}": round(times.milliseconds(percent), 2) for percent in PERCENTILES}
        return {"number": times.number, **percentiles, "max": round(1e3 * times.longest, 1)}


def soak_grids(figures: SoakFigures) -> list[Grid]:
    """Times by kind of request, and what became of memory and errors."""
    header = ("request", "number", *(f"p{percent} ms" for percent in PERCENTILES), "longest ms")
    rows = [
        (
            f"`{kind}`",
            f"{times.number:,}",
            *(f"{times.milliseconds(percent):.1f}" for percent in PERCENTILES),
            f"{1e3 * times.longest:.0f}",
        )
        for kind, times in figures.times.items()
    ]
    memory = figures.memory.told()
    outcome = [
        ("errors, and answers that differ between threads", f"{len(figures.errors)}"),
        ("refreshes beside the requests", f"{figures.refreshes:,}"),
        ("times that the index was opened", f"{figures.openings:,}"),
        ("resident memory after the warm-up, MB", f"{memory['first']:.0f}"),
        ("resident memory at the end, MB", f"{memory['last']:.0f}"),
        ("growth after the warm-up, MB", f"{memory['growth']:+.1f}"),
        ("slope after the warm-up, MB an hour", f"{memory['slope']:+.1f}"),
        ("most resident memory after the warm-up, MB", f"{memory['peak']:.0f}"),
    ]
    if "allocated_slope" in memory:
        outcome += [
            ("of it in use after the warm-up, MB", f"{memory['allocated_first']:.0f}"),
            ("of it in use at the end, MB", f"{memory['allocated_last']:.0f}"),
            ("slope of what is in use, MB an hour", f"{memory['allocated_slope']:+.1f}"),
        ]
    return [Grid("", header, rows), Grid("", ("what", "figure"), outcome)]


def write_soak_tables(page: Path, figures: SoakFigures) -> None:
    """Write the tables between their marks of a page.

    Raises
    ------
    MissingMarksError
        When the page has no such marks.
    """
    settings, made = figures.settings, figures.provenance
    summary = (
        f"{settings['minutes']:g} minutes, {settings['threads']} threads that ask without a pause, "
        f"{settings['tables']} tables, {settings['embedder']} vectors"
    )
    if made:
        summary += f"; {made['machine']['cores']} cores, Python {made['versions']['python']}, {made['date'][:10]}"
    parts = [wrapped(f"{summary}."), *(grid.markdown() for grid in soak_grids(figures))]
    page.write_text(between(page.read_text("utf-8"), MARKS, "\n\n".join(parts)), "utf-8")
