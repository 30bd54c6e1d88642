"""Does memory grow with the number of solves, here and in the workers?"""

from __future__ import annotations

from benchmarks.pages.grids import Grid
from benchmarks.solvers.bench import Bench, Check, Findings
from benchmarks.solvers.resident import Reading, measure_resident

NAME = "memory"
SUMMARY = "resident memory over 100,000 solves of exact and 500 of each engine"
IN_PROCESS = "exact"
FLAT_MEGABYTES = 5.0
"""What may come and go between the second reading and the last: allocators return memory when they like."""


def measure(bench: Bench) -> Findings:
    """Solve the instances of the package over and over, each solver in a process of its own."""
    found: dict[str, list[Reading]] = {}
    for text, solves in ((IN_PROCESS, bench.plan.solves), (bench.plan.memory_engines, bench.plan.worker_solves)):
        for contestant in bench.contestants(text):
            bench.report(f"{NAME}: {contestant.label}, {solves[-1]:,} solves")
            found[contestant.label] = measure_resident(contestant.label, solves)
    rows = [
        (label, f"{reading.solves:,}", f"{reading.host:.1f}", "" if reading.worker is None else f"{reading.worker:.1f}")
        for label, readings in found.items()
        for reading in readings
    ]
    note = "The instances of 20 tables in `benchmarks/instances` in turn; garbage is collected before each reading."
    grid = Grid("Resident memory, MB", ("solver", "solves", "process", "worker"), rows, note)
    return Findings([grid], [_check(label, readings) for label, readings in found.items()])


def _check(label: str, readings: list[Reading]) -> Check:
    second, last = readings[1], readings[-1]
    growths = [last.host - second.host]
    if last.worker is not None and second.worker is not None:
        growths.append(last.worker - second.worker)
    shown = ", ".join(f"{growth:+.1f} MB" for growth in growths)
    return Check(
        f"{label}: memory flat from {second.solves:,} to {last.solves:,} solves (within {FLAT_MEGABYTES:g} MB)",
        shown + (" (process, worker)" if len(growths) > 1 else ""),
        max(growths) <= FLAT_MEGABYTES,
    )
